/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cases: what the equivalence tests share. A case is a random lockstep run that must end without a difference; its seed
 * is printed and can be set by HD_SEED. */
#ifndef HD_CASES_H
#define HD_CASES_H

/* cmocka.h wants the others before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>
#include <stdlib.h>

#include "engine/config.h"
#include "engine/equiv.h"
#include "engine/sim.h"

struct hd_cfg hd_case_cfg(const char *config);

/* The planted faults of which verif/faults.csv says that the plane's oracle alone sees that much (rule, end). */
struct hd_case_faults {
  unsigned id[256];
  unsigned n; /* at least one */
};
struct hd_case_faults hd_case_faults(const char *plane);

/* The RTL of the plane of tiny with its oracle and without the model, with a planted fault or, with 0, sound. */
struct hd_equiv_result hd_case_rtl_alone(unsigned fault, uint64_t seed, uint64_t cycles);

/* Lockstep of the RTL for that many cycles; every cover point must be hit but those whose name begins with rare_: they
 * come up under a profile of their own (hd_case_rare). */
void hd_case(const char *block, const char *config, uint64_t cycles);
/* Such runs with one seed after the other, `least` of them, and `most` if it takes so many until all of them together
 * have hit every cover point but the one named: for what comes up in few lives. */
void hd_case_seeds(const char *block, const char *config, uint64_t cycles, unsigned least, unsigned most,
                   const char *but);
/* The same against what synthesis made of it: variant netlist (generic gates) or mapped (standard cells). */
void hd_case_gates(const char *block, const char *config, const char *variant, uint64_t cycles);
/* The same, in which these cover points must be hit. */
void hd_case_gates_hit(const char *block, const char *config, const char *variant, uint64_t cycles,
                       const char *const *covers);
/* One profile. */
void hd_case_profile(const char *block, const char *config, const char *profile, uint64_t cycles);
/* One profile, in which these cover points must be hit; the last is followed by NULL. */
void hd_case_rare(const char *block, const char *config, const char *profile, uint64_t cycles,
                  const char *const *covers);
/* Every profile (free, idle source, stalled sink, ..) by itself. */
void hd_case_profiles(const char *block, const char *config, uint64_t cycles);
/* One stimulus with several random initial values of all unreset flops and RAMs: the same outputs after reset. */
void hd_case_initial_values(const char *block, const char *config, uint64_t cycles);

#endif
