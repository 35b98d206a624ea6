/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* diagnose: runs a failing replay once more, with full checks, and explains the failure. */
#ifndef HD_DIAGNOSE_H
#define HD_DIAGNOSE_H

#include "engine/replay.h"

/* Prints one screen about the failure of the replay r (stored at `path`): a first line that is easy to grep for, a
 * sentence, the differing fields, the inputs of that cycle, the last transfers, and commands for the next steps. If
 * `wave`, also writes a waveform of the preceding cycles (<path>.fst) and a view of the failing cycle
 * (<path>.fst.gtkw). Returns the verdict. */
enum hd_verdict hd_diagnose(const struct hd_replay *r, const char *path, bool wave, FILE *f);

/* Stores in buf the folder tb/ of the checkout that built this program, or the installed data folder. */
void hd_data_dir(char *buf, size_t size);

#endif
