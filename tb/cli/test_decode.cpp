// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <initializer_list>
#include <sstream>

#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

using Rows = std::vector<std::string>;

struct Decode : Command {
    void SetUp() override
    {
        Command::SetUp();
        simulate("out");
    }
    std::string decode(const std::string &options)
    {
        const Outcome o = run("decode --slots 2 " + options + " out/samples.aux");

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, "");
        return o.out;
    }
    // "sample|subsample|cpu|count" of every value in the order of decode; 2 groups a sample.
    Rows values()
    {
        return Database(temp.file("out/truth.sqlite"))
            .ask("SELECT subsample / 2, subsample % 2, cpu, value FROM sample "
                 "ORDER BY subsample, cpu, position");
    }
    // The names of the events likewise; the padding of the last group has a number only.
    Rows names()
    {
        return Database(temp.file("out/truth.sqlite"))
            .ask("SELECT coalesce(e.name, printf('0x%04x', s.event)) FROM sample s "
                 "LEFT JOIN event e ON e.id = s.event "
                 "ORDER BY subsample, cpu, position");
    }
};

} // namespace

static Rows split(const std::string &text, char separator)
{
    Rows parts;
    std::istringstream in(text);

    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

TEST_F(Decode, CsvIsWhatTheDatabaseSays)
{
    const Rows lines = split(decode("--format csv"), '\n');
    const Rows expected = values();
    const Rows event = names();

    ASSERT_EQ(expected.size(), 8u * 9 * 4);
    ASSERT_EQ(lines.size(), expected.size() + 1);
    EXPECT_EQ(lines[0], "sample,subsample,cpu,cid1,cid2,event,count");
    for (size_t i = 0; i < expected.size(); i++) {
        const Rows cells = split(lines[i + 1], ',');

        ASSERT_EQ(cells.size(), 7u) << lines[i + 1];
        EXPECT_EQ(cells[0] + "|" + cells[1] + "|" + cells[2] + "|" + cells[6], expected[i]);
        EXPECT_EQ(cells[5], event[i]);
    }
}

// The run's scenario has the slots of a cluster: of a file in its folder, or beside which it is.
TEST_F(Decode, SlotsOfARunNeedNotBeGiven)
{
    const std::string csv = decode("--format csv");

    EXPECT_EQ(run("decode --format csv out/samples.aux").out, csv);
    EXPECT_EQ(run("--help >.h; (cd out && '" CS_COMMAND "' decode -f csv samples.aux)").out, csv);
    ASSERT_EQ(run("trace --format pmcu-aux -o a small.yaml").status, 0);
    EXPECT_EQ(run("decode --format csv a").out, csv);
    ASSERT_EQ(run("trace --format pmcu-aux --set pmcu.slots=8 -o b small.yaml").status, 0);
    ASSERT_EQ(
        run("trace --format perf --flavour faithful --set pmcu.slots=8 -o p small.yaml").status, 0);
    EXPECT_EQ(run("decode --aux --format csv p").out, run("decode --format csv b").out);
    EXPECT_EQ(run("decode p").status, 0);
    // What is given counts.
    EXPECT_EQ(run("decode --slots 8 out/samples.aux").status, 2);
    // Also by the key's other name.
    std::string text = kScenario;
    text.replace(text.find("pmcu: {clusters"), 4, "die");
    temp.write("die.yaml", text);
    ASSERT_EQ(run("run -o die die.yaml").status, 0);
    EXPECT_EQ(run("decode die/samples.aux").out, run("decode --slots 2 die/samples.aux").out);
    EXPECT_EQ(run("decode die/samples.aux").status, 0);
    std::filesystem::remove(temp.file("out/truth.sqlite"));
    EXPECT_EQ(run("decode out/samples.aux").status, 2);
}

TEST_F(Decode, JsonIsWhatTheDatabaseSays)
{
    temp.write("d.json", decode("-f json"));
    auto json = json_flat(temp.file("d.json"));
    const Rows expected = values();
    const Rows event = names();

    ASSERT_EQ(json.size(), expected.size() * 7);
    for (size_t i = 0; i < expected.size(); i++) {
        const std::string at = std::to_string(i) + ".";

        EXPECT_EQ(json[at + "sample"] + "|" + json[at + "subsample"] + "|" + json[at + "cpu"] +
                      "|" + json[at + "count"],
                  expected[i]);
        EXPECT_EQ(json[at + "event"], event[i]);
    }
}

TEST_F(Decode, TextIsWhatTheDatabaseSays)
{
    const Rows expected = values();
    size_t at = 0;

    for (const std::string &line : split(decode(""), '\n')) {
        std::istringstream in(line);
        Rows words;

        for (std::string word; in >> word;)
            words.push_back(word);
        if (words.empty() || words[0] == "sample")
            continue;
        ASSERT_EQ(words.size(), 5u + 9) << line;
        for (size_t i = 5; i < words.size(); i++, at++) {
            ASSERT_LT(at, expected.size());
            EXPECT_EQ(words[0] + "|" + words[1] + "|" + words[2] + "|" + words[i], expected[at]);
        }
    }
    EXPECT_EQ(at, expected.size());
}

TEST_F(Decode, ContextsAreThoseOfTheWindows)
{
    Database db(temp.file("out/truth.sqlite"));
    const Rows lines = split(decode("--format csv"), '\n');

    for (const std::string &row :
         db.ask("SELECT subsample / 2, subsample % 2, cpu, cid1, cid2 FROM window")) {
        std::string start = row + ",";
        size_t found = 0;

        for (char &c : start)
            c = c == '|' ? ',' : c;
        for (const std::string &line : lines)
            found += line.compare(0, start.size(), start) == 0;
        EXPECT_EQ(found, 9u) << row;
    }
    EXPECT_EQ(db.number("SELECT count(*) FROM window WHERE cid1 NOT IN (0x101, 0x102)"), 0);
}

TEST_F(Decode, SeveralBuffersReadAsOne)
{
    // A buffer holds a few samples; the rest of it is a gap.
    const Outcome o =
        run("run -o many --set pmcu_driver.nr_sample=40 --set pmcu_driver.aux_buffer_bytes=4096 "
            "small.yaml");

    ASSERT_EQ(o.status, 0) << o.err;
    Database db(temp.file("many/truth.sqlite"));
    const Outcome csv = run("decode --slots 2 -f csv many/samples.aux");
    ASSERT_EQ(csv.status, 0) << csv.err;
    const Rows lines = split(csv.out, '\n');
    const Rows expected = db.ask("SELECT value FROM sample ORDER BY subsample, cpu, position");
    ASSERT_EQ(lines.size(), expected.size() + 1);
    for (size_t i = 0; i < expected.size(); i++)
        ASSERT_EQ(split(lines[i + 1], ',')[6], expected[i]) << "value " << i;
}

// ---- POWER's IMC ----

namespace
{

std::string big(std::initializer_list<uint64_t> words)
{
    std::string bytes;

    for (uint64_t word : words)
        for (int shift = 56; shift >= 0; shift -= 8)
            bytes.push_back(static_cast<char>(word >> shift));
    return bytes;
}

void put(std::string &image, size_t at, uint64_t word)
{
    image.replace(at, 8, big({word}));
}

// A good record at that time.
std::string at_time(uint64_t tb)
{
    return big({tb, 0xc000000000000100, 0x4000000100000002, 251, 2, 3, 4, tb & 0x3ffffffffff});
}

const char *const kCatalog = R"(/dts-v1/;
/ {
    imc-counters {
        compatible = "ibm,opal-in-memory-counters";
        #address-cells = <1>;
        #size-cells = <1>;
        version-id = <0x20>;
        CORE: core-events {
            #address-cells = <1>;
            #size-cells = <1>;
            event@10 { event-name = "NON_IDLE_INST"; reg = <0x10 0x8>; desc = "instructions"; };
            event@88 { event-name = "32MHZ_CYC"; reg = <0x88 0x8>; };
        };
        PB: pb-events {
            #address-cells = <1>;
            #size-cells = <1>;
            event@78 { event-name = "CYC"; reg = <0x78 0x8>; unit = "cycles"; };
        };
        core {
            compatible = "ibm,imc-counters";
            type = <0x4>; size = <0x2000>; reg = <0x18 0x8>; scale = "512";
            events-prefix = "CPM_"; events = <&CORE>;
        };
        thread {
            compatible = "ibm,imc-counters";
            type = <0x1>; size = <0x2000>; reg = <0x18 0x8>; scale = "512";
            events-prefix = "CPM_"; events = <&CORE>;
        };
        powerbus0 {
            compatible = "ibm,imc-counters";
            type = <0x10>; size = <0x40000>; reg = <0x8 0x8>; scale = "256"; offset = <0x180000>;
            events-prefix = "PM_PB_"; events = <&PB>;
        };
    };
};
)";

struct DecodeImc : Command {
    void SetUp() override
    {
        Command::SetUp();
        temp.write("catalog.dts", kCatalog);
    }
};

} // namespace

