/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devrt: the device runtime of a run, with the memory behind the plane: what a warp's call of the runtime does, from
 * the launching threads to the beats of its command.
 *
 *     hd_devrt_cycles()    duration of the call before its command is sent
 *     hd_devrt_command()   allocates buffers and records, makes the beats; writes parameters and records to memory */
#ifndef HD_DEVRT_H
#define HD_DEVRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/device.h"
#include "mem/axi_mem.h"
#include "sim/work.h"

struct hd_launcher_opts {
  const struct hd_cfg *cfg;
  enum hd_kind kind; /* kind of all launches: kernels (CDP) or groups (DTBL) */
  enum hd_policy policy;
  struct hd_device_latency latency;
  uint32_t memory_latency;   /* latency of a burst, 1 or more */
  uint32_t records, buffers; /* numbers available; 0: many. Under rr, no more records than a list holds */
  bool spill_limited;        /* the plane may refuse groups whose bank is full: it has room in memory for .. */
  uint32_t spill;            /* .. at least this many of each bank and level (0: none). Otherwise: for all */
  bool spin;                 /* TBs that wait for their children stay in their slots; otherwise they are saved .. */
  uint32_t context_cycles;   /* .. on timers with this many cycles per line of their context */
};

struct hd_devrt {
  struct hd_launcher_opts o;
  struct hd_cfg cfg;
  struct hd_device_regions at;
  uint64_t contexts; /* contexts of saved TBs start here, `context_bytes` each */
  uint64_t context_bytes;
  struct hd_device *device;
  struct hd_axi_mem *memory;
};

/* `graph`: of kernel 0, whose descriptor is at its parameter address; or NULL. Returns false on failure; text then
 * names the reason, and hd_devrt_free() is still required. */
bool hd_devrt_init(struct hd_devrt *r, const struct hd_launcher_opts *o, const struct hd_deplinks_graph *graph,
                   char *text, size_t text_size);
void hd_devrt_free(struct hd_devrt *r);

uint64_t hd_devrt_cycles(const struct hd_devrt *r, uint32_t threads);

/* Makes the command of a warp of which w->calls threads launch children like `child`; `kernel`: the host kernel that
 * they descend from. HD_DEVICE_NO_RECORD, HD_DEVICE_NO_BUFFER: impossible now, nothing has changed. *stored: the memory
 * model had room. */
enum hd_device_code hd_devrt_command(struct hd_devrt *r, const struct hd_device_warp *warp,
                                     const struct hd_device_call *child, const struct hd_work_warp *w, uint32_t kernel,
                                     struct hd_devlaunch *beat, bool *stored);

#endif
