/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* vectors: a block's inputs and outputs, cycle by cycle, as text that a testbench in another simulator reads.
 *
 * A line for each cycle: 0, all inputs, all outputs, as two hexadecimal numbers: the first port of the block's CSV file
 * in the lowest bits, element 0 of an array below element 1, a struct packed as in the RTL. Clock and reset are
 * omitted. A line N 0 0: reset was held for N cycles. */
#ifndef HD_VECTORS_H
#define HD_VECTORS_H

#include <stdbool.h>

#include "engine/fields.h"

struct hd_vectors;

/* Opens the file. Returns NULL if it cannot be written, with one line in err. The list must outlive the result. */
struct hd_vectors *hd_vectors_open(const char *path, const struct hd_field_list *list, char *err, size_t err_size);

void hd_vectors_reset(struct hd_vectors *v, unsigned cycles);
void hd_vectors_cycle(struct hd_vectors *v, const void *in, const void *out);

/* Closes the file; without `keep` it is discarded. Returns false if writing failed: no file exists, err has one
 * line. */
bool hd_vectors_close(struct hd_vectors *v, bool keep, char *err, size_t err_size);

#endif
