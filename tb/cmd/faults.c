/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle faults: switches on each planted fault of verif/faults.csv in turn and shows that lockstep catches it, at the
 * first cycle in which the faulty RTL differs from the sound RTL, and at the signal that the list names. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmds.h"
#include "cmd/fault_list.h"
#include "cmd/options.h"
#include "engine/config.h"
#include "engine/equiv.h"
#include "engine/fields.h"
#include "engine/outfile.h"
#include "engine/replay.h"
#include "engine/shrink.h"
#include "engine/sim_internal.h"

static const char doc[] =
    "Runs each planted fault of verif/faults.csv (default: of all blocks) in random lockstep. A fault counts as caught "
    "if lockstep reports a mismatch in the right cycle and at a signal that the list names. The right cycle is the "
    "first in which the faulty and the sound RTL differ in any output, register or table row for the same inputs. "
    "Fails if a fault escapes. Writes the results to build/faults.json.";

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration (default tiny)", 0},
    {"cycles", 'n', "N", 0, "cycles after which a fault counts as escaped (default 1000000)", 0},
    {"list", 'l', "FILE", 0, "list of faults (default verif/faults.csv)", 0},
    {"out", 'o', "FILE", 0, "JSON file (default build/faults.json)", 0},
    {"json", 'j', "FILE", OPTION_ARG_OPTIONAL, "print the results as JSON, or write them to FILE", 0},
    {0},
};

struct args {
  struct hd_config_args config;
  struct hd_cfg cfg;
  uint64_t cycles;
  const char *list, *out;
  char **block; /* only these, up to NULL; none: all */
  struct hd_json_to json;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
    case 'c':
      hd_config_arg(&a->config, key, arg, state);
      return 0;
    case 'n':
      a->cycles = hd_number_arg(state, "--cycles", arg, 1000, UINT64_MAX);
      return 0;
    case 'l':
      a->list = arg;
      return 0;
    case 'o':
      a->out = arg;
      return 0;
    case 'j':
      hd_json_arg(&a->json, state, arg);
      return 0;
    case ARGP_KEY_ARGS:
      a->block = state->argv + state->next;
      for (char **b = a->block; *b; b++)
        if (!hd_field_table_find(*b)) argp_error(state, "no block '%s'", *b);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static bool wanted(const struct args *a, const char *block) {
  char **b = a->block;
  while (b && *b && strcmp(*b, block)) b++;
  return !b || *b;
}

/* Compares all visible values of the two RTLs in this cycle: outputs and inner signals before the edge, or, with
 * `state`, every register and table row after it. */
static bool rtl_differs(struct hd_sim *sound, struct hd_sim *faulty, bool state) {
  if (!state) {
    sound->rtl->get_inner(sound->m, sound->rtl_inner);
    faulty->rtl->get_inner(faulty->m, faulty->rtl_inner);
    return memcmp(sound->rtl_out, faulty->rtl_out, sound->table->out_size) != 0 ||
           memcmp(sound->rtl_inner, faulty->rtl_inner, sound->table->inner_size) != 0;
  }
  for (unsigned g = 0; g < sound->list.groups; g++) {
    sound->driver->arch(sound->model, g, sound->model_arch, true);
    sound->rtl->get_arch(sound->m, g, sound->rtl_arch, sound->model_arch, ~0u, 1);
    faulty->rtl->get_arch(faulty->m, g, faulty->rtl_arch, sound->model_arch, ~0u, 1);
  }
  return memcmp(sound->rtl_arch, faulty->rtl_arch, sound->table->arch_size) != 0;
}

/* Returns the first cycle in which the faulty RTL differs from the sound RTL for the inputs of the replay, or
 * UINT64_MAX. */
static uint64_t first_difference(const struct hd_replay *r, char *err, size_t err_size) {
  struct hd_sim_opts o = {.block = r->block, .variant = "fault", .cfg = r->cfg, .seed = r->seed};
  struct hd_sim *sound = hd_sim_open(&o, err, err_size);
  o.fault = r->fault;
  struct hd_sim *faulty = sound ? hd_sim_open(&o, err, err_size) : NULL;
  uint64_t found = UINT64_MAX;
  for (uint64_t c = 0; faulty && c < r->cycles && found == UINT64_MAX; c++) {
    const unsigned char *in = r->in + c * r->in_size;
    struct hd_sim *both[2] = {sound, faulty};
    for (unsigned k = 0; k < 2; k++) {
      both[k]->cycle = c;
      both[k]->rtl->set_in(both[k]->m, in);
      hd_rtl_settle(both[k]);
      both[k]->rtl->get_out(both[k]->m, both[k]->rtl_out);
    }
    if (rtl_differs(sound, faulty, false)) found = c;
    sound->driver->tick(sound->model, in); /* the model only determines the valid table rows */
    for (unsigned k = 0; k < 2; k++) hd_rtl_edge(both[k]);
    if (found == UINT64_MAX && rtl_differs(sound, faulty, true)) found = c;
  }
  hd_sim_close(sound);
  hd_sim_close(faulty);
  return found;
}

static bool names(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *p = strstr(list, name); p; p = strstr(p + 1, name))
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n] || p[n] == '.')) return true;
  return false;
}

