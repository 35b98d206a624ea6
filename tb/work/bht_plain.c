/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/bht_plain.h"

#include <stdlib.h>

/* A cell of the tree. While it has few bodies, they are a list. */
struct node {
  struct node *part[4];
  int64_t x, y, size; /* x, y: corner */
  int64_t sum_x, sum_y, bodies;
  uint32_t *next_of; /* shared by all cells: the next body of the same leaf, + 1 */
  uint32_t list;     /* its first body, + 1 */
  bool cut;
};

static struct node *new_node(int64_t x, int64_t y, int64_t size, uint32_t *next_of) {
  struct node *n = calloc(1, sizeof *n);
  if (n != NULL) *n = (struct node){.x = x, .y = y, .size = size, .next_of = next_of};
  return n;
}

static void free_tree(struct node *n) {
  for (unsigned q = 0; n != NULL && q < 4; q++) free_tree(n->part[q]);
  free(n);
}

static bool grow(struct node *n, const struct hd_mass *body, uint32_t i);

static bool pass_on(struct node *n, const struct hd_mass *body, uint32_t i) {
  const int64_t half = n->size / 2;
  const unsigned right = body[i].x >= n->x + half, upper = body[i].y >= n->y + half, q = 2 * upper + right;
  if (n->part[q] == NULL) n->part[q] = new_node(n->x + right * half, n->y + upper * half, half, n->next_of);
  return n->part[q] != NULL && grow(n->part[q], body, i);
}

/* Adds a body to a cell. */
static bool grow(struct node *n, const struct hd_mass *body, uint32_t i) {
  n->sum_x += body[i].x;
  n->sum_y += body[i].y;
  n->bodies++;
  if (n->cut) return pass_on(n, body, i);
  n->next_of[i] = n->list;
  n->list = i + 1;
  if (n->bodies <= (int64_t)HD_BHT_LEAF || n->size == 1) return true;
  n->cut = true;
  for (uint32_t k = n->list; k != 0;) {
    const uint32_t following = n->next_of[k - 1]; /* the list of a part will overwrite the link */
    if (!pass_on(n, body, k - 1)) return false;
    k = following;
  }
  n->list = 0;
  return true;
}

/* Adds the force of a mass at (x, y): mass over distance, softened at short range. */
static void feel(const struct hd_mass *body, int64_t x, int64_t y, int64_t mass, int64_t force[2]) {
  const int64_t right = x - body->x, up = y - body->y;
  const int64_t squared = right * right + up * up;
  force[0] += mass * right * 1048576 / (squared + 1024);
  force[1] += mass * up * 1048576 / (squared + 1024);
}

static void walk(const struct node *n, const struct hd_mass *body, uint32_t i, int64_t force[2]) {
  if (n == NULL) return;
  const int64_t x = n->sum_x / n->bodies, y = n->sum_y / n->bodies;
  const int64_t right = x - body[i].x, up = y - body[i].y;
  if (right * right + up * up > n->size * n->size) { /* farther away than it is wide */
    feel(&body[i], x, y, n->bodies, force);
    return;
  }
  for (unsigned q = 0; q < 4; q++) walk(n->part[q], body, i, force);
  for (uint32_t k = n->list; k != 0; k = n->next_of[k - 1])
    if (k - 1 != i) feel(&body[i], body[k - 1].x, body[k - 1].y, 1, force);
}

bool hd_bht_plain_differs(const struct hd_mass *body, uint32_t bodies, int64_t (*force)[2], bool *wrong) {
  uint32_t *next_of = calloc(bodies, sizeof *next_of);
  struct node *root = next_of != NULL ? new_node(0, 0, HD_BHT_SIDE, next_of) : NULL;
  bool good = root != NULL;
  *wrong = false;
  for (uint32_t i = 0; good && i < bodies; i++) good = grow(root, body, i);
  for (uint32_t i = 0; good && i < bodies; i++) {
    int64_t own[2] = {0, 0};
    walk(root, body, i, own);
    *wrong |= own[0] != force[i][0] || own[1] != force[i][1];
  }
  free_tree(root);
  free(next_of);
  return good;
}
