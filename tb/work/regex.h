/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* regex: compiles an extended regular expression to a deterministic automaton: a table of states, which a GPU program
 * can walk.
 *
 * Accepts bytes, \ before any byte, ., [..] with ranges and ^, ( ), |, *, + and ?. Does not accept the anchors ^ and $,
 * {} and named classes. Refuses an expression that matches the empty text, since it would match everywhere. */
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
  uint16_t *next; /* states x 256; HD_REGEX_DEAD leads only to itself */
  bool accepts[HD_REGEX_STATES];
};

/* Returns false with a reason of one line in err; *r is then empty. */
bool hd_regex_compile(const char *expression, struct hd_regex *r, char *err, size_t err_size);
void hd_regex_free(struct hd_regex *r);

static inline uint32_t hd_regex_next(const struct hd_regex *r, uint32_t state, unsigned char byte) {
  return r->next[256 * state + byte];
}

#endif
