/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The program of docs/deplinks.md: a wavefront's graph (wireframe-micro2017, code block 5), written in its memory
   format. */
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>

static void wavefront(struct hd_deplinks *d, struct hd_dim3 b, void *ctx) {
  (void)ctx;
  hd_deplinks_parent(d, (struct hd_dim3){b.x - 1, b.y, b.z}); /* at x = 0 there is no such parent: ignored */
  hd_deplinks_parent(d, (struct hd_dim3){b.x, b.y - 1, b.z});
}

int main(void) {
  struct hd_deplinks d;
  struct hd_deplinks_graph g;
  struct hd_deplinks_regions at;
  struct hd_cfg cfg;
  hd_deplinks_init(&d, (struct hd_dim3){4, 4, 1}, NULL);
  hd_deplinks_set_policy(&d, HD_DEPLINKS_LVL, 4);
  hd_deplinks_each(&d, wavefront, NULL);
  if (hd_deplinks_build(&d, &g) != HD_DEPLINKS_OK) puts(d.text);
  hd_deplinks_free(&d);
  if (g.nodes == 0 || !hd_cfg_find("k20c", &cfg) || !hd_deplinks_place(&cfg, &g, 0x10000000, &at)) return 1;
  uint8_t *bytes = malloc(at.end - at.node);
  if (bytes == NULL) return 1;
  hd_deplinks_image(&g, &at, bytes); /* they are written to memory, from at.node on */
  printf("%u nodes, %u edges, %u levels\n", g.nodes, g.edges, g.levels);
  printf("%u bytes at 0x%x\n", (unsigned)(at.end - at.node), (unsigned)at.node);
  free(bytes);
  hd_deplinks_graph_free(&g);
  return 0;
}
