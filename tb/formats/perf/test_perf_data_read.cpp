// perf.data as its documents say it is, in both byte orders, from a file and from a pipe.
#include <gtest/gtest.h>

#include <memory>

#include "formats/pmcu/aux_dump.hpp"
#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

struct Closer {
    void operator()(cs_perfread *reader) const
    {
        cs_perfread_close(reader);
    }
};
using Reader = std::unique_ptr<cs_perfread, Closer>;

Reader open(PerfSeek &file)
{
    const cs_seek_source source = file.source();
    cs_perfread *reader = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_perfread_open(&source, "perf.data", &reader, &diag), CS_OK) << diag.text;
    return Reader(reader);
}

const cs_perfread_record *next(cs_perfread *reader)
{
    const cs_perfread_record *record = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_perfread_next(reader, &record, &diag), CS_OK) << diag.text;
    return record;
}

class PerfRead : public testing::TestWithParam<bool>
{
  protected:
    PerfFile file{GetParam(), {}, {}, {}};
};
INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfRead, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

void add_facts(PerfFile &file)
{
    file.attrs = {
        {.type = 42, .config = 7, .sample_type = 0x10041, .ids = {11, 12}, .name = "a/x/"},
        {.type = 43, .config = 8, .sample_type = 0x10041, .ids = {13}, .name = "b"}};
    file.event_desc().text(3, "host").text(4, "6.1").text(5, "6.1.9").text(6, "ppc64le");
    file.text(8, "POWER9").text(9, "004e1202");
    file.features[7] = file.out().u32(8).u32(6).bytes;
    file.features[10] = file.out().u64(1234).bytes;
    file.features[11] = file.out().u32(2).string("perf").string("record").bytes;
    file.features[16] = file.out().u32(2).u32(42).string("pmcu").u32(43).string("b").bytes;
    file.features[21] = file.out().u64(100).u64(200).bytes;
    PerfOut id = file.out();
    id.u32(67).u16(0x8002).u16(8 + 4 + 24 + 16).u32(99);
    for (unsigned i = 0; i < 24; i++)
        id.put(i == 20 ? 16 : i + 1, 1);
    file.features[2] = id.name("/usr/bin/xyzabc", 4).bytes;
}

void check_facts(const cs_perfread *reader)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(reader);

    ASSERT_EQ(facts->nr_events, 2u);
    EXPECT_EQ(facts->events[0].type, 42u);
    EXPECT_EQ(facts->events[1].config, 8u);
    EXPECT_EQ(facts->events[0].period, 1000u);
    EXPECT_EQ(facts->events[0].flags, UINT64_C(1) << 18);
    EXPECT_STREQ(facts->events[0].name, "a/x/");
    EXPECT_STREQ(facts->events[1].name, "b");
    EXPECT_EQ(facts->events[0].nr_ids, 2u);
    EXPECT_EQ(cs_perfread_event_of(reader, 12)->index, 0u);
    EXPECT_EQ(cs_perfread_event_of(reader, 13)->index, 1u);
    EXPECT_EQ(cs_perfread_event_of(reader, 14), nullptr);
    EXPECT_STREQ(facts->hostname, "host");
    EXPECT_STREQ(facts->os_release, "6.1");
    EXPECT_STREQ(facts->version, "6.1.9");
    EXPECT_STREQ(facts->arch, "ppc64le");
    EXPECT_STREQ(facts->cpu_desc, "POWER9");
    EXPECT_STREQ(facts->cpu_id, "004e1202");
    EXPECT_EQ(facts->cpus_available, 8u);
    EXPECT_EQ(facts->cpus_online, 6u);
    EXPECT_EQ(facts->total_mem_kib, 1234u);
    ASSERT_EQ(facts->nr_cmdline, 2u);
    EXPECT_STREQ(facts->cmdline[1], "record");
    EXPECT_STREQ(cs_perfread_pmu_name(reader, 42), "pmcu");
    EXPECT_EQ(cs_perfread_pmu_name(reader, 44), nullptr);
    EXPECT_EQ(facts->first_sample_ns, 100u);
    EXPECT_EQ(facts->last_sample_ns, 200u);
    ASSERT_EQ(facts->nr_build_ids, 1u);
    EXPECT_EQ(facts->build_ids[0].pid, 99u);
    EXPECT_EQ(facts->build_ids[0].bytes, 16u);
    EXPECT_EQ(facts->build_ids[0].id[15], 16u);
    EXPECT_STREQ(facts->build_ids[0].file, "/usr/bin/xyzabc");
}

