/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memory: the memory port as seen by a client with one burst in flight: the arbiter and a memory that answers after
 * random times, sometimes with an error. The caller owns the bytes and may read and change them. Below: the same for a
 * client with several bursts in flight, and for one that writes single beats. */
#ifndef HD_MEMORY_H
#define HD_MEMORY_H

#include "engine/twin.h"

/* Signals from the port to the client in a cycle. */
struct hd_memory_pins {
  uint8_t req_ready, wbeat_take, b_valid, b_error, r_valid;
  struct hd_memdata r;
};

/* Hands them to a client, whose inputs have these names. */
#define HD_MEMORY_TELL(IN, PINS)          \
  do {                                    \
    (IN)->req_ready = (PINS).req_ready;   \
    (IN)->wbeat_take = (PINS).wbeat_take; \
    (IN)->b_valid = (PINS).b_valid;       \
    (IN)->b_error = (PINS).b_error;       \
    (IN)->r_valid = (PINS).r_valid;       \
    (IN)->r = (PINS).r;                   \
  } while (0)

/* Signals from the client to the port in a cycle. */
struct hd_memory_asked {
  uint8_t req_valid;
  struct hd_memreq req;
  struct hd_membeat wbeat;
};

struct hd_memory {
  uint64_t addr;  /* of the beat that is next */
  uint8_t state;  /* 0 idle 1 data of a write 2 its answer 3 data of a read */
  uint8_t left;   /* beats of the burst */
  uint8_t spoilt; /* one of its answers is to be an error */
  uint8_t wait;   /* cycles before the next thing happens */
  struct hd_memory_pins pins;
};

/* Follows the cycle before, of which `asked` tells the client's side, and makes m->pins those of the next. bytes: size
 * bytes of memory from address `base` on; other addresses read as random and keep nothing. */
void hd_memory_drive(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p,
                     const struct hd_memory_asked *asked, uint8_t *bytes, uint64_t base, uint64_t size);

/* In a record of a kernel: the byte that names the SMX which launched it, and the end of the fields. */
enum { HD_MEMORY_SMX = 70, HD_MEMORY_FIELDS = 80, HD_MEMORY_KERNEL_BEATS = 8 };

/* After hd_memory_drive: now and then that byte of a record of a kernel, which is about to be read, becomes anything,
 * and so do those from `used` on. Bursts of as many beats are taken for such records. */
void hd_memory_damage(struct hd_memory *m, struct hd_rng *rng, const struct hd_profile *p, uint8_t *bytes,
                      uint64_t base, uint64_t size, unsigned used);
/* What it must be taken for, from the lower half of its beat: the byte cut to its field, and 0 if there is no such SMX.
 */
uint8_t hd_memory_smx(const struct hd_cfg *cfg, uint64_t lo);

/* The port of a client that writes single beats, of which several may be unanswered; answers come in order. Nothing is
 * kept of what is written. */
enum { HD_MEMORY_POSTS = 8 };

struct hd_memory_posts {
  uint8_t unanswered;
  uint8_t taking;                /* a request was taken, its beat was not */
  uint8_t slow;                  /* phase: answers come late */
  uint8_t wait[HD_MEMORY_POSTS]; /* cycles before each may be answered, the oldest first */
  struct hd_memory_pins pins;
};

/* As hd_memory_drive; of `asked` only req_valid counts. */
void hd_memory_drive_posts(struct hd_memory_posts *m, struct hd_rng *rng, const struct hd_profile *p,
                           const struct hd_memory_asked *asked);

/* The port of a client with several bursts under way. A write's beats are taken before the next request is; writes are
 * answered in order and reads in order, with no order between these. Data is in memory when its beat is taken. */
enum { HD_MEMORY_FLIGHT = 64 };

struct hd_memory_burst {
  uint64_t addr;   /* of the beat that is next */
  uint32_t due;    /* cycle of the answer or the first beat, at the soonest */
  uint16_t left;   /* beats */
  uint16_t spoilt; /* a bit for each beat (modulo 16) that is to be an error; of a write: not 0 */
};

struct hd_memory_many {
  uint32_t latency;             /* 0: random; else cycles from a burst's last beat, or its request, to its answer */
  uint8_t holds_reads;          /* the caller's: while it is set no beat of a read comes */
  uint8_t holds_answers;        /* likewise: no answer to a write */
  uint32_t now, slow;           /* cycle; phase: latency up to so many cycles */
  uint16_t first_write, writes; /* unanswered; the youngest of them may still have beats to be taken */
  uint16_t first_read, reads;
  struct hd_memory_burst write[HD_MEMORY_FLIGHT], read[HD_MEMORY_FLIGHT];
  struct hd_memory_pins pins;
};

/* As hd_memory_drive. With a `latency` everything is taken and answered as soon as may be, without errors; rng and p
 * are not used then. */
void hd_memory_drive_many(struct hd_memory_many *m, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_memory_asked *asked, uint8_t *bytes, uint64_t base, uint64_t size);

/* Returns a mask of all address bits. */
uint64_t hd_memory_mask(const struct hd_cfg *cfg);

/* More places than any region has, as software may tell: none, one or all of the lower 16 bits are 1. */
uint32_t hd_huge_count(struct hd_rng *rng);

/* The address of a region of so many bytes, a power of two: a multiple of it. */
uint64_t hd_memory_region(struct hd_rng *rng, const struct hd_cfg *cfg, uint64_t size);

/* The address of an array of so many bytes, a power of two, in a region: a multiple of its size and of 128. */
uint64_t hd_memory_place(struct hd_rng *rng, uint64_t region, uint64_t size, uint64_t array);

/* Read and write n bytes at p as a little-endian number. */
uint64_t hd_memory_get(const uint8_t *p, unsigned n);
void hd_memory_put(uint8_t *p, unsigned n, uint64_t value);

#endif
