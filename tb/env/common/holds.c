/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/holds.h"

#include <string.h>

/* SELDOM: one cycle in this many starts a hold. SHORTEST: cycles. */
enum { SELDOM = 400, SHORTEST = 100 };

/* Sinks whose offers are rare or repeat soon have a higher weight. */
static const uint8_t choice[] = {HD_HOLD_HOST_ANSWER, HD_HOLD_HOST_ANSWER, HD_HOLD_HOST_ANSWER, HD_HOLD_DEV_ANSWER,
                                 HD_HOLD_KERNEL_DONE, HD_HOLD_KERNEL_DONE, HD_HOLD_KERNEL_DONE, HD_HOLD_RECORD_DONE,
                                 HD_HOLD_RECORD_DONE, HD_HOLD_RECORD_DONE, HD_HOLD_RECORD_DONE, HD_HOLD_DEV_ANSWER,
                                 HD_HOLD_DISPATCH,    HD_HOLD_TB_ENDS,     HD_HOLD_AW,          HD_HOLD_AW,
                                 HD_HOLD_W,           HD_HOLD_W,           HD_HOLD_AR,          HD_HOLD_AR,
                                 HD_HOLD_R,           HD_HOLD_B,           HD_HOLD_LAUNCHES};

static struct hd_hold_one random_hold(struct hd_rng *rng, uint32_t num_smx) {
  struct hd_hold_one one = {.what = choice[hd_rng_below(rng, sizeof choice)],
                            .smx = (uint16_t)hd_rng_below(rng, num_smx)};
  if (hd_rng_p(rng, 128)) one.smx = HD_HOLD_ALL;
  one.left = (uint16_t)(2 * SHORTEST + hd_rng_below(rng, SHORTEST << hd_rng_below(rng, 6)));
  if (one.what <= HD_HOLD_DEV_ANSWER || (one.what >= HD_HOLD_AW && one.what <= HD_HOLD_AR)) one.left += 10 * SHORTEST;
  return one;
}

void hd_holds_step(struct hd_holds *h, struct hd_rng *rng, uint32_t num_smx, bool release) {
  if (release) memset(h, 0, sizeof *h);
  if (!h->on) return;
  for (unsigned k = 0; k < 2; k++) {
    struct hd_hold_one *one = &h->one[k];
    if (!one->what) {
      if (!hd_rng_below(rng, SELDOM)) *one = random_hold(rng, num_smx);
    } else if (!one->left--) {
      *one =
          (struct hd_hold_one){.what = one->what == HD_HOLD_LAUNCHES ? HD_HOLD_BURST : HD_HOLD_NONE, .left = SHORTEST};
    }
  }
}

bool hd_held(const struct hd_holds *h, enum hd_hold what, unsigned smx) {
  bool any = false;
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_hold_one *one = &h->one[k];
    bool of_smx = what >= HD_HOLD_DEV_ANSWER && what <= HD_HOLD_TB_ENDS;
    any |= one->what == what && (!of_smx || one->smx == smx || one->smx == HD_HOLD_ALL);
  }
  return any;
}
