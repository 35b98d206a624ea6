/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* demo_tb: C interface of the Verilated demonstrator on its board: the clock, the button, and the two wires of the
 * serial line, with a queue of bytes in each direction. */
#ifndef DEMO_TB_H
#define DEMO_TB_H

#include <stddef.h>
#include <stdint.h>

/* Returns a new instance before its first clock edge; flops without reset and rows start with random values. fault: a
 * planted fault of the plane, 0 for none. */
void *demo_open(uint64_t seed, unsigned fault);
void demo_close(void *tb);
/* Appends bytes to those that the host sends. */
void demo_send(void *tb, const uint8_t *bytes, size_t n);
/* Runs until a byte has been received, but at most that many cycles. Returns the number of cycles. */
uint64_t demo_run(void *tb, uint64_t most);
/* Moves up to `room` received bytes to the caller. Returns their number. */
size_t demo_receive(void *tb, uint8_t *bytes, size_t room);
/* Returns the number of received bytes whose stop bit was 0. */
unsigned demo_bad_bytes(const void *tb);
/* Sets the button: 1 pressed. */
void demo_press(void *tb, int pressed);
/* Returns the LEDs, LED 0 the lowest bit. */
unsigned demo_leds(const void *tb);
/* Returns true if an assertion has failed. */
int demo_failed(const void *tb);

#endif
