/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/devrt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 1 << 16, CLIENT_OVFQ = 0, CLIENT_POOL, CLIENT_SUSP, CLIENT_SPILL, CLIENT_DATS, CLIENT_DGB };

/* Declares the memory regions that each client of the memory port may access. */
static bool allow(struct hd_axi_mem *m, const struct hd_device_regions *at, const struct hd_cfg *cfg) {
  return hd_axi_mem_allow(m, CLIENT_OVFQ, at->records, at->kernels - at->records) && /* records and lists */
         hd_axi_mem_allow(m, CLIENT_POOL, at->kernels, at->suspended - at->kernels) &&
         hd_axi_mem_allow(m, CLIENT_SUSP, at->suspended, (uint64_t)at->n.suspended * cfg->sus_stride) &&
         hd_axi_mem_allow(m, CLIENT_SPILL, at->spilled, at->buffers - at->spilled);
}

/* Writes the graph of kernel 0, from `base` on, and its descriptor. Returns false with a reason in text, or if out of
 * memory. */
static bool put_graph(struct hd_devrt *r, const struct hd_deplinks_graph *g, uint64_t base, char *text,
                      size_t text_size) {
  struct hd_deplinks_regions at;
  uint8_t descriptor[HD_DEPLINKS_DESCRIPTOR];
  if (!hd_deplinks_place(&r->cfg, g, base, &at)) {
    snprintf(text, text_size, "the graph does not fit addresses of %" PRIu32 " bits (AddrW)", r->cfg.addr_w);
    return false;
  }
  const size_t bytes = (size_t)(at.end - at.node);
  uint8_t *image = malloc(bytes);
  if (image == NULL) return false;
  hd_deplinks_image(g, &at, image);
  hd_deplinks_describe(&at, descriptor);
  const bool good = hd_axi_mem_write(r->memory, at.node, image, bytes) &&
                    hd_axi_mem_write(r->memory, 0, descriptor, sizeof descriptor) &&
                    hd_axi_mem_allow(r->memory, CLIENT_DATS, 0, HD_DEPLINKS_ALIGN) &&
                    hd_axi_mem_allow(r->memory, CLIENT_DGB, at.node, bytes);
  free(image);
  return good;
}

/* Returns the number of records, at most the places of a list: the plane refuses a group without a place. */
static uint32_t records_of(const struct hd_launcher_opts *o) {
  const uint32_t n = o->records != 0 ? o->records : MANY, most = hd_device_list_records(o->cfg);
  return o->policy == HD_POLICY_RR && n > most ? most : n;
}

bool hd_devrt_init(struct hd_devrt *r, const struct hd_launcher_opts *o, const struct hd_deplinks_graph *graph,
                   char *text, size_t text_size) {
  const struct hd_cfg *c = o->cfg;
  const uint32_t buffers = o->buffers != 0 ? o->buffers : MANY; /* no more groups exist at once */
  const struct hd_device_sizes n = {.records = records_of(o),
                                    .kernels = c->pool_rows,
                                    .suspended = c->num_kin,
                                    .spilled = hd_device_spilled(c, o->spill_limited ? o->spill : buffers),
                                    .buffers = buffers};
  const struct hd_axi_profile p = {
      .name = "run", .latency_min = o->memory_latency, .latency_max = o->memory_latency, .sink = 256, .source = 256};
  const uint32_t bits = hd_device_addr_bits(c);
  *r = (struct hd_devrt){.o = *o, .cfg = *c};
  /* The upper half of the addresses; the lower half is for parameters of host kernels. */
  const uint64_t end = hd_device_place(c, UINT64_C(1) << (bits - 1), &n, &r->at);
  if (end == 0) {
    snprintf(text, text_size, "records and buffers do not fit addresses of %" PRIu32 " bits (ParamW, AddrW)", bits);
    return false;
  }
  r->at.policy = (uint8_t)o->policy;
  r->contexts = end; /* a graph may be stored there: its TBs do not launch */
  r->context_bytes = ((uint64_t)c->regs_per_smx * 4 + c->smem_per_smx + 255) / 256 * 256; /* no TB has more */
  snprintf(text, text_size, "out of memory");
  r->device = malloc(hd_device_size(&r->at));
  r->memory = hd_axi_mem_new(&p, c->mem_clients, 1);
  if (r->device == NULL || r->memory == NULL || !allow(r->memory, &r->at, c)) return false;
  hd_device_init(r->device, c, &r->at);
  return graph == NULL || put_graph(r, graph, end, text, text_size);
}

void hd_devrt_free(struct hd_devrt *r) {
  free(r->device);
  hd_axi_mem_free(r->memory);
}

uint64_t hd_devrt_cycles(const struct hd_devrt *r, uint32_t threads) {
  return r->o.kind == HD_KIND_KERNEL ? hd_device_kernel_cycles(&r->o.latency, threads)
                                     : hd_device_group_cycles(&r->cfg, &r->o.latency, threads);
}

/* Writes the parameters, as the child's threads would read them, and the records. */
static bool store(struct hd_devrt *r, const struct hd_work_warp *w, uint32_t kernel, const struct hd_devlaunch *beat,
                  const struct hd_device_record *record) {
  bool good = true;
  for (uint32_t k = 0; k < w->calls; k++) {
    uint32_t param[2] = {kernel, w->call[k].item};
    good &= hd_axi_mem_write(r->memory, beat[k].desc.param, param, sizeof param);
    if (beat[k].kind == HD_KIND_GROUP)
      good &= hd_axi_mem_write(r->memory, record[k].addr, record[k].bytes, sizeof record[k].bytes);
  }
  return good;
}

enum hd_device_code hd_devrt_command(struct hd_devrt *r, const struct hd_device_warp *warp,
                                     const struct hd_device_call *child, const struct hd_work_warp *w, uint32_t kernel,
                                     struct hd_devlaunch *beat, bool *stored) {
  struct hd_device_call call[HD_DEVICE_LANES];
  struct hd_device_record record[HD_DEVICE_LANES];
  uint64_t buffer[HD_DEVICE_LANES];
  enum hd_device_code code = hd_device_get_buffers(r->device, w->calls, buffer);
  if (code != HD_DEVICE_OK) return code;
  for (uint32_t k = 0; k < w->calls; k++) {
    call[k] = *child;
    call[k].lane = w->call[k].lane;
    call[k].grid = (struct hd_dim3){w->call[k].ctas, 1, 1};
    call[k].param = buffer[k];
  }
  code = r->o.kind == HD_KIND_KERNEL ? hd_device_kernels(r->device, warp, call, w->calls, beat)
                                     : hd_device_groups(r->device, warp, call, w->calls, beat, record);
  if (code == HD_DEVICE_OK) {
    *stored = store(r, w, kernel, beat, record);
    return code;
  }
  for (uint32_t k = 0; k < w->calls; k++) hd_device_put_buffer(r->device, buffer[k]);
  return code;
}
