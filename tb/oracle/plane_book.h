/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_book: what the oracle of the plane has written down of everything that was launched: kernels of the host,
 * device kernels, groups, saved TBs; who launched whom; what sits in which entry of the KD. It knows when a kernel is
 * complete; what must not happen is the oracle's (plane_oracle.c).
 *
 * A piece of work is found by its parameter address: no two that are launched have the same. Work 0 is none. */
#ifndef HD_PLANE_BOOK_H
#define HD_PLANE_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

enum { HD_BOOK_WORKS = 1 << 14, HD_BOOK_SAVES = 1 << 13, HD_BOOK_HASH = 1 << 10, HD_BOOK_IN_STREAM = 1 << 12 };

enum hd_book_kind { HD_BOOK_NOTHING, HD_BOOK_HOST, HD_BOOK_KERNEL, HD_BOOK_GROUP };
enum hd_book_word { HD_BOOK_ASKED, HD_BOOK_TAKEN, HD_BOOK_KEPT }; /* the answer to the launch */

/* What a launch may occupy, bits: more than it does where the ports do not tell which it is. */
enum hd_book_room {
  HD_ROOM_POOL = 1,  /* a place of a device kernel that waits */
  HD_ROOM_BIRTH = 2, /* it is a child of the kernel that launched it, which so has a parent record */
  HD_ROOM_AGE = 4,   /* the AGE of its hash */
  HD_ROOM_BANK = 8,  /* a place in the bank of its SMX */
};

struct hd_work {
  struct hd_desc desc;
  uint64_t number;      /* counts launches */
  uint32_t ctas, next;  /* its TBs; the next to be handed out. A kernel: native ones */
  uint32_t running;     /* TBs handed out and not done; a kernel: also of its groups, and restarted ones */
  uint32_t warps, regs; /* of a TB */
  uint32_t smem;
  uint32_t record;             /* of a group */
  uint32_t same;               /* the next in the chain of its hash */
  uint32_t up, child, sibling; /* the kernel that launched it; the kernels that it launched */
  uint32_t up_resumes;         /* how often `up` had been resumed when this was launched */
  uint64_t up_number;          /* of `up` */
  uint64_t mother;             /* number of the first kernel that it is known to have launched; 0: none is known */
  uint32_t resumes;
  uint32_t births;   /* kernels that it may have launched, complete or not */
  uint32_t kin_most; /* no parent record beyond that one is its own */
  uint32_t hash;     /* of a group: the AGE that it may have */
  uint32_t joins;    /* a group that must join a kernel: entry that it joins at most, and one; 0: it need not */
  uint32_t join;     /* that entry's kernel when it was launched, and what that was then */
  uint32_t join_resumes;
  uint64_t join_number;
  uint64_t stop_at; /* cycle from which an error has stopped the kernel; 0: none has */
  uint64_t entered; /* cycle in which the kernel entered the KD last */
  uint32_t beside;  /* a kernel that an error of the same cycle has hit, and what that was; 0: none */
  uint64_t beside_number;
  uint32_t group;        /* of a kernel: the group that hands out; of a group: its kernel */
  uint32_t entries;      /* of a kernel: groups in banks that have begun and not handed out all */
  uint64_t group_number; /* of the youngest group that handed out */
  uint32_t save_first, saves;
  uint32_t saving; /* save commands without an answer */
  uint32_t waited; /* rule 18: for so many free cycles it has waited for what waits_for names */
  int32_t entry;   /* of the KD; -1 none */
  int32_t agei;    /* of a group whose TBs run or were seen; -1 none */
  uint16_t tag;
  uint8_t hwq, stream, level;
  uint8_t smx;        /* that launched it; 0: the host */
  uint8_t rooms;      /* enum hd_book_room */
  uint8_t kind, word; /* enums */
  uint8_t rest;       /* what banks held of the kernel `up` when that was suspended; native TBs are counted there */
  uint8_t graph;      /* a kernel: it has one; its TBs are handed out in the order of that */
  uint8_t started;    /* a kernel: it has entered the KD; a group: a TB of it was handed out */
  uint8_t stopped;    /* a TB of it was saved: nothing until it is resumed */
  uint8_t closed;     /* the plane has shown that it takes it for complete */
  uint8_t failed;
  uint8_t hit;         /* an error of the memory may have stopped the kernel */
  uint8_t beside_told; /* that one has ended, as failed */
  uint8_t doomed;      /* has done so: it must end as failed, and is not resumed */
  uint8_t lost;        /* an error destroyed the kernel before it began */
  uint8_t torn;        /* it may have been a group of a kernel that was hit */
  uint8_t returned;    /* the record of a group */
  uint8_t waits_for;   /* enum hd_plane_wait, as of the last sample */
};

struct hd_book_save {
  uint64_t ctx, number; /* number: order of the save commands */
  uint32_t kernel, next;
  uint8_t level;
};

