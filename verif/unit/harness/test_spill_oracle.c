/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracle of spill: reports no rule for the golden model in its random environment, and reports one when in one
 * cycle an output is changed without the model's knowledge, or an input, as if the model had ignored it. */
#include "env/common/rings.h"
#include "gen/hd_spill_ports.h"
#include "unit/harness/oracle_fixture.h"

#define BREACH(name, if_, then)                                    \
  static bool name(const void *in_, void *out_) {                  \
    struct hd_spill_in *in = (struct hd_spill_in *)(uintptr_t)in_; \
    struct hd_spill_out *out = out_;                               \
    (void)in, (void)out;                                           \
    if (!(if_)) return false;                                      \
    then;                                                          \
    return true;                                                   \
  }

/* Returns the first bank in which places are reserved in this cycle, or NumBank. */
static unsigned reserved(const struct hd_spill_out *out) {
  unsigned b = 0;
  while (b < cfg.num_bank && !out->reserve[b]) b++;
  return b;
}

static bool some(const uint8_t *v, unsigned n) {
  return memchr(v, 1, n) != NULL;
}

/* begins: returns true in the first cycle of a request, read or write. stands: in the other cycles of any request,
 * while it is not accepted. To be called in every cycle. */
static bool begins(const struct hd_spill_out *out, bool write) {
  static bool was;
  const bool is = out->mem.valid && out->mem.req.write == write, first = is && !was;
  was = out->mem.valid;
  return first;
}
static bool stands(const struct hd_spill_in *in, const struct hd_spill_out *out) {
  return !begins(out, out->mem.req.write) && out->mem.valid && !in->mem.ready;
}

/* Room, rows and what is held. */
BREACH(no_room, some(out->room, cfg.ring_queues), memset(out->room, 0, cfg.ring_queues))
BREACH(room_while_closed, !some(out->room, cfg.ring_queues), out->room[0] = 1)
BREACH(too_many_rows, out->rows > 0, out->rows--)
BREACH(not_held, some(out->held, cfg.ring_queues), memset(out->held, 0, cfg.ring_queues))
BREACH(held_without_groups, !some(out->held, cfg.ring_queues), out->held[3] = 1)
BREACH(put_without_room, !some(out->room, cfg.ring_queues) && out->rows && !in->laperm_put.valid,
       in->laperm_put.valid = 1;
       in->laperm_put.bank = 0; in->laperm_put.info.level = 1)

TEST(room) {
  silent("spill");
  names("spill", "room is clear though there is room", no_room);
  names("spill", "room is set though there is no room", room_while_closed);
  names("spill", "rows is not the number of free rows", too_many_rows);
  names("spill", "output held is wrong", not_held);
  names("spill", "output held is wrong", held_without_groups);
}

/* Requests: places that are reserved, the queue, the length, and how long they wait. */
BREACH(reserved_twice, reserved(out) < cfg.num_bank, memset(out->reserve, 1, cfg.num_bank))
BREACH(reserved_without_place, reserved(out) < cfg.num_bank, memset(in->laperm_place, 0, cfg.num_bank))
BREACH(reserved_during_a_request, out->mem.valid, out->reserve[0] = 1)
BREACH(reserved_in_another_bank, reserved(out) == 0 && in->laperm_place[1], out->reserve[0] = 0; out->reserve[1] = 1)
BREACH(not_reserved, reserved(out) < cfg.num_bank, memset(out->reserve, 0, cfg.num_bank))
BREACH(not_requested, begins(out, false), out->mem.valid = 0)
BREACH(other_address, begins(out, false), out->mem.req.addr ^= HD_RING_BYTES)
BREACH(too_long, begins(out, false) && out->mem.req.len == 1, out->mem.req.len = 3)
BREACH(half_a_group, begins(out, false), out->mem.req.len = 0)
BREACH(elsewhere, begins(out, true), out->mem.req.addr += UINT64_C(1) << 30)
BREACH(next_place, begins(out, true), out->mem.req.addr ^= HD_RING_BYTES)
BREACH(request_changes, stands(in, out), out->mem.req.addr ^= HD_RING_BYTES)
BREACH(request_withdrawn, stands(in, out), out->mem.valid = 0)
BREACH(record_changed, in->mem.take, out->mem.wbeat.lo ^= 1)
BREACH(partly_written, in->mem.take, out->mem.wbeat.strb = 0xff)

