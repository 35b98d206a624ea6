// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Parameters of apu8 that differ from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_NUM_SMX=8
