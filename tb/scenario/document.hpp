// SPDX-License-Identifier: Apache-2.0
// Scenarios from text, for tests.
#ifndef CS_TB_SCENARIO_DOCUMENT_HPP
#define CS_TB_SCENARIO_DOCUMENT_HPP

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "scenario/load.h"
}

struct Document {
    std::unique_ptr<cs_scenario, decltype(&cs_scenario_destroy)> scenario{nullptr,
                                                                          cs_scenario_destroy};
    cs_status status = CS_OK;
    std::string error; // as the user reads it

    const cs_scenario *operator->() const
    {
        return scenario.get();
    }
    bool ok() const
    {
        return status == CS_OK;
    }
};

inline Document take(cs_status status, cs_scenario *scenario, const cs_diag &diag)
{
    Document document;
    char text[1024];

    document.status = status;
    document.scenario.reset(scenario);
    if (status != CS_OK)
        document.error = cs_diag_print(&diag, text, sizeof text);
    return document;
}

inline std::vector<const char *> pointers(const std::vector<std::string> &texts)
{
    std::vector<const char *> result;

    for (const auto &text : texts)
        result.push_back(text.c_str());
    return result;
}

inline Document parse(const std::string &text, const std::vector<std::string> &sets = {},
                      const std::string &folder = ".")
{
    cs_scenario *scenario = nullptr;
    cs_diag diag = {};
    const auto list = pointers(sets);
    cs_status status = cs_scenario_parse(text.data(), text.size(), "t.yaml", folder.c_str(),
                                         list.data(), list.size(), &scenario, &diag);

    return take(status, scenario, diag);
}

inline Document load(const std::string &path, const std::vector<std::string> &sets = {})
{
    cs_scenario *scenario = nullptr;
    cs_diag diag = {};
    const auto list = pointers(sets);
    cs_status status = cs_scenario_load(path.c_str(), list.data(), list.size(), &scenario, &diag);

    return take(status, scenario, diag);
}

inline std::string read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;

    text << file.rdbuf();
    return text.str();
}

#endif
