/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memq: golden model, random environment, cover points and oracle. The environment puts entries behind queues, asks for
 * those that are readable, and is the memory. */
#include "service/memq.h"

#include "env/common/memory.h"
#include "env/common/model.h"

HD_TWIN_MODEL(memq)
HD_TWIN_ROWS(memq)

enum { REGION = HD_MAX_MEMQ_PLACES * HD_MEMQ_BYTES };

struct stim {
  struct hd_cfg cfg;
  uint32_t base, count;
  uint8_t started;
  uint8_t favourite; /* with this region: half of the entries are for this queue */
  uint8_t queues;    /* the entries of this phase are for queues 0 to queues - 1 */
  uint8_t alone;     /* .. or all */
  uint8_t hold;      /* phase: nothing is asked for */
  uint8_t dry;       /* phase: nothing is put */
  uint8_t keen;      /* phase: whatever is readable is asked for at once */
  uint8_t seen;      /* something was in use in the cycle before */
  uint32_t serial;   /* of the entry that is put */
  struct hd_memory_many port;
  uint8_t bytes[REGION];
};

HD_TWIN_STIM

static uint64_t mask_of(const struct hd_cfg *cfg) {
  return UINT64_MAX >> (64 - cfg->addr_w);
}

/* Where the region lies and how large it is: set after reset, and again now and then while nothing is in use; often
 * small. It does not go round the end of the addresses, but what `base` has beyond them does not count. */
static void set_region(struct stim *s, struct hd_rng *rng, const struct hd_memq_out *now) {
  const uint32_t all = s->cfg.memq_places;
  const uint32_t counts[] = {0, 0, 1, 2, 3, 5, 12, all - 1, all, all, all, all + 7, UINT32_MAX};
  bool idle = !now->used && now->get_ready; /* else a put may be taken that has no place yet */
  if (s->started && !(idle && !hd_rng_below(rng, 30))) return;
  s->started = 1;
  s->favourite = (uint8_t)hd_rng_below(rng, s->cfg.memq_queues);
  s->alone = hd_rng_p(rng, 64);
  s->count = counts[hd_rng_below(rng, sizeof counts / sizeof *counts)];
  s->base = (uint32_t)hd_rng_bits(rng, 32);
  if ((((uint64_t)s->base * 256) & mask_of(&s->cfg)) + REGION - 1 > mask_of(&s->cfg)) s->base -= REGION / 256;
}

static void set_phase(struct stim *s, struct hd_rng *rng) {
  if (!s->queues || !hd_rng_below(rng, 400))
    s->queues = (uint8_t)(1 + hd_rng_below(rng, 1 + hd_rng_below(rng, s->cfg.memq_queues)));
  if (!hd_rng_below(rng, 500)) s->hold = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, 500)) s->dry = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, 300)) s->keen = hd_rng_p(rng, 128);
}

/* Beat of the entry of that number: the number itself, and else what follows from it. */
static struct hd_membeat beat_of(uint32_t serial, unsigned beat) {
  struct hd_rng hash = {(uint64_t)serial << 8 | beat};
  struct hd_membeat b = {.strb = 0xffff};
  b.hi = hd_rng_next(&hash);
  b.lo = beat ? hd_rng_next(&hash) : serial;
  return b;
}

/* An entry stays until its last beat is taken. */
static void drive_put(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memq_out *out,
                      const struct hd_memq_out *now, struct hd_memq_in *in) {
  if (!in->put_valid || out->put_done) {
    in->put_valid = !s->dry && hd_rng_p(rng, p->source);
    in->put_queue = (uint8_t)(s->alone || hd_rng_p(rng, 100) ? s->favourite : hd_rng_below(rng, s->queues));
    in->put_side = (uint16_t)hd_rng_bits(rng, s->cfg.memq_side_w);
    s->serial++;
  }
  in->put_data = beat_of(s->serial, now->put_beat);
  if (in->put_valid) return;
  in->put_queue = 0;
  in->put_side = 0;
  memset(&in->put_data, 0, sizeof in->put_data);
}

/* A queue that is readable, or -1. */
static int readable(const struct stim *s, struct hd_rng *rng, const struct hd_memq_out *now) {
  unsigned first = hd_rng_p(rng, 100) ? s->favourite : hd_rng_below(rng, s->cfg.memq_queues);
  for (unsigned k = 0; k < s->cfg.memq_queues; k++) {
    unsigned q = (first + k) % s->cfg.memq_queues;
    if (now->readable[q]) return (int)q;
  }
  return -1;
}

