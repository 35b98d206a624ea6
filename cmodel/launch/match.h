/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* match: golden model of the search for an eligible kernel.
 *
 *   enter (KMU, KD) --> [key of each KD entry] --+
 *   eligible (KD) -------------------------------+--> compare, KdeSearchLanes entries a cycle --> found, hit, kdei
 *   find (devq, A1) -----------------------------+            ^
 *                                                             +--> [result kept for the rest of the turn]
 *
 * An aggregated group joins a kernel that runs the same code with the same TB dimensions: dtbl-isca2015 section 4.2,
 * which searches the Kernel Distributor entry by entry, in at most 32 cycles. Shared memory as part of the key, the
 * number of entries compared per cycle, and the result kept for further lanes of the turn are ours.
 *
 * - All entries at once (KdeSearchLanes >= NumKde): the search ends in the cycle of the request.
 * - Otherwise a sweep from entry 0 on ends at the first step with an eligible entry, or at the last; the lowest entry
 *   of the step is found. The next launch of the same turn with the same key gets the same result in one cycle, unless
 *   that entry is no longer eligible.
 * - found depends on this cycle's inputs; a result that is not taken may change with them.
 * - searched and search report in the next cycle that a search ended, and that entries were compared.
 *
 * Requires: find_take only with found; an entry is eligible only after a kernel entered it.
 *
 * State: hd_match_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_MATCH_H
#define HD_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_match_ports.h"

/* Parameters; fixed by init. */
struct hd_match_cfg {
  uint32_t num_kde, lanes, steps; /* steps of a whole sweep */
};

/* Result of a search in a cycle. */
struct hd_match_found {
  uint8_t found, hit, kdei;
};

struct hd_match {
  struct hd_match_cfg cfg;
  uint8_t pos; /* step of the sweep */
  uint8_t searched, search;
  uint8_t res_valid; /* result of this command, while a sweep takes several steps */
  struct hd_match_found res;
  uint8_t pad_[5];
  struct hd_key res_key;
  struct hd_key key[HD_MAX_NUM_KDE];
  uint8_t written[HD_MAX_NUM_KDE]; /* a kernel has entered since reset: the key is valid */
};

/* Returns the bytes of the state in this configuration. */
size_t hd_match_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_match_size(cfg) bytes of any content. */
void hd_match_init(struct hd_match *m, const struct hd_cfg *cfg);

/* Resets: no result kept, no keys. */
void hd_match_reset(struct hd_match *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_match_eval(const struct hd_match *m, const struct hd_match_in *in, struct hd_match_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_match_tick(struct hd_match *m, const struct hd_match_in *in);

/* Sets *a to the architectural state, with the names of rtl/launch/match/match.csv. */
void hd_match_arch(const struct hd_match *m, struct hd_match_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* Returns true if a cycle without a search and without a kernel that enters changes nothing; all outputs are 0. */
static inline bool hd_match_quiet(const struct hd_match *m) {
  return !m->searched && !m->search;
}

#endif
