// SPDX-License-Identifier: Apache-2.0
// perf.data as it is written, at its edges: the longest that is taken, and byte for byte.
#include "perf_data_file.hpp"
#include "perf_file.hpp"

using namespace perf_data_file;
using namespace cs_test;

namespace
{

// Takes `room` bytes, then fails.
struct Memory {
    PerfBytes bytes;
    size_t room = SIZE_MAX;

    cs_perf_data_sink sink()
    {
        return {write, patch, this};
    }
    static cs_status write(void *ctx, const void *bytes, size_t length, cs_diag *diag)
    {
        auto *memory = static_cast<Memory *>(ctx);
        const auto *from = static_cast<const uint8_t *>(bytes);

        if (length > memory->room)
            return cs_diag_set(diag, CS_ERR_IO, "sink", "it is full");
        memory->room -= length;
        memory->bytes.insert(memory->bytes.end(), from, from + length);
        return CS_OK;
    }
    static cs_status patch(void *ctx, uint64_t offset, const void *bytes, size_t length, cs_diag *)
    {
        memcpy(static_cast<Memory *>(ctx)->bytes.data() + offset, bytes, length);
        return CS_OK;
    }
};

struct PerfWriteEdges : testing::Test {
    Memory memory;
    cs_perf_data_writer *writer = nullptr;
    cs_perf_data_features features = {};
    cs_diag diag = {};

    void TearDown() override
    {
        cs_perf_data_abandon(writer);
    }
    void begin(const std::vector<cs_perf_data_event> &events)
    {
        const cs_perf_data_sink sink = memory.sink();

        ASSERT_EQ(cs_perf_data_create(&sink, events.data(), events.size(), &writer, &diag), CS_OK)
            << diag.text;
    }
    cs_status finish()
    {
        cs_perf_data_writer *w = writer;

        writer = nullptr;
        return cs_perf_data_finish(w, &features, &diag);
    }
};

// What the file is that these events are of.
PerfFile expected_of(const std::vector<cs_perf_data_event> &events)
{
    PerfFile file;

    for (const cs_perf_data_event &e : events)
        file.attrs.push_back({.type = e.attr.type,
                              .config = e.attr.config,
                              .period = e.attr.sample_period,
                              .sample_type = e.attr.sample_type,
                              .read_format = e.attr.read_format,
                              .flags = e.attr.flags,
                              .ids = {e.ids, e.ids + e.nr_ids},
                              .name = e.name});
    return file.event_desc();
}

PerfBytes record_of(uint32_t type, size_t says, size_t length)
{
    PerfOut record;

    record.u32(type).u16(2).u16(says);
    for (size_t i = record.bytes.size(); i < length; i++)
        record.put(i * 7, 1);
    record.bytes.resize(length);
    return record.bytes;
}

} // namespace

TEST_F(PerfWriteEdges, RecordsOfTheKernelStandInTheFileAsTheyCame)
{
    const std::vector<cs_perf_data_event> events = {event("one", 0, 0, 0)};
    PerfFile expected = expected_of(events);
    uint64_t bytes = 0;

    begin(events);
    for (const size_t length : {8u, 264u, CS_PERF_DATA_MOST_BYTES})
        for (const uint32_t type : {9u, 3u, 0x109u}) {
            const PerfBytes record = record_of(type, length, length);

            EXPECT_EQ(cs_perf_data_put_record(writer, record.data(), length), CS_OK) << length;
            expected.records.insert(expected.records.end(), record.begin(), record.end());
            bytes += length;
        }
    const cs_perf_data_totals totals = cs_perf_data_get_totals(writer);
    EXPECT_EQ(totals.records, 9u);
    EXPECT_EQ(totals.samples, 3u);
    EXPECT_EQ(totals.data_bytes, bytes);
    ASSERT_EQ(finish(), CS_OK) << diag.text;
    EXPECT_TRUE(memory.bytes == expected.make());
}

