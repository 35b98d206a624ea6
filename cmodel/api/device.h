/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* device: the device runtime, what a GPU's own threads link against to launch: getParameterBuffer, launchDevice (CDP)
 * and launchAggGroup (DTBL) of dtbl-isca2015 sections 2.4 and 4.1, with the latencies that the paper measured.
 *
 *     struct hd_device_regions at;
 *     struct hd_device_sizes want = {.records = 4096, .kernels = 2048, .suspended = 128, .buffers = 8192};
 *     uint64_t end = hd_device_place(&cfg, 0x10000000, &want, &at);       // where everything lies; `end` is free again
 *     struct hd_device *d = malloc(hd_device_size(&at));
 *     hd_device_init(d, &cfg, &at);
 *     for (unsigned t = 0; hd_device_apb(&at, t, &apb); t++) ...          // the registers are written: 2 cycles a word
 *
 *     // a warp of SMX 3 whose TB is in slot 5; two of its threads launch, in lanes 4 and 9:
 *     struct hd_device_warp w = {.smx = 3, .slot = 5, .hwtid = 64, .level = 0};
 *     uint64_t buffer[2];
 *     hd_device_get_buffers(d, 2, buffer);                                // then the parameters are written there
 *     struct hd_device_call call[2] = {{.lane = 4, .grid = {7, 1, 1}, .cta = {32, 1, 1}, .pc = 0x2000,
 *                                       .param = buffer[0]}, ..};
 *     struct hd_devlaunch beat[2];
 *     struct hd_device_record record[2];
 *     hd_device_groups(d, &w, call, 2, beat, record);                     // or hd_device_kernels()
 *     ... write record[k].bytes to record[k].addr; then, hd_device_group_cycles() after the call began, offer the beats
 *     ... on dev_launch of SMX 3, one after the other without a gap; their answers come in that order:
 *     hd_device_answered(d, &beat[0], &answer);
 *     ... and whenever the plane hands a record back:
 *     hd_device_record_done(d, number);
 *
 * A record belongs to the plane from the call until its launch is answered, or until record_done if the answer is Kept.
 * A parameter buffer is the program's from get to put: it knows when its child no longer needs it.
 *
 * Nothing here allocates, prints or keeps anything outside the state, which is hd_device_size() bytes of the caller's,
 * 8-byte aligned, without pointers. Every function that can fail returns an enum hd_device_code and then has changed
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
#define HD_DEVICE_BUFFER_BYTES 64 /* a multiple of it may be had: see struct hd_device_sizes */

enum hd_device_code {
  HD_DEVICE_OK,
  HD_DEVICE_NO_RECORD,  /* fewer records are free than threads launch */
  HD_DEVICE_NO_BUFFER,  /* fewer parameter buffers are free than were asked for */
  HD_DEVICE_BAD_WARP,   /* no such SMX, slot or hardware thread, or a level above MaxLevel */
  HD_DEVICE_BAD_LANE,   /* no calls or more than 32, a lane above 31, or lanes that do not ascend */
  HD_DEVICE_BAD_STREAM, /* no such device stream */
  HD_DEVICE_ZERO_DIM,   /* as the codes of launches, for the first call that has it */
  HD_DEVICE_OVER_LIMIT,
  HD_DEVICE_NEVER_FITS,
  HD_DEVICE_BAD_BUFFER, /* not the address of a buffer, or the buffer is free */
  HD_DEVICE_BAD_RECORD, /* no such record, or the plane does not hold it */
  HD_DEVICE_BAD_ANSWER  /* it does not answer that beat */
};

/* ---- Latencies ---- */

/* Cycles, as measured on a K20c; all 0: the ideal launch. */
struct hd_device_latency {
  uint32_t stream;                /* creating a stream (CDP) */
  uint32_t buffer, buffer_thread; /* getParameterBuffer of a warp: buffer + buffer_thread for each calling thread */
  uint32_t launch, launch_thread; /* launchDevice of a warp, likewise (CDP) */
  uint32_t dispatch;              /* a kernel's way from the KMU to the KD (CDP) */
};

/* 7165; 8023 + 129 x; 12187 + 1592 x; 283 (dtbl-isca2015 table 3). */
struct hd_device_latency hd_device_latency_k20c(void);

/* From the first call of a warp of which x threads launch kernels until its command is offered to the plane: everything
 * in a row. The plane's own few cycles come on top. */
uint64_t hd_device_kernel_cycles(const struct hd_device_latency *t, uint32_t x);

/* The same for groups. The buffer is allocated while the hardware searches and allocates (section 4.3), and the slower
 * of the two counts: the command is offered so early that its last group is linked when the buffers are there, or at
 * once if the hardware is slower. */
uint64_t hd_device_group_cycles(const struct hd_cfg *cfg, const struct hd_device_latency *t, uint32_t x);

/* Cycles in which an idle plane takes a command of x groups of one kind and links the last of them, at most. */
uint32_t hd_device_link_cycles(const struct hd_cfg *cfg, uint32_t x);

/* ---- Memory ---- */

/* How many of each; 0 of a kind: launches that need it are refused. */
struct hd_device_sizes {
  uint32_t records;      /* up to 2^RecW; of groups, on their way or overflowed; up to hd_device_list_records() none is
                          * refused for a      list without a place */
  uint32_t kernels;      /* device kernels that wait in memory; 2 or more, or 0 */
  uint32_t suspended;    /* suspended kernels; up to NumKin are of use */
  uint32_t spilled;      /* groups that wait for their bank (policies other than rr); up to SpillRows are of use */
  uint32_t buffers;      /* parameter buffers */
  uint32_t buffer_bytes; /* of each, up to 2^32 - 65, rounded up to a multiple of 64; 0: 64 */
};

