/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* For a model whose items are chained into lists: a ghost that says which list each item is in, and in which order. */
#ifndef ORDER_H
#define ORDER_H
enum { ORDERED = 16 };
struct order {
  unsigned list[ORDERED];
  unsigned after[ORDERED]; /* a bit for each item of the same list behind this one */
};

/* The item becomes the last of a list. */
static void order_append(struct order *o, unsigned n, unsigned item, unsigned list) {
  for (unsigned i = 0; i < n; i++)
    if (o->list[i] == list) o->after[i] |= 1u << item;
  o->list[item] = list;
  o->after[item] = 0;
}

/* The first of its list goes to one without an order. */
static void order_leave(struct order *o, unsigned item, unsigned list) {
  o->list[item] = list;
  o->after[item] = 0;
}

/* The items of each list from `first` on are in an order. */
static void order_invariant(const struct order *o, unsigned n, unsigned first) {
  for (unsigned p = 0; p < n; p++) {
    const unsigned list = o->list[p], after = o->after[p];
    CHECK(!(after >> n) && !(after >> p & 1), "order");
    for (unsigned q = 0; q < n; q++) {
      const _Bool pq = after >> q & 1, qp = o->after[q] >> p & 1;
      CHECK(q == p || pq + qp == (o->list[q] == list && list >= first), "before or after each other");
      CHECK(!pq || !(o->after[q] & ~after), "transitive");
    }
  }
}

/* The chain of the item's list, from `first` to `last`: `next` is the item behind it. `known`: the model has written
 * that. */
static void chain_invariant(const struct order *o, unsigned n, unsigned item, unsigned first, unsigned last,
                            unsigned next, _Bool known) {
  const unsigned after = o->after[item];
  CHECK(first < n && last < n, "its list has ends");
  CHECK(item == first || (o->after[first] >> item & 1), "none before the first");
  CHECK((item == last) == !after, "the last");
  if (item == last) return;
  CHECK(known && next < n && (after >> next & 1), "next");
  CHECK(!(after & ~(1u << next) & ~o->after[next]), "none between");
}
#endif