TEST_F(PerfWriteEdges, BytesThatAreNoRecordAreRefusedAndSoIsWhatFollows)
{
    const PerfBytes good = record_of(9, 16, 16);
    const struct {
        size_t says, length;
    } cases[] = {{0, 0}, {7, 7}, {4, 4}, {12, 12}, {16, 24}, {8, 264}, {264, 8}, {16, 8}};

    for (const auto &c : cases) {
        const PerfBytes bad = record_of(9, c.says, std::max<size_t>(c.length, 8));
        const std::string text = "perf.data: " + std::to_string(c.length) + " bytes are no record";

        begin({event("one", 0, 0, 0)});
        EXPECT_EQ(cs_perf_data_put_record(writer, bad.data(), c.length), CS_ERR_RANGE) << text;
        EXPECT_EQ(cs_perf_data_put_record(writer, good.data(), 16), CS_ERR_RANGE) << text;
        EXPECT_EQ(cs_perf_data_get_totals(writer).records, 0u);
        EXPECT_EQ(cs_perf_data_get_totals(writer).samples, 0u);
        EXPECT_EQ(finish(), CS_ERR_RANGE);
        EXPECT_EQ(std::string(diag.text).substr(0, text.size()), text);
        if (c.says != c.length) {
            EXPECT_EQ(diag.text, text + ", its header says otherwise");
        }
    }
}

// Header, pid and tid, the name with its NUL, and four words of trailer.
TEST_F(PerfWriteEdges, TheLongestRecordIsTakenAndNoLongerOne)
{
    const std::string longest(CS_PERF_DATA_MOST_BYTES - 8 - 8 - 32 - 1, 'x');
    const cs_perf_data_where where = at(0, 1, 2, 3, 4);

    begin({event("one", 0, 0, 0)});
    EXPECT_EQ(cs_perf_data_put_comm(writer, &where, longest.c_str(), false), CS_OK);
    EXPECT_EQ(cs_perf_data_get_totals(writer).data_bytes, CS_PERF_DATA_MOST_BYTES);
    EXPECT_EQ(cs_perf_data_put_comm(writer, &where, (longest + "x").c_str(), false), CS_ERR_RANGE);
    EXPECT_EQ(finish(), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "perf.data: a name of 65536 bytes, a record has at most 65528 bytes");
}

// Of a thread's name there are 16 bytes with the NUL.
TEST_F(PerfWriteEdges, MapsStandInTheFileByteForByte)
{
    const std::vector<cs_perf_data_event> events = {event("one", 0, 0, 0), event("two", 4, 1, 1)};
    const uint16_t cpus_of[2][2] = {{0, 8}, {1, 9}};
    const uint16_t *const cpus_of_ids[] = {cpus_of[0], cpus_of[1]};
    const uint16_t cpus[] = {0, 1, 2, 3, 40, 50, 60, 0xfffe};
    const cs_perf_data_thread threads[] = {{1, "fifteen letters"},
                                           {2, "sixteen letters!"},
                                           {3, "more than sixteen"},
                                           {UINT64_MAX, ""}};
    PerfFile expected = expected_of(events);
    PerfOut index, map;

    index.u64(4);
    for (unsigned e = 0; e < 2; e++)
        for (unsigned k = 0; k < 2; k++)
            index.u64(kIds[e][k]).u64(k).u64(cpus_of[e][k]).u64(UINT64_MAX);
    expected.add(69, 0, index.bytes);
    map.u64(4).u64(1).name("fifteen letters", 1).u64(2).name("sixteen letters", 1);
    map.u64(3).name("more than sixte", 1).u64(UINT64_MAX).u64(0).u64(0);
    expected.add(73, 0, map.bytes);
    for (const size_t nr : {8u, 2u, 1u, 0u}) {
        PerfOut list;

        list.u16(0).u16(nr);
        for (size_t i = 0; i < nr; i++)
            list.u16(cpus[i]);
        list.bytes.resize((list.bytes.size() + 7) / 8 * 8);
        expected.add(74, 0, list.bytes);
        expected.add(78, 0, PerfOut().u64(3).u64(201).raw(list.bytes).bytes);
    }

    begin(events);
    EXPECT_EQ(cs_perf_data_put_id_index(writer, cpus_of_ids), CS_OK);
    EXPECT_EQ(cs_perf_data_put_thread_map(writer, threads, 4), CS_OK);
    for (const size_t nr : {8u, 2u, 1u, 0u}) {
        EXPECT_EQ(cs_perf_data_put_cpu_map(writer, cpus, nr), CS_OK);
        EXPECT_EQ(cs_perf_data_put_event_cpus(writer, 1, cpus, nr), CS_OK);
    }
    ASSERT_EQ(finish(), CS_OK) << diag.text;
    EXPECT_EQ(memory.bytes, expected.make());
}

