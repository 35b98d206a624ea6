/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memarb: golden model, random environment and cover points. The environment consists of MemClients clients with bursts
 * of any length, and an AXI memory that answers after random times, out of order between ids. */
#include "service/memarb.h"

#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(memarb)
HD_BLOCK_DRIVER_ARCH(memarb)

enum { PENDING = 4 };

struct stim {
  struct hd_cfg cfg;
  uint8_t reads[HD_MAX_MEM_CLIENTS][PENDING]; /* remaining beats of each read burst of an id, oldest first */
  uint8_t reads_n[HD_MAX_MEM_CLIENTS];
  uint8_t writes[HD_MAX_MEM_CLIENTS]; /* bursts whose data has arrived and whose answer is due */
  uint8_t aw_id[8], aw_n, data_n;     /* write bursts whose data has not arrived yet; data bursts without an address */
};

HD_BLOCK_DRIVER_STIM

/* Processes the memory's handshakes of the previous cycle. */
static void follow(struct stim *s, const struct hd_memarb_in *in, const struct hd_memarb_out *out) {
  if (in->rvalid && s->reads_n[in->rid]) {
    uint8_t *q = s->reads[in->rid];
    if (!--q[0]) memmove(q, q + 1, (size_t)--s->reads_n[in->rid]);
  }
  if (in->bvalid && s->writes[in->bid]) s->writes[in->bid]--;
  if (out->arvalid && in->arready) s->reads[out->arid][s->reads_n[out->arid]++] = (uint8_t)(out->arlen + 1);
  if (out->awvalid && in->awready) s->aw_id[s->aw_n++] = out->awid;
  if (out->wvalid && in->wready && out->wlast) s->data_n++;
  while (s->aw_n && s->data_n) {
    s->writes[s->aw_id[0]]++;
    memmove(s->aw_id, s->aw_id + 1, (size_t)--s->aw_n);
    s->data_n--;
  }
}

static void drive_clients(struct stim *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_memarb_out *out, struct hd_memarb_in *in) {
  for (unsigned c = 0; c < s->cfg.mem_clients; c++) {
    if (!in->mem[c].valid || out->mem[c].ready) {
      memset(&in->mem[c].req, 0, sizeof in->mem[c].req);
      in->mem[c].valid = hd_rng_p(rng, p->source / 2);
      if (in->mem[c].valid) {
        in->mem[c].req.write = hd_rng_p(rng, 128);
        in->mem[c].req.addr = hd_rng_bits(rng, 40) & ~(uint64_t)15;
        in->mem[c].req.len = hd_rng_p(rng, 100) ? 7 : (uint8_t)hd_rng_below(rng, 8);
      }
    }
    if (out->mem[c].take || !in->mem[c].wbeat.strb) {
      in->mem[c].wbeat.hi = hd_rng_next(rng);
      in->mem[c].wbeat.lo = hd_rng_next(rng);
      in->mem[c].wbeat.strb = (uint16_t)(1 + hd_rng_below(rng, 65535));
    }
  }
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_memarb_in *in) {
  unsigned n = s->cfg.mem_clients, id = hd_rng_below(rng, n);
  in->awready = hd_rng_p(rng, p->sink) && s->aw_n < 7;
  in->wready = hd_rng_p(rng, p->sink) && s->data_n < 7;
  in->arready = hd_rng_p(rng, p->sink);
  for (unsigned c = 0; c < n; c++)
    if (s->reads_n[c] == PENDING) in->arready = 0;
  in->rvalid = s->reads_n[id] && hd_rng_p(rng, p->sink);
  in->rid = (uint8_t)(in->rvalid ? id : 0);
  in->rlast = in->rvalid && s->reads[id][0] == 1;
  in->rdata[1] = in->rvalid ? hd_rng_next(rng) : 0;
  in->rdata[0] = in->rvalid ? hd_rng_next(rng) : 0;
  in->rresp = (uint8_t)(in->rvalid && hd_rng_p(rng, p->bad) ? hd_rng_below(rng, 4) : 0);
  id = hd_rng_below(rng, n);
  in->bvalid = s->writes[id] && hd_rng_p(rng, p->sink);
  in->bid = (uint8_t)(in->bvalid ? id : 0);
  in->bresp = (uint8_t)(in->bvalid && hd_rng_p(rng, p->bad) ? hd_rng_below(rng, 4) : 0);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in) {
  struct stim *s = s_;
  (void)now;
  follow(s, in, out);
  drive_clients(s, rng, p, out, in);
  drive_memory(s, rng, p, in);
}

