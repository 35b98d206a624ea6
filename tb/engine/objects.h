/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* objects: where the Verilated blocks lie, and making them when they are missing or older than what they are made of.
 */
#ifndef HD_OBJECTS_H
#define HD_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

/* Folder of what was built: build/ of the checkout that the running program lies in, lib/heddle of an installation, or
 * what HEDDLE_BUILD says. */
void hd_build_dir(char *buf, size_t size);

/* The builds of a block that there are (tb/build tells what each is). */
#define HD_VARIANTS "rtl, fast, fault, cov, netlist, mapped"
bool hd_variant_exists(const char *name);

/* Path of build/<config>/<block>/<variant>.so. In a checkout it is first made by tb/build if it is missing or if a
 * source is newer; elsewhere it must be there. On failure false, and one line in err. */
bool hd_object(const char *config, const char *block, const char *variant, char *path, size_t path_size, char *err,
               size_t err_size);

#endif
