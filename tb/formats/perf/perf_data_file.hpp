// SPDX-License-Identifier: Apache-2.0
// A perf.data file that is written, for perf itself to read.
#ifndef CS_TB_FORMATS_PERF_DATA_FILE_HPP
#define CS_TB_FORMATS_PERF_DATA_FILE_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <functional>
#include <random>

#include "formats/perf/write/data.h"
#include "support/perf_tool.hpp"

namespace perf_data_file
{

using namespace cs_test;

constexpr uint64_t kPlain = CS_PERF_SAMPLE_IDENTIFIER | CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID |
                            CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_PERIOD;
constexpr uint64_t kTrailer = CS_PERF_ATTR_SAMPLE_ID_ALL | CS_PERF_ATTR_COMM | CS_PERF_ATTR_MMAP |
                              CS_PERF_ATTR_MMAP2 | CS_PERF_ATTR_TASK;

const uint64_t kIds[4][2] = {{101, 102}, {201, 202}, {301, 302}, {401, 402}};

inline cs_perf_data_event event(const char *name, uint32_t type, uint64_t config, size_t ids,
                                uint64_t sample_type = kPlain, uint64_t flags = kTrailer)
{
    cs_perf_data_event e = {};

    e.name = name;
    e.attr.type = type;
    e.attr.config = config;
    e.attr.sample_period = 1000;
    e.attr.sample_type = sample_type;
    e.attr.flags = flags;
    e.ids = kIds[ids];
    e.nr_ids = 2;
    return e;
}

inline cs_perf_data_where at(size_t number, uint32_t pid, uint32_t tid, uint64_t time_ns,
                             uint32_t cpu, uint64_t id = 0)
{
    cs_perf_data_where where = {};

    where.event = number;
    where.id = id;
    where.pid = pid;
    where.tid = tid;
    where.time_ns = time_ns;
    where.cpu = cpu;
    return where;
}

inline cs_perf_data_sample sample(const cs_perf_data_where &where, uint64_t ip, uint64_t period,
                                  uint16_t misc = CS_PERF_MISC_USER)
{
    cs_perf_data_sample s = {};

    s.where = where;
    s.misc = misc;
    s.ip = ip;
    s.period = period;
    return s;
}

inline cs_perf_data_mmap map(uint64_t addr, uint64_t length, const char *file,
                             uint16_t misc = CS_PERF_MISC_USER)
{
    cs_perf_data_mmap m = {};

    m.misc = misc;
    m.addr = addr;
    m.length = length;
    m.prot = 5;
    m.flags = 2;
    m.file = file;
    return m;
}

struct PerfData : testing::Test {
    TempFolder temp;
    cs_perf_data_file file = {nullptr, "perf.data"};
    cs_perf_data_writer *writer = nullptr;
    cs_perf_data_features features = {};
    cs_diag diag = {};

    void SetUp() override
    {
        ASSERT_EQ(perf(temp, "--version").status, 0) << "no perf here: install linux-perf";
    }
    void TearDown() override
    {
        cs_perf_data_abandon(writer);
        if (file.stream != nullptr)
            fclose(file.stream);
    }

    void begin(const std::vector<cs_perf_data_event> &events)
    {
        file.stream = fopen(temp.file("perf.data").c_str(), "wb");
        ASSERT_NE(file.stream, nullptr);
        const cs_perf_data_sink sink = cs_perf_data_to_file(&file);
        ASSERT_EQ(cs_perf_data_create(&sink, events.data(), events.size(), &writer, &diag), CS_OK)
            << diag.text;
    }
    void finish()
    {
        cs_perf_data_writer *w = writer;

        writer = nullptr;
        ASSERT_EQ(cs_perf_data_finish(w, &features, &diag), CS_OK) << diag.text;
        ASSERT_EQ(fclose(file.stream), 0);
        file.stream = nullptr;
    }
    std::string good(const std::string &arguments)
    {
        return perf_good(temp, arguments);
    }
    // The lines of report -D that tell a record of this name.
    std::vector<std::string> dump(const std::string &name)
    {
        std::vector<std::string> found;

        for (const std::string &line : squeezed_lines(good("report -D -i perf.data")))
            if (line.find("PERF_RECORD_" + name + ":") != std::string::npos ||
                line.find("PERF_RECORD_" + name + " ") != std::string::npos ||
                line.find("PERF_RECORD_" + name + "(") != std::string::npos)
                found.push_back(line.substr(line.find("PERF_RECORD_")));
        return found;
    }
};

} // namespace perf_data_file

#endif
