/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* deplinks_file: the parents and children of a kernel's TBs from a text file, as docs/deplinks.md tells. */
#ifndef HD_DEPLINKS_FILE_H
#define HD_DEPLINKS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/deplinks.h"

/* Reads the file into *d, which it begins with hd_deplinks_init(), and builds *g. `grid`: {0}: a row of as many TBs as
 * the largest id tells. True: the caller frees both. False: err holds one line, "FILE:LINE: ..", and nothing is owned:
 * a self edge has the line that it stands in, a cycle the line that closes it. */
bool hd_deplinks_read(const char *path, struct hd_dim3 grid, const struct hd_deplinks_memory *memory,
                      struct hd_deplinks *d, struct hd_deplinks_graph *g, char *err, size_t err_size);

#endif
