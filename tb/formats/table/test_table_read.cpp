// SPDX-License-Identifier: Apache-2.0
// The reader of tables, and damage of all that the readers of timelines read.
#include <algorithm>

#include "formats/timeline/timeline_reading.hpp"

using namespace timeline_reading;
using namespace cs_test;

TEST(TableRead, ReadsTheGoldenTablesAsPythonDoes)
{
    const std::string csv = "import csv,sys\nfor r in list(csv.reader(open(sys.argv[1])))[1:]: "
                            "print(\"|\".join(r))\n";
    const std::string json =
        "import json,sys\nfor r in json.load(open(sys.argv[1])): print(\"|\".join("
        "\"\" if v is None else str(v) for v in r.values()))\n";

    for (const char *name : {"pmcu/samples.csv", "imc/counts.csv", "riscv/counts.csv",
                             "uncore/counts.csv", "callgraph/samples.csv"})
        for (size_t piece : {SIZE_MAX, size_t{1}}) {
            const Reading reading = read_table(file_text(kGolden + name), CS_TABLE_CSV, piece);

            EXPECT_EQ(reading.status, CS_OK) << reading.error;
            EXPECT_FALSE(reading.rows.empty());
            EXPECT_EQ(reading.rows, lines_of("python3 -c '" + csv + "' " + kGolden + name)) << name;
        }
    const std::string name = "riscv/samples.json";
    const Reading reading = read_table(file_text(kGolden + name), CS_TABLE_JSON);
    EXPECT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows.size(), 24u);
    EXPECT_EQ(reading.rows, lines_of("python3 -c '" + json + "' " + kGolden + name));
}

// The column is there in all rows or in none; a row may have no chain.
TEST(TableRead, CallChains)
{
    const std::string head = "time_ns,event,cpu,pid,mode,ip,period,chain\n",
                      row = "1,e,0,2,user,0x1,3,";
    const std::string object =
        "{\"time_ns\": 1, \"event\": \"e\", \"cpu\": 0, \"pid\": 2, \"mode\": "
        "null, \"ip\": \"0x1\", \"period\": 3";
    const struct {
        std::string text, error;
        cs_table_format format;
    } cases[] = {
        {head + row + "0x1;\n", "byte 0x3e: chain: found '0x1;', expected numbers as 0x1f with ;",
         CS_TABLE_CSV},
        {head + row + "0x1;2\n", "chain: found '0x1;2'", CS_TABLE_CSV},
        {head + row + "0x12345678123456789\n", "chain: found '0x12345678123456789'", CS_TABLE_CSV},
        {head + "1,e,0,2,user,0x1,3\n", "7 cells in a row, expected 8", CS_TABLE_CSV},
        {"[" + object + ", \"chain\": \"0x\"}]", "chain: found '0x'", CS_TABLE_JSON},
        {"[" + object + ", \"chain\": 1}]", "chain: found something else, expected a string",
         CS_TABLE_JSON},
        {"[" + object + ", \"chain\": \"0x1\"}, " + object + "}]", "a row without 'chain'",
         CS_TABLE_JSON},
        {"[" + object + "}, " + object + ", \"chain\": \"0x1\"}]", "key 'chain' is unknown",
         CS_TABLE_JSON},
    };

    EXPECT_EQ(read_table(head + row + "0x1;0x2a\n" + row + "\n", CS_TABLE_CSV).rows,
              (Rows{"1|e|0|2|user|0x1|3|0x1;0x2a", "1|e|0|2|user|0x1|3|"}));
    EXPECT_EQ(read_table("[{\"chain\": null, " + object.substr(1) + "}]", CS_TABLE_JSON).rows,
              (Rows{"1|e|0|2||0x1|3|"}))
        << "keys in any order";
    EXPECT_EQ(read_table("[" + object + ", \"chain\": \"0x1\"}, " + object + ", \"chain\": null}]",
                         CS_TABLE_JSON)
                  .rows,
              (Rows{"1|e|0|2||0x1|3|0x1", "1|e|0|2||0x1|3|"}));
    for (const auto &c : cases) {
        const Reading reading = read_table(c.text, c.format);

        EXPECT_EQ(reading.status, CS_ERR_FORMAT) << c.text;
        EXPECT_NE(reading.error.find(c.error), std::string::npos) << reading.error;
    }
}

