/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* throttle: golden model and cover points; the random environment is throttle_neighbours, the oracle throttle_oracle.
 * */
#include "dispatch/throttle.h"

#include "env/common/model.h"
#include "env/dispatch/throttle_neighbours.h"
#include "oracle/throttle_oracle.h"

HD_BLOCK_DRIVER_MODEL(throttle)
HD_BLOCK_DRIVER_ARCH(throttle)
HD_BLOCK_DRIVER_NEIGHBOURS(throttle)

/* First index of the points of each function. */
enum {
  EVENT,
  SAMPLE,
  COUNTERS = SAMPLE + 4,
  VERDICT = COUNTERS + 8,
  RECOVERY = VERDICT + 13,
  WORDS = RECOVERY + 4,
  SWITCH = WORDS + 5,
  POINTS = SWITCH + 5
};

/* Points about a changing n, about equal degrees that open an SMX, and about the recovery count as hit in
 * configurations without them: at most two SMXs, EqualHolds, no Recovers. */
static const char *const covers[] = {
    [EVENT] = "event",
    [SAMPLE] = "at_once",
    "waits",
    "waits_long",
    "as_n_shows",
    [COUNTERS] = "cycles_wrap",
    "dram_full_wraps",
    "icnt2sm_wraps",
    "no_stalls",
    "dram_full_alone",
    "icnt2sm_alone",
    "sum_of_33_bits",
    "most_stalls",
    [VERDICT] = "down",
    "up",
    "up_as_equal",
    "higher_at_two",
    "lower_at_all",
    "equal_at_all",
    "no_cycle",
    "equal_by_other_numbers",
    "same_whole_part",
    "products_beyond_64_bits",
    "differ_by_one",
    "in_band",
    "band_changes",
    [RECOVERY] = "silent_opens",
    "silent_without_cycle",
    "rest_opens",
    "rest_ends",
    [WORDS] = "epoch_below",
    "epoch_above",
    "epoch_shorter",
    "epoch_longer",
    "band_above",
    [SWITCH] = "off_while_closed",
    "off_while_compared",
    "off_for_verdict",
    "off_for_sample",
    "on_again",
    NULL,
};

_Static_assert(sizeof covers / sizeof *covers == POINTS + 1, "each point has a name");

static void cover_sample(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in, uint64_t *hits) {
  const uint32_t epoch = hd_throttle_neighbours_epoch(in);
  const bool may = in->regs_config.throttle && s->since >= epoch;
  hits[0] += may && in->sched_unassigned && !s->waits;
  hits[1] += may && !in->sched_unassigned;
  hits[2] += may && in->sched_unassigned && s->waits > 20;
  hits[3] += may && in->sched_unassigned && s->sampled && !s->waits && epoch == 64;
}

static void cover_counters(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in, uint64_t *hits) {
  const uint32_t dram_full = in->dram_full - s->at.dram_full, icnt2sm = in->icnt2sm - s->at.icnt2sm;
  const uint64_t stalls = (uint64_t)dram_full + icnt2sm;
  if (!hd_throttle_neighbours_samples(s, in)) return;
  hits[0] += in->cycles < s->at.cycles;
  hits[1] += in->dram_full < s->at.dram_full;
  hits[2] += in->icnt2sm < s->at.icnt2sm;
  hits[3] += !stalls;
  hits[4] += dram_full && !icnt2sm;
  hits[5] += !dram_full && icnt2sm;
  hits[6] += stalls > UINT32_MAX;
  hits[7] += dram_full == UINT32_MAX && icnt2sm == UINT32_MAX;
}

