/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* diagnose: runs a failing replay again, slowly, and tells what happened. */
#ifndef HD_DIAGNOSE_H
#define HD_DIAGNOSE_H

#include "engine/replay.h"

/* Prints one screen about the failure of the replay r (stored at `path`): a first line that is easy to grep for, a
 * sentence, the differing fields, the inputs of that cycle, the last transfers, and the commands to go on with. Writes
 * the waveform of the cycles before beside the replay (<path>.fst, <path>.gtkw) if `wave`. Returns the verdict. */
enum hd_verdict hd_diagnose(const struct hd_replay *r, const char *path, bool wave, FILE *f);

/* Writes a GTKWave save file for a waveform of a block: its view (made when the block was built in that
 * configuration) with the file's name put in. */
bool hd_gtkw_write(const char *block, const char *config, const char *fst, const char *gtkw);

/* The folder tb/ of the checkout that this program was built from, or the installed data folder. */
void hd_data_dir(char *buf, size_t size);

#endif
