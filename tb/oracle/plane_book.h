/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_book: the bookkeeping of the plane's oracle. Records every launch (host kernels, device kernels, groups, saved
 * TBs), its parent, and the kernel in each KD entry, and decides when a kernel is complete. The rules themselves are
 * checked in plane_oracle.c.
 *
 * "Work" is a launched kernel or group. Its parameter address identifies it, since no two launches use the same one.
 * Work 0 means none. */
#ifndef HD_PLANE_BOOK_H
#define HD_PLANE_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/hd_types.h"

enum { HD_BOOK_WORKS = 1 << 14, HD_BOOK_SAVES = 1 << 13, HD_BOOK_HASH = 1 << 10, HD_BOOK_IN_STREAM = 1 << 12 };

enum hd_book_kind { HD_BOOK_NOTHING, HD_BOOK_HOST, HD_BOOK_KERNEL, HD_BOOK_GROUP };
enum hd_book_word { HD_BOOK_REQUESTED, HD_BOOK_TAKEN, HD_BOOK_KEPT }; /* the answer to the launch */

/* Resources that a launch may occupy, as bits. An upper bound: where the ports leave open which of them it occupies,
 * all are set. */
enum hd_book_room {
  HD_ROOM_POOL = 1,  /* a place in the pool of waiting device kernels */
  HD_ROOM_BIRTH = 2, /* a child count in its parent's record; the parent therefore has one */
  HD_ROOM_AGE = 4,   /* the AGE of its hash */
  HD_ROOM_BANK = 8,  /* a place in the bank of its SMX */
};

struct hd_work {
  struct hd_desc desc;
  uint64_t number;      /* position in the order of launches */
  uint32_t ctas, next;  /* number of TBs (kernel: native TBs), and the next one to be granted */
  uint32_t running;     /* TBs granted and not done; kernel: includes those of its groups, and restarted ones */
  uint32_t warps, regs; /* needed by each TB */
  uint32_t smem;
  uint32_t record;             /* group: its record */
  uint32_t same;               /* next work in its hash bucket */
  uint32_t up, child, sibling; /* parent kernel; first child; next child of the same parent */
  uint32_t up_resumes;         /* `resumes` of the parent at the launch */
  uint64_t up_number;          /* `number` of the parent */
  uint64_t mother;             /* kernel: `number` of the first kernel that it certainly launched; 0: none is certain */
  uint32_t resumes;            /* how often it was resumed */
  uint32_t births;             /* kernels that it may have launched, complete or not */
  uint32_t kin_most;           /* upper bound of the index of its parent record */
  uint32_t hash;               /* group: the AGE that it may have */
  uint32_t joins;              /* group: 1 + the highest KD entry whose kernel it may join; 0: it need not join */
  uint32_t join;               /* kernel in that entry at the launch, and its `resumes` and `number` then */
  uint32_t join_resumes;
  uint64_t join_number;
  uint64_t stop_at;  /* kernel: cycle from which an error certainly has stopped it; 0: none has */
  uint64_t entered;  /* kernel: cycle of its last entry into the KD */
  uint64_t lost_at;  /* kernel: cycle in which a group of it was lost in memory, the last one; 0: none */
  uint32_t overlaps; /* kernel hit by a memory error in the same cycle as this one, and its `number`; 0: none */
  uint64_t other_number;
  uint32_t group;        /* kernel: the group whose TBs are granted; group: its kernel */
  uint32_t entries;      /* kernel: groups in banks with some of their TBs granted, but not all */
  uint64_t group_number; /* kernel: `number` of its youngest group with a granted TB */
  uint32_t save_first, saves;
  uint32_t saving; /* unanswered save commands */
  uint32_t waited; /* rule 18: free cycles that it has waited for `waits_for` */
  int32_t entry;   /* KD entry; -1: none */
  int32_t agei;    /* group: AGE seen at its last granted TB; -1: none */
  uint16_t tag;
  uint8_t hwq, stream, level;
  uint8_t smx;        /* the SMX that launched it; 0 also for launches of the host */
  uint8_t rooms;      /* enum hd_book_room */
  uint8_t kind, word; /* enum hd_book_kind, enum hd_book_word */
  uint8_t rest;    /* it is the rest of kernel `up`: its entries in banks at its suspension. `up` counts native TBs */
  uint8_t graph;   /* kernel: its TBs are granted in the order of a dependency graph */
  uint8_t started; /* kernel: it has entered the KD; group: a TB of it was granted */
  uint8_t stopped; /* kernel: a TB of it was saved, and it was not resumed since */
  uint8_t closed;  /* kernel: an action of the plane implies that the plane considers it complete */
  uint8_t failed;
  uint8_t hit;          /* kernel: a memory error may have stopped it */
  uint8_t other_failed; /* kernel: `beside` has been reported as failed */
  uint8_t doomed;    /* kernel: a memory error certainly has stopped it: it must be reported as failed, not resumed */
  uint8_t lost;      /* kernel: a memory error destroyed it before it entered the KD */
  uint8_t away;      /* group: it waits in memory for its bank */
  uint8_t gone;      /* group: it was lost there */
  uint8_t torn;      /* group: its kernel may have been hit, so it may be lost */
  uint8_t returned;  /* group: its record was returned */
  uint8_t waits_for; /* enum hd_plane_wait, as of the last sample */
};

struct hd_book_save {
  uint64_t ctx, number; /* context pointer; position in the order of save commands */
  uint32_t kernel, next;
  uint8_t level;
};

