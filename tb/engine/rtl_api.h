/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* rtl_api: the interface of a Verilated block to the harness. Each build (one block, one configuration, one variant) is
 * a shared object that exports one `struct hd_rtl_api` named hd_rtl; the C++ behind it is bind_api.h. */
#ifndef HD_RTL_API_H
#define HD_RTL_API_H

#include <stdint.h>

struct hd_cfg;

/* Values added to the RTL's signals in a waveform, in the scope `lockstep`. */
struct hd_wave_extra {
  const uint64_t *cycle;   /* lockstep.cycle */
  const char *const *name; /* lockstep.model.NAME: all names of the build in its order, or none */
  const uint64_t *value;
  unsigned n;
  void (*look)(void *ctx); /* called before each step is written: updates the values */
  void *ctx;
};

struct hd_rtl_api {
  const char *block;
  const char *config;
  int netlist;                     /* 1: a synthesized netlist: outputs only, no state to compare */
  void (*cfg)(struct hd_cfg *cfg); /* fills in the base parameters of the build */
  void *(*create)(uint64_t seed);  /* random initial values by seed; not yet reset */
  void (*destroy)(void *m);
  void (*reset)(void *m, unsigned cycles); /* holds rst_ni low for that many cycles */
  void (*set_in)(void *m, const void *in); /* a struct hd_<block>_in */
  void (*settle)(void *m);                 /* evaluates combinational logic, clock low */
  void (*get_out)(void *m, void *out);     /* a struct hd_<block>_out, the same one (at first all 0) every time */
  void (*edge)(void *m);                   /* the rising clock edge */
  unsigned (*changed)(void *m,
                      unsigned group); /* bit mask of registers in the group that changed since the last call */
  /* Reads one state group of a struct hd_<block>_arch. Elements that are invalid in `valid` (the model's state) read as
   * 0. mask: the registers to read, as returned by changed(). tables: read the rows of RAMs too. arch must be the same
   * struct (initially all 0) in every call. */
  void (*get_arch)(void *m, unsigned group, void *arch, const void *valid, unsigned mask, int tables);
  int (*failed)(void *m);                       /* 1 after an assertion has failed */
  void (*wave_open)(void *m, const char *file); /* records all signals from now on (FST) */
  void (*wave_close)(void *m);
  int (*fault)(void *m, unsigned id);         /* selects a planted fault; 0 if this build has none */
  int (*coverage)(void *m, const char *file); /* writes coverage data; 0 if this build has none */
  /* Objects of older commits, which `heddle bench` also loads, end here: append new members below. */
  void (*get_inner)(void *m, void *inner); /* as get_out: a struct hd_<block>_inner; empty without inner blocks */
  void (*writes)(void *m, int32_t *row);   /* per table, by group: the row that the next edge writes, or -1 */
  /* As get_arch, but reads row `row` of each table of the group that has it. */
  void (*get_row)(void *m, unsigned group, unsigned row, void *arch, const void *valid);
  /* Call before wave_open. Registers additional values to record; *e must stay unchanged until wave_close. */
  void (*wave_model)(void *m, const struct hd_wave_extra *e);
};

#endif
