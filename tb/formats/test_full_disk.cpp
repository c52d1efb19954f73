// SPDX-License-Identifier: Apache-2.0
// Where what is printed cannot be written: every format tells it, and asks no more.
#include "formats/golden_traces.hpp"

using namespace golden_traces;

namespace
{

struct Disk {
    size_t room;
    unsigned refused = 0;
};

cs_status write(void *ctx, const char *, size_t bytes)
{
    Disk *disk = static_cast<Disk *>(ctx);

    if (bytes > disk->room) {
        disk->refused++;
        return CS_ERR_IO;
    }
    disk->room -= bytes;
    return CS_OK;
}

TEST(FullDisk, IsToldByEveryFormat)
{
    for (const Trace &trace : kTraces)
        for (const cs_table_format table : {CS_TABLE_TEXT, CS_TABLE_CSV, CS_TABLE_JSON})
            for (const size_t room : {0u, 200u}) {
                Disk disk = {room};
                const cs_text_sink sink = {write, &disk};
                cs_diag diag = {};

                EXPECT_EQ(print(trace, table, sink, &diag, [](bool) {}), CS_ERR_IO)
                    << trace.file << " " << table;
                EXPECT_STRNE(diag.text, "") << trace.file;
                EXPECT_EQ(disk.refused, 1u) << trace.file << " " << table;
            }
}

} // namespace
