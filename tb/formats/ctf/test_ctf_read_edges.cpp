// SPDX-License-Identifier: Apache-2.0
// CTF by hand: the order of events, clocks, lengths, names of types, and files that change.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/timeline/timeline_reading.hpp"

using namespace timeline_reading;
using namespace cs_test;

namespace
{

const std::string kTypes =
    "typealias integer { size = 8; align = 8; } := u8;\n"
    "typealias integer { size = 8; align = 8; map = clock.c.value; } := stamp;\n"
    "clock { name = c; };\n";

// Streams without packets' heads: a file is one packet.
std::string metadata(const std::string &fields, const std::string &types = "",
                     const std::string &context = "")
{
    return "/* CTF 1.8 */\n" + kTypes + types +
           "trace { major = 1; minor = 8; byte_order = le; };\n"
           "stream { packet.context := struct { " +
           context +
           " }; event.header := struct { stamp t; }; };\n"
           "event { name = \"e\"; id = 0; fields := struct { " +
           fields + " }; };\n";
}

Reading read(const std::string &text, const std::string &bytes)
{
    TempFolder temp;

    write(temp.file("metadata"), text);
    write(temp.file("s"), bytes);
    return read_ctf(temp.file(""));
}

// What is read of one event at time 1, or the error.
std::string row(const std::string &fields, const std::string &bytes, const std::string &types = "")
{
    const Reading reading = read(metadata(fields, types), '\x01' + bytes);

    return reading.status == CS_OK && reading.rows.size() == 1 ? reading.rows[0] : reading.error;
}

bool tells(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

// A trace that is open while its file changes.
struct Changing {
    Changing()
    {
        write(temp.file("metadata"), metadata("u8 n;"));
        write(file, std::string("\1\2", 2));
        EXPECT_EQ(cs_ctfread_open(temp.file("").c_str(), &reader, nullptr), CS_OK);
        std::filesystem::remove(file);
    }
    ~Changing()
    {
        cs_ctfread_close(reader);
    }
    cs_status next()
    {
        return cs_ctfread_next(reader, &event, &there, &diag);
    }

    TempFolder temp;
    std::string file = temp.file("s");
    cs_ctfread *reader = nullptr;
    cs_ctfread_event event = {};
    cs_diag diag = {};
    bool there = true;
};

} // namespace

// Of many streams the earliest; of the same time, the one with the smaller name.
TEST(CtfReadEdges, StreamsTakeTurnsByTimeAndName)
{
    std::mt19937 random(3);

    for (unsigned nr = 1; nr <= 40; nr++) {
        TempFolder temp;
        std::vector<std::pair<unsigned, unsigned>> all; // time, stream
        Rows expected;

        write(temp.file("metadata"), metadata("u8 n;"));
        for (unsigned s = 0; s < nr; s++) {
            std::string bytes;
            unsigned time = 0;

            for (unsigned i = 0; i < 3; i++) {
                time += random() % 4;
                bytes += {static_cast<char>(time), static_cast<char>(s)};
                all.emplace_back(time, s);
            }
            write(temp.file(std::string("s") + static_cast<char>('0' + s)), bytes);
        }
        std::sort(all.begin(), all.end());
        for (const auto &[time, s] : all)
            expected.push_back(std::to_string(time) + " e|n=" + std::to_string(s));
        const Reading reading = read_ctf(temp.file(""));
        ASSERT_EQ(reading.status, CS_OK) << reading.error;
        ASSERT_EQ(reading.rows, expected) << nr << " streams";
    }
}

TEST(CtfReadEdges, AClockOf8BitsGoesRound)
{
    const Reading reading = read(metadata("u8 n;"), "\xfb\x01\xfc\x02\xfc\x03\x07\x04\x06\x05");

    EXPECT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows,
              (Rows{"251 e|n=1", "252 e|n=2", "252 e|n=3", "263 e|n=4", "518 e|n=5"}));
}

// One of 64 bits does not.
TEST(CtfReadEdges, TheWidestClockThatGoesRound)
{
    const auto read_of = [](unsigned bits) {
        std::string text = metadata("u8 n;"), bytes;

        text.replace(text.find("size = 8; align = 8; map"), 8, "size = " + std::to_string(bits));
        for (const char time : {5, 3, 4})
            bytes += std::string(1, time) + std::string(7, '\0') + time;
        return read(text, bytes);
    };

    EXPECT_EQ(read_of(62).rows,
              (Rows{"5 e|n=5", "4611686018427387907 e|n=3", "4611686018427387908 e|n=4"}));
    EXPECT_EQ(read_of(63).rows,
              (Rows{"5 e|n=5", "9223372036854775811 e|n=3", "9223372036854775812 e|n=4"}));
    const Reading widest = read_of(64);
    EXPECT_EQ(widest.rows, (Rows{"5 e|n=5"}));
    EXPECT_TRUE(tells(widest.error, "time 3 is before that of what is in front, 5"));
}

TEST(CtfReadEdges, LengthsMayStandInThePacket)
{
    const Reading reading =
        read(metadata("u8 a[stream.packet.context._n];", "", "u8 packet_size; u8 _n;"),
             "\x28\x02\x01\x05\x06" // of 40 bits: two at time 1
             "\x20\x01\x02\x07"
             "\x30\x03\x03\x08\x09\x0a");

    EXPECT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows,
              (Rows{"1 e|n=2|a.0=5|a.1=6", "2 e|n=1|a.0=7", "3 e|n=3|a.0=8|a.1=9|a.2=10"}));
}

