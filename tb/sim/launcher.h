/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launcher: the closed loop's part for TBs that launch: the device runtime on every SMX, the queues of commands, the
 * memory behind the plane, and the children.
 *
 *   TB taken --warps that launch call the--> runtime (latencies, records, buffers) --> commands --> plane
 *   answers --> children; the warp runs on; after the TB's last warp the SMX array receives the TB's end
 *
 * A thread that cannot launch (no record or buffer is free, or the plane refuses) does the child's work itself: it
 * never waits for another one.
 *
 * A TB that waits for its children saves itself during the wait (HD_KIND_KERNEL, without opts.spin):
 *
 *   its warps wait --> context stored --> save --accepted--> slot free .. restarted --> context loaded --> it continues
 *                                            '---refused---> it waits in its slot
 *
 * A refused save is not retried before the TB's next wait: it lacked a place for its kernel in memory, which does not
 * become available while the TB is in its slot.
 *
 * If the last child ends while the context is being stored, the TB continues without a save. Storing and loading takes
 * `context_cycles` per line of its shared memory and of the registers of its waiting warps; on SMXs that run warps, the
 * stores and loads of these lines. Before a TB continues, add `memory_latency` for the first line (on timers), and the
 * latency of a kernel's dispatch. Program counters and similar state are ignored.
 *
 * For a workload without launches from TBs only the memory exists; it holds the graph of a graph kernel.
 *
 * On SMXs that run warps all TBs are open: a warp reaches its call by itself, and continues by itself after it. */
#ifndef HD_LAUNCHER_H
#define HD_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_top_ports.h"
#include "gpu/gpu.h"
#include "sim/array.h"
#include "sim/children.h"
#include "sim/devrt.h"
#include "sim/launches.h"
#include "sim/work.h"

struct hd_launcher;

/* Returns NULL on failure; text then names the reason. `array` is the loop's. */
struct hd_launcher *hd_launcher_new(const struct hd_launcher_opts *o, const struct hd_work *work,
                                    struct hd_array *array, char *text, size_t text_size);
void hd_launcher_free(struct hd_launcher *l);

/* Returns true once the plane has its memory regions: the host may launch then. */
bool hd_launcher_ready(const struct hd_launcher *l);
/* Sets the inputs of cycle `now` for launches and memory. Returns NULL, or the error. */
const char *hd_launcher_drive(struct hd_launcher *l, uint64_t now, struct hd_top_in *in);
/* Processes the transfers of that cycle, except TBs. *moved: there was one. Returns NULL, or the broken rule. */
const char *hd_launcher_follow(struct hd_launcher *l, uint64_t now, const struct hd_top_in *in,
                               const struct hd_top_out *out, bool *moved);

/* Attaches SMXs that run warps, which resume through it. Without it, TBs are held for the workload's durations. Call it
 * before the first TB. */
void hd_launcher_on(struct hd_launcher *l, struct hd_gpu *gpu);

/* A TB of the host's kernel was taken. Returns the cycles to hold it, or HD_ARRAY_OPEN if its end will follow. */
uint64_t hd_launcher_take(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                          const struct hd_resident *r);
/* Returns true if a TB belongs to a child. */
bool hd_launcher_is_child(const struct hd_launcher *l, const struct hd_dispatch *t);
/* Returns true if the policy binds children to SMXs. */
bool hd_launcher_binds(const struct hd_launcher *l);
/* A saved TB is restarted. Returns NULL, or the broken rule. */
const char *hd_launcher_take_back(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                  struct hd_resident *r);
/* Returns true if the TB in that slot leaves it without having ended. */
bool hd_launcher_leaves(const struct hd_launcher *l, uint32_t smx, uint32_t slot);
/* A TB of a child was taken: fills in *r and *duration. Returns NULL, or the broken rule. */
const char *hd_launcher_take_child(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                   struct hd_resident *r, uint64_t *duration);
/* On SMXs that run warps: that warp of the TB calls the runtime. */
const char *hd_launcher_warp_calls(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot, uint32_t warp);
/* .. the TB waits; it has moved the lines of its context. */
const char *hd_launcher_tb_waits(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot);
const char *hd_launcher_tb_moved(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot);
/* A TB has left its slot, and has ended unless it was saved. r->child: it belongs to a child. */
const char *hd_launcher_cta_done(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot,
                                 const struct hd_resident *r);
const char *hd_launcher_kernel_done(struct hd_launcher *l, uint32_t kernel);

/* Returns true if no launch is in flight, no child runs, and the plane has returned all records. */
bool hd_launcher_idle(const struct hd_launcher *l);
/* Sets *cycle to the next known call of a warp. Returns false if none is known. */
bool hd_launcher_next(const struct hd_launcher *l, uint64_t *cycle);
/* Returns true if all inputs that it drives stay constant until cycle *next while the plane is idle; the second
 * function skips n such cycles. */
bool hd_launcher_is_idle(const struct hd_launcher *l, uint64_t *next);
void hd_launcher_skip(struct hd_launcher *l, uint64_t n);
/* Describes in one line what is outstanding. */
void hd_launcher_describe(const struct hd_launcher *l, char *text, size_t text_size);

/* Adds every launch from the device that the plane has accepted. Returns false if out of memory. */
bool hd_launcher_report(const struct hd_launcher *l, uint64_t now, struct hd_launches *to);

struct hd_launch_stats hd_launcher_stats(const struct hd_launcher *l);
struct hd_axi_counts hd_launcher_memory(const struct hd_launcher *l);

#endif