TEST(TableRead, TellsWhereATableIsDamaged)
{
    const std::string head = "time_ns,event,cpu,pid,mode,ip,period\n";
    const std::string object =
        "{\"time_ns\": 1, \"event\": \"e\", \"cpu\": 0, \"pid\": 2, \"mode\": "
        "null, \"ip\": \"0x1\", \"period\": 3}";
    const struct {
        std::string text, error;
        cs_table_format format;
    } cases[] = {
        {"", "byte 0x0: found 0 columns", CS_TABLE_CSV},
        {"a,b\n", "byte 0x0: found 2 columns from 'a' on", CS_TABLE_CSV},
        {head + "1,e,0,2,user,0x1,3", "byte 0x37: the file ends in a row", CS_TABLE_CSV},
        {head + "1,e,0\n", "byte 0x25: 3 cells in a row, expected 7", CS_TABLE_CSV},
        {head + "1,e,0,2,user,0x1,3,4,5\n", "9 cells in a row, expected 7", CS_TABLE_CSV},
        {head + "1,e,0,2,user,0x1,3,4,5,6,7,8\n", "more than 11 cells", CS_TABLE_CSV},
        {head + "1,e,0,2,user,0x1,x\n", "byte 0x36: period: found 'x', expected a whole number",
         CS_TABLE_CSV},
        {head + "1,e,0,2,us,0x1,3\n", "mode: found 'us', expected kernel, user", CS_TABLE_CSV},
        {head + ",e,0,2,user,0x1,3\n", "time_ns is empty", CS_TABLE_CSV},
        {head + "1,\"e,0\n", "the file ends inside of quotes", CS_TABLE_CSV},
        {head + "1,\"e\"x,0\n", "found 'x' behind quotes", CS_TABLE_CSV},
        {head + "99999999999999999999,e,0,2,user,0x1,3\n", "time_ns: found", CS_TABLE_CSV},
        {"[" + object, "the file ends, expected ',' or ']'", CS_TABLE_JSON},
        {"{", "byte 0x0: expected '['", CS_TABLE_JSON},
        {"[{}]", "an empty row", CS_TABLE_JSON},
        {"[{\"time_ns\": 1}]", "a row without 'event'", CS_TABLE_JSON},
        {"[{\"time_ns\": \"1\"}]", "byte 0xd: time_ns: found something else, expected a number",
         CS_TABLE_JSON},
        {"[{\"time_ns\": 1, \"time_ns\": 1}]", "is there twice", CS_TABLE_JSON},
        {"[{\"foo\": 1}]", "key 'foo' is unknown", CS_TABLE_JSON},
        {"[" + object + "] 1", "expected the end of the file", CS_TABLE_JSON},
    };

    EXPECT_EQ(read_table("[" + object + ",\r\n" + object + "]", CS_TABLE_JSON).rows,
              (Rows{"1|e|0|2||0x1|3", "1|e|0|2||0x1|3"}));
    EXPECT_EQ(read_table(head + "1,\"e \"\"x\"\", y\",0,2,,0x1,3\r\n", CS_TABLE_CSV).rows,
              (Rows{"1|e \"x\", y|0|2||0x1|3"}));
    for (const auto &c : cases) {
        const Reading reading = read_table(c.text, c.format);

        EXPECT_EQ(reading.status, CS_ERR_FORMAT) << c.text;
        EXPECT_NE(reading.error.find(c.error), std::string::npos)
            << c.text << ": " << reading.error;
    }
}

namespace
{

// A bit, some bytes, the end, a piece taken out or twice: whatever happens to files.
std::string damaged(std::string text, std::mt19937 &random)
{
    const size_t at = random() % text.size(), bytes = random() % 64;

    switch (random() % 6) {
    case 0:
        text[at] = static_cast<char>(text[at] ^ 1 << random() % 8);
        break;
    case 1:
        for (size_t i = at; i < std::min(at + bytes, text.size()); i++)
            text[i] = static_cast<char>(random());
        break;
    case 2:
        text.resize(at);
        break;
    case 3:
        text.erase(at, bytes);
        break;
    case 4:
        text.insert(at, text.substr(random() % text.size(), bytes));
        break;
    default:
        text[at] = "{}[]\",:;=0\\\n\xff"[random() % 13];
        break;
    }
    return text;
}

void expect_survived(const Reading &reading)
{
    EXPECT_TRUE(reading.status == CS_OK || reading.status == CS_ERR_FORMAT ||
                reading.status == CS_ERR_UNSUPPORTED)
        << reading.error;
    if (reading.status == CS_ERR_FORMAT) {
        EXPECT_NE(reading.error.find("byte 0x"), std::string::npos) << reading.error;
    }
}

} // namespace

TEST(TimelineDamage, NeverCrashesOnJsonAndTables)
{
    std::mt19937 random(2026);
    const std::string json = file_text(kGolden + "pmcu/timeline.json").substr(0, 6000) + "]}";
    const std::string csv = file_text(kGolden + "riscv/counts.csv");
    const std::string table = file_text(kGolden + "riscv/samples.json");
    unsigned errors = 0;

    for (int i = 0; i < 3000; i++) {
        for (const Reading &reading :
             {read_json(damaged(json, random)), read_table(damaged(csv, random), CS_TABLE_CSV),
              read_table(damaged(table, random), CS_TABLE_JSON)}) {
            expect_survived(reading);
            errors += reading.status != CS_OK;
        }
    }
    EXPECT_GT(errors, 5000u); // most damage is seen
}

TEST(TimelineDamage, NeverCrashesOnCtf)
{
    std::mt19937 random(7);
    TempFolder temp;
    const std::string golden = kGolden + "pmcu/timeline.ctf/";
    const struct {
        std::string metadata, stream;
    } traces[] = {{file_text(golden + "metadata"), file_text(golden + "cpu_0.windows")},
                  {kMetadata, foreign_stream()}};
    unsigned errors = 0;

    for (int i = 0; i < 2000; i++) {
        const auto &t = traces[i % 2];
        const bool of_metadata = random() % 2 == 0;

        write(temp.file("metadata"), of_metadata ? damaged(t.metadata, random) : t.metadata);
        write(temp.file("s"), of_metadata ? t.stream : damaged(t.stream, random));
        const Reading reading = read_ctf(temp.file(""));
        if (reading.error.find("declares no stream") == std::string::npos)
            expect_survived(reading);
        errors += reading.status != CS_OK;
    }
    EXPECT_GT(errors, 500u);
}