TEST_F(DecodeImc, ATraceIsToldFromItsFirstRecords)
{
    const std::string line = "0,0,1000,0xc000000000000100,kernel,1,2,251,2,3,4,"
                             "0x4000000100000002,1000,valid,delivered\n";

    temp.write("whole", at_time(1000) + at_time(1001));
    const Outcome whole = run("decode -f csv whole");
    EXPECT_EQ(whole.status, 0) << whole.err;
    EXPECT_TRUE(has(whole.out, line)) << whole.out;
    EXPECT_EQ(run("decode -f csv --as imc-trace whole").out, whole.out);
    EXPECT_EQ(run("decode -f csv --as imc whole").out, whole.out) << "as it was called by trace";
    EXPECT_TRUE(has(run("decode --power10 -f csv whole").out, ",guest user,1,2,"));

    // As the kernel leaves it; what follows is not delivered.
    temp.write("read", big({0, 5, 0, 0, 0, 0, 0, 7}) + at_time(1001));
    const Outcome read = run("decode read");
    EXPECT_EQ(read.status, 0) << read.err;
    EXPECT_TRUE(has(read.out, "record 0 was read already (its timebase is cleared)"));
    EXPECT_TRUE(has(read.out, "\ndelivered      0\nrejected       2\n")) << read.out;
}

