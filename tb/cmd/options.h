/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* options: parts that the argument parsers of the subcommands share. */
#ifndef HD_OPTIONS_H
#define HD_OPTIONS_H

#include <argp.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

/* --config NAME (key 'c') and --set PARAM=VALUE (key 's', any number of times). */
struct hd_config_args {
  char text[256]; /* NAME+PARAM=VALUE+.. as hd_config_parse() accepts it */
  char sets[200];
};
void hd_config_args_init(struct hd_config_args *a);
void hd_config_arg(struct hd_config_args *a, int key, const char *arg, struct argp_state *state);
/* Sets *cfg to the configuration that the options name. Returns false after a line on stderr if they are wrong. */
bool hd_config_args_done(const struct hd_config_args *a, struct hd_cfg *cfg);

/* Returns the name of the file to read. For `-`, copies standard input to a temporary file, which is removed when the
 * program ends, and returns the name of that. */
const char *hd_input_arg(struct argp_state *state, const char *option, const char *arg);

/* Returns a whole number from lo to hi (decimal, or hexadecimal with 0x). Otherwise ends the program with an error that
 * names the option. */
uint64_t hd_number_arg(struct argp_state *state, const char *option, const char *arg, uint64_t lo, uint64_t hi);

/* Returns the head of a JSON report: the version of its keys, the version of the command, and the commit that the
 * command was built from ("unknown" without git). The caller adds the report and deletes the object. */
cJSON *hd_json_head(int version);
/* Writes to a file through a temporary name. Returns 0, or -1 after a line on stderr. */
int hd_write_json(const char *path, const cJSON *j);

/* The option --json[=FILE]. */
struct hd_json_to {
  bool print;       /* to stdout, in place of the text */
  const char *file; /* or NULL */
};
/* Parses the option; `--json FILE.json` is accepted, too. Ends the program if FILE cannot be written. */
void hd_json_arg(struct hd_json_to *to, struct argp_state *state, const char *arg);
/* Returns true if the option was given. */
static inline bool hd_json_wanted(const struct hd_json_to *to) {
  return to->print || to->file != NULL;
}
/* Prints or writes the object as requested. Returns 0, or -1 after a line on stderr. */
int hd_json_put(const struct hd_json_to *to, const cJSON *j);

#endif
