// SPDX-License-Identifier: Apache-2.0
// Golden traces, whole and spoilt in some hundred ways: what the readers say of them they say again.
// spoilt.txt has a hash of what was said of each; CS_WRITE_GENERATED=1 writes it anew. A place of a trace is
// another byte, some are missing or there twice, the end is missing, or its last byte asks for other options.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "formats/formats.h"
#include "hashes.hpp"
#include "replay.hpp"

namespace
{

namespace fs = std::filesystem;

const fs::path kSource = CS_SOURCE_DIR;
const Hashes hashes("tb/inputs/spoilt.txt");

constexpr size_t kMostBytes = 20 << 20; // of all variants of a trace
constexpr size_t kLeast = 12, kMost = 600;

struct Golden {
    std::string name, target, bytes;
};

std::string bytes_of(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);

    return {std::istreambuf_iterator<char>(file), {}};
}

// What reads it; "" for what is no trace.
std::string target_of(const fs::path &path, const std::string &bytes)
{
    const std::string kinds[][2] = {{"core.imc", "imc-core"},      {"nest.imc", "imc-nest"},
                                    {"thread.imc", "imc-thread"},  {"trace.imc", "imc-trace"},
                                    {".snapshot", "sbi-snapshot"}, {".folded", "folded"}};
    const std::string name = path.filename();
    const cs_format *format = cs_format_guess(reinterpret_cast<const uint8_t *>(bytes.data()),
                                              std::min<size_t>(bytes.size(), CS_INPUT_LOOK_BYTES));

    for (const auto &[end, target] : kinds)
        if (name.size() >= end.size() && name.substr(name.size() - end.size()) == end)
            return target;
    return format != nullptr && name.find(".yaml") == std::string::npos ? format->name : "";
}

// The metadata's size, the metadata, a stream.
std::string with_metadata(const fs::path &stream)
{
    const std::string metadata = bytes_of(stream.parent_path() / "metadata");

    return std::string{static_cast<char>(metadata.size()),
                       static_cast<char>(metadata.size() >> 8)} +
           metadata + bytes_of(stream);
}

std::vector<Golden> all()
{
    std::vector<Golden> found;

    for (const char *folder : {"traces", "tb/cli/perf_data", "tb/traces/odd"})
        for (const auto &entry : fs::recursive_directory_iterator(kSource / folder)) {
            const fs::path path = entry.path();
            const std::string name = fs::relative(path, kSource);
            std::string bytes = entry.is_regular_file() ? bytes_of(path) : "", target;

            if (bytes.empty() || name.find("truth") != std::string::npos ||
                path.extension() == ".md" || path.extension() == ".txt" ||
                path.filename() == "metadata")
                continue;
            if (name.find(".ctf/") != std::string::npos) {
                target = "ctf";
                bytes = with_metadata(path);
            } else {
                target = target_of(path, bytes);
            }
            if (!target.empty())
                found.push_back({name, target, bytes});
        }
    std::sort(found.begin(), found.end(),
              [](const Golden &a, const Golden &b) { return a.name < b.name; });
    return found;
}

// One place of it is another, more often one of the first ones.
std::string spoilt(std::string data, size_t nth)
{
    std::mt19937_64 random(nth);
    const size_t ends[] = {64, 1024, data.size(), data.size()};
    const size_t at = random() % std::min(data.size(), ends[nth % 4]), some = 1 + random() % 8;

    switch (nth / 4 % 6) {
    case 0:
        data[at] = static_cast<char>(random());
        break;
    case 1:
        data[at] = static_cast<char>(data[at] ^ 1 << random() % 8);
        break;
    case 2:
        data.erase(at, some);
        break;
    case 3:
        data.insert(at, data.substr(at, some));
        break;
    case 4:
        data.resize(at + 1);
        break;
    default:
        break; // only the options are others
    }
    if (nth / 4 % 6 > 3 || random() % 3 == 0)
        data.back() = static_cast<char>(random());
    return data;
}

class Spoilt : public testing::TestWithParam<Golden>
{
};

TEST_P(Spoilt, IsReadAsEver)
{
    const Golden &golden = GetParam();
    const cs_fuzz_target target = cs_fuzz_choose(golden.target.c_str());
    // How much of a spoilt stream comes out depends on zstd's version.
    const bool packed = golden.name.find("zstd") != std::string::npos;
    const size_t ways = packed ? 0 : std::clamp(kMostBytes / golden.bytes.size(), kLeast, kMost);

    ASSERT_NE(nullptr, target.run);
    uint64_t hash = hash_of_said(target, golden.bytes);
    for (size_t nth = 0; nth < ways; nth++)
        hash = hash_of_said(target, spoilt(golden.bytes, nth), hash);
    hashes.expect(golden.name, ways, hash);
}

INSTANTIATE_TEST_SUITE_P(Of, Spoilt, testing::ValuesIn(all()), [](const auto &info) {
    std::string name = info.param.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

} // namespace