TEST_F(DecodeImc, WhatCannotBeToldIsReadAsBefore)
{
    temp.write("zeros", std::string(4096, '\0'));
    const Outcome o = run("decode zeros");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(
        has(o.err, "zeros: byte 0: buffer_size is 0, expected at least 1 (PMCU AUX header)"));
    EXPECT_TRUE(has(
        o.err,
        "other formats: --as perf-data, pprof, speedscope, firefox, csv, json, perf-stat, "
        "perfetto, folded, riscv-ring, imc-trace, imc-core, imc-thread, imc-nest, sbi-snapshot"));
    EXPECT_TRUE(has(o.err, "; read as pmcu-aux; "));
    EXPECT_FALSE(has(run("decode --as pmcu-aux zeros").err, "other formats"));
    EXPECT_EQ(run("decode --as imc-trace zeros").status, 0);
}

TEST_F(DecodeImc, AnEmptyFileIsOfNoFormat)
{
    temp.write("empty", "");
    temp.write("four", "four");
    EXPECT_EQ(run("decode empty").status, 2);
    EXPECT_TRUE(has(run("decode empty").err,
                    "countersink: empty: byte 0: the file ends, it is empty: its format cannot "
                    "be detected (--as)\n"));
    EXPECT_TRUE(
        has(run("decode --offset 4 four").err, "four: byte 0: the file ends at --offset: "));
    EXPECT_EQ(run("decode --as riscv-ring empty").status, 0) << "a reader that got nothing";
}

