/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "twin.h"

const struct hd_twin *const hd_twins[] = {&hd_twin_kmu,  &hd_twin_kd,     &hd_twin_fcfs,  &hd_twin_tbcr, &hd_twin_sched,
                                          &hd_twin_regs, &hd_twin_memarb, &hd_twin_match, &hd_twin_devq, &hd_twin_link,
                                          &hd_twin_agt,  &hd_twin_age,    &hd_twin_kin,   &hd_twin_pool, &hd_twin_susp,
                                          &hd_twin_pq,   &hd_twin_laperm, &hd_twin_top,   NULL};

const struct hd_twin *hd_twin_find(const char *block) {
  for (unsigned k = 0; hd_twins[k]; k++)
    if (!strcmp(hd_twins[k]->block, block)) return hd_twins[k];
  return NULL;
}
