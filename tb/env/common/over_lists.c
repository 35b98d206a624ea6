/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/over_lists.h"

#include "env/common/memory.h"

uint32_t hd_lists_mask(const struct hd_cfg *cfg, uint64_t rec_count) {
  uint64_t places = 64;
  while (places < rec_count + cfg->agt_size && places < UINT64_C(1) << cfg->list_pos_w) places *= 2;
  return (uint32_t)(places - 1);
}

uint64_t hd_lists_bytes(const struct hd_cfg *cfg, uint32_t mask) {
  return (uint64_t)cfg->num_list * (mask + UINT64_C(1)) * 4;
}

bool hd_lists_find(const struct hd_cfg *cfg, uint64_t addr, uint32_t list_base, uint32_t mask, uint32_t *n,
                   uint32_t *q) {
  uint64_t at = (addr - (uint64_t)list_base * 256) & hd_memory_mask(cfg);
  if (at >= hd_lists_bytes(cfg, mask)) return false;
  *n = (uint32_t)(at / 256 % cfg->num_list);
  *q = (uint32_t)(at / 256 / cfg->num_list * 64 + at % 256 / 4);
  return true;
}

bool hd_list_fails(const struct hd_ovfq_in *in, const struct hd_ovfq_out *out, unsigned k) {
  return (in->fails[0].valid && in->fails[0].kdei == k) || (in->fails[1].valid && in->fails[1].kdei == k) ||
         (out->write_fail.valid && out->write_fail.kdei == k) || (out->fetch_fail.valid && out->fetch_fail.kdei == k);
}

bool hd_list_cleared(const struct hd_ovfq_in *in, const struct hd_ovfq_out *out, unsigned k) {
  return hd_list_fails(in, out, k) || (in->kd_take.valid && in->kd_take.kdei == k);
}
