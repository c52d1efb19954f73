// SPDX-License-Identifier: Apache-2.0
// What is made from the table of keys and committed. CS_WRITE_GENERATED=1 in the
// environment writes the files anew.
#include <gtest/gtest.h>

#include <cstdlib>

#include "document.hpp"

extern "C" {
#include "scenario/schema/schema.h"
}

namespace
{

const std::string SOURCE = CS_SOURCE_DIR;
const std::string BEGIN = "<!-- keys: made from src/scenario/keys.c -->\n";
const std::string END = "<!-- end of keys -->\n";

std::string written(void (*make)(cs_scenario_writer, void *))
{
    std::string text;

    make([](void *ctx, const char *part,
            size_t bytes) { static_cast<std::string *>(ctx)->append(part, bytes); },
         &text);
    return text;
}

void hold(const std::string &path, const std::string &expected)
{
    if (std::getenv("CS_WRITE_GENERATED") != nullptr)
        std::ofstream(path, std::ios::binary) << expected;
    EXPECT_TRUE(read_file(path) == expected)
        << path << " is out of date; CS_WRITE_GENERATED=1 test_scenario writes it";
}

} // namespace

TEST(Generated, TheSchemaIsThatOfTheTable)
{
    hold(SOURCE + "/configs/scenario.schema.json", written(cs_scenario_schema));
}

// A shape that finds no room in the writer's list would be referred to and not be there.
TEST(Generated, TheSchemaHasWhatItRefersTo)
{
    const std::string schema = written(cs_scenario_schema), begin = "\"#/$defs/";
    size_t references = 0;

    for (size_t at = 0; (at = schema.find(begin, at)) != std::string::npos; references++) {
        at += begin.size();
        const std::string name = schema.substr(at, schema.find('"', at) - at);

        EXPECT_NE(schema.find("\"" + name + "\": {\n", schema.find("\"$defs\"")), std::string::npos)
            << name;
    }
    EXPECT_GT(references, 50u);
}

TEST(Generated, TheTableInTheDocumentationToo)
{
    const std::string path = SOURCE + "/docs/scenarios.md";
    const std::string page = read_file(path);
    const size_t begin = page.find(BEGIN), end = page.find(END);

    ASSERT_NE(begin, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    hold(path, page.substr(0, begin) + BEGIN + "\n" + written(cs_scenario_key_table) + "\n" +
                   page.substr(end));
}