/* Returns true if the list names one of the fields that differed, or the port that contains it. */
static bool right_signal(const char *listed, const char *differed) {
  char copy[512], port[256], *save;
  snprintf(copy, sizeof copy, "%s", differed);
  for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
    snprintf(port, sizeof port, "%s", w);
    for (;;) {
      if (names(listed, port)) return true;
      char *dot = strrchr(port, '.');
      if (!dot) break;
      *dot = 0;
    }
  }
  return false;
}

struct caught {
  enum hd_verdict verdict;
  bool ok;
  uint64_t cycle, right_cycle;
  char signal[512];
};

/* Sets *cfg to the configuration of the run: that of --config with the parameter changes that this fault needs. */
static bool config_of(const struct args *a, const struct hd_fault *f, struct hd_cfg *cfg, char *err, size_t err_size) {
  char name[sizeof a->cfg.name + sizeof f->set];
  snprintf(name, sizeof name, "%s+%s", a->cfg.name, f->set);
  *cfg = a->cfg;
  return !strchr(f->set, '=') || hd_config_parse(name, cfg, err, err_size);
}

static struct caught try_fault(const struct args *a, const struct hd_fault *f, const char *block, char *err,
                               size_t err_size) {
  struct caught c = {.right_cycle = UINT64_MAX, .verdict = HD_CONFIG};
  struct hd_equiv_opts o = {.block = block,
                            .variant = "fault",
                            .seed = 100 + f->id,
                            .cycles = a->cycles,
                            .fault = f->id,
                            .test = "fault",
                            .out_dir = "build/faults"};
  struct hd_replay r;
  if (!config_of(a, f, &o.cfg, err, err_size)) return c;
  if (f->set[0] && !strchr(f->set, '=')) o.profile = f->set;
  struct hd_equiv_result e = hd_equiv(&o);
  c.verdict = e.verdict;
  snprintf(err, err_size, "%s", e.error);
  if (e.verdict != HD_MISMATCH) return c;
  if (!hd_replay_read(e.replay, &r, err, err_size)) return c;
  struct hd_failure again = hd_replay_run(&r, err, err_size);
  c.cycle = again.cycle;
  snprintf(c.signal, sizeof c.signal, "%s", again.all);
  c.right_cycle = first_difference(&r, err, err_size);
  c.ok = again.verdict == HD_MISMATCH && c.cycle == c.right_cycle && right_signal(f->signal, again.all);
  hd_replay_free(&r);
  return c;
}

static void add_json(cJSON *list, const struct hd_fault *f, const char *block, const struct caught *c) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddNumberToObject(j, "fault", f->id);
  cJSON_AddStringToObject(j, "block", block);
  cJSON_AddStringToObject(j, "what", f->what);
  cJSON_AddStringToObject(j, "caught_by", c->ok ? "lockstep" : hd_verdict_name(c->verdict));
  cJSON_AddNumberToObject(j, "cycle", (double)c->cycle);
  cJSON_AddStringToObject(j, "signal", c->signal);
  cJSON_AddBoolToObject(j, "caught", c->ok);
  cJSON_AddItemToArray(list, j);
}

