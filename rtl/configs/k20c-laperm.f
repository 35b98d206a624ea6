// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Parameters of k20c-laperm that differ from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_SMEM_PER_SMX=32768
+define+HD_HAS_GRAPH=0
+define+HD_HAS_THROTTLE=0
