// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Parameters of gtx480ws that differ from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_NUM_SMX=15
+define+HD_CTAS_PER_SMX=8
+define+HD_THREADS_PER_SMX=1024
+define+HD_REGS_PER_SMX=32768
+define+HD_REG_UNIT=64
+define+HD_NUM_KDE=16
+define+HD_NUM_HWQ=16
+define+HD_AGT_SIZE=512
+define+HD_OVF_SLOTS=121
+define+HD_KDE_SEARCH_LANES=16
+define+HD_NUM_KIN=64
