/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* driver: the host's side of launches: numbers of kernels, their order within an HWQ, tags, and retries.
 *
 * A launch whose HWQ cannot be full (it has fewer outstanding kernels than it holds) is offered at once; otherwise only
 * after all earlier launches on that HWQ have been answered. So a launch that is refused because the queue is full is
 * always the last of its HWQ. It is offered again when a kernel of that HWQ is reported as done; there is one, or the
 * queue would not be full. Among the HWQs that may offer, the one with the lowest priority number wins, then the kernel
 * that came first. */
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
  uint32_t ctas_out;    /* TBs dispatched */
  uint32_t ctas_done;   /* TBs ended */
  uint64_t queued;      /* cycle in which the launch was accepted */
  uint64_t *handed_out; /* one bit per TB, from the first dispatch until the kernel is reported */
};

struct hd_driver;

struct hd_driver *hd_driver_new(const struct hd_cfg *cfg);
void hd_driver_free(struct hd_driver *d);
/* Sets the priorities of the 256 HWQs, lower first; keeps the pointer. NULL, the default: all equal. */
void hd_driver_priorities(struct hd_driver *d, const int8_t *priority);

/* Adds a kernel; its number is the count of kernels added before. Sets the parameter address so that it identifies the
 * kernel. Returns false if a field is too wide for the configuration or if out of memory; text then names the
 * reason. */
bool hd_driver_add(struct hd_driver *d, const struct hd_launch *launch, char *text, size_t text_size);
/* Returns the launch to offer next, or NULL. It stays the same until it is accepted. */
const struct hd_launch *hd_driver_offer(struct hd_driver *d);
void hd_driver_taken(struct hd_driver *d, uint64_t now);

/* Events of the plane. Return NULL, or a sentence that names the broken rule. */
const char *hd_driver_answer(struct hd_driver *d, const struct hd_answer *a);
const char *hd_driver_handed_out(struct hd_driver *d, const struct hd_dispatch *dispatch, uint32_t *kernel);
const char *hd_driver_kernel_done(struct hd_driver *d, uint16_t tag, uint32_t *kernel);

struct hd_kernel_info *hd_driver_kernel(struct hd_driver *d, uint32_t kernel);
uint32_t hd_driver_kernels(const struct hd_driver *d);  /* added */
uint32_t hd_driver_reported(const struct hd_driver *d); /* reported as done */
uint64_t hd_driver_refused(const struct hd_driver *d);  /* launches retried */

#endif
