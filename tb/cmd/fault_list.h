/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fault_list: the planted faults as verif/faults.csv lists them. */
#ifndef HD_FAULT_LIST_H
#define HD_FAULT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define HD_FAULT_LIST "verif/faults.csv"

struct hd_fault {
  unsigned id;
  char blocks[128]; /* each of which is to show it: one, or those that a shared cell is a part of */
  char signal[256], what[256];
  char set[64]; /* without what the fault does not show: a change of the configuration, or a profile; mostly empty */
};

/* A line of the list; false: it is none. */
bool hd_fault_parse(const char *line, struct hd_fault *f);

/* Whether the block of that name can show fault `id`: it is listed there, or a block inside it is. False: err holds one
 * line, which tells where the fault is, or which there are. The list is that of the checkout that the running program
 * lies in. Without one (an installed command has none, and no builds with faults either) everything is accepted. */
bool hd_fault_accepted(unsigned id, const char *block, char *err, size_t err_size);

#endif
