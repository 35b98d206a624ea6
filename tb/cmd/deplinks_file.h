/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* deplinks_file: reads the parents and children of a kernel's TBs from a text file (format: docs/deplinks.md). */
#ifndef HD_DEPLINKS_FILE_H
#define HD_DEPLINKS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/deplinks.h"

/* Initializes *d, reads the file into it, and builds *g. A `grid` of {0} means one row of TBs up to the largest id.
 * Returns true if both were built; the caller frees both. Otherwise err holds one line, "FILE:LINE: ..", and the caller
 * frees nothing. LINE is the line of a self edge, or the line that closes a cycle. */
bool hd_deplinks_read(const char *path, struct hd_dim3 grid, const struct hd_deplinks_memory *memory,
                      struct hd_deplinks *d, struct hd_deplinks_graph *g, char *err, size_t err_size);

#endif
