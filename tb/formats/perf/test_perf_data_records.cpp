// SPDX-License-Identifier: Apache-2.0
// Records of perf.data as its documents say they are, in both byte orders.
#include "formats/perf/read/print.h"
#include "perf_both_orders.hpp"

using namespace perf_both_orders;
using namespace cs_test;

namespace
{

// Every other record of the kernel, with a sample_id of all its fields.
TEST_P(PerfRead, RecordsOfTheKernel)
{
    file.attrs = {{.sample_type = 0x102c6, .read_format = 3, .ids = {5}}};
    const auto with_id = [this](PerfOut payload) {
        payload.u32(21).u32(22).u64(23).u64(5).u64(25).u32(26).u32(0).u64(5);
        return payload.bytes;
    };
    file.add(1, 2, with_id(file.out().u32(1).u32(2).u64(3).u64(4).u64(5).name("/bin/m")));
    file.add(10, 2,
             with_id(file.out()
                         .u32(1)
                         .u32(2)
                         .u64(3)
                         .u64(4)
                         .u64(5)
                         .u32(6)
                         .u32(7)
                         .u64(8)
                         .u64(9)
                         .u32(5)
                         .u32(2)
                         .name("/bin/m2")));
    PerfOut build = file.out();
    build.u32(1).u32(2).u64(3).u64(4).u64(5).put(20, 1).put(0, 1).u16(0);
    for (unsigned i = 0; i < 20; i++)
        build.put(100 + i, 1);
    file.add(10, 2 | 1 << 14, with_id(build.u32(5).u32(2).name("/bin/m3")));
    file.add(2, 0, with_id(file.out().u64(5).u64(44)));
    file.add(4, 0, with_id(file.out().u32(1).u32(2).u32(3).u32(4).u64(5)));
    file.add(5, 0, with_id(file.out().u64(1).u64(5).u64(3)));
    file.add(8, 0, with_id(file.out().u32(1).u32(2).u64(3).u64(4).u64(5)));
    file.add(11, 0, with_id(file.out().u64(0x1000).u64(0x2000).u64(1)));
    file.add(12, 0, with_id(file.out().u32(1).u32(2)));
    file.add(14, 1 << 13, with_id(file.out()));
    file.add(15, 0, with_id(file.out().u32(1).u32(2)));
    file.add(16, 0, with_id(file.out().u32(1).u32(2).u64(2).u64(3).u64(4).u64(5).u64(6)));
    file.add(17, 0, with_id(file.out().u64(1).u32(2).u16(3).u16(4).name("sym")));
    file.add(18, 0, with_id(file.out().u16(1).u16(2).u32(3).raw({1, 2, 3, 4, 5, 6, 7, 8})));
    file.add(19, 0, with_id(file.out().u64(1).name("/cg")));
    file.add(20, 0,
             with_id(file.out().u64(1).u16(2).u16(3).raw({1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0})));
    file.add(21, 0, with_id(file.out().u64(0xab)));
    PerfSeek seek{file.make()};
    const Reader owner = open(seek);
    cs_perfread *reader = owner.get();
    unsigned count = 0;
    const auto take = [&]() -> const cs_perfread_record & {
        static const cs_perfread_record none = {};
        const cs_perfread_record *record = next(reader);
        if (record == nullptr)
            return none;
        EXPECT_EQ(record->index, count++);
        EXPECT_EQ(record->who.pid, 21u) << record->type;
        EXPECT_EQ(record->who.tid, 22u);
        EXPECT_EQ(record->who.time, 23u);
        EXPECT_EQ(record->who.stream_id, 25u);
        EXPECT_EQ(record->who.cpu, 26u);
        EXPECT_EQ(record->who.id, 5u);
        return *record;
    };

    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.mmap.start, 3u);
        EXPECT_EQ(r.mmap.bytes, 4u);
        EXPECT_EQ(r.mmap.pgoff, 5u);
        EXPECT_STREQ(r.mmap.file, "/bin/m");
    }
    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.mmap.major, 6u);
        EXPECT_EQ(r.mmap.minor, 7u);
        EXPECT_EQ(r.mmap.inode, 8u);
        EXPECT_EQ(r.mmap.generation, 9u);
        EXPECT_EQ(r.mmap.protection, 5u);
        EXPECT_EQ(r.mmap.flags, 2u);
        EXPECT_EQ(r.mmap.build_id_bytes, 0u);
        EXPECT_STREQ(r.mmap.file, "/bin/m2");
    }
    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.mmap.build_id_bytes, 20u);
        EXPECT_EQ(r.mmap.build_id[19], 119u);
        EXPECT_STREQ(r.mmap.file, "/bin/m3");
    }
    EXPECT_EQ(take().lost.lost, 44u);
    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.task.pid, 1u);
        EXPECT_EQ(r.task.ppid, 2u);
        EXPECT_EQ(r.task.tid, 3u);
        EXPECT_EQ(r.task.ptid, 4u);
        EXPECT_EQ(r.task.time, 5u);
    }
    EXPECT_EQ(take().throttle.stream_id, 3u);
    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.read.tid, 2u);
        EXPECT_EQ(cs_perfread_value(&r.read.values, 0).value, 3u);
        EXPECT_EQ(r.read.values.running, 5u);
    }
    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.aux.offset, 0x1000u);
        EXPECT_EQ(r.aux.bytes, 0x2000u);
        EXPECT_EQ(r.aux.flags, 1u);
    }
    EXPECT_EQ(take().task.tid, 2u);
    EXPECT_EQ(take().misc, 1u << 13);
    EXPECT_EQ(take().task.pid, 1u);
    EXPECT_EQ(take().namespaces.links.count, 4u);
    EXPECT_STREQ(take().ksymbol.name, "sym");
    EXPECT_EQ(take().bpf.tag[7], 8u);
    EXPECT_STREQ(take().cgroup.path, "/cg");
    {
        const cs_perfread_record &r = take();
        EXPECT_EQ(r.text_poke.before.count, 2u);
        EXPECT_EQ(r.text_poke.after.bytes[2], 5u);
    }
    EXPECT_EQ(take().hw_id, 0xabu);
    EXPECT_EQ(next(reader), nullptr);
    EXPECT_EQ(count, 17u);
}

