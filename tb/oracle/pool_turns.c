/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/pool_turns.h"

#include <string.h>

const char *hd_pool_turns_offered(struct hd_pool_turns *t, unsigned n, unsigned turn, unsigned level) {
  const char *rule = NULL;
  for (unsigned other = 0; other < n; other++) {
    if (other == turn || !level || t->picked[other] != level) {
      memset(t->passed[other], 0, sizeof t->passed[other]);
      continue;
    }
    if (t->passed[other][turn]) rule = "a stream or bank is offered twice while another of its level waits";
    t->passed[other][turn] = 1;
  }
  return rule;
}

void hd_pool_turns_lost(struct hd_pool_turns *t) {
  memset(t->passed, 0, sizeof t->passed);
}

void hd_pool_turns_end(struct hd_pool_turns *t) {
  memcpy(t->picked, t->before, sizeof t->picked);
  memcpy(t->before, t->sure, sizeof t->before);
  memset(t->sure, 0, sizeof t->sure);
}
