/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fault_list: the planted faults of verif/faults.csv. */
#ifndef HD_FAULT_LIST_H
#define HD_FAULT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define HD_FAULT_LIST "verif/faults.csv"

struct hd_fault {
  unsigned id;
  char blocks[128]; /* blocks that must show the fault: one, or all that contain a shared cell */
  char signal[256], what[256];
  char set[64]; /* change of configuration, or profile, that the fault needs to show; mostly empty */
};

/* Parses a line of the list. Returns false if the line is not a fault. */
bool hd_fault_parse(const char *line, struct hd_fault *f);

/* Returns true if the list has fault `id` for this block or for a block inside it. Otherwise err holds one line with
 * the blocks of the fault, or with the known faults. Reads the list of the checkout that contains the running program.
 * Returns true if there is no checkout: an installed command has no builds with faults either. */
bool hd_fault_accepted(unsigned id, const char *block, char *err, size_t err_size);

#endif
