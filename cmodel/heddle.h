/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* heddle: the whole library in one include, for C and C++: configurations, runtime, device runtime, the plane and its
 * DPI-C interface.
 *
 *     #include <heddle/heddle.h>                 // cc plane.c $(pkg-config --cflags --libs heddle)
 *
 * Usage: docs/library.md. top.h includes the headers of the single blocks (kmu.h, sched.h, ..). */
#ifndef HD_HEDDLE_H
#define HD_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

#include "api/channels.h"
#include "api/deplinks.h"
#include "api/device.h"
#include "api/dpi.h"
#include "api/runtime.h"
#include "common/hd_cfg.h"
#include "gen/hd_regs_map.h"
#include "top/skip.h"
#include "top/top.h"

#ifdef __cplusplus
}
#endif

#endif
