/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Internal declarations shared by the files of dpi. Not installed. */
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
  struct hd_top *top; /* NULL: the handle has only an error */
  struct hd_top_in in;
  struct hd_top_out out;
  bool no_register;             /* in the access phase of an APB4 transfer beyond the address wires */
  bool moved;                   /* in the last cycle a device launch, an answer, a record or the memory was active */
  struct hd_top_last *last;     /* for hd_dpi_run(); created at its first call */
  struct hd_top_arch *arch;     /* for hd_dpi_state(); created at its first call */
  struct hd_dpi_device *device; /* NULL: TBs cannot launch */
  char err[300];
};

/* Returns the struct behind the handle; NULL if there is no plane. */
struct hd_dpi *hd_dpi_at(const void *plane);

/* ---- The memory behind the AXI4 port: always ready, answers all bursts in order ---- */

/* Returns NULL if out of memory. latency: cycles, 1 or more, from a burst's address, or its last beat, to the
 * answer. */
struct hd_dpi_memory *hd_dpi_memory_new(uint32_t latency);
void hd_dpi_memory_free(struct hd_dpi_memory *m);
/* Sets the memory's pins for this cycle; they depend only on earlier cycles. */
void hd_dpi_memory_drive(const struct hd_dpi_memory *m, struct hd_top_in *in);
/* Ends a cycle with these wires. Returns whether anything moved. */
bool hd_dpi_memory_follow(struct hd_dpi_memory *m, const struct hd_top_in *in, const struct hd_top_out *out);
/* Returns the cycles until the next answer; UINT64_MAX if nothing is in flight. */
uint64_t hd_dpi_memory_wait(const struct hd_dpi_memory *m);
/* Advances by n cycles in which nothing moves. */
void hd_dpi_memory_skip(struct hd_dpi_memory *m, uint64_t n);
/* Writes bytes. Returns false if out of memory. */
bool hd_dpi_memory_put(struct hd_dpi_memory *m, uint64_t addr, const uint8_t *bytes, size_t n);

/* ---- Launches from TBs ---- */

void hd_dpi_device_free(struct hd_dpi_device *d);
/* Sets this cycle's inputs of the memory and of SMX launches. Returns whether a launch is offered. */
bool hd_dpi_device_drive(struct hd_dpi *p);
/* Ends a cycle with these wires. */
void hd_dpi_device_follow(struct hd_dpi *p);
bool hd_dpi_device_has_answer(const struct hd_dpi_device *d);
/* Returns whether launches of SMXs wait to be accepted. */
bool hd_dpi_device_offers(const struct hd_dpi_device *d);
struct hd_dpi_memory *hd_dpi_device_memory(struct hd_dpi_device *d);
uint32_t hd_dpi_device_records(const struct hd_dpi_device *d);
/* First free address in memory. */
uint64_t *hd_dpi_device_end(struct hd_dpi_device *d);
/* The graph being built. */
struct hd_deplinks *hd_dpi_device_graph(struct hd_dpi_device *d);

#endif
