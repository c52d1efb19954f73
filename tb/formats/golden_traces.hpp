// SPDX-License-Identifier: Apache-2.0
// Golden traces of every format, and what its row of the list prints of them.
#ifndef CS_TB_FORMATS_GOLDEN_TRACES_HPP
#define CS_TB_FORMATS_GOLDEN_TRACES_HPP

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "formats/formats.h"

namespace golden_traces
{

struct Trace {
    const char *format, *file, *option = nullptr, *value = nullptr;
};

const Trace kTraces[] = {
    {"perf-data", "traces/callgraph/perf.data"},
    {"perf-data", "tb/cli/perf_data/threads_zstd.data"},
    {"perf-data", "tb/cli/perf_data/stat_pipe.data"},
    {"perf-data", "traces/pmcu/faithful.perf.data", "header", ""},
    {"pprof", "traces/callgraph/profile.pb.gz"},
    {"speedscope", "traces/callgraph/profile.speedscope.json"},
    {"firefox", "traces/callgraph/profile.firefox.json"},
    {"folded", "traces/callgraph/stacks.folded"},
    {"csv", "traces/riscv/counts.csv"},
    {"json", "traces/riscv/samples.json"},
    {"perfetto", "traces/pmcu/timeline.json"},
    {"perfetto", "traces/pmcu/timeline.pftrace"},
    {"ctf", "traces/uncore/timeline.ctf"},
    {"pmcu-aux", "traces/pmcu/pmcu.aux", "slots", "8"},
    {"imc-trace", "traces/imc/trace.imc"},
    {"imc-core", "traces/imc/core.imc", "catalog", CS_SOURCE_DIR "/traces/imc/power9_small.dts"},
    {"imc-nest", "traces/imc/nest.imc", "catalog", CS_SOURCE_DIR "/traces/imc/power9_small.dts"},
    {"sbi-snapshot", "traces/riscv/pages.snapshot"},
};

// `around` is called with true when the reader begins, and with false when it has ended.
template <class Around>
cs_status print(const Trace &trace, cs_table_format table, const cs_text_sink &sink, cs_diag *diag,
                Around around)
{
    const cs_format *format = cs_format_named(trace.format);
    const std::string path = std::string(CS_SOURCE_DIR "/") + trace.file;
    const cs_format_option *option;
    cs_format_print print = {};
    cs_input in = {};

    print.table = table;
    for (size_t i = 0; (option = cs_format_option_at(format, i)) != nullptr; i++)
        if (trace.option != nullptr && std::strcmp(option->name, trace.option) == 0) {
            print.given[print.nr_given].option = option;
            print.given[print.nr_given++].text = trace.value;
        }
    in.name = path.c_str();
    if (!format->folder) {
        EXPECT_EQ(cs_input_open(&in, path.c_str(), 0, UINT64_MAX, diag), CS_OK) << diag->text;
    }
    around(true);
    const cs_status status = format->print(&print, &in, &sink, diag);
    around(false);
    cs_input_close(&in);
    return status;
}

} // namespace golden_traces

#endif
