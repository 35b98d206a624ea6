/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the graph kernel tests of the plane: graphs made with DepLinks, written to memory, and launched. */
#ifndef HD_NODES_FIXTURE_H
#define HD_NODES_FIXTURE_H

#include "api/deplinks.h"
#include "unit/dev_model.h"

enum { ARRAYS = 0x10000000 };

/* Addresses of the arrays of the graph that was written last. */
static struct hd_deplinks_regions at;

/* Overwrites n bytes of a descriptor or an array. */
static inline void overwrite(uint64_t addr, unsigned n, uint64_t value) {
  uint8_t bytes[8];
  for (unsigned k = 0; k < n; k++) bytes[k] = (uint8_t)(value >> 8 * k);
  hd_axi_mem_write(mem, addr, bytes, n);
}

/* The descriptor of kernel k is at its parameter address. */
static inline void write_descriptor(unsigned k) {
  uint8_t bytes[HD_DEPLINKS_DESCRIPTOR];
  hd_deplinks_describe(&at, bytes);
  hd_axi_mem_write(mem, desc_of(k, 1).param, bytes, sizeof bytes);
}

/* Builds the collected graph, writes it, launches kernel k with it, and frees d. */
static inline void launch_built(unsigned k, unsigned hwq, struct hd_deplinks *d) {
  struct hd_deplinks_graph g;
  assert_int_equal(hd_deplinks_build(d, &g), HD_DEPLINKS_OK);
  assert_true(hd_deplinks_place(&cfg, &g, ARRAYS + 0x100000 * (uint64_t)k, &at));
  const size_t bytes = (size_t)(at.end - at.node);
  uint8_t *image = calloc(1, bytes);
  assert_non_null(image);
  hd_deplinks_image(&g, &at, image);
  hd_axi_mem_write(mem, at.node, image, bytes);
  free(image);
  write_descriptor(k);
  host_kernel(k, hwq, at.nodes);
  host.launch[host.n - 1].graph = 1;
  hd_deplinks_graph_free(&g);
  hd_deplinks_free(d);
}

/* A grid with the edges of a pattern. */
static inline void launch_pattern(unsigned k, unsigned hwq, struct hd_dim3 grid, enum hd_deplinks_pattern pattern,
                                  enum hd_deplinks_policy policy, uint32_t bound) {
  struct hd_deplinks d;
  hd_deplinks_init(&d, grid, NULL);
  hd_deplinks_set_policy(&d, policy, bound);
  hd_deplinks_add_pattern(&d, pattern, 0, 0);
  launch_built(k, hwq, &d);
}

/* A grid without edges. */
static inline void launch_flat(unsigned k, unsigned hwq, uint32_t n) {
  struct hd_deplinks d;
  hd_deplinks_init(&d, (struct hd_dim3){n, 1, 1}, NULL);
  launch_built(k, hwq, &d);
}

/* Expects the n-th completion to be that of kernel k, failed or not. */
static inline void expect_end(unsigned n, unsigned k, bool failed) {
  assert_true(n < ended_n);
  assert_int_equal(ended[n].c.tag, k);
  assert_int_equal(ended[n].c.failed, failed);
}

static inline uint32_t graph_word(void) {
  return apb(HD_REG_GRAPH, false, 0);
}

static inline void clear_status(void) {
  apb(HD_REG_STATUS, true, 0xffffffff);
}

#endif
