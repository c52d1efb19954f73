// SPDX-License-Identifier: Apache-2.0
#include "foreign/imc/imc_values.h"

#include "base/bus/msb0.h"
#include <countersink/models/imc/imc_core.h>

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))

static uint64_t below(cs_foreign_random *random, uint64_t n)
{
    return cs_foreign_below(random, n);
}

/* Bits without a meaning are kept, and do nothing. */
static uint64_t noise(cs_foreign_random *random)
{
    return below(random, 3) == 0 ? cs_foreign_bits(random) : 0;
}

static uint64_t any_htm_mode(cs_foreign_random *random, bool calm)
{
    uint64_t value = noise(random);

    if (!calm && below(random, 5) == 0)
        return cs_foreign_bits(random);
    value = cs_msb0_put(value, 0, 0, 1);
    value = cs_msb0_put(value, 1, 2, 3);
    return cs_msb0_put(value, 4, 4, 1);
}

static uint64_t any_event_mask(cs_foreign_random *random, bool calm)
{
    const uint64_t letters = below(random, 3) == 0 ? UINT64_MAX : cs_foreign_bits(random);
    uint64_t value = letters & cs_msb0_mask(0, 29);

    value |= noise(random) & cs_msb0_mask(46, 63);
    value = cs_msb0_put(value, 30, 32, below(random, 4) != 0 ? 0 : below(random, 8));
    value = cs_msb0_put(value, 33, 33, below(random, 4) == 0);
    value = cs_msb0_put(value, 34, 34, !calm && below(random, 6) == 0);
    value = cs_msb0_put(value, 38, 38, below(random, 4) == 0);
    return cs_msb0_put(value, 39, 45, below(random, 128));
}

/* Samples soon, or seldom, or in every cycle. */
static uint64_t any_trace(cs_foreign_random *random)
{
    static const uint32_t spans[] = {1, 8, 40, 100, 400, 2000};
    uint64_t value = noise(random) & cs_msb0_mask(51, 63);

    value = cs_msb0_put(value, 0, 1, below(random, 4));
    value = cs_msb0_put(value, 2, 33,
                        below(random, 12) == 0
                            ? cs_foreign_bits(random)
                            : UINT32_MAX - below(random, spans[below(random, NR(spans))]));
    value = cs_msb0_put(value, 34, 47, below(random, 1u << 14));
    return cs_msb0_put(value, 48, 50, below(random, 8));
}

/* Some near the end of 56 bits, so that places behind it begin anew. */
static uint64_t any_address(cs_foreign_random *random)
{
    const uint64_t value = cs_foreign_bits(random);

    return below(random, 3) == 0 ? value | cs_msb0_mask(8, 49) : value;
}

static uint64_t any_ldbar(cs_foreign_random *random)
{
    static const uint8_t modes[] = {0, 1, 2, 2, 3, 1, 2, 3};

    return cs_msb0_put(any_address(random), 0, 1, modes[below(random, NR(modes))]);
}

uint64_t cs_foreign_imc_value(cs_foreign_random *random, unsigned reg, bool calm)
{
    switch (reg) {
    case CS_IMC_REG_HTM_MODE:
        return any_htm_mode(random, calm);
    case CS_IMC_REG_EVENT_MASK:
        return any_event_mask(random, calm);
    case CS_IMC_REG_TRACE:
        return any_trace(random);
    case CS_IMC_REG_PDBAR:
        return any_address(random);
    case CS_IMC_REG_STATUS:
    case CS_IMC_REG_FIR:
    case CS_IMC_REG_ERR_RPT:
        return below(random, 3) == 0 ? 0 : cs_foreign_bits(random);
    default:
        return any_ldbar(random);
    }
}