TEST_F(DecodeImc, StandardInput)
{
    temp.write("trace", at_time(1000) + at_time(1001));
    const Outcome file = run("decode trace"),
                  piped = run("--help >.help; (cat trace | '" CS_COMMAND "' decode -)");

    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_EQ(piped.out, file.out);
    EXPECT_TRUE(has(file.out, "\ndelivered      2\n")) << file.out;
}

TEST_F(DecodeImc, BuffersOneAfterTheOther)
{
    std::string trace;

    for (uint64_t buffer = 0; buffer < 3; buffer++)
        for (uint64_t i = 0; i < 4; i++)
            trace += at_time(1000 - 100 * buffer + i);
    temp.write("trace", trace);
    EXPECT_TRUE(has(run("decode trace").out, "records       12 in 1 buffer\ndelivered      4\n"));
    EXPECT_TRUE(has(run("decode --buffer-bytes 256 trace").out,
                    "records       12 in 3 buffers\ndelivered     12\n"));
}

TEST_F(DecodeImc, ATraceThatIsCutShort)
{
    temp.write("cut", (at_time(1000) + at_time(1001)).substr(0, 81));
    const Outcome o = run("decode cut");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.out, "cut short: 17 of 64 bytes"));
    EXPECT_TRUE(has(o.out, "\nrecords        2 in 1 buffer\n"));
    EXPECT_TRUE(has(o.err, "cut: byte 81: the data end within record 1, of which there are 17 of "
                           "64 bytes"));
}

TEST_F(DecodeImc, ACoreAndAThread)
{
    std::string image(0x2000, '\0');

    put(image, 0x28, 3);
    put(image, 0xa0, 1000000000000);
    temp.write("image", image + image);
    for (const std::string kind : {"core", "thread"}) {
        const Outcome o = run("decode --as imc-" + kind + " --catalog catalog.dts -f csv image");

        EXPECT_EQ(o.status, 0) << o.err;
        std::string expected = "image,kind,pmu,event,offset,raw,scale,value,unit,note\n";
        for (const char *nr : {"0", "1"})
            expected += std::string(nr) + ",counter," + kind +
                        "_imc,CPM_NON_IDLE_INST,0x00028,3,512,1536,,\n" + nr + ",counter," + kind +
                        "_imc,CPM_32MHZ_CYC,0x000a0,1000000000000,512,512000000000000,,\n";
        EXPECT_EQ(o.out, expected);
    }
    temp.write("image", image.substr(0, 8000));
    const Outcome o = run("decode --as imc-core --catalog catalog.dts image");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "image: byte 8000: the data end within image 0, expected 8192 bytes of "
                           "core memory, found 8000"))
        << o.err;
}

TEST_F(DecodeImc, ANest)
{
    std::string image(0x40000, '\0');

    put(image, 0x80, 10);
    put(image, 0x0, 8);
    put(image, 0x108, 7);
    put(image, 0x3fc00, 2);
    put(image, 0x3fc18, 0x8000000000000000);
    temp.write("image", image);
    const Outcome o = run("decode --as imc-nest --catalog catalog.dts -f csv image");
    EXPECT_EQ(o.status, 0) << o.err;
    for (const char *line :
         {"0,counter,nest_powerbus0_imc,PM_PB_CYC,0x00080,10,256,2560,cycles,being posted when the "
          "image was taken\n",
          "0,header,,1,0x00000,8,,,,being posted when the image was taken\n",
          "0,control,,status,0x3fc00,2,,,,paused\n",
          "0,control,,units,0x3fc18,9223372036854775808,,,,powerbus\n"})
        EXPECT_TRUE(has(o.out, line)) << line << o.out;
    const Outcome text = run("decode --as imc-nest --catalog catalog.dts image");
    EXPECT_TRUE(has(text.out, "status      0x0000000000000002  paused\n")) << text.out;
}