/* With so many records a kernel's list has a place for every group (rr). */
uint32_t hd_device_list_records(const struct hd_cfg *cfg);

/* Where it lies: bases are multiples of 256. */
struct hd_device_regions {
  struct hd_device_sizes n;
  uint64_t records, lists, kernels, suspended, spilled, buffers;
  uint8_t policy; /* enum hd_policy of the SMX scheduler: rr, until the caller sets another */
};

/* Regions lie below 2 to the power of this: AddrW, ParamW or what a base register holds (40), whichever is least. */
uint32_t hd_device_addr_bits(const struct hd_cfg *cfg);

/* Lays the regions out one after the other from `base` on (rounded up to 256); the first address behind them, or 0, and
 * *at all 0, if they do not fit the addresses or a size is not accepted. */
uint64_t hd_device_place(const struct hd_cfg *cfg, uint64_t base, const struct hd_device_sizes *n,
                         struct hd_device_regions *at);

/* The APB4 pins of cycle `step` (0, 1, 2, ..) of the sequence that tells the plane where its regions lie. False, and
 * all pins 0, after its last cycle. The policy is written too, and where groups wait for their bank, if it is another
 * than after reset. To be played before the first launch. */
bool hd_device_apb(const struct hd_device_regions *at, uint32_t step, struct hd_apb *pins);

/* ---- The runtime ---- */

/* Numbers that are free, the one free for longest first: it is long before one is used again. */
struct hd_device_free {
  uint32_t first, count, size;
};

struct hd_device {
  struct hd_cfg cfg;
  struct hd_device_regions at;
  struct hd_device_free records, buffers;
  uint32_t records_most; /* records that the plane held at once, at most */
  uint32_t pad_;
  uint32_t number[]; /* the two rings of free numbers, then a word for each record and each buffer: who has it */
};

size_t hd_device_size(const struct hd_device_regions *at);
/* d: hd_device_size(at) bytes of any content. */
void hd_device_init(struct hd_device *d, const struct hd_cfg *cfg, const struct hd_device_regions *at);

/* The warp that launches. */
struct hd_device_warp {
  uint32_t smx, slot;
  uint32_t hwtid; /* of its lane 0: hardware thread index in its SMX */
  uint32_t level; /* of its TB, as its dispatch says */
};

/* What one of its threads asks for. */
struct hd_device_call {
  uint32_t lane;
  struct hd_dim3 grid; /* TBs of the kernel or group */
  struct hd_dim3 cta;  /* threads of a TB */
  uint32_t regs, smem_bytes;
  uint64_t pc;
  uint64_t param;  /* address of its parameters; a group's must be a multiple of 64, or it becomes a kernel */
  uint32_t stream; /* kernels: see hd_device_stream(); 0: none */
};

/* What is to be written before the command is offered. */
struct hd_device_record {
  uint64_t addr;
  uint8_t bytes[HD_DEVICE_RECORD_BYTES];
};

/* getParameterBuffer for n threads: their addresses. */
enum hd_device_code hd_device_get_buffers(struct hd_device *d, uint32_t n, uint64_t *addr);
/* The child with these parameters has ended. */
enum hd_device_code hd_device_put_buffer(struct hd_device *d, uint64_t addr);

/* launchDevice: the beats of the command of a warp of which n threads launch a kernel each. */
enum hd_device_code hd_device_kernels(const struct hd_device *d, const struct hd_device_warp *w,
                                      const struct hd_device_call *call, uint32_t n, struct hd_devlaunch *beat);
/* launchAggGroup: the same for groups, with their records. */
enum hd_device_code hd_device_groups(struct hd_device *d, const struct hd_device_warp *w,
                                     const struct hd_device_call *call, uint32_t n, struct hd_devlaunch *beat,
                                     struct hd_device_record *record);
/* A TB that waits for its children: it ends when this is accepted, and is dispatched again with `restart` and the
 * context pointer. */
enum hd_device_code hd_device_save(const struct hd_device *d, const struct hd_device_warp *w, uint64_t context,
                                   struct hd_devlaunch *beat);

/* The answer to a beat. A record comes free, unless it is kept. */
enum hd_device_code hd_device_answered(struct hd_device *d, const struct hd_devlaunch *beat,
                                       const struct hd_devanswer *answer);
/* The plane has returned a record. It may do so before the answer was taken. */
enum hd_device_code hd_device_record_done(struct hd_device *d, uint32_t record);
/* The plane is idle: it has taken a write to a region word, which it refuses while there is a kernel. Records of groups
 * whose kernel failed do not come back one by one; from now on they are free again. Returns how many these were. */
uint32_t hd_device_idle(struct hd_device *d);

/* The k-th device stream that kernels launched from a kernel of this depth may name, so that none waits in a stream for
 * its own parent: the streams are shared out among the depths below MaxLevel, and from there on, or where they are too
 * few, it is 0, no stream. Depth: kernels above it, 0 of a host kernel. It is not the level of the TB that launches,
 * which may belong to a group that joined a kernel of another depth: where groups and streams are mixed, a program
 * tells its children the depth of their kernel by their parameters. */
uint32_t hd_device_stream(const struct hd_cfg *cfg, uint32_t depth, uint32_t k);

/* Records that the plane holds. */
uint32_t hd_device_records_out(const struct hd_device *d);

/* A sentence for a code, without a full stop. Static text. */
const char *hd_device_text(unsigned code);

#endif