/* A get that is not taken mostly stays. */
static void drive_get(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memq_out *out,
                      const struct hd_memq_out *now, struct hd_memq_in *in) {
  if (in->get_valid && !out->get_ready && now->readable[in->get_queue] && hd_rng_p(rng, 240)) return;
  in->get_valid = in->get_queue = in->get_tag = 0;
  int q = readable(s, rng, now);
  if (q < 0 || s->hold || !hd_rng_p(rng, s->keen ? 256 : p->source / 16 + 1)) return;
  in->get_valid = 1;
  in->get_queue = (uint8_t)q;
  in->get_tag = (uint8_t)hd_rng_bits(rng, s->cfg.memq_tag_w);
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memq_out *out,
                         struct hd_memq_in *in) {
  const struct hd_memory_asked asked = {out->req_valid, out->req, out->wbeat};
  uint64_t base = ((uint64_t)s->base * 256) & mask_of(&s->cfg);
  hd_memory_drive_many(&s->port, rng, p, &asked, s->bytes, base, sizeof s->bytes);
  HD_MEMORY_TELL(in, s->port.pins);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_memq_in *in = in_;
  const struct hd_memq_out *out = out_, *now = now_;
  s->seen = out->used > 0;
  set_region(s, rng, now);
  set_phase(s, rng);
  in->base = s->base;
  in->count = s->count;
  drive_memory(s, rng, p, out, in);
  drive_put(s, rng, p, out, now, in);
  drive_get(s, rng, p, out, now, in);
}

static const char *const covers[] = {"event",
                                     "full",
                                     "emptied",
                                     "no_places",
                                     "get_before_put",
                                     "get_refused",
                                     "puts_full",
                                     "gets_full",
                                     "request_stalled",
                                     "beat_stalled",
                                     "answer_and_beat",
                                     "answer_and_get",
                                     "write_error",
                                     "read_error",
                                     "lost",
                                     "free_as_put_looks",
                                     "unwritten",
                                     "back_to_back",
                                     NULL};

static bool any(const uint8_t *v, unsigned n) {
  return memchr(v, 1, n) != NULL;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_memq_in *in = in_;
  const struct hd_memq_out *out = out_;
  bool put = in->put_valid && out->put_ready, get = in->get_valid && out->get_ready;
  unsigned queues = s->cfg.memq_queues;
  hits[0] += (unsigned)put + get + out->got_valid;
  hits[1] += in->put_valid && out->used && !out->left;
  hits[2] += s->seen && !out->used;
  hits[3] += in->put_valid && !in->count;
  hits[4] += get && in->put_valid;
  hits[5] += in->get_valid && !out->get_ready;
  hits[6] += s->port.writes == s->cfg.memq_flight && in->put_valid && !out->req_valid && out->left;
  hits[7] += s->port.reads == s->cfg.memq_flight && in->get_valid;
  hits[8] += out->req_valid && !in->req_ready;
  hits[9] += in->put_valid && out->put_beat && !in->wbeat_take;
  hits[10] += in->b_valid && in->r_valid;
  hits[11] += in->b_valid && get;
  hits[12] += in->b_valid && in->b_error;
  hits[13] += in->r_valid && in->r.error;
  hits[14] += out->got_valid && out->got_error;
  hits[15] += out->got_valid && put;
  hits[16] += any(out->there, queues) && !any(out->readable, queues);
  hits[17] += out->got_beat_valid && out->got_beat == 0 && put;
}

/* Oracle: what comes back is the oldest of its queue, unchanged, once, with its side, and under the tag with which it
 * was asked for; it is told as lost exactly if memory answered its write or one of its beats with an error. Bursts are
 * of whole places of the region, and no place has two entries. What is taken is soon asked of the memory, and nothing
 * is refused for long while there is room and nothing else goes on. there, readable, used and left tell the truth. */
enum { NOBODY = -1, PATIENCE = 8 };

struct oracle_entry {
  uint64_t word[2 * HD_MEMQ_BEATS];
  int32_t next; /* its place in the region; the one behind it in its queue */
  uint16_t side;
  uint8_t queue, tag;
  uint8_t bad, used;
};

