// Readers of timelines and tables: what other programs read of the same files, cases by hand, damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "formats/ctf/read/ctf.h"
#include "formats/perfetto/read/json.h"
#include "formats/table/read/table.h"
#include "support/babeltrace.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

const std::string kGolden = CS_SOURCE_DIR "/traces/";

using Rows = std::vector<std::string>;

struct Bytes {
    std::string text;
    size_t at = 0, piece = SIZE_MAX;
};

cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
{
    Bytes *source = static_cast<Bytes *>(ctx);

    *got = std::min({bytes, source->text.size() - source->at, source->piece});
    std::memcpy(out, source->text.data() + source->at, *got);
    source->at += *got;
    return CS_OK;
}

std::string fields_of(const cs_event_fields &fields)
{
    std::string text;

    for (size_t i = 0; i < fields.nr_fields; i++)
        text += std::string("|") + fields.fields[i].name + "=" + fields.fields[i].text;
    return text;
}

struct Reading {
    cs_status status = CS_OK;
    std::string error;
    Rows rows;
};

// Files with an error give it again and again, and no more events.
template <class Next> Reading read_all(Next next)
{
    Reading reading;
    cs_diag diag = {}, again = {};
    std::string row;
    bool there = true;

    while ((reading.status = next(row, there, &diag)) == CS_OK && there)
        reading.rows.push_back(row);
    reading.error = diag.text;
    EXPECT_EQ(next(row, there, &again), reading.status);
    if (reading.status != CS_OK) {
        EXPECT_STREQ(again.text, diag.text);
        EXPECT_NE(std::string(diag.text), "");
    }
    return reading;
}

Reading read_ctf(const std::string &folder)
{
    cs_ctfread *reader = nullptr;
    cs_diag diag = {};
    const cs_status opened = cs_ctfread_open(folder.c_str(), &reader, &diag);

    if (opened != CS_OK) {
        Reading failed;

        failed.status = opened;
        failed.error = diag.text;
        EXPECT_EQ(reader, nullptr);
        EXPECT_NE(failed.error, "");
        return failed;
    }
    const Reading reading = read_all([&](std::string &row, bool &there, cs_diag *d) {
        cs_ctfread_event event;
        const cs_status status = cs_ctfread_next(reader, &event, &there, d);

        if (status == CS_OK && there) {
            row = std::to_string(event.time) + " " + event.name + fields_of(*event.fields);
            EXPECT_NE(cs_event_fields_print(event.fields), nullptr);
        }
        return status;
    });
    cs_ctfread_close(reader);
    return reading;
}

Reading read_json(const std::string &text, size_t piece = SIZE_MAX)
{
    Bytes bytes{text, 0, piece};
    const cs_byte_source source = {give, &bytes};
    cs_traceread *reader = nullptr;

    EXPECT_EQ(cs_traceread_open(&source, "t", &reader, nullptr), CS_OK);
    const Reading reading = read_all([&](std::string &row, bool &there, cs_diag *d) {
        cs_traceevent *e = nullptr;
        const cs_status status = cs_traceread_next(reader, &e, d);

        there = e != nullptr;
        if (status == CS_OK && there) {
            row = std::string(1, e->phase) + "|" + (e->pid ? e->pid : "-") + "|" +
                  (e->tid ? e->tid : "-") + "|" + (e->name ? e->name : "-") + "|" +
                  (e->has_time ? std::to_string(e->time_ns) : "-") + "|" +
                  (e->has_duration ? std::to_string(e->duration_ns) : "-") + fields_of(e->args);
            EXPECT_NE(cs_event_fields_print(&e->args), nullptr);
        }
        return status;
    });
    cs_traceread_close(reader);
    return reading;
}

