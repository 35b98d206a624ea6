/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dpi: the plane behind plain functions of numbers, for SystemVerilog through DPI-C and for other languages' foreign
 * calls. tb/dpi/hd_dpi_pkg.sv imports them all.
 *
 *     chandle p = hd_dpi_new("k20c+NumSmx=4");             // hd_dpi_error(p) is "" when that went well
 *     each cycle:  read the outputs:  hd_dpi_dispatch(p, smx, slot, kdei, blkid, pc, param), ...
 *                  set the inputs:    hd_dpi_launch(p, ...), hd_dpi_cta_done(p, smx, slot), ...
 *                  hd_dpi_tick(p);                         // the rising clock edge
 *
 * Outputs are those of the current cycle, from creation, reset or the last tick on; they do not depend on this cycle's
 * inputs. A launch and a completion last for one cycle: hd_dpi_tick ends them. A launch is taken if launch_ready was 1
 * in its cycle. Ready inputs stay as they are set; after creation and reset all are 1. The AXI4 side is not here: it is
 * idle until device launches use it.
 *
 * Types are those of DPI-C: chandle is void *, bit is uint8_t, int unsigned is uint32_t, longint unsigned is uint64_t.
 * An SMX or slot that does not exist is never valid and its inputs are ignored. The same holds for a whole plane: of a
 * null handle, and of one that has only an error, no output is valid and all read 0, inputs are ignored, a launch
 * returns Refused, an APB4 read pslverr. Any other handle must come from hd_dpi_new and not be freed yet. Planes know
 * nothing of each other. */
#ifndef HD_DPI_H
#define HD_DPI_H

#include <stdint.h>

/* A plane after reset, in a named configuration, with any number of changes: "k20c", "tiny+NumSmx=3+CtasPerSmx=4". NULL
 * when memory is out. With a configuration that does not exist or breaks a limit there is no plane behind the handle.
 */
void *hd_dpi_new(const char *config);
/* Why there is no plane behind the handle; "" when there is one. Lives as long as the handle. */
const char *hd_dpi_error(const void *plane);
void hd_dpi_free(void *plane);

/* A parameter of the configuration by its name, "NumSmx": whether it exists; its value, 0 if it does not. */
uint8_t hd_dpi_has_param(const void *plane, const char *name);
uint32_t hd_dpi_param(const void *plane, const char *name);
void hd_dpi_reset(void *plane);

/* Offers a launch in this cycle. 0, or the code (enum hd_code) of what the runtime finds wrong; then nothing is
 * offered. smem in bytes. */
uint32_t hd_dpi_launch(void *plane, uint32_t hwq, uint32_t tag, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                       uint32_t cta_x, uint32_t cta_y, uint32_t cta_z, uint32_t regs, uint32_t smem, uint64_t pc,
                       uint64_t param);
uint8_t hd_dpi_launch_ready(const void *plane);

/* These return valid; what they fill in is 0 while it is 0. */
uint8_t hd_dpi_answer(const void *plane, uint32_t *tag, uint32_t *code);
uint8_t hd_dpi_dispatch(const void *plane, uint32_t smx, uint32_t *slot, uint32_t *kdei, uint32_t *blkid, uint64_t *pc,
                        uint64_t *param);
uint8_t hd_dpi_kernel_done(const void *plane, uint32_t *tag);

void hd_dpi_answer_ready(void *plane, uint8_t ready);
void hd_dpi_dispatch_ready(void *plane, uint32_t smx, uint8_t ready);
void hd_dpi_kernel_done_ready(void *plane, uint8_t ready);

/* The SMX reports the TB of that slot as done, in this cycle. */
void hd_dpi_cta_done(void *plane, uint32_t smx, uint32_t slot);

/* APB4: the wires stay as they are set; pready is constant 1; the read returns pslverr. An address beyond the wires
 * (ApbAddrW bits) is that of no register: pslverr, and the plane is not selected. */
void hd_dpi_apb(void *plane, uint8_t psel, uint8_t penable, uint8_t pwrite, uint32_t paddr, uint32_t pwdata,
                uint32_t pstrb);
uint8_t hd_dpi_apb_read(const void *plane, uint32_t *prdata);

/* The rising clock edge. */
void hd_dpi_tick(void *plane);

#endif