// perf's own records, with the payload that follows one of them.
TEST_P(PerfRead, RecordsOfPerf)
{
    file.attrs = {{.sample_type = 1, .ids = {5}, .name = "x"}};
    const uint64_t half = 0x3fe0000000000000; // 0.5
    file.add(68, 0, {});
    file.add(69, 0, file.out().u64(1).u64(5).u64(0).u64(1).u64(2).bytes);
    file.add(70, 0, file.out().u32(6).u32(0).u64(42).u64(43).bytes);
    file.add(71, 0, file.out().u64(16).u64(0x100).u64(3).u32(4).u32(5).u32(6).u32(0).bytes);
    for (uint8_t i = 0; i < 16; i++)
        file.records.push_back(i);
    PerfOut threads = file.out();
    threads.u64(1).u64(77).name("thread").u64(0);
    file.add(73, 0, threads.bytes);
    file.add(74, 0, file.out().u16(0).u16(2).u16(3).u16(0xffff).bytes);
    file.add(74, 0,
             file.out()
                 .u16(1)
                 .u16(1)
                 .u16(8)
                 .u32(0)
                 .put(0x8000000000000005, 8)
                 .raw({0, 0, 0, 0, 0, 0})
                 .bytes);
    file.add(74, 0, file.out().u16(1).u16(2).u16(4).u32(2).u32(1).u16(0).bytes);
    file.add(74, 0, file.out().u16(2).u16(0).u16(4).u16(6).bytes);
    file.add(75, 0, file.out().u64(1).u64(1).u64(1000).bytes);
    file.add(76, 0, file.out().u64(5).u32(0xffffffff).u32(0).u64(10).u64(11).u64(12).bytes);
    file.add(77, 0, file.out().u64(1).u64(99).bytes);
    file.add(78, 0, file.out().u64(0).u64(5).name("msec").bytes);
    file.add(78, 0, file.out().u64(1).u64(5).u64(half).bytes);
    file.add(78, 0, file.out().u64(2).u64(5).name("renamed").bytes);
    file.add(79, 0, file.out().u64(1).u64(2).u64(3).bytes);
    file.add(82, 0, {});
    file.add(200, 7, {9, 9, 9, 9, 9, 9, 9, 9});
    PerfSeek seek{file.make()};
    const Reader owner = open(seek);
    cs_perfread *reader = owner.get();
    const auto cpus = [](const cs_perfread_cpu_map &map) {
        std::vector<int> all;
        uint32_t place = 0;
        int32_t cpu;
        while (cs_perfread_cpu_map_next(&map, &place, &cpu))
            all.push_back(cpu);
        return all;
    };

    EXPECT_EQ(next(reader)->type, 68u);
    EXPECT_EQ(next(reader)->id_index.entries.count, 4u);
    const cs_perfread_record *r = next(reader);
    EXPECT_EQ(r->auxtrace_info.type, 6u);
    EXPECT_EQ(cs_perfread_word(&r->auxtrace_info.private_words, 1), 43u);
    r = next(reader);
    EXPECT_EQ(r->auxtrace.bytes, 16u);
    EXPECT_EQ(r->auxtrace.offset, 0x100u);
    EXPECT_EQ(r->auxtrace.idx, 4u);
    EXPECT_EQ(r->auxtrace.cpu, 6u);
    uint8_t piece[5];
    size_t got;
    ASSERT_EQ(cs_perfread_payload(reader, piece, 5, &got, nullptr), CS_OK);
    ASSERT_EQ(got, 5u);
    ASSERT_EQ(cs_perfread_payload(reader, piece, 5, &got, nullptr), CS_OK);
    EXPECT_EQ(piece[4], 9u); // the rest is left: passed over
    r = next(reader);
    EXPECT_EQ(cs_perfread_word(&r->thread_map.entries, 0), 77u);
    EXPECT_EQ(cpus(next(reader)->cpu_map), (std::vector<int>{3, -1}));
    EXPECT_EQ(cpus(next(reader)->cpu_map), (std::vector<int>{0, 2, 63}));
    EXPECT_EQ(cpus(next(reader)->cpu_map), (std::vector<int>{1, 32}));
    EXPECT_EQ(cpus(next(reader)->cpu_map), (std::vector<int>{4, 5, 6}));
    EXPECT_EQ(cs_perfread_word(&next(reader)->stat_config.entries, 1), 1000u);
    r = next(reader);
    EXPECT_EQ(r->stat.cpu, 0xffffffffu);
    EXPECT_EQ(r->stat.value, 10u);
    EXPECT_EQ(r->stat.running, 12u);
    EXPECT_EQ(r->event->index, 0u);
    EXPECT_EQ(next(reader)->stat_round.time, 99u);
    EXPECT_STREQ(next(reader)->update.text, "msec");
    EXPECT_EQ(next(reader)->update.scale, 0.5);
    EXPECT_STREQ(next(reader)->event->name, "renamed");
    EXPECT_EQ(next(reader)->time_conv.zero, 3u);
    EXPECT_EQ(next(reader)->type, 82u);
    r = next(reader);
    EXPECT_FALSE(r->known);
    EXPECT_EQ(r->size, 16u);
    EXPECT_EQ(next(reader), nullptr);
    const cs_perfread_event &event = cs_perfread_get_facts(reader)->events[0];
    EXPECT_STREQ(event.unit, "msec");
    EXPECT_EQ(event.scale, 0.5);
}

