/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memory: the memory port as seen by a client with one burst in flight: the arbiter and a memory that answers after
 * random times, sometimes with an error. The caller owns the bytes and may read and change them. Below: the same for a
 * client with several bursts in flight, and for one that writes single beats. */
#ifndef HD_MEMORY_H
#define HD_MEMORY_H

#include "engine/block_driver.h"

struct hd_memory {
  uint64_t addr;  /* of the next beat */
  uint8_t state;  /* 0 idle, 1 write data, 2 write answer, 3 read data */
  uint8_t left;   /* remaining beats of the burst */
  uint8_t spoilt; /* one of its answers will be an error */
  uint8_t wait;   /* cycles before the next action */
  struct hd_memdown pins;
};

/* Processes the previous cycle, in which the client drove `asked`, and sets m->pins for the next. `bytes`: memory of
 * `size` bytes from address `base` on; other addresses read as random, and writes to them are discarded. */
void hd_memory_drive(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memup *asked,
                     uint8_t *bytes, uint64_t base, uint64_t size);

/* Record of a kernel: the byte with the SMX that launched it, the end of the fields, and its length in beats. */
enum { HD_MEMORY_SMX = 70, HD_MEMORY_FIELDS = 80, HD_MEMORY_KERNEL_BEATS = 8 };

/* Call after hd_memory_drive. If a burst of the length of a kernel's record is about to be read, sometimes overwrites
 * its SMX byte, and the bytes from `used` on, with random values. */
void hd_memory_damage(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, uint8_t *bytes,
                      uint64_t base, uint64_t size, unsigned used);
/* Returns the SMX that the plane must derive from the lower half of its beat: the byte truncated to its field, 0 if
 * there is no such SMX. */
uint8_t hd_memory_smx(const struct hd_cfg *cfg, uint64_t lo);

/* The port of a client that writes single beats, several of which may be unanswered; answers arrive in order. Written
 * data is discarded. */
enum { HD_MEMORY_POSTS = 8 };

struct hd_memory_posts {
  uint8_t unanswered;
  uint8_t taking;                /* a request was accepted, its beat was not */
  uint8_t slow;                  /* phase: answers are late */
  uint8_t wait[HD_MEMORY_POSTS]; /* cycles before each may be answered, the oldest first */
  struct hd_memdown pins;
};

/* As hd_memory_drive; only valid of `asked` is used. */
void hd_memory_drive_posts(struct hd_memory_posts *m, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_memup *asked);

/* The port of a client with several bursts in flight. A write's beats are accepted before the next request; writes are
 * answered in order and reads in order, without an order between the two. Data is in memory once its beat is accepted.
 * */
enum { HD_MEMORY_FLIGHT = 64 };

struct hd_memory_burst {
  uint64_t addr;   /* of the next beat */
  uint32_t due;    /* earliest cycle of the answer or the first beat */
  uint16_t left;   /* remaining beats */
  uint16_t spoilt; /* beats (modulo 16) to answer with an error; a write fails if not 0 */
};

struct hd_memory_bursts {
  uint32_t latency;             /* 0: random; otherwise cycles from a burst's last beat, or its request, to its answer
                                 * */
  uint8_t holds_reads;          /* set by the caller: no read data is returned */
  uint8_t holds_answers;        /* set by the caller: no write is answered */
  uint32_t now, slow;           /* current cycle; phase: latency up to this many cycles */
  uint16_t first_write, writes; /* unanswered; the youngest may still have beats to accept */
  uint16_t first_read, reads;
  struct hd_memory_burst write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT];
  struct hd_memdown pins;
};

/* As hd_memory_drive. If `latency` is set, everything is accepted and answered as soon as possible, without errors; rng
 * and p are then unused. */
void hd_memory_drive_bursts(struct hd_memory_bursts *m, struct hd_rng *rng, const struct hd_profile *p,
                            const struct hd_memup *asked, uint8_t *bytes, uint64_t base, uint64_t size);

/* Returns a mask of all address bits. */
uint64_t hd_memory_mask(const struct hd_cfg *cfg);

/* Returns a count larger than any region, as software may write: none, one or all of the lower 16 bits are 1. */
uint32_t hd_huge_count(struct hd_rng *rng);

/* Returns the address of a region of `size` bytes, a power of two; the address is a multiple of it. */
uint64_t hd_memory_region(struct hd_rng *rng, const struct hd_cfg *cfg, uint64_t size);

/* Returns the address of an array of `array` bytes, a power of two, in a region: a multiple of `array` and of 128. */
uint64_t hd_memory_place(struct hd_rng *rng, uint64_t region, uint64_t size, uint64_t array);

/* Read and write n bytes at p as a little-endian number. */
uint64_t hd_memory_get(const uint8_t *p, unsigned n);
void hd_memory_put(uint8_t *p, unsigned n, uint64_t value);

#endif