// The fifth place is of no CPU: whatever it says, nobody looks at it.
TEST_F(PerfWriteEdges, FeaturesStandInTheFileByteForByte)
{
    const std::vector<cs_perf_data_event> events = {event("one", 0, 0, 0)};
    const uint8_t id[20] = {0xde, 0xad, 0xbe, 0xef};
    const cs_perf_data_build_id build_id = {CS_PERF_MISC_USER, -1, id, 16, "/opt/x"};
    const std::string name(63, 'n'), longer(64, 'm');
    const char *const cmdline[] = {name.c_str(), longer.c_str()};

    for (const cs_perf_data_place fifth : {cs_perf_data_place{3, 1}, cs_perf_data_place{9, 2}}) {
        const cs_perf_data_place places[] = {{0, 0}, {0, 0}, {1, 0}, {3, 1}, fifth};
        PerfFile expected = expected_of(events);

        memory.bytes.clear();
        expected.features[2] = PerfOut()
                                   .u32(0)
                                   .u16(0x8002)
                                   .u16(36 + 64)
                                   .u32(0xffffffff)
                                   .raw(PerfBytes(id, id + 20))
                                   .u32(16)
                                   .name("/opt/x", 1)
                                   .raw(PerfBytes(57))
                                   .bytes;
        expected.text(3, "host");
        expected.features[7] = PerfOut().u32(4).u32(4).bytes;
        expected.features[10] = PerfOut().u64(1234).bytes;
        expected.features[11] = PerfOut().u32(2).string(name).string(longer).bytes;
        expected.features[13] = PerfOut()
                                    .u32(2)
                                    .string("0-2")
                                    .string("3")
                                    .u32(3)
                                    .string("0-1")
                                    .string("2")
                                    .string("3")
                                    .u32(0)
                                    .u32(0)
                                    .u32(0)
                                    .u32(0)
                                    .u32(1)
                                    .u32(0)
                                    .u32(3)
                                    .u32(1)
                                    .bytes;
        expected.features[19] = {};
        begin(events);
        features.hostname = "host";
        features.nr_cpus = 4;
        features.places = places;
        features.total_mem_kb = 1234;
        features.cmdline = cmdline;
        features.nr_cmdline = 2;
        features.build_ids = &build_id;
        features.nr_build_ids = 1;
        features.stat = true;
        ASSERT_EQ(finish(), CS_OK) << diag.text;
        EXPECT_EQ(memory.bytes, expected.make());
    }
}

// The front alone is more than is kept before the sink is asked.
TEST_F(PerfWriteEdges, ASinkThatFailsAtTheFrontIsToldAtOnce)
{
    std::vector<uint64_t> ids(70000);
    cs_perf_data_event e = event("one", 0, 0, 0);
    const cs_perf_data_sink sink = memory.sink();
    cs_perf_data_writer *w = reinterpret_cast<cs_perf_data_writer *>(&memory);

    for (size_t i = 0; i < ids.size(); i++)
        ids[i] = ids.size() - i;
    e.ids = ids.data();
    e.nr_ids = ids.size();
    memory.room = 0;
    EXPECT_EQ(cs_perf_data_create(&sink, &e, 1, &w, &diag), CS_ERR_IO);
    EXPECT_STREQ(diag.text, "it is full");
    EXPECT_STREQ(diag.where, "sink");
    EXPECT_EQ(w, nullptr);
    w = reinterpret_cast<cs_perf_data_writer *>(&memory);
    EXPECT_EQ(cs_perf_data_create(&sink, &e, 1, &w, nullptr), CS_ERR_IO);
    EXPECT_EQ(w, nullptr);
}

// One event needs no id; one that it has is not 0.
TEST_F(PerfWriteEdges, AnIdOfZeroIsRefusedOfOneEventToo)
{
    static const uint64_t zero[] = {7, 0};
    cs_perf_data_event e = event("one", 0, 0, 0);
    const cs_perf_data_sink sink = memory.sink();
    cs_perf_data_writer *w = reinterpret_cast<cs_perf_data_writer *>(&memory);

    e.ids = zero;
    EXPECT_EQ(cs_perf_data_create(&sink, &e, 1, &w, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "perf.data: an id of 0");
    EXPECT_STREQ(diag.where, "one");
    EXPECT_EQ(w, nullptr);
    e.ids = zero + 1;
    e.nr_ids = 1;
    diag = {};
    EXPECT_EQ(cs_perf_data_create(&sink, &e, 1, &w, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "perf.data: an id of 0") << "alone";
    e.ids = nullptr;
    e.nr_ids = 0;
    begin({e});
    EXPECT_EQ(finish(), CS_OK);
}
