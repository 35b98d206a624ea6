/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* An external program: hands out the TBs of a kernel, each done in the cycle after. docs/library.md explains it. */
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static struct hd_top_in in;   /* inputs of the plane, all 0 */
  static struct hd_top_out out; /* outputs of the plane */
  const struct hd_launch_args kernel = {.grid = {100, 1, 1}, .cta = {256, 1, 1}, .regs = 32, .tag = 7};
  struct hd_cfg cfg;
  unsigned next = 0;
  if (!hd_cfg_find("k20c", &cfg)) return 1;
  struct hd_top *plane = malloc(hd_top_size(&cfg));
  if (plane == NULL) return 1;
  hd_top_init(plane, &cfg);
  memset(in.dispatch_ready, 1, sizeof in.dispatch_ready);
  in.host_answer_ready = in.kernel_done_ready = 1;
  in.host_launch_valid = hd_launch_make(&cfg, &kernel, &in.host_launch) == HD_CODE_ACCEPTED;
  for (unsigned cycle = 0; cycle < 1000 && !out.kernel_done_valid; cycle++) {
    hd_top_cycle(plane, &in, &out);
    in.host_launch_valid = 0; /* an idle plane accepts it at once */
    for (unsigned smx = 0; smx < cfg.num_smx; smx++) {
      in.cta_done_valid[smx] = out.dispatch_valid[smx];
      in.cta_done_slot[smx] = out.dispatch[smx].slot;
      if (!out.dispatch_valid[smx]) continue;
      printf("cycle %3u: TB %2u to SMX %2u\n", cycle, out.dispatch[smx].blkid, smx);
      if (out.dispatch[smx].blkid != next || smx != next++ % cfg.num_smx) return 1;
    }
  }
  free(plane);
  return next == 100 && out.kernel_done_valid && out.kernel_done.tag == 7 ? 0 : 1;
}