Reading read_table(const std::string &text, cs_table_format format, size_t piece = SIZE_MAX)
{
    Bytes bytes{text, 0, piece};
    const cs_byte_source source = {give, &bytes};
    cs_tableread *table = nullptr;

    EXPECT_EQ(cs_tableread_open(&source, "t", format, &table, nullptr), CS_OK);
    const Reading reading = read_all([&](std::string &row, bool &there, cs_diag *d) {
        const cs_tableread_row *r = nullptr;
        const cs_status status = cs_tableread_next(table, &r, d);

        there = r != nullptr;
        row.clear();
        for (unsigned i = 0; there && i < r->nr_cells; i++)
            row += (i > 0 ? "|" : "") + std::string(r->cells[i].text ? r->cells[i].text : "");
        return status;
    });
    cs_tableread_close(table);
    return reading;
}

Rows lines_of(const std::string &command)
{
    FILE *pipe = popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    Rows rows;

    for (size_t n; pipe != nullptr && (n = std::fread(buffer, 1, sizeof buffer, pipe)) != 0;)
        text.append(buffer, n);
    EXPECT_EQ(pclose(pipe), 0) << command;
    for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        rows.push_back(text.substr(at, end - at));
    return rows;
}

void write(const std::string &path, const std::string &text)
{
    std::ofstream(path, std::ios::binary) << text;
}

// One line a event as babeltrace2 has it, with numbers as decimals.
std::string plain(const std::string &text)
{
    char *end = nullptr;
    const unsigned long long number = std::strtoull(text.c_str(), &end, 0);

    return !text.empty() && *end == '\0' && text[0] != '-' ? std::to_string(number) : text;
}

Rows in_order(Rows rows)
{
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::string number_row(const std::string &row)
{
    std::string result;
    size_t at = 0;

    for (size_t end; at <= row.size(); at = end + 1) {
        end = std::min(row.find('|', at), row.size());
        const std::string part = row.substr(at, end - at);
        const size_t is = part.find('=');

        result +=
            (at > 0 ? "|" : "") +
            (is == std::string::npos ? part : part.substr(0, is + 1) + plain(part.substr(is + 1)));
    }
    return result;
}

} // namespace

TEST(CtfRead, ReadsTheGoldenTraceAsBabeltraceDoes)
{
    const std::string folder = kGolden + "pmcu/timeline.ctf";
    const Reading reading = read_ctf(folder);
    Rows found, expected;

    ASSERT_EQ(reading.status, CS_OK) << reading.error;
    for (const CtfEvent &e : ctf_read(folder)) {
        Rows fields;

        for (const auto &f : e.context)
            fields.push_back(f.first + "=" + plain(f.second));
        for (const auto &f : e.fields)
            fields.push_back(f.first + "=" + plain(f.second));
        std::string row = std::to_string(e.cycle) + " " + e.name;
        for (const std::string &f : in_order(fields))
            row += "|" + f;
        expected.push_back(row);
    }
    uint64_t last = 0;
    for (const std::string &r : reading.rows) {
        const std::string row = number_row(r);
        const size_t bar = row.find('|');
        Rows fields;
        std::string sorted = row.substr(0, bar);

        EXPECT_GE(std::stoull(row), last);
        last = std::stoull(row);
        for (size_t at = bar; at != std::string::npos && at < row.size();) {
            const size_t end = row.find('|', at + 1);

            fields.push_back(row.substr(at + 1, end == std::string::npos ? end : end - at - 1));
            at = end;
        }
        for (const std::string &f : in_order(fields))
            sorted += "|" + f;
        found.push_back(sorted);
    }
    ASSERT_EQ(found.size(), 4152u);
    EXPECT_EQ(in_order(found), in_order(expected));
}

