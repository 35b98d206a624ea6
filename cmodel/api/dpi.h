/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dpi: the plane behind plain functions of numbers, for SystemVerilog through DPI-C and for foreign function interfaces
 * of other languages. tb/dpi/hd_dpi_pkg.sv imports them all.
 *
 *     chandle p = hd_dpi_new("k20c+NumSmx=4");             // hd_dpi_error(p) is "" on success
 *     each cycle:  read the outputs:  hd_dpi_dispatch(p, smx, slot, kdei, blkid, pc, param), ...
 *                  set the inputs:    hd_dpi_launch(p, ...), hd_dpi_cta_done(p, smx, slot), ...
 *                  hd_dpi_tick(p);                         // the rising clock edge
 *
 * Outputs are those of the current cycle, starting at creation, reset or the last tick; they do not depend on this
 * cycle's inputs. A launch and a completion last for one cycle: hd_dpi_tick ends them. A launch is accepted if
 * launch_ready was 1 in its cycle. Ready inputs keep their value; after creation and reset all are 1. The AXI4 port has
 * no functions here: it is idle, and TBs cannot launch, until hd_dpi_device() attaches a memory.
 *
 * Types are those of DPI-C: chandle is void *, bit is uint8_t, int unsigned is uint32_t, longint unsigned is uint64_t.
 * An SMX or slot that does not exist is never valid and its inputs are ignored. The same holds for a null handle and
 * for a handle that has only an error: no output is valid and all read 0, inputs are ignored, a launch returns Refused,
 * an APB4 read returns pslverr. Any other handle must come from hd_dpi_new and not have been freed. Planes are
 * independent of each other. */
#ifndef HD_DPI_H
#define HD_DPI_H

#include <stdint.h>

/* Returns a plane after reset, in a named configuration with any number of changes: "k20c",
 * "tiny+NumSmx=3+CtasPerSmx=4". Returns NULL if out of memory. If the configuration does not exist or violates a limit,
 * the handle has only an error. */
void *hd_dpi_new(const char *config);
/* Returns why the handle has no plane; "" if it has one. The handle owns the text. */
const char *hd_dpi_error(const void *plane);
void hd_dpi_free(void *plane);

/* Look up a parameter of the configuration by name, such as "NumSmx": whether it exists, and its value (0 if not). */
uint8_t hd_dpi_has_param(const void *plane, const char *name);
uint32_t hd_dpi_param(const void *plane, const char *name);
/* Resets the plane. Afterwards TBs cannot launch until hd_dpi_device() is called again. */
void hd_dpi_reset(void *plane);

/* Offers a launch in this cycle. smem is in bytes. Returns 0; or the enum hd_code of an error that the runtime finds,
 * and then offers nothing. */
uint32_t hd_dpi_launch(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                       uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                       uint64_t param);
uint8_t hd_dpi_launch_ready(const void *plane);
/* The same for a kernel with a graph: param is the value returned by hd_dpi_graph_end(). */
uint32_t hd_dpi_launch_graph(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                             uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                             uint64_t param);

/* These return valid; their results are 0 while it is 0. */
uint8_t hd_dpi_answer(const void *plane, uint32_t *tag, uint32_t *code);
uint8_t hd_dpi_dispatch(const void *plane, uint32_t smx, uint32_t *slot, uint32_t *kdei, uint32_t *blkid, uint64_t *pc,
                        uint64_t *param);
uint8_t hd_dpi_kernel_done(const void *plane, uint32_t *tag);
/* Further fields of the TB offered to the SMX: whether it belongs to a group, its nesting level (0: launched by the
 * host), whether it is a saved TB that resumes; the dimensions of its grid or group in TBs, and its own in threads. */
uint8_t hd_dpi_dispatch_more(const void *plane, uint32_t smx, uint32_t *group, uint32_t *level, uint32_t *restart,
                             uint32_t *grid_x, uint32_t *grid_y, uint32_t *grid_z, uint32_t *cta_x, uint32_t *cta_y,
                             uint32_t *cta_z);
/* Returns the first SMX >= `smx` that is offered a TB; NumSmx if there is none. */
uint32_t hd_dpi_dispatch_next(const void *plane, uint32_t smx);
/* Returns whether the kernel that completes in this cycle failed: a memory error, or an invalid graph. */
uint8_t hd_dpi_kernel_failed(const void *plane);

void hd_dpi_answer_ready(void *plane, uint8_t ready);
void hd_dpi_dispatch_ready(void *plane, uint32_t smx, uint8_t ready);
void hd_dpi_kernel_done_ready(void *plane, uint8_t ready);

/* The SMX reports completion of the TB in that slot, in this cycle. */
void hd_dpi_cta_done(void *plane, uint32_t smx, uint32_t slot);

/* APB4. The inputs keep their value; pready is constant 1; hd_dpi_apb_read() returns pslverr. An address wider than
 * ApbAddrW bits belongs to no register: pslverr, and the plane is not selected. */