struct hd_book {
  struct hd_work work[HD_BOOK_WORKS];
  struct hd_book_save save[HD_BOOK_SAVES];
  uint32_t hash[HD_BOOK_HASH];
  uint32_t smx_per_cluster;
  uint32_t works, free_work; /* used at least once, 0 included; chain of those that are free again */
  uint32_t saves, free_save;
  uint64_t number;
  uint32_t kde[HD_MAX_NUM_KDE];                           /* the kernel that handed out last from the entry */
  uint32_t native;                                        /* the kernel whose native part was handed out last */
  uint32_t stream[HD_MAX_NUM_STREAMS][HD_BOOK_IN_STREAM]; /* incomplete kernels, oldest first */
  uint32_t in_stream[HD_MAX_NUM_STREAMS];
  /* How many there are at most. */
  uint32_t in_pool, parents, in_ages;
  uint32_t in_age[HD_MAX_AGT_SIZE], in_bank[HD_MAX_NUM_BANK];
  uint32_t failed, lost; /* kernels that told so; that never ran */
};

void hd_book_init(struct hd_book *b, uint32_t smx_per_cluster);

/* A new launch; 0: the book is full. */
uint32_t hd_book_add(struct hd_book *b, enum hd_book_kind kind, const struct hd_desc *desc);
/* It is forgotten: a group that is over, a launch that was refused. */
void hd_book_drop(struct hd_book *b, uint32_t w);
/* By parameter address. */
uint32_t hd_book_find(const struct hd_book *b, uint64_t param);

/* It takes rooms, or leaves them; what it has, or does not have, does not count again. */
void hd_book_take(struct hd_book *b, uint32_t w, unsigned rooms);
void hd_book_leave(struct hd_book *b, uint32_t w, unsigned rooms);

/* The plane is idle and offers no record: records of torn groups are software's again; it has been for long: their AGEs
 * are free. */
void hd_book_records_free(struct hd_book *b);
void hd_book_drop_torn(struct hd_book *b);

/* `child` was launched by `up`, and accepted: `up` has a parent record. */
void hd_book_mother(struct hd_book *b, uint32_t up, uint32_t child);
/* May the kernel have a parent record? */
bool hd_book_has_record(const struct hd_work *kernel);

/* `child` was launched by `up`, in that order of calls. */
void hd_book_bear(struct hd_book *b, uint32_t up, uint32_t child);
/* False: the stream holds more than it can. */
bool hd_book_queue(struct hd_book *b, uint32_t w);

/* Answers of several SMXs come in any order: the saved TBs are kept in the order of their commands. False: full. */
bool hd_book_save(struct hd_book *b, uint32_t kernel, uint64_t number, uint64_t ctx, uint8_t level);
/* The kernel that has saved a TB under this context pointer, and the TB if it is the oldest of that kernel. */
uint32_t hd_book_saver(const struct hd_book *b, uint64_t ctx, const struct hd_book_save **oldest);
void hd_book_restart(struct hd_book *b, uint32_t kernel);

/* What banks hold of a suspended kernel goes on in its entry: the rest, a kernel of its own and a child of that one,
 * under the same parameter address; 0: the book is full. Finding that address finds the rest, as long as it is in the
 * book; the kernel of it that was suspended last, or is a rest no more; and the kernel whose native TBs it hands out.
 */
uint32_t hd_book_rest(struct hd_book *b, uint32_t kernel);
uint32_t hd_book_stopped(const struct hd_book *b, uint32_t w);
uint32_t hd_book_whole(const struct hd_book *b, uint32_t w);

/* The kernel has not handed out all that belongs to it. */
bool hd_book_unfinished(const struct hd_book *b, uint32_t kernel);
/* Of the same entry PC, TB dimensions and shared memory: may the group have joined the kernel? */
bool hd_book_same_key(const struct hd_work *group, const struct hd_work *kernel);

/* May an error of the memory have stopped the kernel? */
bool hd_book_may_fail(const struct hd_book *b, uint32_t kernel);
/* The kernel, which waited in memory, is lost; so is a group that found none to join. */
void hd_book_lose(struct hd_book *b, uint32_t w);
/* For all that the ports show, could the kernel be complete, and those that it launched? */
bool hd_book_may_be_complete(const struct hd_book *b, uint32_t kernel);
/* An error must be the reason that it never will: a group that had joined it, or a saved TB, was lost. False: none has
 * hit it. */
bool hd_book_fail(struct hd_book *b, uint32_t kernel);
/* The plane shows that it takes the kernel for complete. False: it, or a kernel that it launched, is not, and no error
 * has hit that one. */
bool hd_book_close(struct hd_book *b, uint32_t kernel);
/* The same for the kernels that it launched; they are forgotten. */
bool hd_book_close_children(struct hd_book *b, uint32_t kernel);

#endif
