/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dpi: the plane behind plain functions of numbers, for SystemVerilog through DPI-C and for other languages' foreign
 * calls. tb/dpi/hd_dpi_pkg.sv imports them all.
 *
 *     chandle p = hd_dpi_new("k20c+NumSmx=4");             // hd_dpi_error(p) is "" when that went well
 *     each cycle:  read the outputs:  hd_dpi_dispatch(p, smx, slot, kdei, blkid, pc, param), ...
 *                  set the inputs:    hd_dpi_launch(p, ...), hd_dpi_cta_done(p, smx, slot), ...
 *                  hd_dpi_tick(p);                         // the rising clock edge
 *
 * Outputs are those of the current cycle, from creation, reset or the last tick on; they do not depend on this cycle's
 * inputs. A launch and a completion last for one cycle: hd_dpi_tick ends them. A launch is taken if launch_ready was 1
 * in its cycle. Ready inputs stay as they are set; after creation and reset all are 1. The AXI4 side is not here: until
 * hd_dpi_device() puts a memory behind it, it is idle and TBs do not launch.
 *
 * Types are those of DPI-C: chandle is void *, bit is uint8_t, int unsigned is uint32_t, longint unsigned is uint64_t.
 * An SMX or slot that does not exist is never valid and its inputs are ignored. The same holds for a whole plane: of a
 * null handle, and of one that has only an error, no output is valid and all read 0, inputs are ignored, a launch
 * returns Refused, an APB4 read pslverr. Any other handle must come from hd_dpi_new and not be freed yet. Planes know
 * nothing of each other. */
#ifndef HD_DPI_H
#define HD_DPI_H

#include <stdint.h>

/* A plane after reset, in a named configuration, with any number of changes: "k20c", "tiny+NumSmx=3+CtasPerSmx=4". NULL
 * when memory is out. With a configuration that does not exist or breaks a limit there is no plane behind the handle.
 */
void *hd_dpi_new(const char *config);
/* Why there is no plane behind the handle; "" when there is one. Lives as long as the handle. */
const char *hd_dpi_error(const void *plane);
void hd_dpi_free(void *plane);

/* A parameter of the configuration by its name, "NumSmx": whether it exists; its value, 0 if it does not. */
uint8_t hd_dpi_has_param(const void *plane, const char *name);
uint32_t hd_dpi_param(const void *plane, const char *name);
/* TBs do not launch afterwards, until hd_dpi_device() is called again. */
void hd_dpi_reset(void *plane);

/* Offers a launch in this cycle. 0, or the code (enum hd_code) of what the runtime finds wrong; then nothing is
 * offered. smem in bytes. */
uint32_t hd_dpi_launch(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                       uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                       uint64_t param);
uint8_t hd_dpi_launch_ready(const void *plane);
/* The same for a kernel with a graph: param is what hd_dpi_graph_end() returned. */
uint32_t hd_dpi_launch_graph(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                             uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                             uint64_t param);

/* These return valid; what they fill in is 0 while it is 0. */
uint8_t hd_dpi_answer(const void *plane, uint32_t *tag, uint32_t *code);
uint8_t hd_dpi_dispatch(const void *plane, uint32_t smx, uint32_t *slot, uint32_t *kdei, uint32_t *blkid, uint64_t *pc,
                        uint64_t *param);
uint8_t hd_dpi_kernel_done(const void *plane, uint32_t *tag);
/* What else the TB on offer to the SMX is told: whether it is one of a group, its nesting level (0: launched by the
 * host), whether it was saved and comes back; the dimensions of its grid or group in TBs, and its own in threads. */
uint8_t hd_dpi_dispatch_more(const void *plane, uint32_t smx, uint32_t *group, uint32_t *level, uint32_t *restart,
                             uint32_t *grid_x, uint32_t *grid_y, uint32_t *grid_z, uint32_t *cta_x, uint32_t *cta_y,
                             uint32_t *cta_z);
/* The first SMX from `smx` on that is offered a TB; NumSmx: there is none. */
uint32_t hd_dpi_dispatch_next(const void *plane, uint32_t smx);
/* Whether the kernel that is done in this cycle failed: the memory answered with an error, or its graph is wrong. */
uint8_t hd_dpi_kernel_failed(const void *plane);

void hd_dpi_answer_ready(void *plane, uint8_t ready);
void hd_dpi_dispatch_ready(void *plane, uint32_t smx, uint8_t ready);
void hd_dpi_kernel_done_ready(void *plane, uint8_t ready);

/* The SMX reports the TB of that slot as done, in this cycle. */
void hd_dpi_cta_done(void *plane, uint32_t smx, uint32_t slot);

/* APB4: the wires stay as they are set; pready is constant 1; the read returns pslverr. An address beyond the wires
 * (ApbAddrW bits) is that of no register: pslverr, and the plane is not selected. */
