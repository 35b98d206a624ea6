/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* keep: writes the files that a failed simulation leaves. */
#ifndef HD_SAVE_FAILURE_H
#define HD_SAVE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hd_sim;

/* Writes the inputs since the last reset of a failed simulation (opened with `record`) as a replay file to the folder
 * `dir`, after shortening them for at most `shrink` seconds. With `report`, explains the failure there and writes a
 * waveform next to the replay (diagnose.h). Stores the replay's name in `path`. Returns false if nothing was written; a
 * line on stderr then says why. */
bool hd_save_failure(struct hd_sim *s, const char *dir, double shrink, FILE *report, char *path, size_t path_size);

/* Returns true if the folder can be created and written to; leaves no new folder. If false, err says why. */
bool hd_save_folder(const char *dir, char *err, size_t err_size);

#endif
