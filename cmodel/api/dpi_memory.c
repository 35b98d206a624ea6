/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <stdlib.h>
#include <string.h>

#include "api/dpi_inside.h"

/* Bursts in flight per direction, and write beats whose address has yet to arrive; the memory is ready while there is
 * room. */
enum { PAGE = 4096, BEAT = 16, BURSTS = 256, BEATS = 2048, FIRST_PAGES = 64 };

struct page {
  uint64_t number; /* its address / PAGE */
  uint8_t *bytes;  /* NULL: unused place */
};

struct burst {
  uint64_t addr, due;
  uint8_t id, beats, at; /* at: beats moved so far */
};

/* Oldest first, as a ring. */
struct bursts {
  struct burst ring[BURSTS];
  uint32_t first, count;
};

struct beat {
  uint64_t word[2];
  uint16_t strobes;
};

struct hd_dpi_memory {
  uint64_t now;
  uint32_t latency;
  struct bursts reads, writes, answers; /* writes: waiting for their beats; answers: to writes */
  struct beat beat[BEATS];
  uint32_t first_beat, beats;
  struct page *page; /* open addressing; a power of two of places, at most half of them used */
  uint32_t places, pages;
};

struct hd_dpi_memory *hd_dpi_memory_new(uint32_t latency) {
  struct hd_dpi_memory *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->latency = latency;
  m->places = FIRST_PAGES;
  m->page = calloc(m->places, sizeof *m->page);
  if (m->page != NULL) return m;
  free(m);
  return NULL;
}

void hd_dpi_memory_free(struct hd_dpi_memory *m) {
  if (m == NULL) return;
  for (uint32_t k = 0; k < m->places; k++) free(m->page[k].bytes);
  free(m->page);
  free(m);
}

/* Returns the place of a page, or the one where it belongs. */
static struct page *find(struct page *page, uint32_t places, uint64_t number) {
  uint32_t k = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  while (page[k & (places - 1)].bytes != NULL && page[k & (places - 1)].number != number) k++;
  return &page[k & (places - 1)];
}

static bool grow(struct hd_dpi_memory *m) {
  struct page *more = calloc(2 * (size_t)m->places, sizeof *more);
  if (more == NULL) return false;
  for (uint32_t k = 0; k < m->places; k++)
    if (m->page[k].bytes != NULL) *find(more, 2 * m->places, m->page[k].number) = m->page[k];
  free(m->page);
  m->page = more;
  m->places *= 2;
  return true;
}

/* Returns the bytes of a page that is written; NULL if out of memory. */
static uint8_t *written(struct hd_dpi_memory *m, uint64_t number) {
  struct page *p = find(m->page, m->places, number);
  if (p->bytes != NULL) return p->bytes;
  if (2 * m->pages >= m->places) {
    if (!grow(m)) return NULL;
    p = find(m->page, m->places, number);
  }
  p->bytes = calloc(1, PAGE);
  if (p->bytes == NULL) return NULL;
  p->number = number;
  m->pages++;
  return p->bytes;
}

bool hd_dpi_memory_put(struct hd_dpi_memory *m, uint64_t addr, const uint8_t *bytes, size_t n) {
  while (n > 0) {
    const size_t at = addr % PAGE, part = n < PAGE - at ? n : PAGE - at;
    uint8_t *page = written(m, addr / PAGE);
    if (page == NULL) return false;
    memcpy(page + at, bytes, part);
    addr += part;
    bytes += part;
    n -= part;
  }
  return true;
}

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word = 0;
  for (unsigned k = 0; k < 8; k++) word |= (uint64_t)bytes[k] << 8 * k;
  return word;
}

static void add(struct bursts *b, struct burst one) {
  b->ring[(b->first + b->count++) % BURSTS] = one;
}

static void take(struct bursts *b) {
  b->first = (b->first + 1) % BURSTS;
  b->count--;
}

