/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* susp: golden model of suspended kernels: moves their records and saved TBs to memory and back.
 *
 *   save (devq) ------> [saves that wait] --+
 *   suspend (KD) -----> [record] -----------+--> memory, at SUS_BASE --> suspended (to kin)
 *   resume (kin) -------------------------> [read back] --> head (to the KMU)
 *   SSCR's kernel --> [its saved list, a chunk of 16 at a time] --> saved TBs (to the SMX scheduler)
 *
 * A parent that waits for the kernels it launched gives up its place (dtbl-isca2015 section 2.4: nested launches of
 * CDP; a parent kernel completes after its children). The mechanism is ours: a TB saves its context and ends; when all
 * TBs of the kernel have ended or saved, the kernel leaves the Kernel Distributor (KD) as a record of 128 bytes,
 * followed by a ring of its saved TBs, 8 bytes each. When its children are done it is read back.
 *
 * One burst is in flight at a time. Priority: a save, a record, a chunk of the current kernel's list, a kernel to be
 * read back. So a record is in memory after the saves of its kernel. All outputs are registered.
 *
 * Requires: save only two cycles after a cycle with save_room, and no other save in between; suspend only while
 * suspend_free, for a kernel that has a parent record and all of whose saves have arrived; resume for a kernel whose
 * `suspended` was accepted and whose children are done, held until it is accepted; sav_first and sav_count of the
 * current kernel advance by one for each popped saved TB, after the pop; a kernel whose saved list failed has sav_count
 * 0 two cycles after chunk_fail; SUS_BASE constant. Of the memory: beats are accepted after the request; one answer for
 * each write after its last beat; the beats of each accepted read in order, the last one marked.
 *
 * State: hd_susp_size() bytes, owned by the caller, 8-byte aligned, without pointers; a copy is a snapshot, memcmp is
 * equality. */
#ifndef HD_SUSP_H
#define HD_SUSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/burst.h"
#include "common/krec.h"
#include "gen/hd_susp_ports.h"

#define HD_SUSP_SAVES 3  /* maximum number of waiting saves */
#define HD_SUSP_CHUNK 16 /* saved TBs per read */

/* Purpose of the burst. */
enum hd_susp_op { HD_SUSP_IDLE, HD_SUSP_SAVE, HD_SUSP_RECORD, HD_SUSP_LIST, HD_SUSP_RESUME };

/* Parameters; fixed by init. */
struct hd_susp_cfg {
  struct hd_krec_widths widths;
  uint32_t stride; /* bytes of a record with its list */
  uint32_t sav_max;
  uint64_t addr_mask, ctx_mask;
};

struct hd_susp_save {
  struct hd_saved entry;
  uint16_t kin, pos;
  uint32_t pad_;
};

struct hd_susp {
  struct hd_susp_cfg cfg;
  struct hd_burst burst;
  uint8_t op;         /* enum hd_susp_op */
  uint8_t save_count; /* unanswered saves */
  uint8_t saving;     /* a save exists, or did in the previous cycle */
  uint8_t record_valid, record_written;
  uint8_t head_valid;
  uint8_t sv_tag;      /* the current kernel has saved TBs .. */
  uint8_t sv_kdei;     /* .. its entry */
  uint8_t chunk_valid; /* the chunk that contains its next one is loaded */
  uint8_t chunk_drop;  /* the chunk being read is no longer needed */
  uint8_t kin_fail_valid, kin_fail_back;
  uint8_t chunk_fail_valid, chunk_fail_kdei;
  uint8_t suspend_event, resume_event, error_event;
  uint16_t kin; /* parent record of the save or the resume under way */
  uint16_t kin_fail_kin;
  uint16_t sv_pos, sv_left;                /* place of the next saved TB, and the number of TBs from it on */
  struct hd_susp_save save[HD_SUSP_SAVES]; /* oldest first */
  struct hd_kernel record;                 /* the kernel that is being suspended */
  struct hd_kernel head;                   /* the kernel that was read back */
  struct hd_saved chunk[HD_SUSP_CHUNK];
};

/* Returns the bytes of the state in this configuration. */
size_t hd_susp_size(const struct hd_cfg *cfg);

/* Sets the configuration and resets. Requires m: hd_susp_size(cfg) bytes of any content. */
void hd_susp_init(struct hd_susp *m, const struct hd_cfg *cfg);

/* Resets: nothing to write or read. */
void hd_susp_reset(struct hd_susp *m);

/* Sets *out to this cycle's outputs; changes nothing. */
void hd_susp_eval(const struct hd_susp *m, const struct hd_susp_in *in, struct hd_susp_out *out);

/* The rising clock edge that ends a cycle with these inputs. */
void hd_susp_tick(struct hd_susp *m, const struct hd_susp_in *in);

/* Sets *a to the architectural state, with the names of rtl/family/susp/susp.csv. There are no tables. */
void hd_susp_arch(const struct hd_susp *m, struct hd_susp_arch *a, bool tables);

/* ---- For models composed of blocks ---- */

/* Returns true if nothing is in flight: a cycle without a save, a suspension, a resume, or a current kernel with saved
 * TBs changes nothing. Then all ready outputs are 1, and all other outputs are 0. Of the vectors of the KD only those
 * of sched_sscr.kdei, and kd_kin of sv_kdei, are read. */
static inline bool hd_susp_quiet(const struct hd_susp *m) {
  return m->op == HD_SUSP_IDLE && !m->saving && !m->record_valid && !m->head_valid && !m->sv_tag &&
         !m->kin_fail_valid && !m->chunk_fail_valid && !m->suspend_event && !m->resume_event && !m->error_event;
}

#endif
