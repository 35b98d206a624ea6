/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* config: a configuration as a command line names it. */
#ifndef HD_CONFIG_H
#define HD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/hd_types.h"

/* NAME or NAME+PARAM=VALUE+..: the name of a derived configuration, which is also the name of its folder under build/.
 * False: err says in one line what is wrong and what would be accepted. */
bool hd_config_parse(const char *text, struct hd_cfg *cfg, char *err, size_t err_size);

#endif
