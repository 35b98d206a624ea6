/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* view: what GTKWave shows of a waveform (FST): which signals, and which stretch of time. */
#ifndef HD_VIEW_H
#define HD_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that differs between RTL and model: its name in reports, without the index of the element too. */
struct hd_differs {
  char label[256], whole[256];
  unsigned width;
};

/* A stretch of a waveform, in its units of time, and where a marker stands (0: none). With what differs, `n` of it, the
 * view shows that first, and the model's values (beside.h) below the RTL's everywhere. */
struct hd_window {
  uint64_t from, to, mark;
  const struct hd_differs *differs;
  unsigned n;
};

/* Cycles `from` to `to`, as reports count them; the marker stands at the edge that ends cycle `mark`. Only of waveforms
 * of one life: a reset in between takes time that is not counted as cycles. */
struct hd_window hd_window_cycles(uint64_t from, uint64_t to);
uint64_t hd_window_edge(uint64_t cycle);

/* From the beginning to the end of what was recorded. False: err says why the file is no waveform. */
bool hd_window_whole(const char *fst, struct hd_window *w, char *err, size_t err_size);

/* Writes the view of the block in that configuration into the waveform's folder, with the waveform's name and the
 * window in it (NULL: all of the waveform). False: there is no such view, or it can not be written. */
bool hd_view_write(const char *block, const char *config, const char *fst, const struct hd_window *w, const char *gtkw);

/* The view of that name with `.gtkw` behind it; false: a line on stderr that begins with `who` said so. */
bool hd_view_beside(const char *who, const char *block, const char *config, const char *fst, const struct hd_window *w);

/* Copies a view that is there already, with another window; the rest as hd_view_write. */
bool hd_view_copy(const char *from, const char *fst, const struct hd_window *w, const char *gtkw);

#endif
