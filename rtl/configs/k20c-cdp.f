// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Parameters of k20c-cdp that differ from k20c. Made by `python3 rtl/hdgen rtl`.
+define+HD_HAS_GROUPS=0
+define+HD_HAS_BANKS=0
+define+HD_HAS_GRAPH=0
+define+HD_HAS_THROTTLE=0