struct oracle {
  struct hd_cfg cfg;
  struct oracle_entry at[HD_MAX_MEMQ_PLACES];
  int32_t first[HD_MAX_MEMQ_QUEUES], last[HD_MAX_MEMQ_QUEUES]; /* those that no read was begun of; only if waits > 0 */
  uint32_t waits[HD_MAX_MEMQ_QUEUES], written[HD_MAX_MEMQ_QUEUES]; /* entries of them; answered and not asked for */
  uint16_t write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT];        /* places under way, oldest first */
  uint32_t writes, reads;
  uint32_t used, freed; /* places; cycles since one became free */
  uint8_t doing;        /* 1 a get, 2 a put was taken, and its request not; 3 beats of a put */
  uint8_t asked;        /* the request stands */
  uint8_t queue, tag;   /* of what was taken */
  uint16_t side, place;
  uint8_t beat, got_beat, error;
  uint32_t put_waits, get_waits, request_waits;
};

HD_TWIN_ORACLE

static uint32_t region(const struct oracle *o, const struct hd_memq_in *in) {
  return in->count < o->cfg.memq_places ? in->count : o->cfg.memq_places;
}

static const char *begin_read(struct oracle *o, unsigned place) {
  struct oracle_entry *e = &o->at[place];
  if (!e->used || !o->waits[o->queue] || o->first[o->queue] != (int32_t)place)
    return "another entry is read than the oldest of the queue";
  o->first[o->queue] = e->next;
  o->waits[o->queue]--;
  e->tag = o->tag;
  o->read[o->reads++] = (uint16_t)place;
  return NULL;
}

static const char *begin_write(struct oracle *o, unsigned place) {
  struct oracle_entry *e = &o->at[place];
  if (e->used) return "a place has two entries";
  *e = (struct oracle_entry){.next = NOBODY, .side = o->side, .queue = o->queue, .used = 1};
  if (o->waits[o->queue]++)
    o->at[o->last[o->queue]].next = (int32_t)place;
  else
    o->first[o->queue] = (int32_t)place;
  o->last[o->queue] = (int32_t)place;
  o->write[o->writes++] = (uint16_t)place;
  o->used++;
  return NULL;
}

static const char *watch_request(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  uint64_t mask = mask_of(&o->cfg), at = (out->req.addr - (uint64_t)in->base * 256) & mask, place = at / HD_MEMQ_BYTES;
  if (o->doing != 1 && o->doing != 2) return "a burst that nobody wanted";
  if (out->req.write != (o->doing == 2)) return "a burst the other way";
  if (at % HD_MEMQ_BYTES || place >= region(o, in) || out->req.len != HD_MEMQ_BEATS - 1 || out->req.addr > mask)
    return "a burst outside the region, or of half an entry";
  if (o->asked && place != o->place) return "a request changes while it stands";
  const char *rule = o->asked         ? NULL
                     : out->req.write ? begin_write(o, (unsigned)place)
                                      : begin_read(o, (unsigned)place);
  o->place = (uint16_t)place;
  o->asked = !in->req_ready;
  if (in->req_ready) o->doing = o->doing == 2 ? 3 : 0;
  return rule;
}

static const char *watch_data(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  bool done = in->wbeat_take && o->beat == HD_MEMQ_BEATS - 1;
  if (out->put_done != done) return "put_done without the last beat, or a last beat without it";
  if (!in->wbeat_take) return NULL;
  if (out->put_beat != o->beat) return "beats of an entry are taken out of order";
  if (memcmp(&out->wbeat, &in->put_data, sizeof out->wbeat)) return "an entry goes to memory changed";
  o->at[o->place].word[2 * o->beat] = in->put_data.lo;
  o->at[o->place].word[2 * o->beat + 1] = in->put_data.hi;
  o->beat = (o->beat + 1) % HD_MEMQ_BEATS;
  if (done) o->doing = 0;
  return NULL;
}

/* What is taken in this cycle; o->doing is what it was at its start. */
static const char *watch_taken(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  bool get = in->get_valid && out->get_ready, put = in->put_valid && out->put_ready;
  if (!get && !put) return NULL;
  if (o->doing || (get && put)) return "two at once";
  o->doing = get ? 1 : 2;
  o->queue = get ? in->get_queue : in->put_queue;
  o->tag = in->get_tag;
  o->side = in->put_side;
  if (get) o->written[o->queue]--;
  return NULL;
}

