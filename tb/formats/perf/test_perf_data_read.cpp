// SPDX-License-Identifier: Apache-2.0
// perf.data as its documents say it is, in both byte orders, from a file and from a pipe.
#include "perf_both_orders.hpp"

using namespace perf_both_orders;
using namespace cs_test;

namespace
{

INSTANTIATE_TEST_SUITE_P(ByteOrder, PerfRead, testing::Bool(),
                         [](const auto &info) { return info.param ? "Big" : "Little"; });

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

} // namespace
