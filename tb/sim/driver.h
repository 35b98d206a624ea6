/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* driver: the host's side of launches: kernels by number, their order within an HWQ, tags, and launches that are
 * repeated.
 *
 * A launch whose HWQ can not be full (fewer kernels of it are outstanding than it holds) is offered at once; otherwise
 * only after all launches before it on that HWQ have been answered. So a launch that is refused for a full queue is
 * always the last of its HWQ, and is offered again when a kernel of that HWQ is reported as done: there is one, or the
 * queue would not be full. Among the HWQs that may offer, that of the lowest priority number goes first, and
 * of those alike the kernel that came first. */
#ifndef HD_DRIVER_H
#define HD_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/hd_types.h"

enum hd_kernel_state { HD_KERNEL_WAITS, HD_KERNEL_OFFERED, HD_KERNEL_ACCEPTED, HD_KERNEL_REPORTED };

struct hd_kernel_info {
  struct hd_launch launch;
  enum hd_kernel_state state;
  uint32_t after;       /* the next kernel of its HWQ */
  uint32_t ctas_out;    /* TBs handed out */
  uint32_t ctas_done;   /* TBs ended */
  uint64_t queued;      /* the cycle in which the launch was taken */
  uint64_t *handed_out; /* a bit for each TB, from the first one handed out until the kernel is reported */
};

struct hd_driver;

struct hd_driver *hd_driver_new(const struct hd_cfg *cfg);
void hd_driver_free(struct hd_driver *d);
/* The priorities of the 256 HWQs, the lower first; the driver keeps the pointer. NULL, as after hd_driver_new(): all
 * alike. */
void hd_driver_priorities(struct hd_driver *d, const int8_t *priority);

/* Adds a kernel; its number is that of kernels added before. The parameter address is set so that it names the kernel.
 * False: text says why not: a field too wide for the configuration, or out of memory. */
bool hd_driver_add(struct hd_driver *d, const struct hd_launch *launch, char *text, size_t text_size);
/* The launch to offer next, or NULL. It stays the same until it was taken. */
const struct hd_launch *hd_driver_offer(struct hd_driver *d);
void hd_driver_taken(struct hd_driver *d, uint64_t now);

/* The plane's answers and reports. NULL, or a sentence that says which rule was broken. */
const char *hd_driver_answer(struct hd_driver *d, const struct hd_answer *a);
const char *hd_driver_handed_out(struct hd_driver *d, const struct hd_dispatch *dispatch, uint32_t *kernel);
const char *hd_driver_kernel_done(struct hd_driver *d, uint16_t tag, uint32_t *kernel);

struct hd_kernel_info *hd_driver_kernel(struct hd_driver *d, uint32_t kernel);
uint32_t hd_driver_kernels(const struct hd_driver *d);  /* added */
uint32_t hd_driver_reported(const struct hd_driver *d); /* of them reported as done */
uint64_t hd_driver_refused(const struct hd_driver *d);  /* launches repeated */

#endif
