/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "oracle/pool_state.h"

enum { EARLIER = 2 }; /* at least this many cycles from the choice to the request */

void hd_pool_back_cycle(struct hd_pool_back *b, unsigned queues, const bool *may) {
  b->now++;
  for (unsigned q = 0; q < queues; q++)
    if (!may[q])
      b->able[q] = 0;
    else if (!b->able[q])
      b->able[q] = b->now;
}

void hd_pool_back_written(struct hd_pool_back *b, unsigned queue, unsigned level) {
  if (!b->there[queue]++ || level > b->level[queue]) b->level[queue] = (uint8_t)level;
}

const char *hd_pool_back_requested(struct hd_pool_back *b, unsigned queues, unsigned queue) {
  const char *rule = NULL;
  for (unsigned q = 0; q < queues; q++)
    if (b->able[q] && b->able[q] + EARLIER <= b->asked && b->before[q] > b->level[queue])
      rule = "a kernel returns from memory before one of a higher level";
  b->able[queue] = 0; /* the next one may have become the oldest only recently */
  b->there[queue]--;
  b->asked = b->now;
  memcpy(b->before, b->level, sizeof b->before);
  return rule;
}

/* Finds the lines whose oldest kernel in memory may return: it is written, and no kernel of its stream is before it. */
void hd_pool_back_see(struct oracle *o, unsigned policy) {
  uint8_t seen[HD_MAX_POOL_QUEUES] = {0};
  bool may[HD_MAX_POOL_QUEUES] = {false};
  for (unsigned at = 0; at < o->n && o->in_memory && policy != HD_POLICY_RR; at++) {
    const struct pool_waits *w = &o->waiting[at];
    const bool waits = w->k.stream && (o->running[w->k.stream] || w->in_memory != READABLE);
    if (seen[w->line] || (w->in_memory != WRITTEN && w->in_memory != READABLE && !waits)) continue;
    seen[w->line] = 1;
    may[w->line] = !waits && w->in_memory == READABLE;
  }
  hd_pool_back_cycle(&o->back, o->cfg.pool_queues, may);
}
