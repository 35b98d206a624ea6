/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "api/dpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/dpi_inside.h"
#include "api/runtime.h"

struct hd_dpi *hd_dpi_at(const void *plane) {
  struct hd_dpi *p = (struct hd_dpi *)plane;
  return p != NULL && p->top != NULL ? p : NULL;
}

/* Parses NAME+PARAM=VALUE+.. into a derived configuration. Returns false with the reason in err. */
static bool configure(struct hd_dpi *p, const char *text) {
  char part[sizeof p->cfg.name];
  for (bool first = true;; first = false) {
    size_t n = strcspn(text, "+");
    if (n >= sizeof part) {
      snprintf(p->err, sizeof p->err, "configuration '%.40s..': a part is longer than %zu characters", text,
               sizeof part - 1);
      return false;
    }
    memcpy(part, text, n);
    part[n] = 0;
    if (first && !hd_cfg_find(part, &p->cfg)) {
      snprintf(p->err, sizeof p->err, "no configuration '%s'", part);
      return false;
    }
    if (!first && !hd_cfg_assign(&p->cfg, part, p->err, sizeof p->err)) return false;
    if (text[n] == 0) return hd_cfg_derive(&p->cfg, p->err, sizeof p->err);
    text += n + 1;
  }
}

void *hd_dpi_new(const char *config) {
  struct hd_dpi *p = calloc(1, sizeof *p);
  if (p == NULL || !configure(p, config != NULL ? config : "")) return p;
  p->top = malloc(hd_top_size(&p->cfg));
  if (p->top == NULL) {
    free(p);
    return NULL;
  }
  hd_top_init(p->top, &p->cfg);
  hd_dpi_reset(p);
  return p;
}

const char *hd_dpi_error(const void *plane) {
  return plane != NULL ? ((const struct hd_dpi *)plane)->err : "the handle is null: hd_dpi_new() makes one";
}

void hd_dpi_free(void *plane) {
  struct hd_dpi *p = plane;
  if (p != NULL) {
    hd_dpi_device_free(p->device);
    free(p->top);
    free(p->last);
    free(p->arch);
  }
  free(p);
}

/* Returns the parameter of that name, or NULL. */
static const struct hd_cfg_param *find(const void *plane, const char *name) {
  for (unsigned i = 0; i < hd_cfg_params_n && hd_dpi_at(plane) != NULL && name != NULL; i++)
    if (!strcmp(hd_cfg_params[i].name, name)) return &hd_cfg_params[i];
  return NULL;
}

uint8_t hd_dpi_has_param(const void *plane, const char *name) {
  return find(plane, name) != NULL;
}

uint32_t hd_dpi_param(const void *plane, const char *name) {
  const struct hd_cfg_param *param = find(plane, name);
  uint32_t value = 0;
  if (param != NULL) memcpy(&value, (const char *)&hd_dpi_at(plane)->cfg + param->offset, sizeof value);
  return value;
}

void hd_dpi_reset(void *plane) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL) return;
  hd_dpi_device_free(p->device);
  p->device = NULL;
  hd_top_reset(p->top);
  memset(&p->in, 0, sizeof p->in);
  if (p->last != NULL) memset(p->last, 0, hd_top_last_size(&p->cfg));
  memset(p->in.dispatch_ready, 1, sizeof p->in.dispatch_ready);
  p->in.host_answer_ready = p->in.kernel_done_ready = 1;
  p->no_register = false;
  hd_top_eval(p->top, &p->in, &p->out);
}

static uint32_t launch(void *plane, const struct hd_launch_args *args) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL) return HD_CODE_REFUSED;
  enum hd_code code = hd_launch_make(&p->cfg, args, &p->in.host_launch);
  p->in.host_launch_valid = code == HD_CODE_ACCEPTED;
  return code;
}

uint32_t hd_dpi_launch(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                       uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                       uint64_t param) {
  return launch(plane, &(struct hd_launch_args){.grid = {grid_x, grid_y, grid_z},
                                                .cta = {cta_x, cta_y, cta_z},
                                                .regs = regs,
                                                .smem_bytes = smem,
                                                .pc = pc,
                                                .param = param,
                                                .hwq = hwq,
                                                .tag = tag});
}

