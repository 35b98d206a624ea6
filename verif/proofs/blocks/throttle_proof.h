/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sets: NumSmx=4 */
/* The comparison of two degrees is exact in the RTL, bit by bit: stalls * last span * 2^band - last stalls * span *
 * (2^band + 1), the sum over the bits of the second factors. That the model's division has the sign of this difference
 * is arithmetic, not proved here: hd_degree_compare() is replaced by that sign. */
#define HAS_GHOST
static struct ghost { __int128 difference; /* of the bits so far */ } ghost;

enum { BITS = 40 }; /* of a factor: 32 of a span, shifted by 7 at most, and a carry */

/* The second factors, with the dead band. */
static uint64_t factor(const MODEL *m) {
  return (uint64_t)m->last.span << m->band;
}

static uint64_t last_factor(const MODEL *m) {
  return m->band ? ((uint64_t)m->degree.span << m->band) + m->degree.span : m->degree.span;
}

int hd_degree_compare(struct hd_degree degree, struct hd_degree last, unsigned band) {
  (void)degree;
  (void)last;
  (void)band;
  return (ghost.difference > 0) - (ghost.difference < 0);
}

/* Bits below n of a number. */
static uint64_t low(uint64_t value, unsigned n) {
  return value & ((UINT64_C(1) << n) - 1);
}

/* What the serial comparison holds after n bits: the difference without its last n bits, whether one of those is 1, and
 * the carry of the sum span + span * 2^band. */
static void cross_invariant(const MODEL *m) {
  const unsigned n = m->since < 2 ? 0 : m->since - 2 < BITS ? m->since - 2 : BITS, next = m->since - 1;
  const uint64_t span = m->degree.span, w = sizeof RTL(u_cross_acc_q);
  const __int128 acc = (__int128)REG(u_cross_acc_q) - ((__int128)rtl_u_cross_acc_q[w - 1] << w);
  const _Bool dropped = (ghost.difference & (((__int128)1 << n) - 1)) != 0;
  CHECK(acc == ghost.difference >> n && REG(u_cross_dropped_q) == dropped, "difference");
  CHECK(REG(u_cross_step_q) == (m->since >= 2 && m->since < BITS + 2), "step");
  if (m->since < BITS + 1 && m->band)
    CHECK(REG(u_cross_carry_q) == ((low(span, next) + low(span << m->band, next)) >> next & 1), "carry");
  if (m->since < 2 || m->since >= BITS + 2) return;
  CHECK(REG(u_cross_last_bit_q) == (factor(m) >> n & 1) && REG(u_cross_bar_bit_q) == (last_factor(m) >> n & 1), "bits");
}

static void invariant(const MODEL *m) {
  CHECK(m->busy <= 1 && m->band <= HD_THROTTLE_BAND_MOST && m->n <= cfg.num_smx, "range");
  CHECK(m->last.span && m->last.stalls < UINT64_C(1) << 33 && m->degree.stalls < UINT64_C(1) << 33, "degrees");
  CHECK(m->since <= 2 * HD_THROTTLE_EPOCH_MOST, "since");
  CHECK(m->busy ? m->since && m->since <= HD_THROTTLE_VERDICT : !m->band && !m->degree.span && !m->degree.stalls,
        "busy");
  if (m->busy) cross_invariant(m);
}

static void contract(const MODEL *m, const IN *in) {
  (void)in;
  const unsigned n = m->since - 2;
  if (m->busy && m->since >= 2 && n < BITS) {
    if (factor(m) >> n & 1) ghost.difference += (__int128)m->degree.stalls << n;
    if (last_factor(m) >> n & 1) ghost.difference -= (__int128)m->last.stalls << n;
  } else if (!m->busy) {
    ghost.difference = 0;
  }
}