void hd_dpi_apb(void *plane, uint8_t psel, uint8_t penable, uint8_t pwrite, uint32_t paddr, uint32_t pwdata,
                uint32_t pstrb);
uint8_t hd_dpi_apb_read(const void *plane, uint32_t *prdata);

/* The rising clock edge. */
void hd_dpi_tick(void *plane);
/* As many ticks as it takes until a TB is on offer, a kernel is done, or a launch of the host or of a TB is answered,
 * and `most` at most; the number of ticks. Cycles in which nothing happens are passed over (top/skip.h), with the same
 * outcome. */
uint64_t hd_dpi_run(void *plane, uint64_t most);

/* ---- Launches from TBs ---- */

/* Resets the plane, gives it a memory that answers `latency` cycles (1 or more) after a burst was asked for, and a
 * device runtime (api/device.h) whose regions lie in the upper half of the addresses; tells the plane where, and the
 * policy (enum hd_policy). Returns how many ticks that took; 0: a number that is not accepted, or no memory is left. */
uint32_t hd_dpi_device(void *plane, uint32_t latency, uint32_t policy);
/* The word for a policy: "smx-bind"; "" where there is none of that number. Static text. */
const char *hd_dpi_policy(uint32_t number);
/* One thread of a warp launches, in the TB of that slot: adds it to the command of its SMX, whose lanes ascend (0 ..
 * 31), which with `last` waits to be taken. kind: enum hd_kind; of a save param is the context pointer, and it is a
 * command by itself. Lane, stream and the rest are those of struct hd_device_call. Returns enum hd_device_code
 * (hd_device_text() has the words); other than 0: the command is dropped. */
uint32_t hd_dpi_dev_launch(void *plane, uint32_t smx, uint32_t slot, uint32_t kind, uint32_t lane, uint8_t last,
                           uint32_t stream, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t cta_x,
                           uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc, uint64_t param);
/* Takes the oldest answer to such launches; valid. code: enum hd_code. */
uint8_t hd_dpi_dev_answer(void *plane, uint32_t *smx, uint32_t *slot, uint32_t *kind, uint32_t *lane, uint32_t *code);
/* Cycles that the device runtime of a K20c takes before a warp of which so many threads (1 .. 32) launch kernels or
 * groups offers its command (hd_device_kernel_cycles(), hd_device_group_cycles()); 0 of anything else. Not waited for
 * here. */
uint64_t hd_dpi_launch_cycles(const void *plane, uint32_t kind, uint32_t threads);

/* ---- Kernels with a graph (api/deplinks.h); after hd_dpi_device() ---- */

/* Begins a graph over a grid of TBs; one that was begun and not ended is forgotten. These return enum
 * hd_deplinks_code; other than 0: hd_dpi_graph_text() says what is wrong, and no graph comes of it. */
uint32_t hd_dpi_graph(void *plane, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z);
/* enum hd_deplinks_policy; bound: levels, of all but LRR. */
uint32_t hd_dpi_graph_order(void *plane, uint32_t order, uint32_t bound);
/* TB `child` waits for `parent`, linear ids. */
uint32_t hd_dpi_graph_edge(void *plane, uint32_t parent, uint32_t child);
/* Edges of enum hd_deplinks_pattern. */
uint32_t hd_dpi_graph_pattern(void *plane, uint32_t pattern, uint32_t degree, uint64_t seed);
/* Writes the graph to memory, for one launch: its descriptor's address, the number of its levels and of its edges; 0:
 * it is refused. */
uint64_t hd_dpi_graph_end(void *plane, uint32_t *levels, uint32_t *edges);
/* A sentence without a full stop; "" when nothing is wrong. Lives until the next graph is begun. */
const char *hd_dpi_graph_text(const void *plane);

/* ---- What the tables hold ---- */

enum hd_dpi_table {
  HD_DPI_RESIDENT,   /* TBs in the slots of all SMXs */
  HD_DPI_KERNELS,    /* entries of the KD with a kernel */
  HD_DPI_HOST,       /* launches that wait in HWQs */
  HD_DPI_POOL,       /* device kernels that wait on chip */
  HD_DPI_PARENTS,    /* parent records in use */
  HD_DPI_SUSPENDED,  /* suspended kernels */
  HD_DPI_BANKS,      /* entries of the banks of priority queues */
  HD_DPI_OVERFLOWED, /* groups in lists in memory */
  HD_DPI_RECORDS,    /* records of groups that the plane holds */
  HD_DPI_OPEN,       /* SMXs that take TBs which may go to any */
  HD_DPI_TABLES
};
/* How many at this moment; 0 of any other number. */
uint32_t hd_dpi_state(void *plane, uint32_t which);

#endif