struct hd_book {
  struct hd_work work[HD_BOOK_WORKS];
  struct hd_book_save save[HD_BOOK_SAVES];
  uint32_t hash[HD_BOOK_HASH];
  uint32_t smx_per_cluster;
  uint32_t works, free_work; /* size of the used part of `work`, with work 0; free list within it */
  uint32_t saves, free_save;
  uint64_t number;
  uint32_t kde[HD_MAX_NUM_KDE];                           /* the last kernel in each KD entry */
  uint32_t native;                                        /* kernel of the last granted native TB */
  uint32_t stream[HD_MAX_NUM_STREAMS][HD_BOOK_IN_STREAM]; /* incomplete kernels, oldest first */
  uint32_t in_stream[HD_MAX_NUM_STREAMS];
  /* Upper bounds of what the pool, the parent records, the AGEs and the banks hold. */
  uint32_t in_pool, parents, in_ages;
  uint32_t in_age[HD_MAX_AGT_SIZE], in_bank[HD_MAX_NUM_BANK];
  uint32_t failed, lost; /* kernels that failed; that were lost before they ran */
};

void hd_book_init(struct hd_book *b, uint32_t smx_per_cluster);

/* Returns the new work, or 0 if the book is full. */
uint32_t hd_book_add(struct hd_book *b, enum hd_book_kind kind, const struct hd_desc *desc);
/* Removes a completed group or kernel, or a refused launch, and frees its resources. */
void hd_book_drop(struct hd_book *b, uint32_t w);
/* Returns the youngest work with this parameter address, or 0. */
uint32_t hd_book_find(const struct hd_book *b, uint64_t param);

/* Allocate and free resources (bits of enum hd_book_room). Bits that the work already holds, or does not hold, are
 * ignored. */
void hd_book_take(struct hd_book *b, uint32_t w, unsigned rooms);
void hd_book_leave(struct hd_book *b, uint32_t w, unsigned rooms);

/* Marks the records of torn groups as returned to software, and those of groups that may be lost with a kernel that was
 * hit and may be complete. Requires that the plane is idle, except for completions that the host has not accepted, and
 * offers no record. */
void hd_book_records_free(struct hd_book *b);
/* Removes the torn groups, so that their AGEs count as free. Requires that the plane has been idle for some time. */
void hd_book_drop_torn(struct hd_book *b);

/* Notes that `up` launched `child` and that this was accepted, so `up` has a parent record. */
void hd_book_mother(struct hd_book *b, uint32_t up, uint32_t child);
/* Returns true if the kernel may have a parent record. */
bool hd_book_has_record(const struct hd_work *kernel);

/* Adds `child` to the list of kernels that `up` launched. Does not check whether it is there. */
void hd_book_bear(struct hd_book *b, uint32_t up, uint32_t child);
/* Appends a kernel to its stream. Returns false if that holds HD_BOOK_IN_STREAM incomplete kernels. */
bool hd_book_queue(struct hd_book *b, uint32_t w);

/* Adds a saved TB, in the order of the save commands: answers to several SMXs arrive in any order. Returns false if the
 * book is full. */
bool hd_book_save(struct hd_book *b, uint32_t kernel, uint64_t number, uint64_t ctx, uint8_t level);
/* Returns the kernel with a TB saved under this context pointer, or 0. Sets *oldest to that TB if its kernel saved none
 * before it, else to NULL. */
uint32_t hd_book_saver(const struct hd_book *b, uint64_t ctx, const struct hd_book_save **oldest);
/* Returns the position of the youngest saved TB of the kernel in the order of launches; 0: it has none. */
uint64_t hd_book_last_save(const struct hd_book *b, uint32_t kernel);
/* Removes the oldest saved TB of the kernel. */
void hd_book_restart(struct hd_book *b, uint32_t kernel);

/* Entries that banks hold of a suspended kernel stay in its KD entry as its rest: a kernel and a child of the suspended
 * one, with the same parameter address. hd_book_rest creates and returns it, or returns 0 if the book is full; while it
 * is in the book, hd_book_find finds it under that address. From a rest, hd_book_stopped returns the nearest kernel
 * (itself or an ancestor) that is suspended or no rest; hd_book_whole returns the kernel whose native TBs it grants. */
uint32_t hd_book_rest(struct hd_book *b, uint32_t kernel);
uint32_t hd_book_stopped(const struct hd_book *b, uint32_t w);
uint32_t hd_book_whole(const struct hd_book *b, uint32_t w);

/* Returns true if native TBs, saved TBs, or TBs of its current group or its begun groups in banks are to be granted. */
bool hd_book_unfinished(const struct hd_book *b, uint32_t kernel);
/* Returns true if entry PC, TB dimensions and shared memory are equal, so that the group may have joined the kernel. */
bool hd_book_same_key(const struct hd_work *group, const struct hd_work *kernel);

/* Returns true if a memory error may have stopped the kernel. */
bool hd_book_may_fail(const struct hd_book *b, uint32_t kernel);
/* A memory error destroyed a kernel, or a group that became one, while it waited in memory. */
void hd_book_lose(struct hd_book *b, uint32_t w);
/* Returns true if the ports permit that the kernel and all its descendants are complete. */
bool hd_book_may_be_complete(const struct hd_book *b, uint32_t kernel);
/* Marks the kernel as failed: it cannot complete, since a group that joined it or a saved TB was lost. Returns false
 * if no memory error has hit it. */
bool hd_book_fail(struct hd_book *b, uint32_t kernel);
/* An action of the plane implies that it considers the kernel complete. Returns false if the kernel or a descendant is
 * not complete and no memory error has hit that one. */
bool hd_book_close(struct hd_book *b, uint32_t kernel);
/* The same for the children of the kernel, which are then removed. */
bool hd_book_close_children(struct hd_book *b, uint32_t kernel);

#endif