TEST_P(PerfRead, FactsOfTheHeader)
{
    add_facts(file);
    PerfSeek seek{file.make()};
    const Reader reader = open(seek);

    EXPECT_EQ(cs_perfread_get_facts(reader.get())->big_endian, GetParam());
    EXPECT_FALSE(cs_perfread_get_facts(reader.get())->pipe);
    check_facts(reader.get());
    EXPECT_EQ(next(reader.get()), nullptr);
}

// The same, a byte at a time, from what cannot be sought in.
TEST_P(PerfRead, FactsOfAPipe)
{
    add_facts(file);
    Bytes bytes{file.make_pipe()};
    cs_byte_source source = bytes.source();
    cs_perfread *raw = nullptr;
    cs_diag diag = {};

    ASSERT_EQ(cs_perfread_open_pipe(&source, "pipe", &raw, &diag), CS_OK) << diag.text;
    const Reader reader(raw);
    unsigned records = 0;
    while (next(raw) != nullptr)
        records++;
    EXPECT_EQ(records, 2 + file.features.size());
    EXPECT_TRUE(cs_perfread_get_facts(raw)->pipe);
    check_facts(raw);
}

// Each attr size that perf ever had: what it does not reach is 0.
TEST_P(PerfRead, AttrsOfEverySize)
{
    for (uint32_t size : {64u, 72u, 80u, 96u, 104u, 112u, 120u, 128u, 136u}) {
        PerfFile other{GetParam(), {}, {}, {}};
        other.attrs = {{.size = size,
                        .sample_type = 1,
                        .branch_type = 0x20000,
                        .regs_user = 0xff,
                        .stack_user = 512,
                        .regs_intr = 0xf0}};
        PerfSeek seek{other.make()};
        const Reader reader = open(seek);
        const cs_perfread_event &event = cs_perfread_get_facts(reader.get())->events[0];

        EXPECT_EQ(event.attr_bytes, size);
        EXPECT_EQ(event.branch_type, size >= 80 ? 0x20000u : 0u) << size;
        EXPECT_EQ(event.regs_user, size >= 96 ? 0xffu : 0u) << size;
        EXPECT_EQ(event.stack_user, size >= 96 ? 512u : 0u) << size;
        EXPECT_EQ(event.regs_intr, size >= 104 ? 0xf0u : 0u) << size;
    }
}

// All bits at once, then each alone: a field has the same value wherever it stands.
struct Field {
    uint64_t bit;
    void (*put)(PerfOut &out);
    void (*check)(const cs_perfread_record &record);
};