// A stack of no bytes has none that are in use.
TEST_P(PerfRead, AStackOfNoBytes)
{
    file.attrs = {{.sample_type = 0x6000, .stack_user = 16}};
    file.add(9, 2, file.out().u64(0).u64(77).bytes);
    PerfSeek seek{file.make()};
    const Reader reader = open(seek);
    const cs_perfread_record *record = next(reader.get());

    EXPECT_EQ(record->sample.stack_user.count, 0u);
    EXPECT_EQ(record->sample.weight, 77u);
}

// Records that perf makes up have no mode; a list in words, each with its name.
TEST_P(PerfRead, PrintsPerfsOwnRecords)
{
    std::string text;
    const cs_text_sink sink = {[](void *ctx, const char *part, size_t bytes) {
                                   static_cast<std::string *>(ctx)->append(part, bytes);
                                   return CS_OK;
                               },
                               &text};
    cs_perfread_print_options options = {};

    options.format = CS_TABLE_CSV;
    file.attrs = {{.sample_type = 1}};
    file.add(64, 2, file.attrs[0].make(GetParam()));
    PerfOut threads = file.out();
    threads.u64(3);
    for (const uint64_t nr : {77u, 78u, 79u}) {
        threads.u64(nr);
        const std::string name = "thread" + std::to_string(nr);
        threads.raw(PerfBytes(name.begin(), name.end())).raw(PerfBytes(16 - name.size()));
    }
    file.add(73, 0, threads.bytes);
    PerfSeek seek{file.make()};
    const Reader reader = open(seek);

    ASSERT_EQ(cs_perfread_print(reader.get(), &options, &sink, nullptr), CS_OK);
    EXPECT_NE(text.find(",HEADER_ATTR,1/0x0/,,,,"), std::string::npos) << text;
    EXPECT_NE(text.find(",threads=[77:thread77 78:thread78 79:thread79]"), std::string::npos)
        << text;
}

