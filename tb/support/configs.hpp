// SPDX-License-Identifier: Apache-2.0
// Where a scenario or catalog lies, those of configs/ and those that only tests use (tb/scenarios/): by its
// file's name alone, or by its path from there.
#ifndef CS_TB_SUPPORT_CONFIGS_HPP
#define CS_TB_SUPPORT_CONFIGS_HPP

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace cs_test
{

inline std::vector<std::filesystem::path> all_configs()
{
    std::vector<std::filesystem::path> found;

    for (const char *folder : {CS_SOURCE_DIR "/configs", CS_SOURCE_DIR "/tb/scenarios"})
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".yaml" || entry.path().extension() == ".dts")
                found.push_back(entry.path());
    std::sort(found.begin(), found.end(),
              [](const auto &a, const auto &b) { return a.filename() < b.filename(); });
    return found;
}

// Those that are made to be compared with RTL.
inline std::vector<std::filesystem::path> lockstep_configs()
{
    std::vector<std::filesystem::path> found = all_configs();

    found.erase(std::remove_if(found.begin(), found.end(),
                               [](const auto &path) {
                                   return path.filename().string().find("_lockstep_") ==
                                          std::string::npos;
                               }),
                found.end());
    return found;
}

inline std::string config_path(const std::string &name)
{
    const std::filesystem::path asked = name;

    for (const auto &path : all_configs())
        if (path.filename() == asked.filename() &&
            (!asked.has_parent_path() || path.parent_path().filename() == asked.parent_path()))
            return path.string();
    throw std::runtime_error("neither configs/ nor tb/scenarios/ has " + name);
}

} // namespace cs_test

#endif