static const struct burst *due(const struct hd_dpi_memory *m, const struct bursts *b) {
  const struct burst *oldest = &b->ring[b->first];
  return b->count > 0 && oldest->due <= m->now ? oldest : NULL;
}

void hd_dpi_memory_drive(const struct hd_dpi_memory *m, struct hd_top_in *in) {
  const struct burst *read = due(m, &m->reads), *answer = due(m, &m->answers);
  in->arready = m->reads.count < BURSTS;
  in->awready = m->writes.count < BURSTS && m->answers.count < BURSTS / 2;
  in->wready = m->beats < BEATS;
  in->bvalid = answer != NULL;
  in->bid = answer != NULL ? answer->id : 0;
  in->rvalid = read != NULL;
  in->rid = read != NULL ? read->id : 0;
  in->rlast = read != NULL && read->at + 1 == read->beats;
  in->rdata[0] = in->rdata[1] = 0;
  in->rresp = in->bresp = 0;
  if (read == NULL) return;
  const uint64_t addr = read->addr + (uint64_t)BEAT * read->at;
  const struct page *page = find(m->page, m->places, addr / PAGE);
  if (page->bytes == NULL) return;
  in->rdata[0] = word_at(page->bytes + addr % PAGE);
  in->rdata[1] = word_at(page->bytes + addr % PAGE + 8);
}

/* Stores the oldest write burst, whose beats have all arrived, and schedules its answer. If out of memory its bytes are
 * lost, but it is answered all the same. */
static void write_oldest(struct hd_dpi_memory *m) {
  struct burst burst = m->writes.ring[m->writes.first];
  for (unsigned k = 0; k < burst.beats; k++) {
    const struct beat *beat = &m->beat[m->first_beat];
    const uint64_t addr = burst.addr + (uint64_t)BEAT * k;
    uint8_t *page = written(m, addr / PAGE);
    for (unsigned i = 0; i < BEAT && page != NULL; i++)
      if (beat->strobes >> i & 1) page[addr % PAGE + i] = (uint8_t)(beat->word[i / 8] >> 8 * (i % 8));
    m->first_beat = (m->first_beat + 1) % BEATS;
    m->beats--;
  }
  burst.due = m->now + m->latency;
  take(&m->writes);
  add(&m->answers, burst);
}

bool hd_dpi_memory_follow(struct hd_dpi_memory *m, const struct hd_top_in *in, const struct hd_top_out *out) {
  bool moved = in->bvalid || in->rvalid;
  if (in->bvalid) take(&m->answers);
  if (in->rvalid && in->rlast)
    take(&m->reads);
  else if (in->rvalid)
    m->reads.ring[m->reads.first].at++;
  if (out->arvalid && in->arready) {
    add(&m->reads, (struct burst){out->araddr, m->now + m->latency, out->arid, (uint8_t)(out->arlen + 1), 0});
    moved = true;
  }
  if (out->awvalid && in->awready) {
    add(&m->writes, (struct burst){out->awaddr, 0, out->awid, (uint8_t)(out->awlen + 1), 0});
    moved = true;
  }
  if (out->wvalid && in->wready) {
    m->beat[(m->first_beat + m->beats++) % BEATS] = (struct beat){{out->wdata[0], out->wdata[1]}, out->wstrb};
    moved = true;
  }
  if (m->writes.count > 0 && m->beats >= m->writes.ring[m->writes.first].beats) write_oldest(m);
  m->now++;
  return moved;
}

static uint64_t wait_of(const struct hd_dpi_memory *m, const struct bursts *b) {
  if (b->count == 0) return UINT64_MAX;
  const uint64_t at = b->ring[b->first].due;
  return at > m->now ? at - m->now : 0;
}

uint64_t hd_dpi_memory_wait(const struct hd_dpi_memory *m) {
  const uint64_t read = wait_of(m, &m->reads), answer = wait_of(m, &m->answers);
  return read < answer ? read : answer;
}

void hd_dpi_memory_skip(struct hd_dpi_memory *m, uint64_t n) {
  m->now += n;
}