void hd_dpi_apb(void *plane, uint8_t psel, uint8_t penable, uint8_t pwrite, uint32_t paddr, uint32_t pwdata,
                uint32_t pstrb);
uint8_t hd_dpi_apb_read(const void *plane, uint32_t *prdata);

/* The rising clock edge. */
void hd_dpi_tick(void *plane);
/* Ticks until a TB is offered, a kernel completes, or a launch of the host or of a TB is answered, but at most `most`
 * times. Returns the number of ticks. Idle cycles are skipped (top/skip.h) without changing the result. */
uint64_t hd_dpi_run(void *plane, uint64_t most);

/* ---- Launches from TBs ---- */

/* Resets the plane and attaches a memory that answers `latency` cycles (1 or more) after a burst request, and a device
 * runtime (api/device.h) whose regions are in the upper half of the address space; writes the region registers and the
 * policy (enum hd_policy). Returns the number of ticks that took; 0 if a number is not accepted or memory is
 * exhausted. */
uint32_t hd_dpi_device(void *plane, uint32_t latency, uint32_t policy);
/* Returns the name of a policy, such as "smx-bind"; "" if the number is none. Static text. */
const char *hd_dpi_policy(uint32_t number);
/* One thread of a warp launches, from the TB in that slot. Adds the launch to the command of its SMX, whose lanes
 * ascend (0 .. 31); with `last` the command is complete and waits to be accepted. kind: enum hd_kind; for a save, param
 * is the context pointer, and the launch is a command by itself. Lane, stream and the rest are those of struct
 * hd_device_call. Returns enum hd_device_code (text: hd_device_text()); if not 0, the command is dropped. */
uint32_t hd_dpi_dev_launch(void *plane, uint32_t smx, uint32_t slot, uint32_t kind, uint32_t lane, uint8_t last,
                           uint32_t stream, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t cta_x,
                           uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc, uint64_t param);
/* Takes the oldest answer to such launches. Returns valid. code: enum hd_code. */
uint8_t hd_dpi_dev_answer(void *plane, uint32_t *smx, uint32_t *slot, uint32_t *kind, uint32_t *lane, uint32_t *code);
/* Returns the cycles that the device runtime of a K20c takes before a warp offers its command, for 1 .. 32 threads that
 * launch kernels or groups (hd_device_kernel_cycles(), hd_device_group_cycles()); 0 for other arguments. The caller
 * waits for them. */
uint64_t hd_dpi_launch_cycles(const void *plane, uint32_t kind, uint32_t threads);

/* ---- Kernels with a graph (api/deplinks.h); after hd_dpi_device() ---- */

/* Begins a graph over a grid of TBs; an unfinished earlier graph is discarded. This and the next three return enum
 * hd_deplinks_code; if not 0, hd_dpi_graph_text() has the reason, and the graph cannot be launched. */
uint32_t hd_dpi_graph(void *plane, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z);
/* order: enum hd_deplinks_policy; bound: levels, ignored for LRR. */
uint32_t hd_dpi_graph_order(void *plane, uint32_t order, uint32_t bound);
/* TB `child` waits for TB `parent`; linear ids. */
uint32_t hd_dpi_graph_edge(void *plane, uint32_t parent, uint32_t child);
/* Adds the edges of an enum hd_deplinks_pattern. */
uint32_t hd_dpi_graph_pattern(void *plane, uint32_t pattern, uint32_t degree, uint64_t seed);
/* Writes the graph to memory, for one launch. Returns its descriptor's address, and its number of levels and edges; 0
 * on error. */
uint64_t hd_dpi_graph_end(void *plane, uint32_t *levels, uint32_t *edges);
/* Returns a sentence without a full stop; "" if there is no error. Valid until the next graph begins. */
const char *hd_dpi_graph_text(const void *plane);

/* ---- Occupancy of the tables ---- */

enum hd_dpi_table {
  HD_DPI_RESIDENT,   /* TBs in the slots of all SMXs */
  HD_DPI_KERNELS,    /* KD entries that hold a kernel */
  HD_DPI_HOST,       /* launches that wait in HWQs */
  HD_DPI_POOL,       /* device kernels that wait on chip */
  HD_DPI_PARENTS,    /* parent records in use */
  HD_DPI_SUSPENDED,  /* suspended kernels */
  HD_DPI_BANKS,      /* entries of the banks of priority queues */
  HD_DPI_OVERFLOWED, /* groups in lists in memory */
  HD_DPI_RECORDS,    /* group records that the plane owns */
  HD_DPI_OPEN,       /* SMXs that accept unbound TBs */
  HD_DPI_TABLES
};
/* Returns the current occupancy; 0 for any other number. */
uint32_t hd_dpi_state(void *plane, uint32_t which);

#endif