TEST(requests) {
  names("spill", "places of two banks are reserved at once", reserved_twice);
  names("spill", "places are reserved in a bank that has none", reserved_without_place);
  names("spill", "places are reserved while another request is made", reserved_during_a_request);
  names("spill", "", reserved_in_another_bank); /* of another bank, or not round robin */
  names("spill", "a read is not requested three cycles after its places were reserved", not_reserved);
  names("spill", "a read is not requested three cycles after its places were reserved", not_requested);
  names("spill", "a group is read that is not the oldest of its queue", other_address);
  names("spill", "", too_long); /* of more than one line, or of more than are written */
  names("spill", "a burst is not of whole records, or of too many", half_a_group);
  names("spill", "a burst outside the region", elsewhere);
  names("spill", "a group is not written to its place in the ring", next_place);
  names("spill", "a request changes before it is accepted", request_changes);
  names("spill", "a request is withdrawn", request_withdrawn);
  names("spill", "a group is written to memory changed", record_changed);
  names("spill", "a group is written to memory changed", partly_written);
}

/* Groups that return, places that are given up, and losses. */
BREACH(not_back, out->back.valid, out->back.valid = 0)
BREACH(back_without_group, !out->back.valid, out->back.valid = 1)
BREACH(to_another_bank, out->back.valid, out->back.bank ^= 1)
BREACH(of_another_kernel, out->back.valid, out->back.kdei ^= 1)
BREACH(returns_changed, out->back.valid, out->back.info.ctas ^= 1)
BREACH(taken_twice, out->back.valid && !in->laperm_back_ready, in->laperm_back_ready = 1)
BREACH(released, !out->release[0], out->release[0] = 1)
BREACH(not_released, out->release[1], out->release[1] = 0)
BREACH(loss_not_reported, out->lost.valid, out->lost = (struct hd_entry){0})
BREACH(loss_of_another_kernel, out->lost.valid, out->lost.kdei ^= 1)
BREACH(loss_reported, !out->lost.valid, out->lost.valid = 1)
BREACH(error_unseen, in->mem.r_valid && in->mem.r.error, in->mem.r.error = 0)
BREACH(answer_unseen, in->mem.b_valid && in->mem.b_error, in->mem.b_error = 0)

TEST(returns) {
  const unsigned bad = profile.bad;
  names("spill", "back_valid does not show whether a group has returned", not_back);
  names("spill", "back_valid does not show whether a group has returned", back_without_group);
  names("spill", "a group returns to another bank", to_another_bank);
  names("spill", "a group returns with another kernel", of_another_kernel);
  names("spill", "a group returns changed", returns_changed);
  names("spill", "", taken_twice); /* the next group differs, or there is none */
  names("spill", "release is not the number of places that no group needs any more", released);
  names("spill", "release is not the number of places that no group needs any more", not_released);
  profile.bad = 40;
  names("spill", "a loss is not reported when all groups have returned, or another time", loss_not_reported);
  names("spill", "a loss is reported with a wrong kernel", loss_of_another_kernel);
  names("spill", "a loss is not reported when all groups have returned, or another time", loss_reported);
  names("spill", "", error_unseen); /* a group is missing, or its kernel is reported without a loss */
  names("spill", "", answer_unseen);
  profile.bad = bad;
}

/* As if the block had not seen that a group is put, that a bank has places, or a size of the region. */
BREACH(put_unseen, in->laperm_put.valid, in->laperm_put.valid = 0)
BREACH(other_group, in->laperm_put.valid, in->laperm_put.info.param ^= 1)
BREACH(smaller_region, hd_rings_order(&cfg, in->regs_config.spill_count) > (int)cfg.ring_order_min,
       in->regs_config.spill_count = 0)

TEST(inputs) {
  names("spill", "", put_unseen);
  names("spill", "a group is written to memory changed", other_group);
  names("spill", "", smaller_region);
  names("spill", "a group is put without room", put_without_room);
}

TEST_MAIN("spill_oracle", NULL, NULL)