namespace
{

// All that other tracers have and ours has not: bits, big endian, signs, arrays, sequences, floats,
// contexts, a clock of 32 bits that wraps.
const char *const kMetadata = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; } := unsigned int; // two words
typealias integer { size = 8; align = 8; encoding = UTF8; } := letter;
struct point { integer { size = 16; align = 8; signed = true; } x, y; } align(8);
enum colour : integer { size = 8; } { RED, GREEN = 5, "LIGHT BLUE" = 7 ... 9 };
trace { major = 1; minor = 8; byte_order = be; packet.header := struct { unsigned int magic; }; };
clock { name = c; freq = 1000; uuid = "2a6422d0-6cee-11e0-8c08-cb07d7b3a564"; };
typealias integer { size = 32; align = 8; map = clock.c.value; } := stamp;
stream {
    packet.context := struct { unsigned int content_size; unsigned int packet_size; };
    event.header := struct { stamp timestamp; };
    event.context := struct { integer { size = 8; } depth; };
};
event {
    name = "all"; id = 0;
    context := struct { string who; };
    fields := struct {
        integer { size = 3; align = 1; } _a;
        integer { size = 5; align = 1; signed = true; } _b;
        integer { size = 11; align = 1; base = 16; } _c;
        struct point _p;
        enum colour _colour;
        integer { size = 8; } _n;
        integer { size = 16; align = 8; byte_order = le; } _values[_n];
        letter _tag[4];
        floating_point { exp_dig = 8; mant_dig = 24; align = 8; } _f;
    };
};
)";

void be(std::string &out, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i-- > 0;)
        out += static_cast<char>(value >> (8 * i));
}

std::string foreign_stream()
{
    std::string events, packet;

    for (uint32_t time : {0xfffffff0u, 0x10u}) {
        be(events, time, 4);
        be(events, 3, 1);
        events += std::string("me\0", 3);
        be(events, 0xb7, 1);   // a = 0b101, b = 0b10111 = -9
        be(events, 0x7f20, 2); // c = 0b01111111001 = 0x3f9, 5 bits of padding
        be(events, 0xfffe, 2);
        be(events, 7, 2);
        be(events, 8, 1);
        be(events, 2, 1);
        events += std::string("\x01\x02\xff\x00", 4);
        events += std::string("ab\0\0", 4);
        be(events, 0x3fc00000, 4);
    }
    be(packet, 0xc1fc1fc1, 4);
    be(packet, (12 + events.size()) * 8, 4);
    be(packet, (12 + events.size() + 2) * 8, 4);
    return packet + events + "\x55\x55";
}

} // namespace

TEST(CtfRead, ReadsWhatOtherTracersWrite)
{
    // Given a trace with types that ours does not have
    TempFolder temp;
    write(temp.file("metadata"), kMetadata);
    write(temp.file("s"), foreign_stream());
    // When it is read
    const Reading reading = read_ctf(temp.file(""));
    // Then its values are there, the clock goes on, and babeltrace2 says the same
    const char *const rest =
        " all|depth=3|who=me|a=5|b=-9|c=0x3f9|p.x=-2|p.y=7|colour=LIGHT BLUE|n=2|"
        "values.0=513|values.1=255|tag=ab|f=1.5";
    ASSERT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows,
              (Rows{"4294967280" + std::string(rest), "4294967312" + std::string(rest)}));
    const Rows lines = lines_of("babeltrace2 --clock-cycles " + temp.file(""));
    ASSERT_EQ(lines.size(), 2u);
    for (const char *part :
         {"4294967312]", "depth = 3", "who = \"me\"", "a = 5", "b = -9", "c = 0x3F9", "x = -2",
          "y = 7", "\"LIGHT BLUE\"", "n = 2", "[0] = 513", "[1] = 255", "tag = \"ab\"", "f = 1.5"})
        EXPECT_NE(lines[1].find(part), std::string::npos) << part << " in " << lines[1];
}