static const char *watch_got(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  if (out->got_beat_valid != in->r_valid || out->got_valid != (in->r_valid && in->r.last))
    return "an entry comes without its beats, or beats without their entry";
  if (!in->r_valid) return NULL;
  if (!o->reads) return "beats that nobody asked for";
  struct oracle_entry *e = &o->at[o->read[0]];
  if (out->got_beat != o->got_beat) return "beats are told out of order";
  o->error |= in->r.error;
  bool lost = e->bad || o->error;
  if (!lost && (e->word[2 * o->got_beat] != in->r.lo || e->word[2 * o->got_beat + 1] != in->r.hi))
    return "an entry comes back changed";
  o->got_beat = (o->got_beat + 1) % HD_MEMQ_BEATS;
  if (!out->got_valid) return NULL;
  if (out->got_tag != e->tag) return "an entry comes back under another tag";
  if (out->got_side != e->side) return "an entry comes back with another side";
  if (out->got_error != lost) return "an entry is told as lost that is not, or is lost and not told";
  e->used = o->error = 0;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  o->used--;
  o->freed = 0;
  return NULL;
}

static const char *watch_answer(struct oracle *o, const struct hd_memq_in *in) {
  if (!in->b_valid) return NULL;
  if (!o->writes) return "an answer without a write";
  struct oracle_entry *e = &o->at[o->write[0]];
  e->bad = in->b_error;
  o->written[e->queue]++;
  memmove(o->write, o->write + 1, --o->writes * sizeof *o->write);
  return NULL;
}

/* A place that becomes free is told as used for a few cycles more, that of a put from when it is looked for. */
static const char *watch_counts(const struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  uint32_t places = region(o, in);
  for (unsigned q = 0; q < o->cfg.memq_queues; q++) {
    if (out->readable[q] != (o->written[q] > 0)) return "readable is wrong";
    bool looked_up = o->doing && o->queue == q && !out->req_valid;
    if (!looked_up && out->there[q] != (o->waits[q] > 0)) return "there is wrong";
  }
  uint32_t used = o->used + (o->doing == 2 && !out->req_valid);
  if (out->used < used || out->used > used + (o->freed < 4)) return "used is wrong";
  if (out->left != (out->used < places ? places - out->used : 0)) return "left is wrong";
  return NULL;
}

/* Nothing else goes on: something that could be taken is taken. */
static const char *watch_patience(struct oracle *o, const struct hd_memq_in *in, const struct hd_memq_out *out) {
  bool busy = o->doing != 0;
  bool get = in->get_valid && !out->get_ready && !busy && o->reads < o->cfg.memq_flight;
  bool put = in->put_valid && !out->put_ready && !busy && o->writes < o->cfg.memq_flight && !in->get_valid &&
             o->used < region(o, in);
  o->get_waits = get ? o->get_waits + 1 : 0;
  o->put_waits = put ? o->put_waits + 1 : 0;
  o->request_waits = (o->doing == 1 || o->doing == 2) && !out->req_valid ? o->request_waits + 1 : 0;
  if (o->get_waits > PATIENCE) return "a get is refused though nothing is in the way";
  if (o->put_waits > PATIENCE) return "a put is refused though there is a place";
  return o->request_waits > PATIENCE ? "what was taken is not asked of the memory" : NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_memq_in *in = in_;
  const struct hd_memq_out *out = out_;
  const char *rule = watch_patience(o, in, out);
  uint8_t doing = o->doing;
  (void)cycle;
  o->freed += o->freed < 4;
  if (!rule && out->req_valid) rule = watch_request(o, in, out);
  if (!rule) rule = watch_counts(o, in, out);
  if (!rule && doing == 3) rule = watch_data(o, in, out);
  if (!rule && doing != 3 && out->put_done) rule = "put_done without a put";
  if (!rule && !doing) rule = watch_taken(o, in, out);
  if (!rule && doing && ((in->get_valid && out->get_ready) || (in->put_valid && out->put_ready))) rule = "two at once";
  if (!rule) rule = watch_answer(o, in);
  return rule ? rule : watch_got(o, in, out);
}

const struct hd_twin hd_twin_memq = {HD_TWIN_MODEL_FIELDS(memq), HD_TWIN_ROWS_FIELDS(memq),
                                     HD_TWIN_STIM_FIELDS(struct stim), HD_TWIN_ORACLE_FIELDS};
