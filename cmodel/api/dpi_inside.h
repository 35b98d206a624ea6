/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dpi, inside: what its files share. Not installed. */
#ifndef HD_DPI_INSIDE_H
#define HD_DPI_INSIDE_H

#include "api/deplinks.h"
#include "api/dpi.h"
#include "common/hd_cfg.h"
#include "top/skip.h"
#include "top/top.h"

struct hd_dpi_memory;
struct hd_dpi_device;

struct hd_dpi {
  struct hd_cfg cfg;
  struct hd_top *top; /* NULL: there is only an error */
  struct hd_top_in in;
  struct hd_top_out out;
  bool no_register;             /* the access phase of an APB4 transfer beyond the address wires */
  bool moved;                   /* in the last cycle a device launch, its answer, a record or the memory moved */
  struct hd_top_last *last;     /* of hd_dpi_run(), made when it is called first */
  struct hd_top_arch *arch;     /* of hd_dpi_state(), likewise */
  struct hd_dpi_device *device; /* NULL: TBs do not launch */
  char err[300];
};

/* What the handle is good for; NULL: there is no plane. */
struct hd_dpi *hd_dpi_at(const void *plane);

/* ---- The memory behind the AXI4 port: always ready, answers all bursts in order ---- */

/* NULL: no memory is left. latency: 1 or more, cycles from a burst's address, or its last beat, to the answer. */
struct hd_dpi_memory *hd_dpi_memory_new(uint32_t latency);
void hd_dpi_memory_free(struct hd_dpi_memory *m);
/* Sets what the memory says in this cycle, which depends on earlier ones alone. */
void hd_dpi_memory_drive(const struct hd_dpi_memory *m, struct hd_top_in *in);
/* Ends a cycle with these wires; whether anything moved. */
bool hd_dpi_memory_follow(struct hd_dpi_memory *m, const struct hd_top_in *in, const struct hd_top_out *out);
/* Cycles until it answers next; UINT64_MAX: nothing is under way. */
uint64_t hd_dpi_memory_wait(const struct hd_dpi_memory *m);
/* As n cycles in which nothing moves. */
void hd_dpi_memory_skip(struct hd_dpi_memory *m, uint64_t n);
/* Writes bytes; false: no memory is left. */
bool hd_dpi_memory_put(struct hd_dpi_memory *m, uint64_t addr, const uint8_t *bytes, size_t n);

/* ---- What TBs launch ---- */

void hd_dpi_device_free(struct hd_dpi_device *d);
/* Sets this cycle's inputs: the memory's, launches of SMXs. Whether a launch is offered. */
bool hd_dpi_device_drive(struct hd_dpi *p);
/* Ends a cycle with these wires. */
void hd_dpi_device_follow(struct hd_dpi *p);
bool hd_dpi_device_has_answer(const struct hd_dpi_device *d);
/* Whether launches of SMXs wait to be taken. */
bool hd_dpi_device_offers(const struct hd_dpi_device *d);
struct hd_dpi_memory *hd_dpi_device_memory(struct hd_dpi_device *d);
uint32_t hd_dpi_device_records(const struct hd_dpi_device *d);
/* Where free memory begins. */
uint64_t *hd_dpi_device_end(struct hd_dpi_device *d);
/* The graph that is being made. */
struct hd_deplinks *hd_dpi_device_graph(struct hd_dpi_device *d);

#endif