uint32_t hd_dpi_launch_graph(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                             uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                             uint64_t param) {
  return launch(plane, &(struct hd_launch_args){.grid = {grid_x, grid_y, grid_z},
                                                .cta = {cta_x, cta_y, cta_z},
                                                .regs = regs,
                                                .smem_bytes = smem,
                                                .pc = pc,
                                                .param = param,
                                                .hwq = hwq,
                                                .tag = tag,
                                                .graph = true});
}

/* Returns the outputs; if there is no plane, none is valid. */
static const struct hd_top_out *outputs(const void *plane) {
  static const struct hd_top_out none;
  return hd_dpi_at(plane) != NULL ? &hd_dpi_at(plane)->out : &none;
}

uint8_t hd_dpi_launch_ready(const void *plane) {
  return outputs(plane)->host_launch_ready;
}

uint8_t hd_dpi_answer(const void *plane, uint32_t *tag, uint32_t *code) {
  const struct hd_top_out *o = outputs(plane);
  *tag = o->host_answer_valid ? o->host_answer.tag : 0;
  *code = o->host_answer_valid ? o->host_answer.code : 0;
  return o->host_answer_valid;
}

/* Returns the TB offered to an SMX in this cycle, or NULL. */
static const struct hd_dispatch *offer_to(const void *plane, uint32_t smx) {
  const struct hd_dpi *p = hd_dpi_at(plane);
  return p != NULL && smx < p->cfg.num_smx && p->out.dispatch_valid[smx] ? &p->out.dispatch[smx] : NULL;
}

uint8_t hd_dpi_dispatch(const void *plane, uint32_t smx, uint32_t *slot, uint32_t *kdei, uint32_t *blkid, uint64_t *pc,
                        uint64_t *param) {
  static const struct hd_dispatch none;
  const struct hd_dispatch *offered = offer_to(plane, smx), *d = offered != NULL ? offered : &none;
  *slot = d->slot;
  *kdei = d->kdei;
  *blkid = d->blkid;
  *pc = d->desc.pc;
  *param = d->desc.param;
  return offered != NULL;
}

uint8_t hd_dpi_dispatch_more(const void *plane, uint32_t smx, uint32_t *group, uint32_t *level, uint32_t *restart,
                             uint32_t *grid_x, uint32_t *grid_y, uint32_t *grid_z, uint32_t *cta_x, uint32_t *cta_y,
                             uint32_t *cta_z) {
  static const struct hd_dispatch none;
  const struct hd_dispatch *offered = offer_to(plane, smx), *d = offered != NULL ? offered : &none;
  *group = d->group;
  *level = d->level;
  *restart = d->restart;
  *grid_x = d->desc.grid_x;
  *grid_y = d->desc.grid_y;
  *grid_z = d->desc.grid_z;
  *cta_x = d->desc.cta_x;
  *cta_y = d->desc.cta_y;
  *cta_z = d->desc.cta_z;
  return offered != NULL;
}

uint32_t hd_dpi_dispatch_next(const void *plane, uint32_t smx) {
  const struct hd_dpi *p = hd_dpi_at(plane);
  const uint32_t smxs = p != NULL ? p->cfg.num_smx : 0;
  while (smx < smxs && !p->out.dispatch_valid[smx]) smx++;
  return smx < smxs ? smx : smxs;
}

uint8_t hd_dpi_kernel_done(const void *plane, uint32_t *tag) {
  const struct hd_top_out *o = outputs(plane);
  *tag = o->kernel_done_valid ? o->kernel_done.tag : 0;
  return o->kernel_done_valid;
}

uint8_t hd_dpi_kernel_failed(const void *plane) {
  const struct hd_top_out *o = outputs(plane);
  return o->kernel_done_valid && o->kernel_done.failed;
}

void hd_dpi_answer_ready(void *plane, uint8_t ready) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p != NULL) p->in.host_answer_ready = ready != 0;
}

