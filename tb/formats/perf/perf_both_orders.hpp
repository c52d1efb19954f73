// SPDX-License-Identifier: Apache-2.0
// perf.data in both byte orders.
#ifndef CS_TB_FORMATS_PERF_BOTH_ORDERS_HPP
#define CS_TB_FORMATS_PERF_BOTH_ORDERS_HPP

#include <gtest/gtest.h>

#include <memory>

#include "formats/pmcu/aux_dump.hpp"
#include "perf_seek.hpp"

namespace perf_both_orders
{

using namespace cs_test;

struct Closer {
    void operator()(cs_perfread *reader) const
    {
        cs_perfread_close(reader);
    }
};
using Reader = std::unique_ptr<cs_perfread, Closer>;

inline Reader open(PerfSeek &file)
{
    const cs_seek_source source = file.source();
    cs_perfread *reader = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_perfread_open(&source, "perf.data", &reader, &diag), CS_OK) << diag.text;
    return Reader(reader);
}

inline const cs_perfread_record *next(cs_perfread *reader)
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

inline void add_facts(PerfFile &file)
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
    file.features[19] = {}; // perf stat wrote it
    PerfOut id = file.out();
    id.u32(67).u16(0x8002).u16(8 + 4 + 24 + 16).u32(99);
    for (unsigned i = 0; i < 24; i++)
        id.put(i == 20 ? 16 : i + 1, 1);
    file.features[2] = id.name("/usr/bin/xyzabc", 4).bytes;
}

inline void check_facts(const cs_perfread *reader)
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
    EXPECT_TRUE(facts->stat);
    EXPECT_EQ(facts->first_sample_ns, 100u);
    EXPECT_EQ(facts->last_sample_ns, 200u);
    ASSERT_EQ(facts->nr_build_ids, 1u);
    EXPECT_EQ(facts->build_ids[0].pid, 99u);
    EXPECT_EQ(facts->build_ids[0].bytes, 16u);
    EXPECT_EQ(facts->build_ids[0].id[15], 16u);
    EXPECT_STREQ(facts->build_ids[0].file, "/usr/bin/xyzabc");
}

} // namespace perf_both_orders

#endif
