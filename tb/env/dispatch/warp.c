/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp: golden model, random environment, cover points and oracle. */
#include "dispatch/warp.h"

#include "engine/rng.h"
#include "env/common/model.h"

HD_TWIN_MODEL(warp)
HD_TWIN_ARCH(warp)

struct stim {
  struct hd_cfg cfg;
};

HD_TWIN_STIM

/* A number that is offered stays until it is taken. */
static void drive(void *s, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  const struct hd_warp_out *out = out_;
  struct hd_warp_in *in = in_;
  (void)s;
  (void)now;
  if (!in->in_valid || out->in_ready) {
    in->in_valid = hd_rng_p(rng, p->source);
    in->in_number = in->in_valid ? (uint32_t)hd_rng_bits(rng, 32) : 0;
  }
  in->out_ready = hd_rng_p(rng, p->sink);
}

static const char *const covers[] = {"event", "waits", "both", NULL};

static void cover(void *s, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_warp_in *in = in_;
  const struct hd_warp_out *out = out_;
  bool comes = in->in_valid && out->in_ready, goes = out->out_valid && in->out_ready;
  (void)s;
  hits[0] += (unsigned)comes + goes;
  hits[1] += out->out_valid && !in->out_ready;
  hits[2] += comes && goes;
}

/* Oracle: what comes goes on, in its order, one cycle later at the soonest. */
struct oracle {
  struct hd_cfg cfg;
  uint32_t number;
  bool there;
};

HD_TWIN_ORACLE

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_warp_in *in = in_;
  const struct hd_warp_out *out = out_;
  (void)cycle;
  if (out->out_valid != o->there) return "a number is lost, or comes from nowhere";
  if (o->there && out->out_number != o->number) return "another number goes on than came";
  if (out->out_valid && in->out_ready) o->there = false;
  if (in->in_valid && out->in_ready) o->there = true, o->number = in->in_number;
  return NULL;
}

const struct hd_twin hd_twin_warp = {HD_TWIN_MODEL_FIELDS(warp), HD_TWIN_STIM_FIELDS(struct stim),
                                     HD_TWIN_ORACLE_FIELDS};
