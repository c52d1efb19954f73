// SPDX-License-Identifier: Apache-2.0
// POWER's bit numbers, against the tables of the kernel's imc.rst.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "base/bus/msb0.h"
#include "formats/imc/abi/fields.h"

namespace
{

struct Field {
    unsigned first;
    unsigned last;
};

// The tables as they are printed there, and our names for their rows.
struct Row {
    const char *bits;
    Field field;
};

const Row ldbar[] = {
    {"0", {CS_LDBAR_ENABLE}},          {"1", {CS_LDBAR_TRACE}},      {"2:3", {CS_LDBAR_RESERVED_2}},
    {"4:6", {CS_LDBAR_SCOPE}},         {"7", {CS_LDBAR_RESERVED_7}}, {"8:50", {CS_LDBAR_ADDRESS}},
    {"51:63", {CS_LDBAR_RESERVED_51}},
};

const Row scom[] = {
    {"0:1", {CS_TRACE_SCOM_SAMPSEL}},      {"2:33", {CS_TRACE_SCOM_CPMC_LOAD}},
    {"34:40", {CS_TRACE_SCOM_CPMC1SEL}},   {"41:47", {CS_TRACE_SCOM_CPMC2SEL}},
    {"48:50", {CS_TRACE_SCOM_BUFFERSIZE}}, {"51:63", {CS_TRACE_SCOM_RESERVED_51}},
};

Field parse(const char *bits)
{
    unsigned first = 0;
    unsigned last = 0;

    if (std::sscanf(bits, "%u:%u", &first, &last) == 1)
        last = first;
    return {first, last};
}

uint64_t bit(unsigned number)
{
    return uint64_t{1} << (63 - number);
}

template <size_t N> void covers_each_bit_once(const Row (&table)[N])
{
    for (unsigned b = 0; b < 64; b++) {
        unsigned owners = 0;

        SCOPED_TRACE(b);
        for (const Row &row : table) {
            const Field printed = parse(row.bits);
            const bool inside = b >= printed.first && b <= printed.last;
            const uint64_t in_field = inside ? uint64_t{1} << (printed.last - b) : 0;
            const auto [first, last] = row.field;

            SCOPED_TRACE(row.bits);
            owners += inside;
            EXPECT_EQ((cs_msb0_mask(first, last) & bit(b)) != 0, inside);
            EXPECT_EQ(cs_msb0(bit(b), first, last), in_field);
            EXPECT_EQ(cs_msb0(~bit(b), first, last), cs_msb0(UINT64_MAX, first, last) - in_field);
            if (inside) {
                EXPECT_EQ(cs_msb0_put(0, first, last, in_field), bit(b));
                EXPECT_EQ(cs_msb0_put(UINT64_MAX, first, last, ~in_field), ~bit(b));
            }
        }
        EXPECT_EQ(owners, 1u);
    }
}

TEST(Msb0, EachBitOfLdbarIsInItsField)
{
    covers_each_bit_once(ldbar);
}

TEST(Msb0, EachBitOfTheTraceScomIsInItsField)
{
    covers_each_bit_once(scom);
}

// What OPAL and Linux write.
TEST(Msb0, RegistersAsSoftwareWritesThem)
{
    const uint64_t power9 = 0x7fffffc142020000;
    const uint64_t power10 = 0x3fffffc142020000;

    EXPECT_EQ(cs_msb0(power9, CS_TRACE_SCOM_SAMPSEL), 1u);
    EXPECT_EQ(cs_msb0(power10, CS_TRACE_SCOM_SAMPSEL), 0u);
    for (uint64_t value : {power9, power10}) {
        EXPECT_EQ(cs_msb0(value, CS_TRACE_SCOM_CPMC_LOAD), 0xffffffffu - 250);
        EXPECT_EQ(cs_msb0(value, CS_TRACE_SCOM_CPMC1SEL), 4u);
        EXPECT_EQ(cs_msb0(value, CS_TRACE_SCOM_CPMC2SEL), 2u);
        EXPECT_EQ(cs_msb0(value, CS_TRACE_SCOM_BUFFERSIZE), 0u);
        EXPECT_EQ(cs_msb0(value, CS_TRACE_SCOM_RESERVED_51), 0u);
    }
    EXPECT_EQ(cs_msb0_mask(CS_LDBAR_ENABLE), 0x8000000000000000u);
    EXPECT_EQ(cs_msb0_mask(CS_LDBAR_TRACE), 0x4000000000000000u);
    EXPECT_EQ(cs_msb0_mask(14, 50), 0x0003ffffffffe000u);
    EXPECT_EQ(cs_msb0_mask(CS_IMC_TB2_TIMEBASE), 0x3ffffffffffu);
    EXPECT_EQ(cs_msb0(0x8000000000000000u, CS_IMC_VAL_HVPR), 2u);
}

// Against a bit at a time, for every field that there is.
TEST(Msb0, EveryFieldOfEveryWidth)
{
    std::mt19937_64 random(1);

    for (unsigned first = 0; first < 64; first++)
        for (unsigned last = first; last < 64; last++) {
            const uint64_t value = random();
            const uint64_t put = random();
            uint64_t field = 0;
            uint64_t placed = value;

            for (unsigned b = first; b <= last; b++) {
                const uint64_t in_field = uint64_t{1} << (last - b);

                field |= (value & bit(b)) != 0 ? in_field : 0;
                placed = (put & in_field) != 0 ? placed | bit(b) : placed & ~bit(b);
            }
            ASSERT_EQ(cs_msb0(value, first, last), field) << first << ":" << last;
            ASSERT_EQ(cs_msb0_put(value, first, last, put), placed) << first << ":" << last;
            ASSERT_EQ(cs_msb0_put(value, first, last, field), value) << first << ":" << last;
        }
}

} // namespace
