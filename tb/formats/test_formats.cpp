// SPDX-License-Identifier: Apache-2.0
// The list of formats: rows are whole, and what a file is, is told once for all commands.

#include "formats/formats.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/damage/layout.h"

namespace
{

const std::string kGolden = CS_SOURCE_DIR "/traces/";

std::vector<uint8_t> bytes_of(const std::string &name)
{
    std::ifstream file(kGolden + name, std::ios::binary);

    EXPECT_TRUE(file.good()) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(FormatList, RowsAreWhole)
{
    std::set<std::string> names;
    const cs_format *format;
    unsigned otherwise = 0;

    for (size_t i = 0; (format = cs_format_at(i)) != nullptr; i++) {
        SCOPED_TRACE(format->name);
        EXPECT_TRUE(names.insert(format->name).second) << "another format is called so";
        for (size_t k = 0; format->aliases != nullptr && format->aliases[k] != nullptr; k++) {
            EXPECT_TRUE(names.insert(format->aliases[k]).second) << format->aliases[k];
            EXPECT_EQ(cs_format_named(format->aliases[k]), format);
        }
        EXPECT_EQ(cs_format_named(format->name), format);
        EXPECT_NE(format->about, nullptr);
        EXPECT_NE(format->print, nullptr);
        EXPECT_EQ(format->folder, format->folder_looks_so != nullptr);
        EXPECT_FALSE(format->folder && format->looks_so != nullptr);
        otherwise += format->otherwise;
    }
    EXPECT_EQ(otherwise, 1u);
    EXPECT_EQ(cs_format_named("none"), nullptr);
    EXPECT_EQ(cs_format_named(""), nullptr);
}

// Options of two formats that are called the same are the same.
TEST(FormatList, OptionsHaveOneMeaning)
{
    std::map<std::string, const cs_format_option *> options;
    const cs_format *format;

    for (size_t i = 0; (format = cs_format_at(i)) != nullptr; i++)
        for (size_t k = 0; format->options != nullptr && format->options[k] != nullptr; k++) {
            const cs_format_option *option = format->options[k];

            EXPECT_EQ(options.emplace(option->name, option).first->second, option) << option->name;
            EXPECT_TRUE(cs_format_takes(format, option));
        }
    EXPECT_LE(options.size(), size_t{CS_FORMAT_MOST_OPTIONS});
}

TEST(FormatList, AreToldFromGoldenTracesOnce)
{
    const std::map<std::string, std::string> golden = {
        {"pmcu/stock.perf.data", "perf-data"},
        {"pmcu/pmcu.aux", "pmcu-aux"},
        {"pmcu/samples.csv", "csv"},
        {"pmcu/timeline.json", "perfetto"},
        {"pmcu/timeline.pftrace", "perfetto"},
        {"riscv/samples.json", "json"},
        {"riscv/counts.csv", "csv"},
        {"uncore/intervals.json", "json"},
        {"imc/core.imc", ""},
        {"imc/nest.imc", ""},
        {"riscv/pages.snapshot", ""},
    };

    for (const auto &[name, expected] : golden) {
        const std::vector<uint8_t> bytes = bytes_of(name);
        const cs_format *format = cs_format_guess(bytes.data(), bytes.size());
        cs_damage_layout layout = {};
        cs_diag diag = {};

        EXPECT_EQ(format != nullptr ? format->name : "", expected) << name;
        ASSERT_EQ(cs_damage_layout_of(nullptr, bytes.data(), bytes.size(), &layout, &diag), CS_OK);
        EXPECT_EQ(layout.format, expected.empty() ? "bytes" : expected) << name;
        cs_damage_layout_free(&layout);
    }
    ASSERT_NE(cs_format_guess_folder((kGolden + "pmcu/timeline.ctf").c_str()), nullptr);
    EXPECT_STREQ(cs_format_guess_folder((kGolden + "pmcu/timeline.ctf").c_str())->name, "ctf");
    EXPECT_EQ(cs_format_guess_folder(kGolden.c_str()), nullptr);
    EXPECT_EQ(cs_format_guess(nullptr, 0), nullptr);
}

// By what it says of itself, be that the last that is looked at.
TEST(FormatList, AProfileIsToldByItsSchema)
{
    const auto guess = [](const std::string &look) {
        const cs_format *format =
            cs_format_guess(reinterpret_cast<const uint8_t *>(look.data()), look.size());
        return std::string(format != nullptr ? format->name : "");
    };

    EXPECT_EQ(guess("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json"),
              "speedscope");
    EXPECT_EQ(guess("{\"meta\":{\"preprocessedProfileVersion\""), "firefox");
    EXPECT_NE(guess(" speedscope.app/file-format-schema.json"), "speedscope");
    EXPECT_NE(guess(" \"preprocessedProfileVersion\""), "firefox");
}

bool has_options(const cs_format *format, const void *)
{
    return format->options != nullptr;
}

bool is_none(const cs_format *, const void *)
{
    return false;
}

TEST(FormatList, NamesInALine)
{
    char names[CS_FORMAT_NAMES_BYTES];

    EXPECT_EQ(
        std::string(cs_format_names(names, " or ", nullptr, nullptr)).find("perf-data, pprof"), 0u);
    EXPECT_STREQ(cs_format_names(names, " and ", has_options, nullptr),
                 "perf-data, pmcu-aux, imc-trace, imc-core, imc-thread and imc-nest");
    EXPECT_STREQ(cs_format_names(names, " and ", is_none, nullptr), "");
}

} // namespace
