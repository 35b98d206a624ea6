// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The parameters in which apu8 differs from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_NUM_SMX=8