TEST_F(DecodeImc, OptionsThatDoNotGoTogether)
{
    temp.write("trace", at_time(1000) + at_time(1001));
    const struct {
        const char *arguments;
        int status;
        const char *message;
    } cases[] = {
        {"decode --as ibm x", 2,
         "--as: found 'ibm', expected perf-data, pprof, speedscope, firefox, csv, json, "
         "perf-stat, perfetto, ctf, "
         "folded, pmcu-aux, riscv-ring, imc-trace, imc-core, imc-thread, imc-nest or sbi-snapshot"},
        {"decode --as imc-core trace", 2,
         "--as imc-core needs --catalog FILE, the device tree of the events"},
        {"decode --as imc-nest trace", 2, "--as imc-nest needs --catalog FILE"},
        {"decode --catalog catalog.dts trace", 2,
         "--catalog is for imc-core, imc-thread and imc-nest, this is imc-trace"},
        {"decode --slots 2 trace", 2, "--slots is for perf-data and pmcu-aux, this is imc-trace"},
        {"decode --as pmcu-aux --buffer-bytes 64 trace", 2,
         "--buffer-bytes is for imc-trace, this is pmcu-aux"},
        {"decode --as riscv-ring --buffer-bytes 64 trace", 2,
         "--buffer-bytes is for imc-trace, this is riscv-ring"},
        {"decode --as sbi-snapshot --catalog catalog.dts trace", 2,
         "--catalog is for imc-core, imc-thread and imc-nest, this is sbi-snapshot"},
        {"decode --as riscv-ring --slots 2 trace", 2, "--slots is for perf-data and pmcu-aux"},
        {"decode --as sbi-snapshot --power10 trace", 2,
         "--power10 is for imc-trace, imc-core, imc-thread and imc-nest"},
        {"decode --as pmcu-aux --power10 trace", 2,
         "--power10 is for imc-trace, imc-core, imc-thread and imc-nest, this is pmcu-aux"},
        {"decode --buffer-bytes 100 trace", 2,
         "--buffer-bytes: found '100', expected a multiple of 64, 64..4294967232"},
        {"decode --buffer-bytes 0 trace", 2, "--buffer-bytes: found '0'"},
        {"decode --buffer-bytes 4294967296 trace", 2, "--buffer-bytes: found '4294967296'"},
        {"decode --as imc-core --catalog gone.dts trace", 3, "gone.dts"},
        {"decode --as imc-trace gone", 3, "gone: cannot open"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments << o.err;
        EXPECT_TRUE(has(o.err, c.message)) << c.arguments << ":\n" << o.err;
        EXPECT_EQ(o.out, "") << c.arguments;
    }
}

// A piece of a file reads like a file of its own.
TEST_F(Decode, APieceOfAFile)
{
    const std::string whole = decode("--format csv");
    const std::string dump = temp.read("out/samples.aux");

    temp.write("padded", std::string(5000, '\0') + dump + std::string(99, '\0'));
    const Outcome piece = run("decode --slots 2 --format csv --offset 5000 --length " +
                              std::to_string(dump.size()) + " padded");
    EXPECT_EQ(piece.status, 0) << piece.err;
    EXPECT_EQ(piece.out, whole);
    EXPECT_NE(run("decode --slots 2 --offset 5000 padded").status, 0);
}

TEST_F(Decode, APieceThatIsNotThere)
{
    const Outcome behind = run("decode --offset 0x40000000 out/samples.aux");

    EXPECT_EQ(behind.status, 2);
    EXPECT_TRUE(has(behind.err, "before --offset 0x40000000")) << behind.err;
    EXPECT_EQ(run("decode --length 0 out/samples.aux").status, 2);
    EXPECT_EQ(run("decode --offset x out/samples.aux").status, 2);
}