void hd_dpi_dispatch_ready(void *plane, uint32_t smx, uint8_t ready) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p != NULL && smx < p->cfg.num_smx) p->in.dispatch_ready[smx] = ready != 0;
}

void hd_dpi_kernel_done_ready(void *plane, uint8_t ready) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p != NULL) p->in.kernel_done_ready = ready != 0;
}

void hd_dpi_cta_done(void *plane, uint32_t smx, uint32_t slot) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL || smx >= p->cfg.num_smx || slot >= p->cfg.ctas_per_smx) return;
  p->in.cta_done_valid[smx] = 1;
  p->in.cta_done_slot[smx] = (uint8_t)slot;
}

void hd_dpi_apb(void *plane, uint8_t psel, uint8_t penable, uint8_t pwrite, uint32_t paddr, uint32_t pwdata,
                uint32_t pstrb) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p == NULL) return;
  const bool beyond = paddr >> p->cfg.apb_addr_w != 0;
  p->no_register = beyond && psel != 0 && penable != 0;
  p->in.psel = psel != 0 && !beyond;
  p->in.penable = penable != 0 && !beyond;
  p->in.pwrite = pwrite != 0;
  p->in.paddr = (uint16_t)(beyond ? 0 : paddr);
  p->in.pwdata = pwdata;
  p->in.pstrb = pstrb & 0xf;
}

uint8_t hd_dpi_apb_read(const void *plane, uint32_t *prdata) {
  const struct hd_dpi *p = hd_dpi_at(plane);
  const bool fails = p == NULL || p->no_register;
  *prdata = fails ? 0 : p->out.prdata;
  return fails || p->out.pslverr;
}

static void tick(struct hd_dpi *p) {
  if (p->device != NULL) {
    if (hd_dpi_device_drive(p)) hd_top_eval(p->top, &p->in, &p->out); /* dev_launch_ready depends on them */
    hd_dpi_device_follow(p);
  }
  hd_top_tick(p->top, &p->in);
  p->in.host_launch_valid = 0;
  memset(p->in.cta_done_valid, 0, sizeof p->in.cta_done_valid);
  hd_top_eval(p->top, &p->in, &p->out);
}

void hd_dpi_tick(void *plane) {
  struct hd_dpi *p = hd_dpi_at(plane);
  if (p != NULL) tick(p);
}

/* Returns whether an output needs the caller's attention. */
static bool news(const struct hd_dpi *p) {
  for (uint32_t s = 0; s < p->cfg.num_smx; s++)
    if (p->out.dispatch_valid[s]) return true;
  return p->out.kernel_done_valid || p->out.host_answer_valid ||
         (p->device != NULL && hd_dpi_device_has_answer(p->device));
}

/* Returns the cycles after a tick, up to `most`, in which the inputs stay as in that tick. */
static uint64_t quiet(struct hd_dpi *p, uint64_t most) {
  if (p->device == NULL) return most;
  if (p->moved || hd_dpi_device_offers(p->device)) return 0;
  const uint64_t wait = hd_dpi_memory_wait(hd_dpi_device_memory(p->device));
  return wait < most ? wait : most;
}

uint64_t hd_dpi_run(void *plane, uint64_t most) {
  struct hd_dpi *p = hd_dpi_at(plane);
  uint64_t n = 0;
  if (p == NULL) return 0;
  if (p->last == NULL) p->last = calloc(1, hd_top_last_size(&p->cfg));
  while (n < most) {
    tick(p);
    n++;
    if (news(p)) break;
    /* The previous call of hd_top_is_idle() may be several cycles ago, so its first answer is ignored. */
    if (p->last == NULL || !hd_top_is_idle(p->top, p->last) || n == 1) continue;
    const uint64_t skipped = quiet(p, most - n);
    if (skipped == 0) continue;
    hd_top_skip(p->top, p->last, skipped);
    if (p->device != NULL) hd_dpi_memory_skip(hd_dpi_device_memory(p->device), skipped);
    hd_top_eval(p->top, &p->in, &p->out);
    n += skipped;
  }
  return n;
}
