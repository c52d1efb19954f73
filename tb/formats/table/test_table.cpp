// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "formats/common/table.h"

namespace
{

cs_status append(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

const cs_table_column columns[] = {
    {"name", CS_CELL_NAME, 0, 6},
    {"n", CS_CELL_NUMBER, 0, 3},
    {"code, hex", CS_CELL_HEX, 4, 0},
};

cs_table_cell named(const char *name)
{
    cs_table_cell cell;

    cell.name = name;
    return cell;
}

std::string table(cs_table_format format, unsigned rows)
{
    std::string text;
    cs_text_sink sink = {append, &text};
    cs_table t;
    const cs_table_cell cells[3][3] = {
        {named("a"), {1}, {0x11}},
        {named("say \"b\"\n"), {UINT64_MAX}, {0x12345}},
        {named(nullptr), {0}, {0}},
    };

    cs_table_begin(&t, format, &sink);
    EXPECT_EQ(cs_table_columns(&t, columns, 3), CS_OK);
    for (unsigned i = 0; i < rows; i++)
        EXPECT_EQ(cs_table_row(&t, cells[i]), CS_OK);
    EXPECT_EQ(cs_table_end(&t), CS_OK);
    return text;
}

TEST(Table, Text)
{
    EXPECT_EQ(table(CS_TABLE_TEXT, 1), "name      n  code, hex\n"
                                       "a         1     0x0011\n");
    EXPECT_EQ(table(CS_TABLE_TEXT, 0), "name      n  code, hex\n");
}

TEST(Table, Csv)
{
    EXPECT_EQ(table(CS_TABLE_CSV, 3), "name,n,\"code, hex\"\n"
                                      "a,1,0x0011\n"
                                      "\"say \"\"b\"\"\n\",18446744073709551615,0x12345\n"
                                      ",0,0x0000\n");
}

TEST(Table, Json)
{
    EXPECT_EQ(table(CS_TABLE_JSON, 3),
              "[\n{\"name\": \"a\", \"n\": 1, \"code, hex\": \"0x0011\"},\n"
              "{\"name\": \"say \\u0022b\\u0022\\u000a\", \"n\": 18446744073709551615, "
              "\"code, hex\": \"0x12345\"},\n"
              "{\"name\": null, \"n\": 0, \"code, hex\": \"0x0000\"}\n]\n");
    EXPECT_EQ(table(CS_TABLE_JSON, 0), "[]\n");
}

// Numbers that the caller has as text: at the right, and without quotes in JSON.
TEST(Table, RealNumbers)
{
    const cs_table_column real[] = {{"x", CS_CELL_REAL, 0, 6}, {"y", CS_CELL_REAL, 0, 0}};
    const cs_table_cell cells[] = {named("1.5e+20"), named(nullptr)};
    const struct {
        cs_table_format format;
        const char *text;
    } cases[] = {
        {CS_TABLE_TEXT, "     x  y\n1.5e+20   \n"},
        {CS_TABLE_CSV, "x,y\n1.5e+20,\n"},
        {CS_TABLE_JSON, "[\n{\"x\": 1.5e+20, \"y\": null}\n]\n"},
    };

    for (const auto &c : cases) {
        std::string text;
        cs_text_sink sink = {append, &text};
        cs_table t;

        cs_table_begin(&t, c.format, &sink);
        EXPECT_EQ(cs_table_columns(&t, real, 2), CS_OK);
        EXPECT_EQ(cs_table_row(&t, cells), CS_OK);
        EXPECT_EQ(cs_table_end(&t), CS_OK);
        EXPECT_EQ(text, c.text);
    }
}

// A row is handed over whole, or in pieces where it is long.
TEST(Table, RowsOfAnyLength)
{
    for (size_t length : {1000u, 1023u, 1024u, 1025u, 5000u}) {
        const std::string name(length, 'n');
        const cs_table_column column = {"c", CS_CELL_NAME, 0, 0};
        const cs_table_cell cell = named(name.c_str());
        std::string text;
        cs_text_sink sink = {append, &text};
        cs_table t;

        cs_table_begin(&t, CS_TABLE_CSV, &sink);
        EXPECT_EQ(cs_table_columns(&t, &column, 1), CS_OK);
        EXPECT_EQ(cs_table_row(&t, &cell), CS_OK);
        EXPECT_EQ(text, "c\n" + name + "\n");
        EXPECT_EQ(cs_table_end(&t), CS_OK);
    }
}

TEST(Table, FormatsByName)
{
    cs_table_format format = CS_TABLE_TEXT;
    cs_diag diag = {};

    EXPECT_EQ(cs_table_format_of("json", &format, &diag), CS_OK);
    EXPECT_EQ(format, CS_TABLE_JSON);
    EXPECT_EQ(cs_table_format_of("csv", &format, &diag), CS_OK);
    EXPECT_EQ(format, CS_TABLE_CSV);
    EXPECT_EQ(cs_table_format_of("xml", &format, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "format \"xml\": expected text, csv or json");
}

cs_status refuse(void *ctx, const char *, size_t)
{
    ++*static_cast<unsigned *>(ctx);
    return CS_ERR_IO;
}

TEST(Table, NothingIsWrittenAfterAFailure)
{
    unsigned calls = 0;
    cs_text_sink sink = {refuse, &calls};
    cs_table t;
    cs_table_cell cells[3] = {named("a"), {1}, {2}};

    cs_table_begin(&t, CS_TABLE_CSV, &sink);
    EXPECT_EQ(cs_table_columns(&t, columns, 3), CS_ERR_IO);
    EXPECT_EQ(cs_table_row(&t, cells), CS_ERR_IO);
    EXPECT_EQ(cs_table_end(&t), CS_ERR_IO);
    EXPECT_EQ(calls, 1u);
}

} // namespace
