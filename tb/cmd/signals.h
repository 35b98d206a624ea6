/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* signals: how the command ends at SIGHUP, SIGINT, SIGQUIT and SIGTERM. Those that were ignored when it began (nohup)
 * stay ignored, but for SIGINT and SIGTERM in a long run. */
#ifndef HD_SIGNALS_H
#define HD_SIGNALS_H

/* From here on each of them removes the files that are not whole (hd_out_abandon()), and ends the program as it would
 * have ended it. Called once, first of all. */
void hd_signals_init(void);

/* From here on the first of them sets the number to which the result points, initially 0, and returns: a long run ends
 * with what it has so far. The next one ends the program as above. */
const volatile int *hd_signals_stop(void);

#endif
