/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Liveness: TBs of random run times at a dozen numbers outstanding, 10^4 TBs each (10^5 with the argument `long`),
 * under a watchdog, in k20c or the configuration that the second argument names; RTL, model and oracle together. Some
 * published dispatchers stop after a few work-groups in such a run. */
#include "engine/rng.h"
#include "equiv/plane_fixture.h"

enum { WATCHDOG = 2000 };
static unsigned ctas = 10000;
static const char *plane = "k20c";

/* Runs one cycle with SMXs that accept a TB only while fewer than `most` are outstanding in all. */
static void step(struct fixture *r, struct hd_rng *rng, unsigned most) {
  unsigned room = (unsigned)(most - (r->taken - r->done));
  fixture_clients(r);
  for (unsigned k = 0; k < r->cfg.num_smx; k++) {
    unsigned s = (unsigned)((k + r->cycle) % r->cfg.num_smx); /* no SMX is always first to get the room */
    r->in.dispatch_ready[s] = r->was_valid[s] && room > 0;
    room -= r->in.dispatch_ready[s];
  }
  r->episode = 1 + hd_rng_below(rng, most < 8 ? 24 : 3 * most); /* long enough for that many to be outstanding */
  fixture_cycle(r);
}

static void run(unsigned most) {
  struct fixture r;
  struct hd_rng rng = {most};
  uint64_t seen = 0, since = 0;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  for (unsigned k = 0; k < ctas / 50; k++) fixture_launch(&r, k % 32, 50, 32u << hd_rng_below(&rng, 4));
  while (r.done < ctas) {
    step(&r, &rng, most);
    if (r.done != seen) seen = r.done, since = r.cycle;
    if (r.cycle - since > WATCHDOG)
      fail_msg("stuck at %u outstanding: %llu TBs taken, %llu done", most, (unsigned long long)r.taken,
               (unsigned long long)r.done);
  }
  fixture_until(&r, &r.kernels_done, ctas / 50, 4000);
  print_message("%3u outstanding: %u TBs in %llu cycles\n", most, ctas, (unsigned long long)r.cycle);
  assert_int_equal(r.taken, ctas);
  assert_int_equal(r.answers, ctas / 50);
  fixture_close(&r);
}

TEST(random_lifetimes_at_a_dozen_numbers_outstanding) {
  static const unsigned most[] = {1, 2, 3, 5, 8, 13, 21, 46, 80, 130, 200, 208};
  for (unsigned k = 0; k < sizeof most / sizeof *most; k++) run(most[k]);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "long")) ctas = 100000;
  if (argc > 2) plane = argv[2];
  return TEST_RUN("live", NULL, NULL);
}
