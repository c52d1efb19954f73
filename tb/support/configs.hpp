// SPDX-License-Identifier: Apache-2.0
// Where a scenario or catalog of configs/ lies, by its file's name alone. A name with a folder is a
// path from configs/.
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

    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(CS_SOURCE_DIR "/configs"))
        if (entry.path().extension() == ".yaml" || entry.path().extension() == ".dts")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end(),
              [](const auto &a, const auto &b) { return a.filename() < b.filename(); });
    return found;
}

inline std::string config_path(const std::string &name)
{
    if (name.find('/') != std::string::npos)
        return CS_SOURCE_DIR "/configs/" + name;
    for (const auto &path : all_configs())
        if (path.filename() == name)
            return path.string();
    throw std::runtime_error("configs/ has no " + name);
}

} // namespace cs_test

#endif