// In the order of the kernel's perf_output_sample.
const Field kFields[] = {
    {1u << 16, [](PerfOut &o) { o.u64(77); }, [](const auto &r) { EXPECT_EQ(r.who.id, 77u); }},
    {1u << 0, [](PerfOut &o) { o.u64(0xffffffff81000010); },
     [](const auto &r) { EXPECT_EQ(r.sample.ip, 0xffffffff81000010u); }},
    {1u << 1, [](PerfOut &o) { o.u32(5).u32(6); },
     [](const auto &r) {
         EXPECT_EQ(r.who.pid, 5u);
         EXPECT_EQ(r.who.tid, 6u);
     }},
    {1u << 2, [](PerfOut &o) { o.u64(123456789012); },
     [](const auto &r) { EXPECT_EQ(r.who.time, 123456789012u); }},
    {1u << 3, [](PerfOut &o) { o.u64(0xadd7); },
     [](const auto &r) { EXPECT_EQ(r.sample.addr, 0xadd7u); }},
    {1u << 6, [](PerfOut &o) { o.u64(77); }, [](const auto &r) { EXPECT_EQ(r.who.id, 77u); }},
    {1u << 9, [](PerfOut &o) { o.u64(78); },
     [](const auto &r) { EXPECT_EQ(r.who.stream_id, 78u); }},
    {1u << 7, [](PerfOut &o) { o.u32(3).u32(0); }, [](const auto &r) { EXPECT_EQ(r.who.cpu, 3u); }},
    {1u << 8, [](PerfOut &o) { o.u64(4000); },
     [](const auto &r) { EXPECT_EQ(r.sample.period, 4000u); }},
    {1u << 4,
     [](PerfOut &o) { o.u64(2).u64(50).u64(40).u64(9).u64(77).u64(0).u64(8).u64(79).u64(1); },
     [](const auto &r) {
         const cs_perfread_values &values = r.sample.values;

         ASSERT_EQ(values.nr_values, 2u);
         EXPECT_EQ(values.enabled, 50u);
         EXPECT_EQ(values.running, 40u);
         EXPECT_EQ(cs_perfread_value(&values, 0).value, 9u);
         EXPECT_EQ(cs_perfread_value(&values, 1).value, 8u);
         EXPECT_EQ(cs_perfread_value(&values, 1).id, 79u);
         EXPECT_EQ(cs_perfread_value(&values, 1).lost, 1u);
     }},
    {1u << 5, [](PerfOut &o) { o.u64(3).u64(0xffffffffffffff80).u64(0x10).u64(0x20); },
     [](const auto &r) {
         ASSERT_EQ(r.sample.callchain.count, 3u);
         EXPECT_EQ(cs_perfread_word(&r.sample.callchain, 0), 0xffffffffffffff80u);
         EXPECT_EQ(cs_perfread_word(&r.sample.callchain, 2), 0x20u);
     }},
    {1u << 10,
     [](PerfOut &o) {
         o.u32(12).raw({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
     },
     [](const auto &r) {
         ASSERT_EQ(r.sample.raw.count, 12u);
         EXPECT_EQ(r.sample.raw.bytes[11], 12u);
     }},
    {1u << 11,
     [](PerfOut &o) {
         // mispredicted, in a transaction, 300 cycles, type 5, privilege 2
         const uint64_t flags = o.big
                                    ? UINT64_C(1) << 63 | UINT64_C(1) << 61 | UINT64_C(300) << 44 |
                                          UINT64_C(5) << 40 | UINT64_C(2) << 31
                                    : 1u | 4u | 300u << 4 | 5u << 20 | UINT64_C(2) << 30;
         o.u64(1).u64(17).u64(0x100).u64(0x200).u64(flags);
     },
     [](const auto &r) {
         ASSERT_EQ(r.sample.branches.count, 1u);
         EXPECT_EQ(r.sample.branches.hw_index, 17u);
         const cs_perfread_branch branch = cs_perfread_branch_of(&r.sample.branches, 0);
         EXPECT_EQ(branch.from, 0x100u);
         EXPECT_EQ(branch.to, 0x200u);
         EXPECT_TRUE(branch.mispredicted);
         EXPECT_FALSE(branch.predicted);
         EXPECT_TRUE(branch.in_transaction);
         EXPECT_FALSE(branch.abort);
         EXPECT_EQ(branch.cycles, 300u);
         EXPECT_EQ(branch.type, 5u);
         EXPECT_EQ(branch.speculation, 0u);
         EXPECT_EQ(branch.privilege, 2u);
     }},
    {1u << 12, [](PerfOut &o) { o.u64(2).u64(0xa).u64(0xb); },
     [](const auto &r) {
         EXPECT_EQ(r.sample.regs_user.abi, 2u);
         ASSERT_EQ(r.sample.regs_user.words.count, 2u);
         EXPECT_EQ(cs_perfread_word(&r.sample.regs_user.words, 1), 0xbu);
     }},
    {1u << 13, [](PerfOut &o) { o.u64(16).u64(1).u64(2).u64(8); },
     [](const auto &r) {
         EXPECT_EQ(r.sample.stack_user.count, 16u);
         EXPECT_EQ(r.sample.stack_dyn_bytes, 8u);
     }},
    {1u << 14, [](PerfOut &o) { o.u64(0x1234567890abcdef); },
     [](const auto &r) { EXPECT_EQ(r.sample.weight, 0x1234567890abcdefu); }},
    {1u << 24, [](PerfOut &o) { o.big ? o.u16(3).u16(2).u32(1) : o.u32(1).u16(2).u16(3); },
     [](const auto &r) {
         EXPECT_EQ(r.sample.weight, 1u);
         EXPECT_EQ(r.sample.weight_var2, 2u);
         EXPECT_EQ(r.sample.weight_var3, 3u);
     }},
    {1u << 15, [](PerfOut &o) { o.u64(0x68100142); },
     [](const auto &r) { EXPECT_EQ(r.sample.data_src, 0x68100142u); }},
    {1u << 17, [](PerfOut &o) { o.u64(0x22); },
     [](const auto &r) { EXPECT_EQ(r.sample.transaction, 0x22u); }},
    {1u << 18, [](PerfOut &o) { o.u64(1).u64(0xc); },
     [](const auto &r) {
         EXPECT_EQ(r.sample.regs_intr.abi, 1u);
         ASSERT_EQ(r.sample.regs_intr.words.count, 1u);
         EXPECT_EQ(cs_perfread_word(&r.sample.regs_intr.words, 0), 0xcu);
     }},
    {1u << 19, [](PerfOut &o) { o.u64(0x9999); },
     [](const auto &r) { EXPECT_EQ(r.sample.phys_addr, 0x9999u); }},
    {1u << 21, [](PerfOut &o) { o.u64(21); },
     [](const auto &r) { EXPECT_EQ(r.sample.cgroup, 21u); }},
    {1u << 22, [](PerfOut &o) { o.u64(4096); },
     [](const auto &r) { EXPECT_EQ(r.sample.data_page_bytes, 4096u); }},
    {1u << 23, [](PerfOut &o) { o.u64(65536); },
     [](const auto &r) { EXPECT_EQ(r.sample.code_page_bytes, 65536u); }},
    {1u << 20, [](PerfOut &o) { o.u64(8).u64(0x1122334455667788); },
     [](const auto &r) { EXPECT_EQ(r.sample.aux.count, 8u); }},
};

void sample_of(PerfFile &file, uint64_t bits)
{
    PerfOut payload = file.out();

    file.attrs = {{.sample_type = bits,
                   .read_format = 0x1f,
                   .branch_type = 0x20000,
                   .regs_user = 0x101,
                   .regs_intr = 0x8}};
    for (const Field &field : kFields)
        if ((bits & field.bit) != 0)
            field.put(payload);
    file.add(9, 1, payload.bytes);
}

TEST_P(PerfRead, EveryBitOfASample)
{
    const uint64_t all = 0x1ffffff;
    std::vector<uint64_t> cases = {all & ~UINT64_C(0x4000), all & ~UINT64_C(0x1000000)};
    uint64_t seen = 0;

    for (const Field &field : kFields) {
        cases.push_back(field.bit);
        cases.push_back(cases[0] & ~field.bit);
        seen |= field.bit;
    }
    ASSERT_EQ(seen, all);
    for (uint64_t bits : cases) {
        PerfFile one{GetParam(), {}, {}, {}};
        sample_of(one, bits);
        PerfSeek seek{one.make()};
        const Reader reader = open(seek);
        const cs_perfread_record *record = next(reader.get());

        ASSERT_NE(record, nullptr);
        EXPECT_EQ(record->type, 9u);
        EXPECT_EQ(record->misc, 1u);
        ASSERT_NE(record->event, nullptr);
        SCOPED_TRACE(bits);
        for (const Field &field : kFields)
            if ((bits & field.bit) != 0)
                field.check(*record);
        EXPECT_EQ(next(reader.get()), nullptr);
    }
}

TEST_P(PerfRead, EveryReadFormat)
{
    for (uint64_t format = 0; format < 32; format++) {
        const bool group = (format & 8) != 0;
        const auto put_if = [format](PerfOut &out, uint64_t bit, uint64_t value) {
            if ((format & bit) != 0)
                out.u64(value);
        };
        PerfFile one{GetParam(), {}, {}, {}};
        PerfOut payload = one.out();

        one.attrs = {{.sample_type = 0x10, .read_format = format}};
        payload.u64(group ? 1 : 1001);
        put_if(payload, 1, 1002);
        put_if(payload, 2, 1003);
        if (group)
            payload.u64(1001);
        put_if(payload, 4, 1004);
        put_if(payload, 16, 1005);
        one.add(9, 2, payload.bytes);
        PerfSeek seek{one.make()};
        const Reader reader = open(seek);
        const cs_perfread_record *record = next(reader.get());

        ASSERT_NE(record, nullptr) << format;
        const cs_perfread_values &values = record->sample.values;
        ASSERT_EQ(values.nr_values, 1u);
        const cs_perfread_one_value value = cs_perfread_value(&values, 0);
        EXPECT_EQ(value.value, 1001u) << format;
        EXPECT_EQ(values.enabled, format & 1 ? 1002u : 0u) << format;
        EXPECT_EQ(values.running, format & 2 ? 1003u : 0u) << format;
        EXPECT_EQ(value.id, format & 4 ? 1004u : 0u) << format;
        EXPECT_EQ(value.lost, format & 16 ? 1005u : 0u) << format;
    }
}

// Three events whose samples differ; an id says which one a record is.
TEST_P(PerfRead, IdsTellTheEvent)
{
    file.attrs = {{.sample_type = 0x10000 | 0x2, .ids = {5, 6}},
                  {.sample_type = 0x10000 | 0x104, .ids = {7}},
                  {.sample_type = 0x10000, .ids = {8}}};
    file.add(9, 2, file.out().u64(7).u64(1234).u64(55).bytes);
    file.add(9, 2, file.out().u64(6).u32(1).u32(2).bytes);
    file.add(9, 2, file.out().u64(8).bytes);
    file.add(3, 0, file.out().u32(9).u32(9).name("x").u64(777).u64(7).bytes);
    file.add(13, 0, file.out().u64(3).u32(1).u32(2).u64(5).bytes);
    PerfSeek seek{file.make()};
    const Reader reader = open(seek);
    const cs_perfread_record *record = next(reader.get());

    EXPECT_EQ(record->event->index, 1u);
    EXPECT_EQ(record->who.time, 1234u);
    EXPECT_EQ(record->sample.period, 55u);
    record = next(reader.get());
    EXPECT_EQ(record->event->index, 0u);
    EXPECT_EQ(record->who.tid, 2u);
    EXPECT_EQ(next(reader.get())->event->index, 2u);
    record = next(reader.get());
    EXPECT_EQ(record->event->index, 1u);
    EXPECT_STREQ(record->task.comm, "x");
    EXPECT_EQ(record->who.time, 777u);
    record = next(reader.get());
    EXPECT_EQ(record->event->index, 0u);
    EXPECT_EQ(record->lost.lost, 3u);
    EXPECT_EQ(record->who.pid, 1u);
}

// Without IDENTIFIER the ID stands behind what the lower bits put there.
TEST_P(PerfRead, IdsWithoutIdentifier)
{
    file.attrs = {{.sample_type = 0x47, .ids = {5}}, {.sample_type = 0xc7, .ids = {6}}};
    file.attrs[1].sample_type = 0x47 | 0x100; // PERIOD, behind the id
    file.add(9, 2, file.out().u64(1).u32(2).u32(3).u64(4).u64(6).u64(99).bytes);
    file.add(9, 2, file.out().u64(1).u32(2).u32(3).u64(4).u64(5).bytes);
    file.add(12, 0, file.out().u32(8).u32(9).u32(2).u32(3).u64(4).u64(6).bytes);
    PerfSeek seek{file.make()};
    const Reader reader = open(seek);
    const cs_perfread_record *record = next(reader.get());

    EXPECT_EQ(record->event->index, 1u);
    EXPECT_EQ(record->sample.period, 99u);
    EXPECT_EQ(next(reader.get())->event->index, 0u);
    record = next(reader.get());
    EXPECT_EQ(record->event->index, 1u);
    EXPECT_EQ(record->task.pid, 8u);
    EXPECT_EQ(record->who.tid, 3u);
}

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
