// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Parameters of a100 that differ from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_NUM_SMX=108
+define+HD_CTAS_PER_SMX=32
+define+HD_SMEM_PER_SMX=167936
+define+HD_NUM_KDE=128
+define+HD_CHOICE_LATENCY=2
+define+HD_AGT_SIZE=4096
+define+HD_OVF_SLOTS=3457
+define+HD_KDE_SEARCH_LANES=128
+define+HD_LIST_POS_W=20
+define+HD_RING_POS_W=15
+define+HD_NUM_KIN=512
