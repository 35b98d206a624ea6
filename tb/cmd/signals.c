/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "cmd/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "engine/outfile.h"

static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
static volatile int stop;
static pid_t owner; /* a forked child has the same files open and must not remove them */

static void on_end(int number) {
  if (getpid() == owner) hd_out_abandon();
  signal(number, SIG_DFL);
  raise(number);
}

static void on_stop(int number) {
  (void)number;
  stop = 1;
  for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) {
    struct sigaction old;
    if (sigaction(ends[k], NULL, &old) == 0 && old.sa_handler == on_stop) signal(ends[k], on_end);
  }
}

/* `always`: handles SIGINT and SIGTERM even if they were ignored, as in a background job of a shell script. */
static void handle(void (*handler)(int), bool always) {
  const struct sigaction act = {.sa_handler = handler};
  for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) {
    struct sigaction old;
    const bool asked = always && (ends[k] == SIGINT || ends[k] == SIGTERM);
    if (sigaction(ends[k], NULL, &old) == 0 && (asked || old.sa_handler != SIG_IGN)) sigaction(ends[k], &act, NULL);
  }
}

void hd_signals_init(void) {
  owner = getpid();
  handle(on_end, false);
}

const volatile int *hd_signals_stop(void) {
  handle(on_stop, true);
  return &stop;
}
