/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory port for ovfq_oracle.c. */
#include "env/common/memory.h"
#include "oracle/ovfq_state.h"

/* Reads that may go before a waiting pointer: two, and more while lists are exchanged. */
enum { PASSED = 5 };

uint32_t *hd_ovfq_word_at(struct hd_ovfq_oracle *o, uint32_t list, uint32_t p) {
  return &o->word[list][(p & ((1u << o->cfg.list_pos_w) - 1)) % HD_OVFQ_LONGEST];
}

uint32_t hd_ovfq_word_of(struct hd_ptr p) {
  return (uint32_t)p.onchip << 31 | p.index;
}

uint32_t hd_ovfq_word_in(struct hd_ovfq_oracle *o, const struct hd_ovfq_walk *w, uint32_t i) {
  uint32_t place = w->first + i;
  return i < w->old ? o->reported[(place & o->mask) % HD_OVFQ_LONGEST] : *hd_ovfq_word_at(o, w->list, place);
}

static uint32_t more(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* ---- Requests and answers ---- */

static const char *begin_write(struct hd_ovfq_oracle *o, uint32_t n, uint32_t q) {
  const struct hd_ovfqwrite *w = &o->put[0];
  if (!o->puts) return "a burst writes though no pointer waits";
  if (o->req.len || n != o->list[w->owner] || q != (w->pos & o->mask & ~3u))
    return "a pointer is written to a wrong place";
  if (o->writes == o->cfg.ovfq_flight) return "too many open writes";
  o->write[o->writes++] = w->owner;
  o->passed = 0;
  return NULL;
}

/* Each beat of a read must contain a place that is needed: in the list, written, and not read before. The ports do not
 * show how many places of a beat are used, nor which pointers were forwarded to the reader without memory. */
static const char *begin_list(struct hd_ovfq_oracle *o, struct hd_ovfq_walk *w, uint32_t n, uint32_t q) {
  if (!w->tag_valid || n != w->list) return "a list is read that does not belong to the tag";
  uint32_t lead = (w->first + w->covered) % 4; /* in its beat */
  uint32_t last = ((q - (w->first + w->covered - lead)) & o->mask) + 4 * o->req.len;
  if (o->req.len > 1 || w->covered + last >= w->end + lead)
    return "places are read that are not written yet, or read twice";
  if (w->end < w->behind && w->covered + last + 4 > w->end + lead)
    return "a beat is read while one of its places is written";
  w->covered = w->covered + more(last, lead) - lead + 1;
  if (w->covered > w->next + o->cfg.ovfq_window + o->cfg.ovfq_rows) return "a list is read too far ahead";
  return NULL;
}

static const char *begin_record(struct hd_ovfq_oracle *o, struct hd_ovfq_walk *w, uint32_t number, uint32_t records) {
  if (!w->tag_valid || number >= records) return "a record is read that does not exist";
  while (w->record < w->behind && hd_ovfq_word_in(o, w, w->record) >> 31) w->record++;
  if (w->record >= w->behind || hd_ovfq_word_in(o, w, w->record) != number)
    return "a record is read that is not the next one";
  uint32_t ahead = w->record++ - w->next;
  if (ahead >= o->cfg.ovfq_rows) return "a record is read too far ahead";
  if (!o->cfg.prefetch_depth && (ahead || !w->waited)) return "a record is read before it is needed";
  return NULL;
}

static const char *begin_read(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, bool list, uint32_t n,
                              uint32_t q) {
  uint64_t at = (o->req.addr - (uint64_t)in->regs_config.rec_base * 256) & hd_memory_mask(&o->cfg);
  if (o->reads == o->cfg.ovfq_flight) return "too many open reads";
  o->read[o->reads++] = (struct hd_ovfq_under_way){o->before.id, (uint32_t)(at / 64), q, !list};
  bool waits = o->puts && o->writes < o->cfg.ovfq_flight;
  if (waits && ++o->passed > PASSED) return "too many reads go before a waiting pointer";
  if (list) return begin_list(o, &o->before, n, q);
  if (at % 64 || o->req.len != 2) return "a burst outside the regions";
  return begin_record(o, &o->before, (uint32_t)(at / 64), in->regs_config.rec_count);
}

/* Checks a new request, which was decided in the cycle before. */
static const char *watch_new(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in) {
  uint32_t n = 0, q = 0;
  bool list = hd_lists_find(&o->cfg, o->req.addr, in->regs_config.list_base, o->mask, &n, &q);
  if (o->req.addr > hd_memory_mask(&o->cfg) || o->req.addr % 16) return "an address is not that of a beat";
  if (!o->req.write) return begin_read(o, in, list, n, q);
  return list ? begin_write(o, n, q) : "a write outside the lists";
}

const char *hd_ovfq_watch_request(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in,
                                  const struct hd_ovfq_out *out) {
  bool is_new = out->mem.valid && !o->asked, record;
  const char *rule = NULL;
  if (out->mem.valid && o->data) return "a request is sent before the data of a write";
  if (o->asked && (!out->mem.valid || memcmp(&out->mem.req, &o->req, sizeof o->req)))
    return "a request is withdrawn or changes";
  o->req = out->mem.req;
  if (is_new) rule = watch_new(o, in);
  if (rule) return rule;
  if (o->before.id == o->walk.id) {
    uint32_t gone = o->walk.first != o->before.first;
    o->walk.covered = more(o->walk.covered, more(o->before.covered, gone) - gone);
    o->walk.record = more(o->walk.record, more(o->before.record, gone) - gone);
  }
  record = is_new && !out->mem.req.write && o->read[o->reads - 1].record;
  if (out->fetch != record) return "fetch_event is not set with the read of a record, or is set without one";
  o->asked = out->mem.valid && !in->mem.ready;
  return NULL;
}

/* The data beat of a write. */
const char *hd_ovfq_watch_data(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out) {
  struct hd_membeat expected = {0};
  const struct hd_ovfqwrite *w = &o->put[0];
  if (o->data) {
    *(w->pos % 4 < 2 ? &expected.lo : &expected.hi) = (uint64_t)hd_ovfq_word_of(w->ptr) << 32 * (w->pos % 2);
    expected.strb = (uint16_t)(0xf << w->pos % 4 * 4);
  }
  if (memcmp(&expected, &out->mem.wbeat, sizeof expected)) return "a pointer is written with a wrong value or strobe";
  if (o->data && in->mem.take) {
    memmove(o->put, o->put + 1, --o->puts * sizeof *o->put);
    o->data = 0;
  }
  if (out->mem.valid && out->mem.req.write && in->mem.ready) o->data = 1;
  return NULL;
}

const char *hd_ovfq_watch_answer(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in) {
  o->write_fail = in->mem.b_valid && in->mem.b_error;
  o->write_fail_kdei = o->write_fail ? o->write[0] : 0;
  if (!in->mem.b_valid) return NULL;
  if (!o->writes) return "an answer without a write";
  o->unans[o->write[0]]--;
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  return NULL;
}

/* ---- Read data ---- */

/* Decodes the first three beats of a record. */
static void read_info(struct hd_ovfq_oracle *o, const struct hd_memdata *r) {
  struct hd_info *i = &o->partial;
  if (o->beat == 0) i->param = r->hi >> 6 & (UINT64_MAX >> (64 - o->cfg.param_units_w));
  if (o->beat == 1) i->level = (uint8_t)(r->hi >> 24);
  if (o->beat == 1 && i->level > o->cfg.max_level) i->level = (uint8_t)o->cfg.max_level;
  if (o->beat < 2) return;
  i->grid_x = (uint16_t)(r->lo & ((1u << o->cfg.group_xw) - 1));
  i->grid_y = (uint16_t)(r->lo >> 32 & ((1u << o->cfg.group_yw) - 1));
  i->grid_z = (uint8_t)(r->lo >> 48 & ((1u << o->cfg.group_zw) - 1));
  i->ctas = (uint32_t)(r->hi & (UINT64_MAX >> (64 - o->cfg.ctas_w)));
}

/* Stores the four places of a list that a beat contains. */
static void read_places(struct hd_ovfq_oracle *o, uint32_t place, const struct hd_memdata *r) {
  for (unsigned k = 0; k < 4; k++)
    o->reported[(place + k) % HD_OVFQ_LONGEST] = (uint32_t)((k < 2 ? r->lo : r->hi) >> 32 * (k % 2));
}

const char *hd_ovfq_watch_beat(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, bool stop) {
  const struct hd_ovfq_under_way *r = &o->read[0];
  o->fetch_fail = 0;
  if (!in->mem.r_valid) return NULL;
  if (!o->reads) return "beats arrive without a read";
  if (r->record) read_info(o, &in->mem.r);
  if (!r->record && r->walk == o->walk.id && !in->mem.r.error) read_places(o, r->place + 4 * o->beat, &in->mem.r);
  o->error |= in->mem.r.error;
  o->beat++;
  if (!in->mem.r.last) return NULL;
  bool wanted = r->walk == o->walk.id && !stop, bad = o->error || (r->record && !o->partial.ctas);
  o->fetch_fail = wanted && bad;
  if (wanted && !bad && r->record) {
    o->number[o->infos] = r->number;
    o->info[o->infos++] = o->partial;
  }
  o->partial = (struct hd_info){0};
  o->beat = o->error = 0;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  return NULL;
}
