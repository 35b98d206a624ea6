/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* objects: finds the shared objects of Verilated blocks and builds them if they are missing or out of date. */
#ifndef HD_OBJECTS_H
#define HD_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

/* Stores in buf the build folder: HEDDLE_BUILD if set, else build/ of the checkout that contains the running program,
 * or lib/heddle of an installation. */
void hd_build_dir(char *buf, size_t size);

/* The variants of a block (described in tb/build). */
#define HD_VARIANTS "rtl, fast, fault, cov, netlist, mapped"
bool hd_variant_exists(const char *name);

/* Path of build/<config>/<block>/<variant>.so. In a checkout, tb/build builds it first if it is missing or if a
 * source is newer; elsewhere it must exist. Returns false on failure, with one line in err. */
bool hd_object(const char *config, const char *block, const char *variant, char *path, size_t path_size, char *err,
               size_t err_size);

#endif
