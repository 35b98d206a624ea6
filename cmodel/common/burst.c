/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "common/burst.h"

void hd_burst_start(struct hd_burst *b, bool write, uint64_t addr, unsigned beats, uint16_t strb) {
  b->state = HD_BURST_REQ;
  b->write = write;
  b->addr = addr;
  b->len = (uint8_t)(beats - 1);
  b->strb = strb;
  b->beat = b->error = 0;
}

bool hd_burst_req(const struct hd_burst *b, struct hd_memreq *req) {
  *req = (struct hd_memreq){0};
  if (b->state != HD_BURST_REQ) return false;
  req->write = b->write;
  req->addr = b->addr;
  req->len = b->len;
  return true;
}

struct hd_membeat hd_burst_wbeat(const struct hd_burst *b) {
  struct hd_membeat w = {0};
  if (!b->write || (b->state != HD_BURST_REQ && b->state != HD_BURST_DATA)) return w;
  w.lo = b->word[2 * b->beat];
  w.hi = b->word[2 * b->beat + 1];
  w.strb = b->strb;
  return w;
}

static enum hd_burst_end end(struct hd_burst *b, bool error) {
  b->state = HD_BURST_IDLE;
  return error ? HD_BURST_FAILED : HD_BURST_DONE;
}

static enum hd_burst_end take_read_beat(struct hd_burst *b, const struct hd_memdata *r) {
  b->error |= r->error;
  if (b->beat < HD_BURST_BEATS) {
    b->word[2 * b->beat] = r->lo;
    b->word[2 * b->beat + 1] = r->hi;
    b->beat++;
  }
  return r->last ? end(b, b->error) : HD_BURST_CONTINUES;
}

enum hd_burst_end hd_burst_step(struct hd_burst *b, const struct hd_memdown *pins) {
  switch (b->state) {
    case HD_BURST_REQ:
      if (pins->ready) b->state = b->write ? HD_BURST_DATA : HD_BURST_WAIT_R;
      break;
    case HD_BURST_DATA:
      if (pins->take && b->beat++ == b->len) b->state = HD_BURST_WAIT_B;
      break;
    case HD_BURST_WAIT_B:
      if (pins->b_valid) return end(b, pins->b_error);
      break;
    case HD_BURST_WAIT_R:
      if (pins->r_valid) return take_read_beat(b, &pins->r);
      break;
    default:
      break;
  }
  return HD_BURST_CONTINUES;
}
