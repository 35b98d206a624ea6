/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* device: the device runtime, which GPU threads link against to launch: getParameterBuffer, launchDevice (CDP) and
 * launchAggGroup (DTBL) of dtbl-isca2015 sections 2.4 and 4.1, with the latencies measured in the paper.
 *
 *     struct hd_device_regions at;
 *     struct hd_device_sizes want = {.records = 4096, .kernels = 2048, .suspended = 128, .buffers = 8192};
 *     want.spilled = hd_device_spilled(&cfg, HD_DEVICE_WAITING);          // for policies other than rr
 *     uint64_t end = hd_device_place(&cfg, 0x10000000, &want, &at);       // lays out memory; it is free from `end` on
 *     struct hd_device *d = malloc(hd_device_size(&at));
 *     hd_device_init(d, &cfg, &at);
 *     for (unsigned t = 0; hd_device_apb(&at, t, &apb); t++) ...          // writes the registers: 2 cycles per word
 *
 *     // a warp of SMX 3 whose TB is in slot 5; two of its threads launch, in lanes 4 and 9:
 *     struct hd_device_warp w = {.smx = 3, .slot = 5, .hwtid = 64, .level = 0};
 *     uint64_t buffer[2];
 *     hd_device_get_buffers(d, 2, buffer);                                // then write the parameters there
 *     struct hd_device_call call[2] = {{.lane = 4, .grid = {7, 1, 1}, .cta = {32, 1, 1}, .pc = 0x2000,
 *                                       .param = buffer[0]}, ..};
 *     struct hd_devlaunch beat[2];
 *     struct hd_device_record record[2];
 *     hd_device_groups(d, &w, call, 2, beat, record);                     // or hd_device_kernels()
 *     ... write record[k].bytes to record[k].addr; then, hd_device_group_cycles() after the call began, offer the beats
 *     ... on dev_launch of SMX 3, back to back; the answers arrive in that order:
 *     hd_device_answered(d, &beat[0], &answer);
 *     ... and whenever the plane returns a record:
 *     hd_device_record_done(d, number);
 *
 * The plane owns a record from the call until its launch is answered, or until record_done if the answer is Kept. The
 * program owns a parameter buffer from get to put: it knows when its child no longer needs it.
 *
 * Nothing here allocates, prints or keeps anything outside the state: hd_device_size() bytes, owned by the caller,
 * 8-byte aligned, without pointers. A function that returns an enum hd_device_code other than OK has changed
 * nothing. */
#ifndef HD_DEVICE_H
#define HD_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/runtime.h"
#include "gen/hd_types.h"
#include "service/regs.h"

#define HD_DEVICE_LANES 32 /* threads of a warp */
#define HD_DEVICE_RECORD_BYTES 64
#define HD_DEVICE_BUFFER_BYTES 64 /* default size of a buffer; see buffer_bytes of struct hd_device_sizes */
/* groups of each bank and level that a program should let wait if it does not know better: as many launches as CUDA
 * lets wait by default */
#define HD_DEVICE_WAITING 2048

enum hd_device_code {
  HD_DEVICE_OK,
  HD_DEVICE_NO_RECORD,  /* fewer free records than launching threads */
  HD_DEVICE_NO_BUFFER,  /* fewer free parameter buffers than requested */
  HD_DEVICE_BAD_WARP,   /* no such SMX, slot or hardware thread, or a level above MaxLevel */
  HD_DEVICE_BAD_LANE,   /* no calls or more than 32, a lane above 31, or lanes that do not ascend */
  HD_DEVICE_BAD_STREAM, /* no such device stream */
  HD_DEVICE_ZERO_DIM,   /* this and the next two: as the codes of launches, for the first call that has the error */
  HD_DEVICE_OVER_LIMIT,
  HD_DEVICE_NEVER_FITS,
  HD_DEVICE_BAD_BUFFER, /* not the address of a buffer, or the buffer is free */
  HD_DEVICE_BAD_RECORD, /* no such record, or the plane does not own it */
  HD_DEVICE_BAD_ANSWER  /* the answer does not match the beat */
};

/* ---- Latencies ---- */

