/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* diagnose: runs a failing replay again, slowly, and tells what happened. */
#ifndef HD_DIAGNOSE_H
#define HD_DIAGNOSE_H

#include "engine/replay.h"

/* Prints one screen about the failure of the replay r (stored at `path`): a first line that is easy to grep for, a
 * sentence, the differing fields, the inputs of that cycle, the last transfers, and the commands to go on with. Writes
 * the waveform of the cycles before beside the replay (<path>.fst), with a view that shows the failing cycle
 * (<path>.fst.gtkw), if `wave`. Returns the verdict. */
enum hd_verdict hd_diagnose(const struct hd_replay *r, const char *path, bool wave, FILE *f);

/* The folder tb/ of the checkout that this program was built from, or the installed data folder. */
void hd_data_dir(char *buf, size_t size);

#endif
