// SPDX-License-Identifier: Apache-2.0
// decode of what a RISC-V driver and its firmware leave in memory.
#include <algorithm>

#include "cli/shell.hpp"
#include "formats/riscv/ring_records.hpp"

using namespace cs_test;

namespace
{

const Octets kStream =
    joined({ring_sample(7, 0x80001234, 2, 100000), ring_throttle(5, 7), ring_lost(7, 12),
            ring_throttle(6, 7), ring_sample(8, 0xffffffff80000000, 1, 5),
            ring_chain(9, 0x11888, 2, 5, {UINT64_MAX - 511, 0x11888, 0x106d4})});

const char *const kCsv = "record,offset,type,id,time,cpu,pid,tid,ip,mode,period,lost,chain\n"
                         "0,0x000000,sample,7,1000,3,257,258,0x0000000080001234,user,100000,,\n"
                         "1,0x000038,throttle,7,1000,3,257,258,,,,,\n"
                         "2,0x000078,lost,7,1000,3,257,258,,,,12,\n"
                         "3,0x0000b0,unthrottle,7,1000,3,257,258,,,,,\n"
                         "4,0x0000f0,sample,8,1000,3,257,258,0xffffffff80000000,kernel,5,,\n"
                         "5,0x000128,sample,9,1000,3,257,258,0x0000000000011888,user,5,,"
                         "0x11888;0x106d4\n";

Octets page(uint64_t marks, std::initializer_list<uint64_t> values)
{
    Octets image = octets({{8, marks}});

    for (uint64_t value : values)
        put_little(image, value, 8);
    image.resize(4096);
    return image;
}

using DecodeRiscv = Command;

} // namespace

TEST_F(DecodeRiscv, RecordsAsAReaderTookThem)
{
    temp.write("hart0.ring", as_text(kStream));
    const Outcome o = run("decode --as riscv-ring -f csv hart0.ring");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, kCsv);
    EXPECT_EQ(run("decode -f csv hart0.ring").out, kCsv) << "told from its first record";
    EXPECT_TRUE(has(run("decode hart0.ring").out,
                    "\nrecords          6 in 384 bytes\nsamples          3\nlost            12"));
    temp.write("empty", "");
    const Outcome none = run("decode --as riscv-ring empty");
    EXPECT_EQ(none.status, 0) << none.err;
    EXPECT_TRUE(has(none.out, "records          0 in 0 bytes"));
}

TEST_F(DecodeRiscv, AnythingThatMayComeFirstIsTold)
{
    for (const Octets &first : {ring_lost(1, 2), ring_throttle(5, 1), ring_throttle(6, 1),
                                ring_sample(1, 2, 5, 3), ring_sample(1, 2, 4, 3)}) {
        temp.write("some", as_text(first));
        EXPECT_TRUE(has(run("decode some").out, "records          1 in"));
    }
}

TEST_F(DecodeRiscv, ARingInMemoryThatHasWrapped)
{
    temp.write("ring", as_text(ring_image(512, 1024 + 400, kStream)));
    for (const char *options : {"", "--as riscv-ring "}) {
        const Outcome o = run(std::string("decode ") + options + "-f csv ring");

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(has(o.out, "\n1,0x0011c8,throttle,7,")) << o.out;
        EXPECT_TRUE(has(o.out, "\n2,0x001008,lost,7,")) << o.out;
        EXPECT_TRUE(has(o.out, "\n4,0x001080,sample,8,")) << o.out;
    }
}

TEST_F(DecodeRiscv, DamageIsToldWithItsByte)
{
    Octets image = ring_image(512, 0, kStream);
    temp.write("long", as_text(image) + "x");
    temp.write("short", as_text(image).substr(0, 4096 + 511));
    image[4096 + 0x38] = 1;
    temp.write("type", as_text(image));
    temp.write("cut", as_text(kStream).substr(0, 100));
    temp.write("zeros", std::string(8192, '\0'));
    const struct {
        const char *file;
        const char *message;
    } cases[] = {
        {"long", "long: byte 0x1200: the ring ends here (header page and 512 bytes), but not"},
        {"short", "short: byte 0x11ff: the data end here, expected 512 bytes behind the header"},
        {"type", "type: byte 0x1038: record 1: there is no such type of record here (0x1)"},
        {"cut", "cut: byte 0x64: record 1: the data end within a record; bytes of it (0x2c)"},
        {"zeros", "zeros: byte 0x410: data_offset is not 4096 (0x0)"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(std::string("decode --as riscv-ring ") + c.file);

        EXPECT_EQ(o.status, 2) << c.file;
        EXPECT_TRUE(has(o.err, c.message)) << o.err;
    }
    EXPECT_TRUE(has(run("decode --as riscv-ring -f csv cut").out, "\n0,0x000000,sample,7,"));
    EXPECT_EQ(run("decode --as riscv-ring gone").status, 3);
}

TEST_F(DecodeRiscv, SnapshotPages)
{
    temp.write("pages", as_text(joined({page(1ull << 63 | 2, {5, 0, 0xfffffffffffe7960}),
                                        page(0, {}), page(0, {9})})));
    const Outcome text = run("decode --as sbi-snapshot pages");
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(has(text.out, "\npages           3\nvalues          3  that are not zero\n"
                              "overflowed      2\n"))
        << text.out;
    const Outcome csv = run("decode --as sbi-snapshot -f csv pages");
    EXPECT_EQ(csv.status, 0) << csv.err;
    EXPECT_TRUE(has(csv.out, "page,slot,offset,value,hex,overflowed\n"
                             "0,0,0x000008,5,0x0000000000000005,0\n"
                             "0,1,0x000010,0,0x0000000000000000,1\n"
                             "0,2,0x000018,18446744073709451616,0xfffffffffffe7960,0\n"))
        << csv.out;
    EXPECT_TRUE(has(csv.out, "\n2,0,0x002008,9,0x0000000000000009,0\n"));
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 1 + 3 * 64);
    EXPECT_EQ(run("decode pages").status, 2) << "never guessed";
}

TEST_F(DecodeRiscv, DamagedSnapshotPages)
{
    Octets two = joined({page(0, {1}), page(0, {2})});
    temp.write("cut", as_text(two).substr(0, 5000));
    two[4096 + 600] = 1;
    temp.write("reserved", as_text(two));
    temp.write("empty", "");
    const struct {
        const char *file;
        const char *message;
    } cases[] = {
        {"cut", "cut: byte 0x1388: the data end within a snapshot page, expected 4096 bytes from "
                "0x1000 on, found 904"},
        {"reserved", "reserved: byte 0x1258: reserved bytes are not zero (1 of them"},
        {"empty", "empty: byte 0x0: there are no data, expected snapshot pages of 4096 bytes"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(std::string("decode --as sbi-snapshot ") + c.file);

        EXPECT_EQ(o.status, 2) << c.file;
        EXPECT_TRUE(has(o.err, c.message)) << o.err;
    }
    EXPECT_TRUE(has(run("decode --as sbi-snapshot reserved").out, "pages           2\n"));
}
