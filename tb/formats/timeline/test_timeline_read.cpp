// SPDX-License-Identifier: Apache-2.0
// Readers of timelines and tables: what other programs read of the same files, cases by hand, damage.
#include "timeline_reading.hpp"

using namespace timeline_reading;
using namespace cs_test;

TEST(CtfRead, ReadsTheGoldenTraceAsBabeltraceDoes)
{
    const std::string folder = kGolden + "pmcu/timeline.ctf";
    const Reading reading = read_ctf(folder);
    Rows found, expected;

    ASSERT_EQ(reading.status, CS_OK) << reading.error;
    for (const CtfEvent &e : ctf_read(folder)) {
        Rows fields;

        for (const auto &f : e.context) {
            const auto label = e.labels.find(f.first);
            fields.push_back(f.first + "=" +
                             (label != e.labels.end() ? label->second : plain(f.second)));
        }
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
    ASSERT_EQ(found.size(), 4972u);
    EXPECT_EQ(in_order(found), in_order(expected));
}

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
        {44, "\x7f", "but the packet's content ends"}, // 127 values
    };

    for (const auto &c : cases) {
        TempFolder temp;
        std::string bad = good;
        bad[c.at] = c.bytes[0];
        write(temp.file("metadata"), kMetadata);
        write(temp.file("s"), bad);
        const Reading reading = read_ctf(temp.file(""));

        EXPECT_EQ(reading.status, CS_ERR_FORMAT);
        EXPECT_NE(reading.error.find(c.error), std::string::npos) << reading.error;
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
    EXPECT_EQ(reading.rows.size(), 5324u);
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

TEST(TraceEventRead, TimesAreExactHoweverTheyAreWritten)
{
    const std::string zeros(20000, '0');
    const std::pair<std::string, const char *> cases[] = {
        {"0." + zeros + "1e20003", "100000"},
        {"1" + zeros + "e-19999", "10000"},
        {"0e99999999999999999999", "0"},
        {"1e-99999999999999999999", "0"},
    };

    for (const auto &[time, expected] : cases)
        EXPECT_EQ(read_json("[{\"ph\":\"i\",\"ts\":" + time + "}]").rows,
                  (Rows{std::string("i|-|-|-|") + expected + "|-"}));
    EXPECT_NE(read_json("[{\"ph\":\"i\",\"ts\":1e99999999999999999999}]").status, CS_OK);
}

// What is a number is one, whatever its kind in JSON.
TEST(TraceEventRead, ArgumentsThatAreNumbers)
{
    const std::string text = "[{\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":\"0x1F\",\"b\":\"0x\","
                             "\"c\":-5,\"d\":\"-\",\"e\":\"\",\"f\":1.5,\"g\":\"12\"}}]";
    const std::pair<bool, uint64_t> expected[] = {{true, 31}, {false, 0}, {true, UINT64_MAX - 4},
                                                  {false, 0}, {false, 0}, {false, 0},
                                                  {true, 12}};
    Bytes bytes{text, 0, SIZE_MAX};
    const cs_byte_source source = {give, &bytes};
    cs_traceread *reader = nullptr;
    cs_traceevent *event = nullptr;

    ASSERT_EQ(cs_traceread_open(&source, "t", &reader, nullptr), CS_OK);
    ASSERT_EQ(cs_traceread_next(reader, &event, nullptr), CS_OK);
    ASSERT_EQ(event->args.nr_fields, std::size(expected));
    for (size_t i = 0; i < std::size(expected); i++) {
        EXPECT_EQ(event->args.fields[i].is_number, expected[i].first) << i;
        EXPECT_EQ(event->args.fields[i].number, expected[i].second) << i;
    }
    cs_traceread_close(reader);
}

// As long as a field may be, also the first one.
TEST(TraceEventRead, LongFieldsArePrintedWhole)
{
    const std::string text(900000, 'x');
    cs_event_fields fields = {};

    ASSERT_TRUE(cs_event_fields_add(&fields, "a", text.data(), text.size(), 0, false));
    ASSERT_TRUE(cs_event_fields_add(&fields, "b", "", 0, 0, false));
    ASSERT_TRUE(cs_event_fields_done(&fields));
    EXPECT_EQ(cs_event_fields_print(&fields), "a=" + text + " b=\"\"");
    cs_event_fields_free(&fields);
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