static const char *const covers[] = {"event",       "read",       "write",       "one_beat",     "eight_beats",
                                     "two_clients", "read_error", "write_error", "data_stalled", NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_memarb_in *in = in_;
  const struct hd_memarb_out *out = out_;
  unsigned valid = 0;
  for (unsigned c = 0; c < s->cfg.mem_clients; c++) {
    bool taken = in->mem[c].valid && out->mem[c].ready;
    valid += in->mem[c].valid;
    hits[0] += taken + out->mem[c].r_valid + out->mem[c].b_valid;
    hits[1] += taken && !in->mem[c].req.write;
    hits[2] += taken && in->mem[c].req.write;
    hits[3] += taken && in->mem[c].req.write && in->mem[c].req.len == 0;
    hits[4] += taken && in->mem[c].req.write && in->mem[c].req.len == 7;
    hits[6] += out->mem[c].r_valid && out->mem[c].r.error;
    hits[7] += out->mem[c].b_valid && out->mem[c].b_error;
  }
  hits[5] += valid >= 2;
  hits[8] += out->wvalid && !in->wready;
}

/* Oracle:
 * 1. AXI4 rules of the manager side: an offer stays until it is accepted.
 * 2. Each write address is followed by its number of beats, in order.
 * 3. While a client waits, each other client is served at most once. */
struct oracle {
  struct hd_memarb_out was;
  uint8_t aw_waits, w_waits, ar_waits;
  uint8_t len[8], n, beats; /* write bursts whose data has not been sent completely */
  uint32_t clients;
  uint32_t passed[HD_MAX_MEM_CLIENTS]; /* bursts of other clients accepted while it waits */
};

static size_t oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

static void oracle_init(void *o, const struct hd_cfg *cfg) {
  memset(o, 0, sizeof(struct oracle));
  ((struct oracle *)o)->clients = cfg->mem_clients;
}

/* Reads and writes share one round-robin pointer: each other client goes first at most once. */
static const char *watch_turns(struct oracle *o, const struct hd_memarb_in *in, const struct hd_memarb_out *out) {
  unsigned taken = 0;
  for (unsigned c = 0; c < o->clients; c++) taken += in->mem[c].valid && out->mem[c].ready;
  if (taken > 1) return "two bursts are accepted in one cycle";
  for (unsigned c = 0; c < o->clients; c++) {
    const bool waits = in->mem[c].valid && !out->mem[c].ready;
    o->passed[c] = waits ? o->passed[c] + taken : 0;
    if (o->passed[c] >= o->clients) return "a client waits while another is served twice";
  }
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_memarb_in *in = in_;
  const struct hd_memarb_out *out = out_, *was = &o->was;
  (void)cycle;
  if (o->aw_waits &&
      (!out->awvalid || out->awaddr != was->awaddr || out->awid != was->awid || out->awlen != was->awlen))
    return "AXI4: an offered write address changed before it was accepted";
  if (o->ar_waits &&
      (!out->arvalid || out->araddr != was->araddr || out->arid != was->arid || out->arlen != was->arlen))
    return "AXI4: an offered read address changed before it was accepted";
  if (o->w_waits &&
      (!out->wvalid || out->wdata[0] != was->wdata[0] || out->wdata[1] != was->wdata[1] || out->wlast != was->wlast))
    return "AXI4: offered write data changed before it was accepted";
  if (out->awvalid && !o->aw_waits) {
    if (o->n == 8) return "AXI4: more write bursts than requests";
    o->len[o->n++] = (uint8_t)(out->awlen + 1);
  }
  if (out->wvalid && in->wready) {
    if (!o->n) return "AXI4: write data without an address";
    o->beats++;
    if (out->wlast != (o->beats == o->len[0])) return "AXI4: wlast is not at the last beat";
    if (out->wlast) {
      memmove(o->len, o->len + 1, (size_t)--o->n);
      o->beats = 0;
    }
  }
  o->aw_waits = out->awvalid && !in->awready;
  o->w_waits = out->wvalid && !in->wready;
  o->ar_waits = out->arvalid && !in->arready;
  o->was = *out;
  return watch_turns(o, in, out);
}

const struct hd_block_driver hd_block_driver_memarb = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(memarb), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim), HD_BLOCK_DRIVER_ORACLE_FIELDS};
