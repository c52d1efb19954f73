// SPDX-License-Identifier: Apache-2.0
/* A verilated design behind a wrapper that has our pins (foreign/rtl/wrapper.h): a shared object. */
#ifndef CS_FOREIGN_RTL_DUT_H
#define CS_FOREIGN_RTL_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

typedef struct cs_foreign_dut cs_foreign_dut;

/* CS_ERR_IO: it cannot be loaded. */
cs_status cs_foreign_dut_open(const char *path, cs_foreign_dut **out, cs_diag *diag);
void cs_foreign_dut_close(cs_foreign_dut *dut); /* NULL is allowed */

/* A fresh one, in which all that has no initial value is anything, by `seed`, inputs too. Pins that were
 * found before are of the one before. */
void cs_foreign_dut_restart(cs_foreign_dut *dut, uint64_t seed);

/* By our name; it has all pins of the unit. */
void *cs_foreign_dut_pin(cs_foreign_dut *dut, const char *name);

void cs_foreign_dut_eval(cs_foreign_dut *dut);

/* Of one that was made for waves (src/rtl/top/die_waves.h), and from one restart to the next. False: there
 * is no file. */
struct cs_die_signal;
bool cs_foreign_dut_open_waves(cs_foreign_dut *dut, const char *path, struct cs_die_signal *signals,
                               size_t nr_signals);
void cs_foreign_dut_dump_waves(cs_foreign_dut *dut, uint64_t time);
void cs_foreign_dut_close_waves(cs_foreign_dut *dut);

/* Bits [lsb, lsb + width), width 1 to 64. */
uint64_t cs_foreign_get(const void *pin, unsigned lsb, unsigned width);
void cs_foreign_set(void *pin, unsigned lsb, unsigned width, uint64_t value);

#endif
