/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* view: save files of GTKWave: which signals of a waveform (FST) it shows, and which time span. */
#ifndef HD_VIEW_H
#define HD_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value that differs between RTL and model: its name in reports, with and without the index of the element. */
struct hd_differs {
  char label[256], whole[256];
  unsigned width;
};

/* A time span of a waveform in its time units, and the time of a marker (0: none). If `n` differing values are given,
 * the view shows these first, and the model's values (wave_model.h) below the RTL's everywhere. */
struct hd_window {
  uint64_t from, to, mark;
  const struct hd_differs *differs;
  unsigned n;
};

/* Returns the span of cycles `from` to `to`, as counted in reports, and the time of the edge that ends a cycle. Valid
 * only for waveforms of one episode: a reset in between takes time that is not counted in cycles. */
struct hd_window hd_window_cycles(uint64_t from, uint64_t to);
uint64_t hd_window_edge(uint64_t cycle);

/* Stores the span of the whole recording. Returns false if the file is no waveform; err says why. */
bool hd_window_whole(const char *fst, struct hd_window *w, char *err, size_t err_size);

/* Writes the view of the block in that configuration to `gtkw`, with the waveform's name and the window (NULL: the
 * whole waveform). Returns false if the view does not exist or cannot be written. */
bool hd_view_write(const char *block, const char *config, const char *fst, const struct hd_window *w, const char *gtkw);

/* Writes the view to <fst>.gtkw. Returns false on failure, after a line on stderr that starts with `who`. */
bool hd_view_of_wave(const char *who, const char *block, const char *config, const char *fst,
                     const struct hd_window *w);

/* Copies an existing view with another window; otherwise as hd_view_write. */
bool hd_view_copy(const char *from, const char *fst, const struct hd_window *w, const char *gtkw);

#endif