static void cover_verdict(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in,
                          const struct hd_throttle_out *out, uint64_t *hits) {
  const struct hd_throttle_fraction *d = &s->degree, *last = &s->last;
  hd_wide over, under;
  hd_throttle_neighbours_bar(s, s->band, &over, &under);
  const hd_wide a = d->stalls * under, b = over * d->span;
  const unsigned n = out->open_count, all = s->cfg.num_smx;
  const bool few = all <= 2;
  if (!hd_throttle_neighbours_judges(s, in)) return;
  hits[0] += few || (a > b && n > 2 && d->span);
  hits[1] += few || (a < b && n < all);
  hits[2] += few || s->cfg.equal_holds || (a == b && n < all && d->span && d->stalls);
  hits[3] += a > b && n <= 2;
  hits[4] += a < b && n == all;
  hits[5] += a == b && n == all && d->span;
  hits[6] += !d->span;
  if (!d->span) return;
  hits[7] += a == b && d->stalls && d->stalls != last->stalls;
  hits[8] += a != b && d->stalls / d->span == last->stalls / last->span && d->stalls > d->span;
  hits[9] += a >> 64 || b >> 64;
  hits[10] += a - b == 1 || b - a == 1;
  hits[11] += a <= b && (hd_wide)d->stalls * last->span > (hd_wide)last->stalls * d->span;
  hits[12] += hd_throttle_neighbours_band(in) != s->band;
}

static void cover_recovery(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in,
                           const struct hd_throttle_out *out, uint64_t *hits) {
  const bool none = s->cfg.num_smx <= 2 || !s->cfg.recovers, closed = out->open_count < s->cfg.num_smx;
  const bool silent = hd_throttle_neighbours_judges(s, in) && !s->degree.stalls && closed;
  const bool rests = in->regs_config.throttle && s->since >= 2 * hd_throttle_neighbours_epoch(in);
  hits[0] += none || (silent && s->degree.span);
  hits[1] += none || (silent && !s->degree.span);
  hits[2] += none || (rests && closed);
  hits[3] += !s->cfg.recovers || (in->sched_unassigned && rests);
}

static void cover_words(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in, uint64_t *hits) {
  const uint32_t epoch = hd_throttle_neighbours_epoch(in), was = hd_throttle_neighbours_epoch(&s->before);
  hits[0] += in->regs_config.throttle_epoch < 64 && hd_throttle_neighbours_samples(s, in);
  hits[1] +=
      in->regs_config.throttle_epoch > 65535 && in->regs_config.throttle && in->sched_unassigned && s->since > 64;
  hits[2] += in->regs_config.throttle && s->since <= 2 * was && s->since > 2 * epoch;
  hits[3] += in->regs_config.throttle && s->since == 2 * was && epoch > was;
  hits[4] += in->regs_config.throttle_band > 7 && hd_throttle_neighbours_samples(s, in);
}

static void cover_switch(const struct hd_throttle_neighbours *s, const struct hd_throttle_in *in,
                         const struct hd_throttle_out *out, uint64_t *hits) {
  const bool off = !in->regs_config.throttle;
  hits[0] += off && (out->open_count < s->cfg.num_smx || s->cfg.num_smx <= 2);
  hits[1] += off && s->busy;
  hits[2] += off && s->busy && s->since == 63;
  hits[3] += off && in->sched_unassigned && s->since >= hd_throttle_neighbours_epoch(in);
  hits[4] += in->regs_config.throttle && s->was_off;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_throttle_neighbours *s = s_;
  const struct hd_throttle_in *in = in_;
  const struct hd_throttle_out *out = out_;
  hits[EVENT] += hd_throttle_neighbours_samples(s, in);
  cover_sample(s, in, hits + SAMPLE);
  cover_counters(s, in, hits + COUNTERS);
  cover_verdict(s, in, out, hits + VERDICT);
  cover_recovery(s, in, out, hits + RECOVERY);
  cover_words(s, in, hits + WORDS);
  cover_switch(s, in, out, hits + SWITCH);
}

const struct hd_block_driver hd_block_driver_throttle = {HD_BLOCK_DRIVER_MODEL_FIELDS(throttle),
                                                         HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_throttle_neighbours),
                                                         HD_BLOCK_ORACLE_FIELDS(throttle)};
