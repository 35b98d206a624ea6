/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Prints the register file as software sees it, on the golden model, for verif/test_registers.py.
 *   regs_probe CONFIG
 *     const N VALUE                  the N-th constant of the C header
 *     word OFFSET UNMAPPED REFUSED RESET ONES ZEROS   value of a read after reset, its error, the error of a write,
 *                                    values read after writes of all ones and of 0
 *     status VALUE                   after every event
 *     clears BIT VALUE               bits that a write of that bit alone clears
 *     graph CODE VID VALUE           the register GRAPH after a graph that ended with CODE and VID */
#include "unit/service/regs_fixture.h"

static void constants(void) {
  const uint32_t value[] = HD_REG_CONST_VALUES(&cfg);
  for (unsigned n = 0; n < HD_REG_CONSTS; n++) printf("const %u %u\n", n, (unsigned)value[n]);
}

/* Reads back; the high half of a counter is that latched by a read of its low half. */
static uint32_t kept(unsigned offset) {
  if (offset >= HD_REG_CYCLES_LO && offset % 8) read_word(offset - 4);
  return read_word(offset);
}

static void words(void) {
  for (unsigned offset = 0; offset < 1u << cfg.apb_addr_w; offset += 4) {
    hd_regs_reset(m);
    uint32_t reset = read_word(offset);
    unsigned unmapped = out.pslverr, refused = write_word(offset, 0xffffffff);
    uint32_t ones = kept(offset);
    write_word(offset, 0);
    printf("word %u %u %u %u %u %u\n", offset, unmapped, refused, (unsigned)reset, (unsigned)ones,
           (unsigned)kept(offset));
  }
}

static void event(void) {
  cycle();
  no_events();
}

static void graph_over(unsigned code, unsigned vid) {
  in.dats_over.valid = 1;
  in.dats_over.result.code = (uint8_t)code;
  in.dats_over.result.vid = (uint16_t)vid;
  event();
}

static void status(void) {
  hd_regs_reset(m);
  for (unsigned code = 0; code < 1u << cfg.code_w; code++) {
    answer(code);
    event();
    for (unsigned kind = 0; kind < 1u << cfg.kind_w; kind++) {
      in.devq_code = (uint8_t)code;
      in.devq_kind = (uint8_t)kind;
      event();
    }
  }
  for (unsigned code = 0; code < 1u << cfg.gcode_w; code++) graph_over(code, 0);
  in.ovfq_write_fail.valid = in.ovfq_fetch_fail.valid = in.spill_lost.valid = 1;
  in.pool_events.error = in.susp_events.error = 1;
  in.sched_done_empty[0] = in.sched_done_early[0] = 1;
  event();
  in.kd_busy = 1;
  write_word(HD_REG_REC_BASE, 0);
  uint32_t all = read_word(HD_REG_STATUS);
  printf("status %u\n", (unsigned)all);
  for (unsigned bit = 0; bit < 32; bit++) {
    write_word(HD_REG_STATUS, UINT32_C(1) << bit);
    uint32_t now = read_word(HD_REG_STATUS);
    printf("clears %u %u\n", bit, (unsigned)(all & ~now));
    all = now;
  }
}

static void graphs(void) {
  for (unsigned code = 1; code < 1u << cfg.gcode_w; code++) {
    unsigned vid = code % 2 ? 0xffff : 0;
    graph_over(code, vid);
    printf("graph %u %u %u\n", code, vid, (unsigned)read_word(HD_REG_GRAPH));
  }
}

int main(int argc, char **argv) {
  if (argc != 2 || !hd_cfg_find(argv[1], &cfg)) {
    fprintf(stderr, "regs_probe: the name of a configuration is accepted\n");
    return 2;
  }
  m = ut_new(hd_regs_size(&cfg));
  hd_regs_init(m, &cfg);
  constants();
  words();
  status();
  graphs();
  free(m);
  return 0;
}
