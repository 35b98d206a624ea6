/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracles of the channel blocks: silent over the golden models in their random environments; and they name a rule
 * when one output is changed behind the model's back, in one cycle. */
#include "gen/hd_chan_ports.h"
#include "gen/hd_dcount_ports.h"
#include "unit/harness/oracle_rig.h"

#define BREACH(name, block, if_, then)            \
  static bool name(const void *in_, void *out_) { \
    const struct hd_##block##_in *in = in_;       \
    struct hd_##block##_out *out = out_;          \
    (void)in;                                     \
    if (!(if_)) return false;                     \
    then;                                         \
    return true;                                  \
  }

static bool granted(const struct hd_chan_out *out) {
  return out->answer.kind == HD_CHOP_TALLOC && out->answer.code == HD_CHCODE_OK && memchr(out->answer_valid, 1, 3);
}

BREACH(base, chan, granted(out) && out->answer.base > 8, out->answer.base = (uint16_t)(out->answer.base - 4))
BREACH(slot, chan, granted(out), out->answer.slot ^= 1)
BREACH(silence, chan, out->answer_valid[0], out->answer_valid[0] = 0)
BREACH(early, chan, out->pub_valid, out->pub_count = 127)
BREACH(entry, chan, in->wbeat_take && (out->wbeat.strb & 3), out->wbeat.lo ^= 1)
BREACH(moved, dcount, !out->freed_valid, out->head[0]++)
BREACH(too_far, dcount, out->freed_valid, out->head[out->freed_chan]++)
BREACH(untold, dcount, out->freed_valid, out->freed_valid = 0)
BREACH(failed, dcount, true, out->fail[0] ^= 1)

static void test_chan(void **state) {
  (void)state;
  silent("chan");
  names("chan", "a grant ", base);
  names("chan", "an answer to something else", slot);
  names("chan", "an answer too much", silence);
  names("chan", "something is published that is not written", early);
  names("chan", "another offset is written", entry);
}

static void test_dcount(void **state) {
  (void)state;
  silent("dcount");
  names("dcount", "a head moves without a word", moved);
  names("dcount", "a head jumps", too_far);
  names("dcount", "a head moves without a word", untold);
  names("dcount", "a channel fails without an error", failed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_chan), cmocka_unit_test(test_dcount)};
  return cmocka_run_group_tests_name("channel_oracles", tests, NULL, NULL);
}
