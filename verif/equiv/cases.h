/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cases: shared by the equivalence tests. A case is a random lockstep run that must end without a difference. Its seed
 * is printed and can be set by HD_SEED. */
#ifndef HD_CASES_H
#define HD_CASES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/config.h"
#include "engine/equiv.h"
#include "engine/sim.h"
#include "test_list.h"

struct hd_cfg hd_case_cfg(const char *config);

/* The planted faults that the plane's oracle alone detects in this way (rule, end), by verif/faults.csv. */
struct hd_case_faults {
  unsigned id[256];
  unsigned n; /* at least one */
};
struct hd_case_faults hd_case_faults(const char *plane);

/* Opens the RTL of the plane of tiny with its oracle and without the model; fault: a planted fault, or 0 for none. */
struct hd_equiv_result hd_case_rtl_alone(unsigned fault, uint64_t seed, uint64_t cycles);

/* Lockstep of the RTL for that many cycles. Every cover point must be hit, except those whose name begins with rare_:
 * they occur under a profile of their own (hd_case_rare). */
void hd_case(const char *block, const char *config, uint64_t cycles);
/* Such runs with consecutive seeds: at least `least` of them, and up to `most` until together they have hit every cover
 * point but the one named. For events that occur in few runs. */
void hd_case_seeds(const char *block, const char *config, uint64_t cycles, unsigned least, unsigned most,
                   const char *but);
/* The same with the output of synthesis: variant netlist (generic gates) or mapped (standard cells). */
void hd_case_gates(const char *block, const char *config, const char *variant, uint64_t cycles);
/* The same; these cover points must be hit. */
void hd_case_gates_hit(const char *block, const char *config, const char *variant, uint64_t cycles,
                       const char *const *covers);
/* One profile. */
void hd_case_profile(const char *block, const char *config, const char *profile, uint64_t cycles);
/* One profile; these cover points, a list that ends with NULL, must be hit. */
void hd_case_rare(const char *block, const char *config, const char *profile, uint64_t cycles,
                  const char *const *covers);
/* Every profile (free, idle source, stalled sink, ..), one run each. */
void hd_case_profiles(const char *block, const char *config, uint64_t cycles);
/* One stimulus with several random initial values of all unreset flops and RAMs: the outputs after reset must be the
   same. */
void hd_case_initial_values(const char *block, const char *config, uint64_t cycles);

#endif
