/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regex: an extended regular expression as a deterministic automaton: a table of states, as a GPU program walks it.
 *
 * Understood are bytes, \ before any of them, ., [..] with ranges and ^, ( ), |, *, + and ?; not ^ and $ as anchors, {}
 * and classes by name. An expression that matches the empty text is refused: it would match everywhere. */
#ifndef HD_REGEX_H
#define HD_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_REGEX_STATES 1024u
#define HD_REGEX_DEAD 0u
#define HD_REGEX_START 1u

struct hd_regex {
  uint32_t states;
  uint16_t *next; /* states x 256; from HD_REGEX_DEAD nothing leads away */
  bool accepts[HD_REGEX_STATES];
};

/* False: err says why, in one line; *r is empty. */
bool hd_regex_compile(const char *expression, struct hd_regex *r, char *err, size_t err_size);
void hd_regex_free(struct hd_regex *r);

static inline uint32_t hd_regex_next(const struct hd_regex *r, uint32_t state, unsigned char byte) {
  return r->next[256 * state + byte];
}

#endif
