// SPDX-License-Identifier: Apache-2.0
// CTF traces by hand: what the metadata mean for the bytes of a stream.
#include "formats/timeline/timeline_reading.hpp"

using namespace timeline_reading;
using namespace cs_test;

namespace
{

// A stream without packet sizes is one packet: two bytes of a UUID, then events.
std::string metadata(const std::string &fields, const std::string &trace, const std::string &more)
{
    return "/* CTF 1.8 */\n"
           "typealias integer { size = 8; align = 8; } := u8;\n"
           "trace { major = 1; minor = 8; byte_order = le; " +
           trace + " packet.header := struct { u8 stream_id; u8 uuid[2]; }; };\n" + more +
           "stream { id = 0; event.header := struct { u8 id; }; };\n"
           "event { name = \"e\"; id = 0x5ULL; stream_id = 0u; fields := struct { " +
           fields + " }; };\n";
}

Reading read(const std::string &fields, const std::string &events, const std::string &trace = "",
             const std::string &more = "")
{
    TempFolder temp;

    write(temp.file("metadata"), metadata(fields, trace, more));
    write(temp.file("s"), std::string("\0ab", 3) + events);
    return read_ctf(temp.file(""));
}

// What is read of one event.
std::string row(const std::string &fields, const std::string &bytes)
{
    const Reading reading = read(fields, '\x05' + bytes);

    EXPECT_EQ(reading.status, CS_OK) << reading.error;
    return reading.rows.size() == 1 ? reading.rows[0] : "";
}

} // namespace

// Only the trace's own UUID is that of its packets.
TEST(CtfRead, AClocksUuidIsItsOwn)
{
    const std::string uuid = "uuid = \"2a6422d0-6cee-11e0-8c08-cb07d7b3a564\";";

    EXPECT_EQ(read("u8 n;", "\x05\x07", "", "clock { name = c; " + uuid + " };\n").rows,
              (Rows{"0 e|n=7"}));
    const Reading other = read("u8 n;", "\x05\x07", uuid);
    EXPECT_EQ(other.status, CS_ERR_FORMAT);
    EXPECT_NE(other.error.find("the packet's UUID is not that of the metadata"), std::string::npos)
        << other.error;
}

// Whole bytes begin at bytes, others where the last one ended.
TEST(CtfRead, NumbersWithoutAnAlignment)
{
    EXPECT_EQ(row("integer { size = 3; } a; integer { size = 4; } b; integer { size = 8; } c;"
                  " integer { size = 3; } d; integer { size = 16; } e;",
                  "\xd5\x11\xff\x34\x12"),
              "0 e|a=5|b=10|c=17|d=7|e=4660");
}

TEST(CtfRead, AStructOfNothing)
{
    EXPECT_EQ(row("u8 n; struct { } nothing; u8 m;", "\x07\x08"), "0 e|n=7|m=8");
}

TEST(CtfRead, NamesOfFieldsHaveAnEnd)
{
    const std::string outer(255, 'o');
    const std::string inner(255, 'i');

    EXPECT_EQ(row("struct { u8 " + inner + "; } " + outer + ";", "\x07"),
              "0 e|" + outer + "." + inner + "=7");
    const Reading reading = read("struct { u8 i" + inner + "; } " + outer + ";", "\x05\x07");
    EXPECT_EQ(reading.status, CS_ERR_FORMAT);
    EXPECT_NE(reading.error.find("byte 0x4: a field's name is longer than 511 bytes"),
              std::string::npos)
        << reading.error;
}

// A file is of one stream.
TEST(CtfRead, PacketsOfOtherStreams)
{
    TempFolder temp;

    write(temp.file("metadata"),
          "typealias integer { size = 8; align = 8; } := u8;\n"
          "trace { major = 1; minor = 8; byte_order = le;\n"
          " packet.header := struct { u8 stream_id; }; };\n"
          "stream { id = 0; packet.context := struct { u8 packet_size; u8 content_size; }; };\n"
          "stream { id = 1; packet.context := struct { u8 packet_size; u8 content_size; }; };\n"
          "event { name = \"e\"; id = 0; stream_id = 0; fields := struct { u8 n; }; };\n");
    write(temp.file("s"), std::string("\x00\x20\x20\x07\x01\x18\x18", 7));
    const Reading reading = read_ctf(temp.file(""));
    EXPECT_EQ(reading.rows, (Rows{"0 e|n=7"}));
    EXPECT_NE(reading.error.find("byte 0x4: a packet of stream 1 in a file of stream 0"),
              std::string::npos)
        << reading.error;
}

// The event's name, which stands in the metadata so.
TEST(CtfRead, EscapesOfTexts)
{
    const auto name = [](const std::string &text) {
        TempFolder temp;
        const std::string whole = metadata("u8 n;", "", "");
        const size_t at = whole.find("\"e\"");

        write(temp.file("metadata"), whole.substr(0, at) + "\"" + text + whole.substr(at + 2));
        write(temp.file("s"), std::string("\0ab\5\7", 5));
        const Reading reading = read_ctf(temp.file(""));
        return reading.status == CS_OK && reading.rows.size() == 1
                   ? reading.rows[0].substr(2, reading.rows[0].find('|') - 2)
                   : reading.error;
    };
    const struct {
        const char *text, *read;
    } good[] = {
        {R"(a\nb\x7f c)", "a?b? c"},
        {R"(a\012b\177 c)", "a?b? c"},
        {R"(\a\b\f\n\r\t\v)", "???????"},
        {R"(\\ \" \' \?)", "\\ \" ' ?"},
        {R"(\101\0102\1033)", "A\b2C3"}, // at most three digits
        {R"(\48\58)", "\4"
                      "8\5"
                      "8"},
        {R"(\x41\x0042\x43g)", "ABCg"}, // any number of them
        {R"(\303\244\xc3\xb6)", "\xc3\xa4\xc3\xb6"},
        {R"(\377)", "?"},
        {R"(\q\9)", "q9"},
    };
    const char *const wrong[] = {R"(\0)",  R"(a\000b)", R"(\400)",  R"(\777)",          R"(\x)",
                                 R"(\xg)", R"(\x0)",    R"(\x100)", R"(\xfffffffff41)", "\\\n"};

    for (const auto &c : good) {
        std::string expected = c.read;
        for (char &letter : expected)
            letter = static_cast<unsigned char>(letter) < 0x20 ? '?' : letter;
        EXPECT_EQ(name(c.text), expected) << c.text;
    }
    for (const char *text : wrong)
        EXPECT_NE(name(text).find("a string with a character that is none of 1..255"),
                  std::string::npos)
            << text << ": " << name(text);
    EXPECT_NE(name("a\nb").find("a string with a new line in it"), std::string::npos);
    EXPECT_NE(name(std::string(1024, 'x')).find("or longer than 1023 bytes"), std::string::npos);
    EXPECT_EQ(name("\xff"), "?") << "names are UTF-8";
}
