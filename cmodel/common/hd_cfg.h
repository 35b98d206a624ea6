/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* hd_cfg: the named configurations of the plane, and how to derive new ones.
 *
 *     struct hd_cfg cfg;
 *     char err[200];
 *     if (!hd_cfg_find("k20c", &cfg)) ...                            // a named configuration, ready to use
 *     if (!hd_cfg_assign(&cfg, "NumSmx=4", err, sizeof err)) ...     // any number of changes,
 *     if (!hd_cfg_derive(&cfg, err, sizeof err)) ...                 // then once: derives and validates
 *
 * struct hd_cfg is plain data owned by the caller: parameters as in rtl/pkg/configs.csv (NumSmx is num_smx), followed
 * by the derived parameters (rtl/pkg/derived.csv). The models accept only a configuration from hd_cfg_find or
 * hd_cfg_derive; a model copies what it needs, so the struct may be freed after hd_<block>_init().
 *
 * k20c, k20c-laperm and gtx480 are the machines of dtbl-isca2015 (table 2), laperm-isca2016 (table 1) and
 * wireframe-micro2017; gtx480ws is that of cooperative-warp-tb-scheduling-2017 (table 1); tiny and big are ours. */
#ifndef HD_CFG_H
#define HD_CFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* A parameter that may be set: its name in configs.csv, its offset in struct hd_cfg (always a uint32_t), its
 * meaning. */
struct hd_cfg_param {
  const char *name;
  size_t offset;
  const char *meaning;
};

/* The named configurations, k20c first, parameters only (not yet derived), and the parameters. Generated; read-only. */
extern const struct hd_cfg hd_cfg_table[];
extern const unsigned hd_cfg_table_n;
extern const struct hd_cfg_param hd_cfg_params[];
extern const unsigned hd_cfg_params_n;

/* Sets *out to the configuration of that name, derived. Returns false, with *out unchanged, if there is none. */
bool hd_cfg_find(const char *name, struct hd_cfg *out);

/* Returns what a configuration that is named on the pages but not implemented waits for: "the proofs" for proof; NULL
 * for every other name. Static text. */
const char *hd_cfg_later(const char *name);

/* Sets the parameter of that name. Returns false if there is none; err (err_size bytes, may be 0) then receives the
 * name, the value and the list of parameters. hd_cfg_derive(), which must follow the last change, checks the ranges. */
bool hd_cfg_set(struct hd_cfg *c, const char *name, uint32_t value, char *err, size_t err_size);

/* The same from a text NAME=VALUE, as on a command line; VALUE is a decimal number up to 4294967295. */
bool hd_cfg_assign(struct hd_cfg *c, const char *text, char *err, size_t err_size);

/* Computes the derived parameters and validates all by rtl/pkg/limits.csv, as the generator of the RTL package does.
 * Returns false if a limit is violated: err names the parameter, its value and what is accepted, and the configuration
 * must not be used. */
bool hd_cfg_derive(struct hd_cfg *c, char *err, size_t err_size);

/* Computes the derived parameters without validation. Requires that no parameter used as a divisor is 0. Generated, for
 * hd_cfg_derive(). */
void hd_cfg_derive_raw(struct hd_cfg *c);

/* Check the rows of rtl/pkg/limits.csv that use no derived parameter, and the others. Return false, with a line in
 * `err`, at the first violation. Generated, for hd_cfg_derive(). */
bool hd_cfg_sizes(const struct hd_cfg *c, char *err, size_t err_size);
bool hd_cfg_relations(const struct hd_cfg *c, char *err, size_t err_size);

/* Returns the number of bits that encode 0 .. n-1, at least 1: 1 for n = 1 and 2, 4 for 13. Requires n >= 1. */
uint32_t hd_clog2(uint32_t n);

#endif
