/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the device runtime tests: a runtime, a warp, a call. */
#ifndef HD_DEVICE_FIXTURE_H
#define HD_DEVICE_FIXTURE_H

#include "api/device.h"
#include "unit/util.h"

static const struct hd_device_warp warp = {.smx = 3, .slot = 5, .hwtid = 64, .level = 1};

static const struct hd_device_sizes sizes = {
    .records = 8, .kernels = 4, .suspended = 2, .spilled = 9, .buffers = 6, .buffer_bytes = 100};

static inline struct hd_device *make(const char *config) {
  struct hd_cfg c = ut_cfg(config);
  struct hd_device_regions at;
  assert_int_not_equal(hd_device_place(&c, 0x12345, &sizes, &at), 0);
  struct hd_device *d = ut_new(hd_device_size(&at));
  hd_device_init(d, &c, &at);
  return d;
}

/* A call of 7 x 2 TBs of 16 x 2 threads. */
static inline struct hd_device_call call_of(uint32_t lane) {
  return (struct hd_device_call){.lane = lane,
                                 .grid = {7, 2, 1},
                                 .cta = {16, 2, 1},
                                 .regs = 20,
                                 .smem_bytes = 300,
                                 .pc = 0x2000,
                                 .param = 0x40000 + 64 * lane,
                                 .stream = lane % 32};
}

#endif
