// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// k20c: no parameter changes. Made by `python3 rtl/hdgen rtl`.
