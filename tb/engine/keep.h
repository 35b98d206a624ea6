/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* keep: what a failed simulation leaves behind. */
#ifndef HD_KEEP_H
#define HD_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hd_sim;

/* Writes the inputs since the last reset of a failed simulation (opened with `record`) as a replay file to the folder
 * `dir`, after shortening them for `shrink` seconds at most, and, if `report`, explains the failure there and leaves a
 * waveform beside the replay (diagnose.h). path: the replay's name. False: nothing was written, a line on stderr says
 * why. */
bool hd_keep_failure(struct hd_sim *s, const char *dir, double shrink, FILE *report, char *path, size_t path_size);

/* Whether the folder can be made and written to if something fails later; leaves none. False: err says why not. */
bool hd_keep_folder(const char *dir, char *err, size_t err_size);

#endif
