// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The parameters in which k20c-laperm differs from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_SMEM_PER_SMX=32768
