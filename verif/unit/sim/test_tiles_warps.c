/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Instructions of the warps in TBs of tiles: each number that a tile needs is loaded once and each cell of it stored
 * once, by all warps of its TB together, interleaved with the instructions of its steps. A TB that launches makes one
 * call per wave, and executes the part that it could not launch. */
#include <string.h>

#include "unit/util.h"
#include "work/tiles_inside.h"

enum { SIZE = 50, SIDE = 4, THREADS = 96 };

static struct hd_tiles_data data;
static struct hd_tiles *tiles;
static struct hd_work work;

static int teardown(void **state) {
  (void)state;
  hd_tiles_free(tiles);
  hd_tiles_data_free(&data);
  tiles = NULL;
  return 0;
}

static void make(const char *name, enum hd_tiles_launch launch) {
  const struct hd_tiles_kind *kind = hd_tiles_find(name);
  const struct hd_tiles_opts o = {
      .nodes = SIDE * SIDE * kind->sweeps, .launch = launch, .block_size = THREADS, .regs = 1};
  char err[400];
  teardown(NULL);
  data = (struct hd_tiles_data){
      .kind = kind, .width = SIZE, .height = SIZE + 7, .sweeps = kind->sweeps, .bins = kind->bins};
  assert_true(hd_tiles_generate(&data, 1));
  tiles = hd_tiles_new(&data, &o, err, sizeof err);
  if (tiles == NULL) fail_msg("%s", err);
  work = hd_tiles_work(tiles);
}

/* Operations of warps from their present position to an end, a call or a wait. */
struct did {
  uint64_t loads, load_numbers, stores, store_numbers, instructions;
  enum hd_warp_kind last;
  bool stored_first; /* a load followed a store */
};

static void follow(const struct hd_warp_tb *tb, uint32_t warp, void *state, struct did *did) {
  do {
    struct hd_warp_op op = {.kind = HD_WARP_LOAD, .lanes = HD_WARP_LANES};
    work.warps->next(work.ctx, tb, warp, state, &op);
    did->last = op.kind;
    did->instructions += op.instructions;
    if (op.kind == HD_WARP_LOAD || op.kind == HD_WARP_STORE) assert_in_range(op.lines, 1, op.lanes);
    did->stored_first |= op.kind == HD_WARP_LOAD && did->stores != 0;
    did->loads += op.kind == HD_WARP_LOAD;
    did->load_numbers += op.kind == HD_WARP_LOAD ? op.lanes : 0;
    did->stores += op.kind == HD_WARP_STORE;
    did->store_numbers += op.kind == HD_WARP_STORE ? op.lanes : 0;
  } while (did->last == HD_WARP_LOAD || did->last == HD_WARP_STORE);
}

static struct did follow_tb(const struct hd_warp_tb *tb) {
  struct did all = {0};
  for (uint32_t warp = 0; warp < THREADS / HD_WARP_LANES; warp++) {
    unsigned char state[1024];
    struct did one = {0};
    assert_true(work.warps->state <= sizeof state);
    work.warps->begin(work.ctx, tb, warp, state);
    follow(tb, warp, state, &one);
    assert_int_equal(one.last, HD_WARP_END);
    assert_false(one.stored_first);
    all.loads += one.loads;
    all.load_numbers += one.load_numbers;
    all.stores += one.stores;
    all.store_numbers += one.store_numbers;
    all.instructions += one.instructions;
  }
  return all;
}

/* Reference counts: the cells of a tile, and other reads: data, and cells of the table. */
static void count(uint32_t x, uint32_t y, uint64_t *own, uint64_t *read) {
  const uint32_t w = SIZE * (x + 1) / SIDE - SIZE * x / SIDE;
  const uint32_t h = (SIZE + 7) * (y + 1) / SIDE - (SIZE + 7) * y / SIDE;
  const bool image = data.kind->input == HD_TILES_IMAGE, in_place = data.kind->input == HD_TILES_NO_INPUT;
  uint64_t cells = 0;
  for (int i = -1; i <= (int)w; i++)
    for (int j = -1; j <= (int)h; j++) {
      const int cx = (int)(SIZE * x / SIDE) + i, cy = (int)((SIZE + 7) * y / SIDE) + j;
      const bool inside = i >= 0 && i < (int)w && j >= 0 && j < (int)h;
      const bool corner = (i < 0 || i == (int)w) && (j < 0 || j == (int)h), far = i == (int)w || j == (int)h;
      if (cx < 0 || cy < 0 || cx >= SIZE || cy >= SIZE + 7) continue;
      cells += in_place ? inside || !corner : !inside && !far;
    }
  *own = (uint64_t)w * h * data.bins;
  *read = cells * data.bins + (image ? (uint64_t)w * h : in_place ? 0 : w + h);
}