/* Cycles, as measured on a K20c; all 0 is the ideal launch. */
struct hd_device_latency {
  uint32_t stream;                /* creating a stream (CDP) */
  uint32_t buffer, buffer_thread; /* getParameterBuffer of a warp: buffer + buffer_thread per calling thread */
  uint32_t launch, launch_thread; /* launchDevice of a warp: launch + launch_thread per calling thread (CDP) */
  uint32_t dispatch;              /* transfer of a kernel from the KMU to the KD (CDP) */
};

/* 7165; 8023 + 129 x; 12187 + 1592 x; 283 (dtbl-isca2015 table 3). */
struct hd_device_latency hd_device_latency_k20c(void);

/* Returns the cycles from the first runtime call of a warp, x threads of which launch kernels, until its command is
 * offered to the plane, all steps in sequence. The plane's own few cycles are not included. */
uint64_t hd_device_kernel_cycles(const struct hd_device_latency *t, uint32_t x);

/* Returns the same for groups. The buffer is allocated while the hardware searches and allocates (section 4.3), and the
 * slower of the two counts: the command is offered early enough that its last group is linked when the buffers are
 * ready, or at once if the hardware is slower. */
uint64_t hd_device_group_cycles(const struct hd_cfg *cfg, const struct hd_device_latency *t, uint32_t x);

/* Returns the maximum number of cycles in which an idle plane accepts a command of x groups of one kind and links the
 * last one. */
uint32_t hd_device_link_cycles(const struct hd_cfg *cfg, uint32_t x);

/* ---- Memory ---- */

/* Number of objects of each kind; with 0, launches that need one are refused. */
struct hd_device_sizes {
  /* group records, in flight or overflowed; at most 2^RecW. With more than hd_device_list_records(), a group may be
   * refused because its kernel's list has no place */
  uint32_t records;
  uint32_t kernels;      /* device kernels that wait in memory; 0, or 2 and more */
  uint32_t suspended;    /* suspended kernels; more than NumKin are never used */
  uint32_t spilled;      /* entries for groups that wait for their bank (policies other than rr): hd_device_spilled() */
  uint32_t buffers;      /* parameter buffers */
  uint32_t buffer_bytes; /* size of each buffer, up to 2^32 - 65, rounded up to a multiple of 64; 0 means 64 */
};

/* Returns the largest number of records with which a kernel's list has a place for every group (rr). */
uint32_t hd_device_list_records(const struct hd_cfg *cfg);

/* Returns the size of a region, in entries of 32 bytes, with which at least `groups` groups of each bank and level can
 * wait for their bank. Each of these NumBank * MaxLevel queues has a ring of its own in the region: the smallest power
 * of two that has room for them, from 2^RingOrderMin to 2^RingPosW entries; RingMargin - 1 of them stay unused
 * (docs/service/memring.md). With the largest rings fewer groups may fit than requested. Returns 0 for 0 groups, or
 * without banks (HasBanks=0): no region.
 *
 * A region of any size is accepted; its rings are the largest that fit. If not even the smallest do, or in a ring that
 * is full, a group whose bank is full is refused (HD_CODE_REFUSED). */
uint32_t hd_device_spilled(const struct hd_cfg *cfg, uint32_t groups);

/* Location of the regions; bases are multiples of 256. */
struct hd_device_regions {
  struct hd_device_sizes n;
  uint64_t records, lists, kernels, suspended, spilled, buffers;
  uint8_t policy; /* enum hd_policy of the SMX scheduler; rr unless the caller sets another */
};

/* Returns b: regions are below address 2^b. b is the smallest of AddrW, ParamW and the width of a base register
 * (40). */
uint32_t hd_device_addr_bits(const struct hd_cfg *cfg);

/* Lays out the regions one after the other from `base` on (rounded up to 256). Returns the first address after them; or
 * 0, with *at all 0, if they do not fit the address width or a size is not accepted. */
uint64_t hd_device_place(const struct hd_cfg *cfg, uint64_t base, const struct hd_device_sizes *n,
                         struct hd_device_regions *at);

/* Sets the APB4 pins of cycle `step` (0, 1, 2, ..) of the sequence that writes the region registers. Returns false,
 * with all pins 0, after its last cycle. The sequence also writes the policy and the spill region if the policy differs
 * from the reset value. It must run before the first launch. */
bool hd_device_apb(const struct hd_device_regions *at, uint32_t step, struct hd_apb *pins);

/* ---- The runtime ---- */