static void print(const struct hd_fault *f, const char *block, const struct caught *c) {
  printf("%5u  %-7s %-9s %7" PRIu64 "  %-34.34s  %s\n", f->id, block, c->ok ? "lockstep" : "ESCAPED", c->cycle,
         c->signal, f->what);
  if (!c->ok && c->verdict == HD_MISMATCH)
    printf("       mismatch in cycle %" PRIu64 " (expected: %" PRIu64 ") at: %s; expected: %s\n", c->cycle,
           c->right_cycle, c->signal, f->signal);
  fflush(stdout);
}

struct tally {
  cJSON *faults;
  unsigned caught, escaped;
};

/* Tries the fault in each of its blocks. Returns false with a reason in err if one could not be tried. */
static bool try_blocks(const struct args *a, const struct hd_fault *f, struct tally *t, char *err, size_t err_size) {
  char blocks[sizeof f->blocks], *save;
  snprintf(blocks, sizeof blocks, "%s", f->blocks);
  for (char *b = strtok_r(blocks, " ", &save); b; b = strtok_r(NULL, " ", &save)) {
    if (!hd_field_table_find(b)) {
      snprintf(err, err_size, "fault %u: no block '%s'", f->id, b);
      return false;
    }
    if (!wanted(a, b)) continue;
    if (!a->json.print && t->caught + t->escaped == 0)
      printf("fault  block   caught by   cycle  signal                              fault\n");
    struct caught c = try_fault(a, f, b, err, err_size);
    if (c.verdict == HD_CONFIG) return false;
    add_json(t->faults, f, b, &c);
    *(c.ok ? &t->caught : &t->escaped) += 1;
    if (!a->json.print) print(f, b, &c);
  }
  return true;
}

static int campaign(const struct args *a, FILE *list, struct tally *t) {
  char line[1024], err[512] = "";
  struct hd_fault f;
  for (unsigned n = 1; fgets(line, sizeof line, list); n++) {
    if (n == 1 || line[0] == '#') continue;
    if (!hd_fault_parse(line, &f)) {
      fprintf(stderr,
              "heddle: %s:%u: not a fault; accepted: id,block ..,signal ..,\"what\"[,plane[,PARAM=VALUE or profile]]\n",
              a->list, n);
      return HD_CONFIG;
    }
    if (!try_blocks(a, &f, t, err, sizeof err)) {
      fprintf(stderr, "heddle: %s\n", err);
      return HD_CONFIG;
    }
  }
  if (t->caught + t->escaped == 0) {
    fprintf(stderr, "heddle: %s: no fault %s\n", a->list, a->block ? "in these blocks" : "listed");
    return HD_CONFIG;
  }
  return t->escaped ? HD_MISMATCH : HD_PASS;
}

int hd_cmd_faults(int argc, char **argv) {
  static const struct argp argp = {options, parse, "[BLOCK..]", doc, 0, 0, 0};
  struct args a = {.cycles = 1000000, .list = HD_FAULT_LIST, .out = "build/faults.json"};
  hd_config_args_init(&a.config);
  snprintf(a.config.text, sizeof a.config.text, "tiny");
  argp_parse(&argp, argc, argv, 0, 0, &a);
  if (!hd_config_args_done(&a.config, &a.cfg)) return HD_CONFIG;
  FILE *list = fopen(a.list, "r");
  if (!list) {
    fprintf(stderr, "heddle: %s: %s; run it from the top of a checkout\n", a.list, strerror(errno));
    return HD_CONFIG;
  }
  char err[700];
  if (!hd_out_try(a.out, err, sizeof err)) {
    fprintf(stderr, "heddle: %s\n", err);
    fclose(list);
    return HD_CONFIG;
  }
  cJSON *j = hd_json_head(1);
  struct tally t = {.faults = cJSON_AddArrayToObject(j, "faults")};
  cJSON_AddStringToObject(j, "config", a.cfg.name);
  int code = campaign(&a, list, &t);
  fclose(list);
  cJSON_AddNumberToObject(j, "caught", t.caught);
  cJSON_AddNumberToObject(j, "escaped", t.escaped);
  if (code != HD_CONFIG && hd_write_json(a.out, j)) code = HD_CONFIG;
  if (hd_json_put(&a.json, j)) code = HD_CONFIG;
  if (!a.json.print && code != HD_CONFIG) printf("%u passed, %u failed\n", t.caught, t.escaped);
  cJSON_Delete(j);
  return code;
}
