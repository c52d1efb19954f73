// SPDX-License-Identifier: Apache-2.0
/* The register port that units on the bus have: an access takes effect in its cycle. */
#ifndef CS_FOREIGN_REGISTERS_H
#define CS_FOREIGN_REGISTERS_H

#include "foreign/bench.h"
#include <countersink/base/bus/bus_port.h>

/* The rows of a unit's table of pins. */
#define CS_FOREIGN_REG_PINS(PIN)                                                                   \
    PIN(REG_EN, "reg_en_i", .width = 1, .needed = true, .tells = "an access of a register")        \
    PIN(REG_WRITE, "reg_write_i", .width = 1, .needed = true, .tells = "it writes")                \
    PIN(REG_ADDR, "reg_addr_i", .width = 16, .needed = true, .address = true,                      \
        .tells = "its offset")                                                                     \
    PIN(REG_WIDE, "reg_wide_i", .width = 1, .tells = "of 8 bytes")                                 \
    PIN(REG_WDATA, "reg_wdata_i", .width = 64, .needed = true, .tells = "what is written")         \
    PIN(REG_RDATA, "reg_rdata_o", true, 64, .needed = true, .about = CS_PROBE_REG,                 \
        .tells = "what is read")                                                                   \
    PIN(REG_ERR, "reg_err_o", true, 1, .about = CS_PROBE_REG, .tells = "the access is an error")

/* Their places behind the unit's REG_EN. */
#define ROW(name, ...) CS_FOREIGN_##name,
enum { CS_FOREIGN_REG_PINS(ROW) CS_FOREIGN_NR_REG };
#undef ROW

typedef struct cs_foreign_access {
    bool write, wide;
    uint32_t offset;
    uint64_t value;
} cs_foreign_access;

/* The model's side. */
typedef struct cs_foreign_registers {
    unsigned first; /* pin */
    cs_bus_resp (*read)(void *model, cs_cycle cycle, uint32_t offset, bool wide, uint64_t *data);
    cs_bus_resp (*write)(void *model, cs_cycle cycle, uint32_t offset, bool wide, uint64_t data);
    const char *read_verb, *write_verb;
} cs_foreign_registers;

/* Whether 8 bytes may be asked for. */
static inline bool cs_foreign_may_be_wide(const cs_foreign_bench *bench,
                                          const cs_foreign_registers *registers)
{
    return cs_foreign_has(bench, registers->first + CS_FOREIGN_REG_WIDE);
}

/* There is none in this cycle; to be called before any. */
void cs_foreign_no_access(cs_foreign_bench *bench, const cs_foreign_registers *registers);

/* Carries it out on both sides in bench->now, unless the design leaves it out. `variant`: of the
 * registers in the page, or NULL. */
void cs_foreign_access_register(cs_foreign_bench *bench, const cs_foreign_registers *registers,
                                void *model, const cs_foreign_access *access, const char *variant);

/* In the ending: a read of the next 4 bytes of `bytes`. */
cs_foreign_access cs_foreign_toured(cs_foreign_bench *bench, uint32_t bytes);

#endif