TEST(CtfRead, TellsWhereMetadataAreWrong)
{
    static const struct {
        const char *text, *error;
        cs_status status;
    } cases[] = {
        {"", "declares no stream", CS_ERR_FORMAT},
        {"stream { id = 0; };\nevent { id = ; };", "byte 0x21: found ';', expected a number",
         CS_ERR_FORMAT},
        {"stream { event.header := struct { foo x; }; };",
         "byte 0x22: found type 'foo', expected one that was declared", CS_ERR_FORMAT},
        {"typealias integer { size = 65; } := x;", "a number of 65 bits", CS_ERR_FORMAT},
        {"typealias integer { size = 8; align = 3; } := x;", "an alignment of 3", CS_ERR_FORMAT},
        {"stream { id = 0; }; stream { id = 0; };", "declared twice", CS_ERR_FORMAT},
        {"stream { event.context := variant <x> { int y; }; };", "variants", CS_ERR_UNSUPPORTED},
        {"/* stream", "a comment without its end", CS_ERR_FORMAT},
        {"stream { name = \"x", "a string without its end", CS_ERR_FORMAT},
        {"stream { id = 99999999999999999999; };", "at most 64 bits", CS_ERR_FORMAT},
        {"\x75\xd1\x1d\x57zz", "metadata in packets", CS_ERR_UNSUPPORTED},
        {"stream { \x01 };", "found byte 0x01", CS_ERR_FORMAT},
    };

    for (const auto &c : cases) {
        TempFolder temp;
        write(temp.file("metadata"), c.text);
        const Reading reading = read_ctf(temp.file(""));

        EXPECT_EQ(reading.status, c.status) << c.text;
        EXPECT_NE(reading.error.find(c.error), std::string::npos)
            << c.text << ": " << reading.error;
    }
}

TEST(CtfRead, TellsWhereAStreamIsDamaged)
{
    const std::string good = foreign_stream();
    static const struct {
        size_t at;
        const char *bytes, *error;
    } cases[] = {
        {0, "\xc0", "byte 0x0: found magic"},
        {4, "\xff", "byte 0x0: a content of"},
        {8, "\xff", "byte 0x0: a packet of"},
        {27, "\x7f", "runs over"},
    };

    for (const auto &c : cases) {
        TempFolder temp;
        std::string bad = good;
        bad[c.at] = c.bytes[0];
        write(temp.file("metadata"), kMetadata);
        write(temp.file("s"), bad);
        const Reading reading = read_ctf(temp.file(""));

        EXPECT_EQ(reading.status, c.at == 27 ? reading.status : CS_ERR_FORMAT);
        if (c.at != 27) {
            EXPECT_NE(reading.error.find(c.error), std::string::npos) << reading.error;
        }
    }
    for (size_t bytes = 1; bytes < good.size(); bytes++) { // cut anywhere
        TempFolder temp;
        write(temp.file("metadata"), kMetadata);
        write(temp.file("s"), good.substr(0, bytes));
        EXPECT_EQ(read_ctf(temp.file("")).status, CS_ERR_FORMAT) << bytes;
    }
}

TEST(TraceEventRead, ReadsTheGoldenTraceAsPythonDoes)
{
    const std::string path = kGolden + "pmcu/timeline.json";
    const std::string script =
        "import json,sys,decimal\n"
        "d=json.load(open(sys.argv[1]),parse_float=decimal.Decimal)\n"
        "ns=lambda e,k: str(int(e[k]*1000)) if k in e else \"-\"\n"
        "for e in d[\"traceEvents\"]:\n"
        " print(\"|\".join([e[\"ph\"],str(e[\"pid\"]),str(e[\"tid\"]),e[\"name\"],ns(e,\"ts\"),"
        "ns(e,\"dur\")]+[\"%s=%s\"%a for a in e.get(\"args\",{}).items()]))\n";
    const Reading reading = read_json(file_text(path));

    ASSERT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows, lines_of("python3 -c '" + script + "' " + path));
    EXPECT_EQ(reading.rows.size(), 4502u);
}

