/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/commands.h"

#include <stdlib.h>
#include <string.h>

/* A ring buffer: beats `answered` to `taken` - 1 wait for their answers, beats `taken` to `filled` - 1 for acceptance.
 * The counts are not reduced modulo the size, which is a power of two. */
struct smx {
  struct hd_beat *ring;
  uint32_t size, answered, taken, filled;
};

struct hd_commands {
  uint32_t num_smx, open;
  struct smx smx[];
};

struct hd_commands *hd_commands_new(uint32_t num_smx) {
  struct hd_commands *c = calloc(1, sizeof *c + num_smx * sizeof *c->smx);
  if (c != NULL) c->num_smx = num_smx;
  return c;
}

void hd_commands_free(struct hd_commands *c) {
  if (c == NULL) return;
  for (uint32_t s = 0; s < c->num_smx; s++) free(c->smx[s].ring);
  free(c);
}

static struct hd_beat *at(struct smx *s, uint32_t count) {
  return &s->ring[count & (s->size - 1)];
}

static bool make_room(struct smx *s, uint32_t n) {
  uint32_t used = s->filled - s->answered, size = s->size != 0 ? s->size : 64;
  while (size - used < n || size < used) size *= 2;
  if (size == s->size) return true;
  struct hd_beat *grown = malloc(size * sizeof *grown);
  if (grown == NULL) return false;
  for (uint32_t i = 0; i < used; i++) grown[i] = *at(s, s->answered + i);
  free(s->ring);
  *s = (struct smx){.ring = grown, .size = size, .taken = s->taken - s->answered, .filled = used};
  return true;
}

bool hd_commands_push(struct hd_commands *c, uint32_t smx, const struct hd_devlaunch *beat, uint32_t n,
                      uint32_t owner) {
  struct smx *s = &c->smx[smx];
  if (!make_room(s, n)) return false;
  for (uint32_t k = 0; k < n; k++) *at(s, s->filled++) = (struct hd_beat){.launch = beat[k], .owner = owner + k};
  c->open += n;
  return true;
}

const struct hd_beat *hd_commands_offer(struct hd_commands *c, uint32_t smx, bool *first_time) {
  struct smx *s = &c->smx[smx];
  if (s->taken == s->filled) return NULL;
  struct hd_beat *b = at(s, s->taken);
  *first_time = !b->offered;
  b->offered = true;
  return b;
}

void hd_commands_taken(struct hd_commands *c, uint32_t smx) {
  c->smx[smx].taken++;
}

const struct hd_beat *hd_commands_answered(struct hd_commands *c, uint32_t smx) {
  struct smx *s = &c->smx[smx];
  if (s->answered == s->taken) return NULL;
  c->open--;
  return at(s, s->answered++);
}

uint32_t hd_commands_open(const struct hd_commands *c) {
  return c->open;
}