// 10 GB, of which nothing is held: one AUX payload of 10 GB, records on both sides.
struct Huge {
    PerfBytes front;
    PerfBytes back;
    uint64_t middle;
    uint64_t given = 0;

    static cs_status read_at(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                             cs_diag *)
    {
        auto *huge = static_cast<Huge *>(ctx);
        const uint64_t end = huge->front.size() + huge->middle;

        for (*got = 0; *got < bytes; ++*got) {
            const uint64_t at = offset + *got;
            if (at >= end + huge->back.size())
                break;
            out[*got] = at < huge->front.size() ? huge->front[at]
                        : at < end              ? 0
                                                : huge->back[at - end];
        }
        huge->given += *got;
        return CS_OK;
    }
};

TEST_P(PerfRead, TenGigabytes)
{
    const uint64_t payload = UINT64_C(10) << 30;
    file.attrs = {{.sample_type = 1}};
    file.add(9, 1, file.out().u64(0x10).bytes);
    file.add(71, 0, file.out().u64(payload).u64(0).u64(0).u32(0).u32(0).u32(0).u32(0).bytes);
    PerfOut front{GetParam(), file.make()};
    PerfFile rest{GetParam(), {}, {}, {}};
    rest.add(9, 1, rest.out().u64(0x20).bytes);
    front.set(48, file.records.size() + payload + rest.records.size(), 8);
    Huge huge{front.bytes, rest.records, payload};
    const cs_seek_source source = {Huge::read_at, &huge,
                                   front.bytes.size() + payload + rest.records.size()};
    cs_perfread *raw = nullptr;

    ASSERT_EQ(cs_perfread_open(&source, "huge", &raw, nullptr), CS_OK);
    const Reader reader(raw);
    EXPECT_EQ(next(raw)->sample.ip, 0x10u);
    EXPECT_EQ(next(raw)->auxtrace.bytes, payload);
    const cs_perfread_record *record = next(raw);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->sample.ip, 0x20u);
    EXPECT_EQ(next(raw), nullptr);
    EXPECT_LT(huge.given, 1u << 20);
}

} // namespace