/* A ring of free numbers, longest free first, so that a number is reused as late as possible. */
struct hd_device_free {
  uint32_t first, count, size;
};

struct hd_device {
  struct hd_cfg cfg;
  struct hd_device_regions at;
  struct hd_device_free records, buffers;
  uint32_t records_most; /* most records that the plane has owned at once */
  uint32_t pad_;
  uint32_t number[]; /* the two rings of free numbers, then one word per record and per buffer: its owner */
};

size_t hd_device_size(const struct hd_device_regions *at);
/* Initializes *d: hd_device_size(at) bytes of any content, owned by the caller. */
void hd_device_init(struct hd_device *d, const struct hd_cfg *cfg, const struct hd_device_regions *at);

/* The warp that launches. */
struct hd_device_warp {
  uint32_t smx, slot;
  uint32_t hwtid; /* hardware thread index in the SMX of its lane 0 */
  uint32_t level; /* nesting level of its TB, from the dispatch */
};

/* The launch of one thread. */
struct hd_device_call {
  uint32_t lane;
  struct hd_dim3 grid; /* TBs of the kernel or group */
  struct hd_dim3 cta;  /* threads of a TB */
  uint32_t regs, smem_bytes;
  uint64_t pc;
  uint64_t param;  /* address of its parameters; a group's must be a multiple of 64, or it becomes a kernel */
  uint32_t stream; /* kernels: see hd_device_stream(); 0: none */
};

/* A record that must be written to memory before the command is offered. */
struct hd_device_record {
  uint64_t addr;
  uint8_t bytes[HD_DEVICE_RECORD_BYTES];
};

/* getParameterBuffer for n threads: returns their addresses in addr[]. */
enum hd_device_code hd_device_get_buffers(struct hd_device *d, uint32_t n, uint64_t *addr);
/* Frees a parameter buffer: the child that uses it has ended. */
enum hd_device_code hd_device_put_buffer(struct hd_device *d, uint64_t addr);

/* launchDevice: makes the beats of the command of a warp, n threads of which launch one kernel each. */
enum hd_device_code hd_device_kernels(const struct hd_device *d, const struct hd_device_warp *w,
                                      const struct hd_device_call *call, uint32_t n, struct hd_devlaunch *beat);
/* launchAggGroup: the same for groups, with their records. */
enum hd_device_code hd_device_groups(struct hd_device *d, const struct hd_device_warp *w,
                                     const struct hd_device_call *call, uint32_t n, struct hd_devlaunch *beat,
                                     struct hd_device_record *record);
/* Makes the beat that saves a TB which waits for its children: the TB ends when the beat is accepted, and is dispatched
 * again later with `restart` and the context pointer. */
enum hd_device_code hd_device_save(const struct hd_device *d, const struct hd_device_warp *w, uint64_t context,
                                   struct hd_devlaunch *beat);

/* Processes the answer to a beat: frees its record, unless the answer is Kept. */
enum hd_device_code hd_device_answered(struct hd_device *d, const struct hd_devlaunch *beat,
                                       const struct hd_devanswer *answer);
/* Processes a record that the plane has returned, which may happen before the answer was taken. */
enum hd_device_code hd_device_record_done(struct hd_device *d, uint32_t record);
/* Call when the plane is idle: it has accepted a write to a region register, which it refuses while it holds a kernel.
 * Records of groups whose kernel failed are not returned one by one; this call frees them. Returns their number. */
uint32_t hd_device_idle(struct hd_device *d);

/* Returns the k-th device stream that kernels launched from a kernel of this depth may use, so that no kernel waits in
 * a stream for its own parent: the streams are divided among the depths below MaxLevel. Returns 0 (no stream) at
 * greater depths, and where there are too few streams. Depth is the number of ancestor kernels, 0 for a host kernel. It
 * may differ from the level of the launching TB, which may belong to a group that joined a kernel of another depth: a
 * program that mixes groups and streams passes the depth of the kernel to its children as a parameter. */
uint32_t hd_device_stream(const struct hd_cfg *cfg, uint32_t depth, uint32_t k);

/* Returns the number of records that the plane owns. */
uint32_t hd_device_records_out(const struct hd_device *d);

/* Returns a sentence for a code, without a full stop. Static text. */
const char *hd_device_text(unsigned code);

#endif