TEST(TraceEventRead, ReadsAnyOrderEscapesAndBigNumbers)
{
    static const struct {
        const char *text, *rows;
    } cases[] = {
        {"[]", ""},
        {"[{\"ph\":\"X\",\"ts\":1.5,\"dur\":2e3,\"pid\":1,\"tid\":2,\"name\":\"a\"}]",
         "X|1|2|a|1500|2000000;"},
        {" [ {\"name\":\"a\\u00e9\\ud83d\\ude00\\n\",\"ts\":-0.0019,\"ph\":\"i\"} , ",
         "i|-|-|a\xc3\xa9\xf0\x9f\x98\x80\n|-1|-;"},
        {"{\"x\":[{\"traceEvents\":1}],\"traceEvents\":[{\"args\":{\"b\":18446744073709551615,"
         "\"c\":"
         "[1,{\"d\":null}],\"e\":\"0x1F\"},\"sf\":{},\"ts\":9007199254740993.001,\"ph\":\"C\"}],"
         "\"y\":1}",
         "C|-|-|-|9007199254740993001|-|b=18446744073709551615|c.0=1|c.1.d=null|e=0x1F;"},
        {"{\"traceEvents\":[],\"traceEvents\":[{\"ph\":\"M\",\"name\":\"\\ud800x\"}]}",
         "M|-|-|\xef\xbf\xbdx|-|-;"},
    };

    for (const auto &c : cases)
        for (size_t piece : {SIZE_MAX, size_t{1}}) {
            const Reading reading = read_json(c.text, piece);
            std::string rows;

            for (const std::string &row : reading.rows)
                rows += row + ";";
            EXPECT_EQ(reading.status, CS_OK) << c.text << ": " << reading.error;
            EXPECT_EQ(rows, c.rows) << c.text;
        }
}

TEST(TraceEventRead, TellsWhereAFileIsDamaged)
{
    static const struct {
        const char *text, *error;
        cs_status status;
    } cases[] = {
        {"", "byte 0x0: the file ends, expected a value", CS_ERR_FORMAT},
        {"{}", "byte 0x1: the object ends without \"traceEvents\"", CS_ERR_FORMAT},
        {"3", "byte 0x0: expected '{' or '['", CS_ERR_FORMAT},
        {"{\"traceEvents\":[", "byte 0x10: the file ends", CS_ERR_FORMAT},
        {"{\"traceEvents\":[1]}", "byte 0x10: expected '{'", CS_ERR_FORMAT},
        {"{\"traceEvents\":[{\"ts\":1}]}", "byte 0x10: an event without \"ph\"", CS_ERR_FORMAT},
        {"[{\"ph\":\"X\"}]", "byte 0x1: an event without \"ts\"", CS_ERR_FORMAT},
        {"[{\"ph\":\"X\",\"ts\":1e30}]", "byte 0x10: ts: found '1e30'", CS_ERR_FORMAT},
        {"[{\"ph\":\"X\",\"ts\":01}]", "byte 0x11: found '1', expected ',' or '}'", CS_ERR_FORMAT},
        {"[{\"ph\":\"X\" \"ts\":1}]", "byte 0xb: found '\"', expected ','", CS_ERR_FORMAT},
        {"[{\"ph\":\"\xff\"}]", "byte 0x8: found byte 0xff in a string, expected UTF-8",
         CS_ERR_FORMAT},
        {"[{\"ph\":\"\\q\"}]", "byte 0x9: found 'q'", CS_ERR_FORMAT},
        {"[{\"ph\":\"X\",\"ts\":1,}]", "byte 0x12: found '}', expected a key", CS_ERR_FORMAT},
        {"[] x", "byte 0x3: found 'x', expected the end", CS_ERR_FORMAT},
        {"\x0a\x10\x08\x01\x10\x05\x52\x09\x0a\x0a", "byte 0x1: found byte 0x10", CS_ERR_FORMAT},
    };

    for (const auto &c : cases) {
        const Reading reading = read_json(c.text);

        EXPECT_EQ(reading.status, c.status) << c.text;
        EXPECT_NE(reading.error.find(c.error), std::string::npos)
            << c.text << ": " << reading.error;
    }
    EXPECT_NE(read_json(std::string(100, '[')).status, CS_OK); // not event, nor deep recursion
    EXPECT_NE(read_json("{\"x\":" + std::string(100, '[')).error.find("more than 64 deep"),
              std::string::npos);
}

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
