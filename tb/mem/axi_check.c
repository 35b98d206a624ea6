/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "mem/axi_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BEATS_MAX = 8, BOUNDARY = 4096, SIZE = 4, INCR = 1 };

static const char *broken(struct hd_axi_check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static const char *broken(struct hd_axi_check *c, const char *fmt, ...) {
  va_list ap;
  int n = snprintf(c->text, sizeof c->text, "AXI4, cycle %" PRIu64 ": ", c->cycle);
  va_start(ap, fmt);
  vsnprintf(c->text + n, sizeof c->text - (size_t)n, fmt, ap);
  va_end(ap);
  return c->text;
}

/* The fields that AW and AR share. */
struct address {
  uint64_t addr;
  uint8_t id, len, size, burst;
};

static struct address aw_of(const struct hd_axi_request *a) {
  return (struct address){a->awaddr, a->awid, a->awlen, a->awsize, a->awburst};
}

static struct address ar_of(const struct hd_axi_request *a) {
  return (struct address){a->araddr, a->arid, a->arlen, a->arsize, a->arburst};
}

static bool same_address(struct address x, struct address y) {
  return x.addr == y.addr && x.id == y.id && x.len == y.len && x.size == y.size && x.burst == y.burst;
}

static const char *check_stable(struct hd_axi_check *c, const struct hd_axi_request *a) {
  const struct hd_axi_request *was = &c->was;
  if (c->aw_waits && !a->awvalid) return broken(c, "awvalid fell before the address was accepted");
  if (c->aw_waits && !same_address(aw_of(a), aw_of(was))) return broken(c, "AW changed before it was accepted");
  if (c->ar_waits && !a->arvalid) return broken(c, "arvalid fell before the address was accepted");
  if (c->ar_waits && !same_address(ar_of(a), ar_of(was))) return broken(c, "AR changed before it was accepted");
  if (c->w_waits && !a->wvalid) return broken(c, "wvalid fell before the beat was accepted");
  if (c->w_waits && (a->wdata_hi != was->wdata_hi || a->wdata_lo != was->wdata_lo || a->wstrb != was->wstrb ||
                     a->wlast != was->wlast))
    return broken(c, "W changed before it was accepted");
  return NULL;
}

static const char *check_address(struct hd_axi_check *c, const char *channel, struct address x) {
  uint64_t bytes = (uint64_t)HD_AXI_BEAT * (x.len + 1u);
  if (x.id >= c->clients) return broken(c, "%sid is %u, but there are %" PRIu32 " clients", channel, x.id, c->clients);
  if (x.size != SIZE) return broken(c, "%ssize is %u, not 4 (16 bytes)", channel, x.size);
  if (x.burst != INCR) return broken(c, "%sburst is %u, not 1 (INCR)", channel, x.burst);
  if (x.len >= BEATS_MAX) return broken(c, "%slen is %u; at most 8 beats are allowed", channel, x.len);
  if (x.addr % HD_AXI_BEAT) return broken(c, "%saddr 0x%" PRIx64 " is not a multiple of 16", channel, x.addr);
  if (x.addr % BOUNDARY + bytes > BOUNDARY)
    return broken(c, "%u beats from %saddr 0x%" PRIx64 " cross a 4 KB boundary", x.len + 1u, channel, x.addr);
  return NULL;
}

static const char *check_length(struct hd_axi_check *c, const struct hd_axi_write *w, unsigned beats) {
  if (beats == w->beats) return NULL;
  return broken(c, "wlast at beat %u of the write of %u beats at 0x%" PRIx64, beats, w->beats, w->addr);
}

/* The oldest write whose data is not complete. */
static struct hd_axi_write *open_write(struct hd_axi_check *c) {
  for (uint32_t i = 0; i < c->writes; i++)
    if (!c->write[i].complete) return &c->write[i];
  return NULL;
}

static const char *take_address(struct hd_axi_check *c, const struct hd_axi_request *a) {
  if (c->writes == HD_AXI_BURSTS) return broken(c, "more than %u writes are unanswered", HD_AXI_BURSTS);
  struct hd_axi_write *w = &c->write[c->writes++];
  *w = (struct hd_axi_write){.addr = a->awaddr, .id = a->awid, .beats = (uint8_t)(a->awlen + 1)};
  if (c->aheads == 0)
    return NULL; /* data that preceded its address belongs to the oldest open write, which is this one */
  uint8_t beats = c->ahead[0];
  memmove(c->ahead, c->ahead + 1, --c->aheads);
  w->complete = true;
  return check_length(c, w, beats);
}

static const char *take_beat(struct hd_axi_check *c, const struct hd_axi_request *a) {
  struct hd_axi_write *w = open_write(c);
  c->beats++;
  if (w != NULL && c->beats == w->beats && !a->wlast)
    return broken(c, "no wlast at the last of %u beats of the write at 0x%" PRIx64, w->beats, w->addr);
  if (c->beats == BEATS_MAX && !a->wlast) return broken(c, "8 beats of write data without wlast");
  if (!a->wlast) return NULL;
  uint8_t beats = c->beats;
  c->beats = 0;
  if (w != NULL) {
    w->complete = true;
    return check_length(c, w, beats);
  }
  if (c->aheads == HD_AXI_BURSTS) return broken(c, "data of more than %u writes before their addresses", HD_AXI_BURSTS);
  c->ahead[c->aheads++] = beats;
  return NULL;
}

/* Answers of one ID are in order, so B answers the oldest write of its ID. */
static const char *take_answer(struct hd_axi_check *c, uint8_t id) {
  uint32_t i = 0;
  while (i < c->writes && c->write[i].id != id) i++;
  if (i == c->writes || !c->write[i].complete) return broken(c, "the memory answered a write of ID %u too early", id);
  memmove(c->write + i, c->write + i + 1, (--c->writes - i) * sizeof *c->write);
  return NULL;
}

static const char *check_order(struct hd_axi_check *c, const struct hd_axi_request *a) {
  uint64_t from = a->araddr, to = from + HD_AXI_BEAT * (a->arlen + 1u);
  for (uint32_t i = 0; i < c->writes; i++) {
    const struct hd_axi_write *w = &c->write[i];
    if (w->addr < to && from < w->addr + (uint64_t)HD_AXI_BEAT * w->beats)
      return broken(c, "client %u reads 0x%" PRIx64 " before the write of client %u to 0x%" PRIx64 " is answered",
                    a->arid, from, w->id, w->addr);
  }
  return NULL;
}

static const char *check_transfers(struct hd_axi_check *c, const struct hd_axi_request *a,
                                   const struct hd_axi_response *t) {
  const char *rule = NULL;
  if (a->awvalid && t->awready) rule = take_address(c, a);
  if (rule == NULL && a->wvalid && t->wready) rule = take_beat(c, a);
  if (rule == NULL && a->arvalid && t->arready) rule = check_order(c, a);
  if (rule == NULL && t->bvalid) rule = take_answer(c, t->bid);
  return rule;
}

const char *hd_axi_check(struct hd_axi_check *c, const struct hd_axi_request *a, const struct hd_axi_response *t) {
  const char *rule = check_stable(c, a);
  if (rule == NULL && a->awvalid && !c->aw_waits) rule = check_address(c, "aw", aw_of(a));
  if (rule == NULL && a->arvalid && !c->ar_waits) rule = check_address(c, "ar", ar_of(a));
  if (rule == NULL && !a->bready) rule = broken(c, "bready is 0");
  if (rule == NULL && !a->rready) rule = broken(c, "rready is 0");
  if (rule == NULL) rule = check_transfers(c, a, t);
  c->aw_waits = a->awvalid && !t->awready;
  c->w_waits = a->wvalid && !t->wready;
  c->ar_waits = a->arvalid && !t->arready;
  c->was = *a;
  c->cycle++;
  return rule;
}
