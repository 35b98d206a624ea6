/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* trace_text: reads traces from a text, for the tests of traces. Included after cmocka.h. */
#ifndef HD_TEST_TRACE_TEXT_H
#define HD_TEST_TRACE_TEXT_H

#include "unit/temp.h"
#include "work/trace.h"

static char err[1024];

/* Returns the kernels of a trace that `only` names (NULL: all); the test fails if the trace is rejected. */
static inline struct hd_trace some(const char *text, const char *only) {
  struct hd_trace t;
  if (!hd_trace_read(temp_text("t.trace", text), only, &t, err, sizeof err)) fail_msg("%s", err);
  return t;
}

static inline struct hd_trace good(const char *text) {
  return some(text, NULL);
}

/* The trace must be rejected with a message that contains `says`. */
static inline void is_bad_for(const char *text, const char *only, const char *says) {
  struct hd_trace t;
  assert_false(hd_trace_read(temp_text("t.trace", text), only, &t, err, sizeof err));
  if (strstr(err, says) == NULL) fail_msg("'%s' is not in: %s", says, err);
  assert_null(t.kernel);
}

static inline void is_bad(const char *text, const char *says) {
  is_bad_for(text, NULL, says);
}

#endif
