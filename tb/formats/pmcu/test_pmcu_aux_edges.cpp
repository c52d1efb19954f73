// SPDX-License-Identifier: Apache-2.0
// Edges of PMCU AUX data: the header byte by byte, around multiples of 16; errors between samples.
#include <gtest/gtest.h>

#include <algorithm>

#include "aux_dump.hpp"

using namespace cs_test;

// What lies behind the events in the struct is not written, nor anything behind the header.
TEST(PmcuAuxEdges, OfTheEventsSoManyAreWritten)
{
    for (const uint32_t nr : {1u, 2u, 3u, 4u, 5u, 9u, CS_PMCU_AUX_MAX_EVENTS}) {
        cs_pmcu_aux_header header = {11, 12, 13, 1, 15, 16, nr, {}};
        std::vector<uint8_t> out(CS_PMCU_AUX_MAX_HEADER_BYTES, 0xaa), expected;

        for (uint32_t i = 0; i < CS_PMCU_AUX_MAX_EVENTS; i++)
            header.events[i] = 0x11220000 + i;
        const size_t bytes = cs_pmcu_aux_header_encode(&header, out.data());

        for (const uint32_t word : {11u, 12u, 13u, 1u, 15u, 16u, nr})
            Dump::put(expected, word, 4);
        for (uint32_t i = 0; i < nr; i++)
            Dump::put(expected, 0x11220000 + i, 4);
        while (expected.size() % 16 != 0)
            expected.push_back(0);
        EXPECT_EQ(bytes, expected.size()) << nr;
        expected.resize(out.size(), 0xaa);
        EXPECT_EQ(out, expected) << nr;
    }
}

// A source that fails, be it once and with all bytes, in the gap at a buffer's end.
TEST(PmcuAuxEdges, AnErrorInTheGapIsHandedOn)
{
    struct Failing {
        Bytes bytes;
        size_t at; // its read from here on fails
    };
    const Dump dump{1, 8, {1, 2, 3, 4, 5, 6, 7, 8}, 8, false, 2048};
    const std::vector<uint8_t> whole = dump.make(4);

    for (const bool fails : {false, true}) {
        Failing failing = {{whole}, fails ? size_t{1984} : SIZE_MAX};
        const cs_byte_source source = {
            [](void *ctx, uint8_t *out, size_t wanted, size_t *got, cs_diag *diag) {
                auto *f = static_cast<Failing *>(ctx);
                const bool now = f->bytes.at == f->at;
                const cs_status status = Bytes::read(&f->bytes, out, wanted, got, diag);

                return now ? cs_diag_set(diag, CS_ERR_IO, "disk", "gone") : status;
            },
            &failing};
        cs_pmcu_aux *aux = nullptr;
        const cs_pmcu_aux_subsample *sub = nullptr;
        cs_diag diag = {};
        unsigned nr = 0;
        cs_status status;

        ASSERT_EQ(cs_pmcu_aux_open(&source, "dump", 0, &aux, &diag), CS_OK) << diag.text;
        while ((status = cs_pmcu_aux_next(aux, &sub, &diag)) == CS_OK && sub != nullptr)
            nr++;
        EXPECT_EQ(nr, fails ? 3u : 4u);
        EXPECT_EQ(status, fails ? CS_ERR_IO : CS_OK);
        EXPECT_STREQ(diag.text, fails ? "gone" : "");
        cs_pmcu_aux_close(aux);
    }
}