TEST_WITH(loads_what_it_needs_and_stores_its_cells, NULL, teardown) {
  static const char *const names[] = {"dtw", "heat2d", "hist", "intimg", "sor", "sw"};
  for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
    make(names[n], HD_TILES_GRAPH);
    for (uint32_t tb = 0; tb < SIDE * SIDE; tb++) {
      uint64_t own, read;
      const struct did d = follow_tb(&(struct hd_warp_tb){.blkid = tb});
      count(tb % SIDE, tb / SIDE, &own, &read);
      assert_int_equal(d.store_numbers, own);
      assert_int_equal(d.load_numbers, read);
    }
  }
}

/* Three before each access, one before each end, and those of the steps. */
TEST_WITH(runs_the_instructions_of_its_steps, NULL, teardown) {
  make("sw", HD_TILES_WAVES);
  const struct did d = follow_tb(&(struct hd_warp_tb){.kernel = 0, .blkid = 0});
  uint64_t steps = 0; /* of tile (0, 0), 12 x 14: a diagonal has 12 cells at most, all of warp 0 */
  for (uint32_t i = 0; i < 12 + 14 - 1; i++) steps++;
  assert_int_equal(d.instructions, 3 * (d.loads + d.stores) + THREADS / HD_WARP_LANES + 10 * steps);
}

/* 32 pixels of 2 bytes of a tile that is 12 wide: bytes 0 to 23, 100 to 123 and 200 to 215 of the image, so two lines.
 */
TEST_WITH(threads_side_by_side_share_lines, NULL, teardown) {
  make("intimg", HD_TILES_GRAPH);
  const struct hd_warp_tb tb = {.blkid = 0};
  unsigned char s[1024];
  struct hd_warp_op op = {.kind = HD_WARP_LOAD, .lanes = HD_WARP_LANES};
  work.warps->begin(work.ctx, &tb, 0, s);
  work.warps->next(work.ctx, &tb, 0, s, &op);
  assert_int_equal(op.lanes, 32);
  assert_int_equal(op.lines, 2);
}

TEST_WITH(a_tb_that_launches_calls_for_each_wave, NULL, teardown) {
  make("dtw", HD_TILES_NESTED);
  const struct hd_warp_tb tb = {.kernel = 0};
  unsigned char s[1024];
  work.warps->begin(work.ctx, &tb, 0, s);
  for (uint32_t wave = 0; wave < 2 * SIDE - 1; wave++) {
    struct did d = {0};
    follow(&tb, 0, s, &d);
    assert_int_equal(d.last, HD_WARP_CALL);
    assert_int_equal(d.loads + d.stores, 0);
    d = (struct did){0};
    follow(&tb, 0, s, &d);
    assert_int_equal(d.last, HD_WARP_WAIT);
    assert_int_equal(d.loads + d.stores, 0);
  }
  struct did d = {0};
  follow(&tb, 0, s, &d);
  assert_int_equal(d.last, HD_WARP_END);
}

/* Wave 1, two tiles, is refused: the warp computes them before it calls for wave 2. */
TEST_WITH(what_it_could_not_launch_it_does, NULL, teardown) {
  make("dtw", HD_TILES_NESTED);
  const struct hd_warp_tb tb = {.kernel = 0};
  unsigned char s[1024];
  struct did d = {0};
  uint64_t own[2], read[2];
  work.warps->begin(work.ctx, &tb, 0, s);
  follow(&tb, 0, s, &d);
  work.device->alone(work.ctx, 0, 0);
  d = (struct did){0};
  follow(&tb, 0, s, &d);
  count(0, 0, &own[0], &read[0]);
  assert_int_equal(d.store_numbers, own[0]);
  assert_int_equal(d.last, HD_WARP_WAIT);
  follow(&tb, 0, s, &d);
  assert_int_equal(d.last, HD_WARP_CALL);
  work.device->alone(work.ctx, 0, 1);
  d = (struct did){0};
  follow(&tb, 0, s, &d);
  count(1, 0, &own[0], &read[0]);
  count(0, 1, &own[1], &read[1]);
  assert_int_equal(d.store_numbers, own[0] + own[1]);
  assert_int_equal(d.load_numbers, read[0] + read[1]);
  assert_int_equal(hd_tiles_done(tiles), 3);
}

TEST_MAIN("tiles_warps", NULL, NULL)
