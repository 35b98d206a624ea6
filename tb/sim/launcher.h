/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* launcher: what the closed loop adds when TBs launch: the device runtime on every SMX, the commands on their way, the
 * memory behind the plane, and the children.
 *
 *   TB taken --its warps that launch, when they call--> runtime (latencies, records, buffers) --> commands --> plane
 *   answers --> children; the warp runs on; after the TB's last warp its end is told to the SMX array
 *
 * A thread that can not launch (no record or buffer is free, or the plane refuses) does the child's work itself: it
 * never waits for another.
 *
 * A TB of a workload that waits for its children saves itself meanwhile (HD_KIND_KERNEL, without opts.spin):
 *
 *   its warps wait --> context stored --> save --accepted--> slot free .. restarted --> context loaded --> it goes on
 *                                            '---refused---> it waits in its slot
 *
 * A save that is refused is not repeated before the TB's next wait: what it lacked, a place for its kernel in memory,
 * it does not get while it is in its slot.
 *
 * If the last child ends while the context is stored, the TB goes on without a save. Storing and loading takes
 * `context_cycles` for each line of its shared memory and of the registers of the warps that wait, on SMXs that run
 * warps the stores and loads of these lines; before it goes on again `memory_latency` for the first line to come (on
 * timers), and the latency of a kernel's dispatch. Program counters and the like are left out.
 *
 * Of a workload whose TBs launch nothing there is the memory alone, in which the graph of a graph kernel lies.
 *
 * On SMXs that run warps all TBs are open: a warp comes to its call by itself, and goes on by itself after it. */
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

/* NULL: text says why. The array is the loop's. */
struct hd_launcher *hd_launcher_new(const struct hd_launcher_opts *o, const struct hd_work *work,
                                    struct hd_array *array, char *text, size_t text_size);
void hd_launcher_free(struct hd_launcher *l);

/* The plane knows where its memory is: the host may launch. */
bool hd_launcher_ready(const struct hd_launcher *l);
/* Sets the inputs of cycle `now` that concern launches and memory. NULL, or what went wrong. */
const char *hd_launcher_drive(struct hd_launcher *l, uint64_t now, struct hd_top_in *in);
/* Follows the transfers of that cycle, but for TBs. *moved: there was one. NULL, or a rule that was broken. */
const char *hd_launcher_follow(struct hd_launcher *l, uint64_t now, const struct hd_top_in *in,
                               const struct hd_top_out *out, bool *moved);

/* SMXs that run warps: they are told here when a warp goes on. Without, TBs are held for the cycles that the workload
 * names. Before the first TB. */
void hd_launcher_on(struct hd_launcher *l, struct hd_gpu *gpu);

/* A native TB was taken: the cycles for which it is held, or HD_ARRAY_OPEN when its end will follow. */
uint64_t hd_launcher_take(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                          const struct hd_resident *r);
/* Whether a TB is one of a child. */
bool hd_launcher_is_child(const struct hd_launcher *l, const struct hd_dispatch *t);
/* Whether the policy binds children to SMXs. */
bool hd_launcher_binds(const struct hd_launcher *l);
/* A TB that was saved is restarted. NULL, or a rule that was broken. */
const char *hd_launcher_take_back(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                  struct hd_resident *r);
/* Whether the TB in that slot leaves it without having ended. */
bool hd_launcher_leaves(const struct hd_launcher *l, uint32_t smx, uint32_t slot);
/* A TB of a child was taken: what it is and how long it is held. NULL, or a rule that was broken. */
const char *hd_launcher_take_child(struct hd_launcher *l, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                   struct hd_resident *r, uint64_t *duration);
/* On SMXs that run warps: that warp of the TB calls. */
const char *hd_launcher_warp_calls(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot, uint32_t warp);
/* .. that the TB waits, or has moved the lines of its context. */
const char *hd_launcher_tb_waits(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot);
const char *hd_launcher_tb_moved(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot);
/* A TB has left its slot, and has ended unless it was saved; of a child if r->child. */
const char *hd_launcher_cta_done(struct hd_launcher *l, uint64_t now, uint32_t smx, uint32_t slot,
                                 const struct hd_resident *r);
const char *hd_launcher_kernel_done(struct hd_launcher *l, uint32_t kernel);

/* No launch is under way, no child runs, and the plane has given back all records. */
bool hd_launcher_idle(const struct hd_launcher *l);
/* When a warp will launch next; false: none is known to. */
bool hd_launcher_next(const struct hd_launcher *l, uint64_t *cycle);
/* Whether all that it drives stays as it is until cycle *next, as long as the plane does nothing; and n such cycles. */
bool hd_launcher_still(const struct hd_launcher *l, uint64_t *next);
void hd_launcher_skip(struct hd_launcher *l, uint64_t n);
/* What is outstanding, in one line. */
void hd_launcher_describe(const struct hd_launcher *l, char *text, size_t text_size);

/* Adds every launch from the device that the plane has taken. False: out of memory. */
bool hd_launcher_tell(const struct hd_launcher *l, uint64_t now, struct hd_launches *to);

struct hd_launch_stats hd_launcher_stats(const struct hd_launcher *l);
struct hd_axi_counts hd_launcher_memory(const struct hd_launcher *l);

#endif
