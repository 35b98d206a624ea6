// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// k20c: the default parameters. Made by `python3 rtl/hdgen rtl`.
