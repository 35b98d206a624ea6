/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "env/channel/apu_neighbours.h"

static uint8_t *at(struct hd_apu_neighbours *s, uint64_t addr) {
  const uint64_t k = addr - s->base;
  return s->bytes + (k < sizeof s->bytes - 16 ? k : 0);
}

void hd_apu_memory_follow(struct hd_apu_neighbours *s, const struct hd_apu_in *in, const struct hd_apu_out *out) {
  if (in->bvalid) {
    memmove(s->write, s->write + 1, --s->writes * sizeof *s->write);
    s->filled--;
  }
  if (in->rvalid && !--s->read[0].beats)
    memmove(s->read, s->read + 1, --s->reads * sizeof *s->read);
  else if (in->rvalid)
    s->read[0].addr += 16;
  if (out->awvalid && in->awready)
    s->write[s->writes++] = (struct hd_apu_burst){out->awaddr, out->awid, (uint8_t)(out->awlen + 1)};
  if (out->arvalid && in->arready)
    s->read[s->reads++] = (struct hd_apu_burst){out->araddr, out->arid, (uint8_t)(out->arlen + 1)};
  if (!out->wvalid || !in->wready) return;
  struct hd_apu_burst *w = &s->write[s->filled];
  for (unsigned k = 0; k < 16; k++)
    if (out->wstrb >> k & 1) at(s, w->addr)[k] = (uint8_t)((k < 8 ? out->wdata[0] : out->wdata[1]) >> 8 * (k % 8));
  w->addr += 16;
  s->filled = (uint8_t)(s->filled + out->wlast);
}

static uint64_t word(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)p[k] << 8 * k;
  return v;
}

void hd_apu_memory_drive(struct hd_apu_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         struct hd_apu_in *in) {
  const unsigned often = 1 + p->sink * s->answers / 256u;
  in->awready = s->writes < HD_APU_BURSTS - 2 && hd_rng_p(rng, p->sink);
  in->wready = s->writes > s->filled && hd_rng_p(rng, p->sink);
  in->arready = s->reads < HD_APU_BURSTS - 2 && hd_rng_p(rng, p->sink);
  in->bvalid = s->filled && hd_rng_p(rng, often);
  in->bid = in->bvalid ? s->write[0].id : 0;
  in->bresp = in->bvalid && s->errors && !hd_rng_below(rng, 300) ? 2 + hd_rng_below(rng, 2) : 0;
  in->rvalid = s->reads && hd_rng_p(rng, often);
  in->rid = in->rvalid ? s->read[0].id : 0;
  in->rlast = in->rvalid && s->read[0].beats == 1;
  in->rdata[0] = in->rvalid ? word(at(s, s->read[0].addr)) : hd_rng_bits(rng, 64); /* unused without rvalid */
  in->rdata[1] = in->rvalid ? word(at(s, s->read[0].addr) + 8) : hd_rng_bits(rng, 64);
  in->rresp = in->rvalid && s->errors && !hd_rng_below(rng, 50) ? 2 + hd_rng_below(rng, 2) : 0;
}
