/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* config: parses the name of a configuration. */
#ifndef HD_CONFIG_H
#define HD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/hd_types.h"

/* Parses NAME or NAME+PARAM=VALUE+.. (a derived configuration; its folder under build/ has the same name). Returns
 * false on an error; err then holds one line with the error and the accepted values. */
bool hd_config_parse(const char *text, struct hd_cfg *cfg, char *err, size_t err_size);

#endif
