/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rtl_api: what a Verilated block offers to the harness. Each build (one block, one configuration, one variant) is a
 * shared object that exports one `struct hd_rtl_api` named hd_rtl; the C++ behind it is bind_api.h. */
#ifndef HD_RTL_API_H
#define HD_RTL_API_H

#include <stdint.h>

struct hd_cfg;

/* Numbers that a waveform shows beside the RTL's signals, in a scope `lockstep`. */
struct hd_wave_extra {
  const uint64_t *cycle;   /* lockstep.cycle */
  const char *const *name; /* lockstep.model.NAME: all that the build has, in its order, or none */
  const uint64_t *value;
  unsigned n;
  void (*look)(void *ctx); /* called before each step is written: makes them what they are then */
  void *ctx;
};

struct hd_rtl_api {
  const char *block;
  const char *config;
  int netlist;                     /* 1: a synthesized netlist: outputs only, no state to compare */
  void (*cfg)(struct hd_cfg *cfg); /* fills in the base parameters that it was built with */
  void *(*create)(uint64_t seed);  /* random initial values by seed; not yet reset */
  void (*destroy)(void *m);
  void (*reset)(void *m, unsigned cycles);      /* holds rst_ni low for that many cycles */
  void (*set_in)(void *m, const void *in);      /* a struct hd_<block>_in */
  void (*settle)(void *m);                      /* combinational logic under these inputs, clock low */
  void (*get_out)(void *m, void *out);          /* a struct hd_<block>_out, the same one (at first all 0) every time */
  void (*edge)(void *m);                        /* the rising clock edge */
  unsigned (*changed)(void *m, unsigned group); /* registers of the group that changed since last asked, a bit each */
  /* One state group of a struct hd_<block>_arch. Elements that do not count in `valid` (the model's) read as 0; mask:
   * which registers, as changed() tells; tables: the rows of its RAMs too. arch is the same struct (at first all 0)
   * every time. */
  void (*get_arch)(void *m, unsigned group, void *arch, const void *valid, unsigned mask, int tables);
  int (*failed)(void *m);                       /* 1 after an assertion has failed */
  void (*wave_open)(void *m, const char *file); /* records all signals from now on (FST) */
  void (*wave_close)(void *m);
  int (*fault)(void *m, unsigned id);         /* selects a planted fault; 0 if this build has none */
  int (*coverage)(void *m, const char *file); /* writes coverage data; 0 if this build has none */
  /* What follows came later: `heddle bench` plays to planes of older commits too, whose objects end here. */
  void (*get_inner)(void *m,
                    void *inner);        /* as get_out: a struct hd_<block>_inner; nothing where no block lies inside */
  void (*writes)(void *m, int32_t *row); /* of each table, by group: the row that the edge to come writes, or -1 */
  /* As get_arch: one row of each of the group's tables that has so many. */
  void (*get_row)(void *m, unsigned group, unsigned row, void *arch, const void *valid);
  /* Before wave_open: what else to record; it stays as it is until wave_close. */
  void (*wave_beside)(void *m, const struct hd_wave_extra *e);
};

#endif
