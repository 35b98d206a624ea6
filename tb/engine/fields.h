/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fields: name, width and position of every member of a block's C structs. rtl/hdgen writes the tables from the ports'
 * CSV files. Replay files, reports and the compare use them, so that a port is named in one place only. */
#ifndef HD_FIELDS_H
#define HD_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "gen/hd_types.h"

enum hd_field_kind { HD_FIELD_IN, HD_FIELD_OUT, HD_FIELD_STATE, HD_FIELD_TABLE, HD_FIELD_INNER };

/* One leaf: a number of `width` bits in `size` bytes. Element i of instance j is at
 * offset + i * stride + j * substride. */
struct hd_field {
  const char *name; /* "host_launch.desc.pc" */
  enum hd_field_kind kind;
  uint16_t width;
  uint8_t size;
  size_t offset;
  uint32_t count;
  size_t stride;
  uint32_t subcount; /* instances of the inner block that owns the field (1: none, or one) */
  size_t substride;
  const char *const *names; /* of an enum's values, NULL-terminated; or NULL */
};

/* One port or state item: `count` elements of `stride` bytes that are compared as bytes. */
struct hd_port {
  const char *name;
  enum hd_field_kind kind;
  size_t offset;
  uint32_t count;
  size_t stride;
  uint32_t subcount;
  size_t substride;
  uint32_t group; /* state group of instance 0; instance j is group + j */
};

struct hd_field_list {
  struct hd_field *field;
  unsigned fields, field_room;
  struct hd_port *port;
  unsigned ports, port_room;
  unsigned groups; /* state groups: the block's own registers, then those of each inner block */
};

struct hd_field_table {
  const char *block;
  void (*fill)(const struct hd_cfg *c, struct hd_field_list *l);
  size_t in_size, out_size, arch_size, inner_size; /* inner: outputs of the inner blocks; 0: no inner blocks */
};

/* One table per block; the last has a NULL name. */
extern const struct hd_field_table hd_field_tables[];

const struct hd_field_table *hd_field_table_find(const char *block);
void hd_field_list_free(struct hd_field_list *l);
void hd_field_add(struct hd_field_list *l, struct hd_field f);
void hd_port_add(struct hd_field_list *l, struct hd_port p);

/* Read and write element i of instance j of a field in a struct. */
uint64_t hd_field_get(const struct hd_field *f, const void *base, unsigned i, unsigned j);
void hd_field_set(const struct hd_field *f, void *base, unsigned i, unsigned j, uint64_t v);

/* "host_launch.desc.pc", "dispatch[3].slot", "sched.tbcr[2].valid[1]": the name, with the index after the array. */
void hd_field_label(const struct hd_field *f, const struct hd_field_list *l, unsigned i, unsigned j, char *buf,
                    size_t size);

/* Formats a value: an enum by name, a single bit as 0 or 1, others in hexadecimal. */
void hd_field_value(const struct hd_field *f, uint64_t v, char *buf, size_t size);

/* Returns the field of that kind and name, or NULL. */
const struct hd_field *hd_field_find(const struct hd_field_list *l, enum hd_field_kind kind, const char *name);

#endif
