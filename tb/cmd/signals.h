/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* signals: how the command ends at SIGHUP, SIGINT, SIGQUIT and SIGTERM. Those that were ignored when it began (nohup)
 * stay ignored, but for SIGINT and SIGTERM in a long run. */
#ifndef HD_SIGNALS_H
#define HD_SIGNALS_H

/* After this call each of these signals removes unfinished files (hd_out_abandon()) and then ends the program as the
 * signal does by default. Call once, before anything else. */
void hd_signals_init(void);

/* Returns a pointer to a number that is 0 until the first of these signals, which sets it and does not end the program:
 * a long run stops and reports the results so far. The second signal ends the program as above. */
const volatile int *hd_signals_stop(void);

#endif