TEST(CtfReadEdges, LabelsOfSignedNumbers)
{
    const std::string type =
        "enum : integer { size = 8; signed = true; } { low = -5 ... -3, high = 3 ... 5 } v;";
    const struct {
        char value;
        const char *text;
    } cases[] = {{-6, "-6"}, {-5, "low"}, {-3, "low"}, {-2, "-2"},
                 {2, "2"},   {3, "high"}, {5, "high"}, {6, "6"}};

    for (const auto &c : cases)
        EXPECT_EQ(row(type, std::string(1, c.value)), std::string("1 e|v=") + c.text);
}

TEST(CtfReadEdges, SeveralFieldsOfOneType)
{
    EXPECT_EQ(row("u8 ab, cd, e;", "\x01\x02\x03"), "1 e|ab=1|cd=2|e=3");
    EXPECT_EQ(row("u8 ab[2], cd;", "\x01\x02\x03"), "1 e|ab.0=1|ab.1=2|cd=3");
}

TEST(CtfReadEdges, TypesOfSeveralWords)
{
    const auto alias = [](const std::string &name) {
        return "typealias integer { size = 8; } := " + name + ";\n";
    };
    const std::string half(500, 'a'), longest = half + " " + std::string(522, 'b');

    for (const std::string &name : {std::string("u long"), std::string("a b c d"), longest})
        EXPECT_EQ(row(name + " x;", "\x07", alias(name)), "1 e|x=7") << name;
    EXPECT_TRUE(tells(row("u lon x;", "\x07", alias("u long")), "found type 'u lon', expected"));
    // one byte more, in a struct and where it is declared
    EXPECT_TRUE(tells(row(longest + "b x;", "\x07", alias(longest)), "a type's name of more than"))
        << row(longest + "b x;", "\x07", alias(longest));
    EXPECT_TRUE(tells(row("u8 x;", "\x07", alias(longest + "b")), "a type's name of more than"));
}

TEST(CtfReadEdges, ArraysInArraysHaveAnEnd)
{
    const auto arrays = [](unsigned nr, const char *text) {
        std::string all;

        for (unsigned i = 0; i < nr; i++)
            all += text;
        return all;
    };

    EXPECT_EQ(row("u8 a" + arrays(32, "[1]") + ";", "\x07"), "1 e|a" + arrays(32, ".0") + "=7");
    EXPECT_TRUE(tells(row("u8 a" + arrays(33, "[1]") + ";", "\x07"), "arrays more than 32 deep"));
}

TEST(CtfReadEdges, MetadataInPacketsAreNotSupported)
{
    for (const char *magic : {"\x57\x1d\xd1\x75", "\x75\xd1\x1d\x57"}) {
        const Reading reading = read(magic + metadata("u8 n;"), "");

        EXPECT_EQ(reading.status, CS_ERR_UNSUPPORTED);
        EXPECT_EQ(reading.error, "metadata in packets is not supported, expected plain text");
    }
    for (const char *magic : {"\x57\x1d\xd1\x75", "\x75\xd1\x1d\x57"})
        EXPECT_EQ(read(magic, "").status, CS_ERR_UNSUPPORTED) << "nothing behind it";
    for (const char *text : {"", "\x57\x1d", "\x57\x1d\xd1", "\x57\x1d\xd1\x74"})
        EXPECT_EQ(read(text, "").status, CS_ERR_FORMAT);
}

TEST(CtfReadEdges, AFileThatIsGone)
{
    Changing trace;

    EXPECT_EQ(trace.next(), CS_ERR_IO);
    EXPECT_STREQ(trace.diag.text, "cannot read: No such file or directory");
    EXPECT_FALSE(trace.there);
}

TEST(CtfReadEdges, AFileThatCannotBeRead)
{
    Changing trace;

    std::filesystem::create_directory(trace.file);
    EXPECT_EQ(trace.next(), CS_ERR_IO);
    EXPECT_STREQ(trace.diag.text, "cannot read: Is a directory");
}

TEST(CtfReadEdges, AFileThatHasBecomeShorter)
{
    Changing trace;

    write(trace.file, "");
    EXPECT_EQ(trace.next(), CS_ERR_FORMAT);
    EXPECT_STREQ(trace.diag.text, "byte 0x0: the file has become shorter while it was read");
}

// Bits of a file are counted in 64 bits. Only a file system in memory has such files.
TEST(CtfReadEdges, AFileMayBeTooLarge)
{
    TempFolder temp;
    const int fd = memfd_create("s", 0);
    cs_ctfread *reader = nullptr;
    cs_diag diag = {};
    const off_t most = (off_t{1} << 60) - 1;

    ASSERT_GE(fd, 0);
    ASSERT_EQ(ftruncate(fd, most + 1), 0);
    write(temp.file("metadata"), metadata("u8 n;"));
    std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(fd), temp.file("s"));
    EXPECT_EQ(cs_ctfread_open(temp.file("").c_str(), &reader, &diag), CS_ERR_FORMAT);
    EXPECT_STREQ(diag.text, "is too large");
    EXPECT_EQ(reader, nullptr);
    EXPECT_EQ(ftruncate(fd, most), 0);
    EXPECT_EQ(cs_ctfread_open(temp.file("").c_str(), &reader, &diag), CS_OK);
    cs_ctfread_close(reader);
    close(fd);
}
