// SPDX-License-Identifier: Apache-2.0
// The reader of Perfetto's protocol buffers: bytes by hand, written after the .proto files of
// github.com/google/perfetto, the golden trace against its JSON, damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "formats/perfetto/read/json.h"
#include "formats/perfetto/read/proto.h"
#include "support/proto.hpp"
#include "support/temp_folder.hpp"
#include "support/timeline.hpp"

using namespace cs_test;

namespace
{

const std::string kGolden = CS_SOURCE_DIR "/traces/pmcu/timeline.";

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

cs_status collect(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

std::string fields_of(const cs_event_fields &fields, bool sorted = false)
{
    std::vector<std::string> all;
    std::string text;

    for (size_t i = 0; i < fields.nr_fields; i++)
        all.push_back(std::string(" ") + fields.fields[i].name + "=" + fields.fields[i].text);
    if (sorted)
        std::sort(all.begin(), all.end());
    for (const std::string &field : all)
        text += field;
    return text;
}

std::string or_none(const char *text)
{
    return text != nullptr ? text : "-";
}

struct Reading {
    cs_status status = CS_OK;
    std::string error;
    std::vector<std::string> rows;
};

std::string row_of(const cs_perfettoread_event &e)
{
    std::string row = cs_perfettoread_kind_name(e.kind);

    if (e.phase != '\0' && e.kind == CS_PERFETTOREAD_LEGACY)
        row += std::string(" ") + e.phase;
    row += " " + (e.has_time ? std::to_string(e.time_ns) : "-");
    if (e.has_time && e.clock != CS_PERFETTOREAD_BOOTTIME)
        row += "@" + std::to_string(e.clock);
    if (e.has_duration)
        row += "+" + std::to_string(e.duration_ns);
    if (e.slice != 0)
        row += " #" + std::to_string(e.slice);
    row += " " + or_none(e.group) + ":" + or_none(e.track) + " " + or_none(e.name);
    if (e.category != nullptr)
        row += std::string(" [") + e.category + "]";
    if (e.value != nullptr)
        row += std::string(" ") + e.value;
    if (e.is_whole) {
        EXPECT_EQ(std::to_string(e.number), or_none(e.value));
    }
    if (e.unit != nullptr)
        row += std::string(" ") + e.unit;
    return row + fields_of(e.args);
}

// A file with an error gives it again and again, and no more events.
Reading read(const std::string &text, size_t piece = SIZE_MAX)
{
    Bytes bytes{text, 0, piece};
    const cs_byte_source source = {give, &bytes};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *event = nullptr;
    cs_diag diag = {}, again = {};
    Reading reading;

    EXPECT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    while ((reading.status = cs_perfettoread_next(reader, &event, &diag)) == CS_OK && event)
        reading.rows.push_back(row_of(*event));
    reading.error = diag.text;
    EXPECT_EQ(cs_perfettoread_next(reader, &event, &again), reading.status);
    EXPECT_EQ(event, nullptr);
    EXPECT_STREQ(again.text, diag.text);
    cs_perfettoread_close(reader);
    return reading;
}

// ---- messages of the format, by their field numbers ----

std::string track(uint64_t uuid, const std::string &name, uint64_t parent = 0,
                  const std::string &more = "")
{
    return packet(sub(60, num(1, uuid) + (name.empty() ? "" : sub(2, name)) +
                              (parent != 0 ? num(5, parent) : "") + more));
}

std::string event(uint64_t time, const std::string &fields, const std::string &more = "")
{
    return packet(num(8, time) + sub(11, fields) + more);
}

std::string begin_of(const std::string &name)
{
    return num(9, 1) + sub(23, name);
}

const std::string kEnd = num(9, 2), kInstant = num(9, 3), kCounter = num(9, 4);
const std::string kCleared = num(10, 7) + num(13, 3), kNeeds = num(10, 7) + num(13, 2);

std::string entry(uint64_t iid, const std::string &text)
{
    return num(1, iid) + sub(2, text);
}

std::string arg(const std::string &name, const std::string &value)
{
    return sub(4, sub(10, name) + value);
}

} // namespace

TEST(PerfettoRead, ReadsWhatTheFormatSays)
{
    const std::string dropped = num(42, 1);
    const struct {
        const char *what;
        std::string file;
        std::vector<std::string> rows;
    } cases[] = {
        {"nothing", "", {}},
        {"a time of a clock that nobody has told, be it as large as it likes",
         packet(num(8, -1) + num(58, 64) + sub(1999, "x")),
         {"other - -:- field 1999"}},
        {"slices that nest, the inner ends first",
         track(5, "t") + event(10, begin_of("a") + num(11, 5)) +
             event(11, begin_of("b") + num(11, 5)) + event(15, kEnd + num(11, 5)) +
             event(20, kEnd + num(11, 5)),
         {"track - -:t -", "begin 10 #1 -:t a", "begin 11 #2 -:t b", "end 15+4 #2 -:t b",
          "end 20+10 #1 -:t a"}},
        {"slices of two tracks do not",
         event(1, begin_of("a") + num(11, 1)) + event(2, begin_of("b") + num(11, 2)) +
             event(3, kEnd + num(11, 1)) + event(9, kEnd + num(11, 2)),
         {"begin 1 #1 -:- a", "begin 2 #2 -:- b", "end 3+2 #1 -:- a", "end 9+7 #2 -:- b"}},
        {"a track within others, a thread within its process, a name that comes late",
         track(2, "in", 1) + track(1, "out") + event(1, kInstant + num(11, 2)) +
             track(3, "", 0, sub(3, num(1, 42) + sub(2, "prog") + sub(2, "-x"))) +
             track(4, "", 0, sub(4, num(1, 42) + num(2, 43) + sub(5, "worker"))) +
             track(6, "child", 4) + event(2, kInstant + num(11, 6)) +
             track(8, "", 0, sub(4, num(1, -1) + num(2, 9))) + track(10, "", 0, sub(3, num(1, 5))) +
             track(11, "no", 0, sub(3, sub(6, "yes"))) + track(12, "", 1, sub(10, "static")),
         {"track - -:in -", "track - -:out -", "instant 1 out:in -", "track - -:prog -",
          "track - prog:worker -", "track - prog/worker:child -", "instant 2 prog/worker:child -",
          "track - -:thread 9 -", "track - -:process 5 -", "track - -:yes -",
          "track - out:static -"}},
        {"arguments of every kind",
         event(0, kInstant + arg("b", num(2, 1)) + arg("u", num(3, -1)) + arg("i", num(4, -5)) +
                      arg("d", real(5, 0.5)) + arg("s", sub(6, "x\x01y")) + arg("p", num(7, 0x80)) +
                      arg("j", sub(9, "{\"k\":1}")) + arg("m", sub(16, "T") + sub(14, "abc")) +
                      arg("none", "") + arg("last", num(3, 1) + num(4, 2))),
         {"instant 0 -:- - b=true u=18446744073709551615 i=-5 d=0.5 s=x?y p=0x80 j={\"k\":1} m=(a "
          "message of 3 bytes) none=null last=2"}},
        {"dictionaries and arrays, also the deprecated ones",
         event(0,
               kInstant +
                   arg("d", sub(11, sub(10, "x") + num(4, 1)) +
                                sub(11, sub(10, "y") + sub(12, num(4, 2)) + sub(12, num(4, 3)))) +
                   arg("n", sub(8, num(1, 1) + sub(2, "k") + sub(2, "l") + sub(3, num(5, 4)) +
                                       sub(3, num(1, 2) + sub(4, sub(8, "v")) + sub(4, num(7, 0)) +
                                                  sub(4, real(6, 2))))) +
                   arg("e", sub(8, num(1, 1)))),
         {"instant 0 -:- - d.x=1 d.y.0=2 d.y.1=3 n.k=4 n.l.0=v n.l.1=false n.l.2=2 e=null"}},
        {"interned texts, told before or in the same packet, even behind the event",
         packet(
             sub(12, sub(2, entry(1, "name")) + sub(1, entry(1, "cat")) + sub(3, entry(1, "key"))) +
             kCleared) +
             event(1,
                   kInstant + num(10, 1) + num(3, 1) + num(3, 2) + sub(22, "plain") +
                       sub(4, num(1, 1) + num(17, 3)),
                   sub(12, sub(29, entry(3, "text")) + sub(1, entry(2, "dog"))) + kNeeds) +
             event(2, kInstant + sub(3, varint(2) + varint(1)), kNeeds) +
             event(3, kInstant + num(10, 1), sub(12, sub(2, entry(1, "new"))) + kCleared),
         {"other - -:- no data", "instant 1 -:- name [plain,cat,dog] key=text",
          "instant 2 -:- - [dog,cat]", "instant 3 -:- new"}},
        {"numbers of one sequence are not another's",
         packet(sub(12, sub(2, entry(1, "a"))) + num(10, 1) + num(13, 1)) +
             packet(sub(12, sub(2, entry(1, "b"))) + num(10, 2) + num(13, 1)) +
             event(1, kInstant + num(10, 1), num(10, 1)) +
             event(2, kInstant + num(10, 1), num(10, 2)),
         {"other - -:- no data", "other - -:- no data", "instant 1 -:- a", "instant 2 -:- b"}},
        {"what was lost: packets that need it are passed over until all is told anew",
         event(1, kInstant, kNeeds) + event(2, kEnd, dropped + num(10, 7)) +
             event(3, kInstant + num(10, 1) + sub(4, num(1, 2) + num(17, 3)), num(10, 7)) +
             event(4, kInstant, kNeeds) +
             event(5, kInstant + num(10, 1), sub(12, sub(2, entry(1, "n"))) + kCleared),
         {"other - -:- passed over: what it builds on is lost", "end 2 -:- -",
          "instant 3 -:- - #2=#3", "other - -:- passed over: what it builds on is lost",
          "instant 5 -:- n"}},
        {"counters: whole, real, with units, times something, counted up",
         track(1, "a", 0, sub(8, num(3, 3))) +
             track(2, "b", 0, sub(8, sub(6, "V") + num(4, 1000))) +
             track(3, "c", 0, sub(8, num(5, 1) + num(4, 2))) + track(4, "", 0, sub(8, num(1, 1))) +
             event(1, kCounter + num(11, 1) + num(30, -7)) +
             event(2, kCounter + num(11, 2) + real(44, 0.0015)) +
             event(3, kCounter + num(11, 2) + real(44, 0.1)) +
             event(4, kCounter + num(11, 3) + num(30, 5)) +
             event(5, kCounter + num(11, 3) + num(30, -2)) +
             event(6, kCounter + num(11, 4) + num(30, 9)) +
             event(7, kCounter + num(11, 3) + real(44, 0.25)),
         {"track - -:a - bytes", "track - -:b - V", "track - -:c -", "track - -:thread time - ns",
          "counter 1 -:a a -7 bytes", "counter 2 -:b b 1.5 V", "counter 3 -:b b 100 V",
          "counter 4 -:c c 10", "counter 5 -:c c 6", "counter 6 -:thread time thread time 9 ns",
          "counter 7 -:c c 0.5"}},
        {"an incremental counter begins again when state is cleared, and is its sequence's",
         track(3, "c", 0, sub(8, num(5, 1))) +
             event(1, kCounter + num(11, 3) + num(30, 5), kCleared) +
             event(2, kCounter + num(11, 3) + num(30, 5), kNeeds) +
             event(3, kCounter + num(11, 3) + num(30, 5), kCleared) +
             event(4, kCounter + num(11, 3) + num(30, 1)),
         {"track - -:c -", "counter 1 -:c c 5", "counter 2 -:c c 10", "counter 3 -:c c 5",
          "counter 4 -:c c 1"}},
        {"extra counters, packed or not, of the event's tracks or the default ones",
         track(1, "t") + track(2, "x") + track(3, "y") + track(4, "z") +
             packet(sub(59, sub(11, num(11, 1) + num(31, 2) + num(31, 3) + num(45, 4))) +
                    kCleared) +
             event(1, begin_of("s") + num(12, 10) + num(12, 20) + real(46, 0.5), kNeeds) +
             event(2, kEnd + sub(12, varint(11)), kNeeds) +
             event(3, kInstant + num(11, 2) + sub(31, varint(4)) + num(12, 1), kNeeds) +
             event(4,
                   kInstant + sub(46, real(0, 1.5).substr(1) + real(0, 2).substr(1)) +
                       sub(45, varint(2) + varint(3)),
                   kNeeds),
         {"track - -:t -", "track - -:x -", "track - -:y -", "track - -:z -", "other - -:- no data",
          "begin 1 #1 -:t s", "counter 1 -:x x 10", "counter 1 -:y y 20", "counter 1 -:z z 0.5",
          "end 2+1 #1 -:t s", "counter 2 -:x x 11", "instant 3 -:x -", "counter 3 -:z z 1",
          "instant 4 -:t -", "counter 4 -:x x 1.5", "counter 4 -:y y 2"}},
        {"clocks: named, of the sequence, incremental, in microseconds",
         packet(sub(6, sub(1, num(1, 64) + num(2, 100) + num(3, 1) + num(4, 1000)) +
                           sub(1, num(1, 6) + num(2, 100000))) +
                sub(59, num(58, 64)) + kCleared) +
             event(5, kInstant, kNeeds) + event(7, kInstant, kNeeds) +
             event(8, kInstant, num(58, 3)) + event(1, kInstant, kNeeds),
         {"other - -:- clock_snapshot", "instant 105000@64 -:- -", "instant 112000@64 -:- -",
          "instant 8@3 -:- -", "instant 113000@64 -:- -"}},
        {"events of the deprecated kind",
         packet(num(10, 1) + sub(44, num(1, 1) + num(2, 2) + sub(5, "old") + num(6, 1000))) +
             packet(num(10, 1) + sub(11, num(1, 5) + sub(6, num(2, 'B')) + sub(23, "s"))) +
             packet(num(10, 1) + sub(11, num(1, 5) + sub(6, num(2, 'E')))) +
             packet(num(10, 1) + sub(11, num(16, 7) + sub(6, num(2, 'X') + num(3, 2)))) +
             event(3, sub(6, num(2, 'n') + num(11, 255)), num(10, 1)),
         {"track - -:old -", "begin 1005000 #1 -:old s", "end 1010000+5000 #1 -:old s",
          "complete 7000+2000 -:old -", "legacy n 3 -:old - id=0xff"}},
        {"other packets, other types, fields that nobody knows",
         packet(sub(1, "ftrace")) + packet(sub(500, "x")) + packet("") + event(1, num(9, 5)) +
             event(2, num(9, 77)) +
             event(3, kInstant + num(999, 1) + sub(1000, "x") + real(998, 1)) +
             sub(2, "not a packet") + num(3, 4) + real(4, 5) + packet(sub(36, "mark") + num(3, 0)),
         {"other - -:- ftrace_events", "other - -:- field 500", "other - -:- no data",
          "state 1 -:- -", "other 2 -:- TrackEvent of type 77", "instant 3 -:- -",
          "other - -:- synchronization_marker"}},
    };

    for (const auto &c : cases)
        for (size_t piece : {SIZE_MAX, size_t{1}}) {
            const Reading reading = read(c.file, piece);

            EXPECT_EQ(reading.status, CS_OK) << c.what << ": " << reading.error;
            EXPECT_EQ(reading.rows, c.rows) << c.what;
        }
}

TEST(PerfettoRead, TellsWhereAFileIsDamaged)
{
    const std::string good = event(1, kInstant);
    std::string deep = num(4, 1), nested = num(5, 1), open, loop;

    for (unsigned i = 0; i < 70; i++) {
        deep = sub(12, deep);
        nested = sub(4, nested);
    }
    for (unsigned i = 0; i <= CS_PERFETTOREAD_OPEN; i++)
        open += event(i, begin_of("n"));
    loop = track(1, "a", 2) + track(2, "b", 1);
    const struct {
        std::string file, error;
        cs_status status = CS_ERR_FORMAT;
    } cases[] = {
        {"\x0a", "byte 0x1: the message ends at byte 0x1, expected a length"},
        {"\x0a\xff", "byte 0x1: the message ends at byte 0x2, expected a length"},
        {std::string("\x0a\x02", 2) + "\x08", "byte 0x0: found a packet of 2 bytes, the file ends "
                                              "at byte 0x3"},
        {good + "\x0a" + std::string(9, '\xff') + "\x02" + "x",
         "byte 0x9: found a length of more than 64 bits"},
        {"\x0a" + varint(CS_PERFETTOREAD_PACKET + 1) + "x",
         "byte 0x0: found a packet of 67108865 bytes, expected at most 67108864"},
        {"\x0a" + varint(CS_PERFETTOREAD_PACKET) + "x", "the file ends at byte 0x6"},
        {sub(2, "abc").substr(0, 3), "byte 0x3: the file ends, expected 2 bytes more"},
        {std::string("\0\0", 2), "byte 0x0: found field 0, expected 1..536870911"},
        {"\x0b\x0c", "byte 0x0: field 1 has wire type 3, expected 0, 1, 2 or 5"},
        {"\x0f", "byte 0x0: field 1 has wire type 7"},
        {packet("\x5b\x5c"), "byte 0x2: field 11 has wire type 3"},
        {packet("\x5e"), "byte 0x2: field 11 has wire type 6"},
        {packet("\x5a\x05\x48\x03"), "byte 0x2: field 11 has 5 bytes, expected at most 2, the "
                                     "message's rest"},
        {packet(num(8, 1) + "\x5a" + varint(UINT64_MAX)), "has 18446744073709551615 bytes"},
        {packet("\x40"), "byte 0x3: the message ends at byte 0x3, expected a number"},
        {packet("\x41" + std::string(7, 'x')), "byte 0x3: the message ends at byte 0xa, expected 8 "
                                               "bytes"},
        {packet("\x45xxx"), "expected 4 bytes"},
        {packet(sub(8, "x")), "byte 0x2: TracePacket.timestamp: found wire type 2, expected 0"},
        {packet(num(11, 1)), "TracePacket.track_event: found wire type 0, expected 2"},
        {event(1, kInstant + num(4, 1)), "TrackEvent.debug_annotations: found wire type 0"},
        {event(1, kInstant + arg("x", num(5, 1))), "DebugAnnotation.double_value: found wire type "
                                                   "0, expected 1"},
        {packet(sub(11, kInstant)), "byte 0x0: found a TrackEvent without a timestamp"},
        {event(1, kInstant, num(58, 64)), "found a TrackEvent without a timestamp, or whose clock "
                                          "no ClockSnapshot of its sequence has (clock 64)"},
        {event(UINT64_MAX, kInstant), "byte 0x2: TracePacket.timestamp: found "
                                      "18446744073709551615, expected less than 2^63 ns"},
        {good + event(1, kEnd), "byte 0x8: track 0: found the end of a slice, expected a begin "
                                "before"},
        {event(1, begin_of("a") + num(11, 1)) + event(2, kEnd + num(11, 2)),
         "track 2: found the end of a slice"},
        {event(1, kInstant + num(10, 4)), "byte 0x8: found interned text 4, expected one that was "
                                          "told before"},
        {packet(sub(12, sub(2, entry(4, "x"))) + kCleared) +
             event(1, kInstant + num(10, 4), kCleared),
         "found interned text 4"},
        {event(1, kInstant + num(3, 4)), "found interned text 4"},
        {event(1, kInstant + sub(4, num(1, 9) + num(4, 1))), "found interned text 9"},
        {event(1, kInstant + arg("x", num(17, 8))), "found interned text 8"},
        {packet(sub(12, sub(2, sub(2, "x")))), "found an interned text without a number"},
        {event(1, kInstant + sub(4, num(4, 1))), "byte 0x8: found an argument without a name"},
        {event(1, kInstant + arg(std::string(600, 'n'), num(4, 1))),
         "found an argument's name of 600 bytes, expected less than 512"},
        {event(1, kInstant + arg("a", deep)), "found arguments more than 64 deep"},
        {event(1, kInstant + arg("a", sub(8, nested))), "found arguments more than 64 deep"},
        {event(1, kInstant + arg("a", sub(8, sub(3, num(5, 1))))),
         "found more values than keys of a dictionary"},
        {open, "track 0: found more than 512 open slices"},
        {loop, "found more than 64 tracks around it, expected none that lies in itself"},
        {track(1, "a", 1), "expected none that lies in itself"},
        {event(1, kCounter), "byte 0x0: found a counter without a value"},
        {packet(sub(59, "\x5a\x05")), "byte 0x5: field 11 has 5 bytes, expected at most 0"},
        {event(1, kInstant + num(12, 1)), "found more extra counter values than tracks"},
        {event(1, kInstant + num(31, 1) + sub(12, "\xff")), "expected a number"},
        {event(1, kInstant + num(45, 1) + sub(46, "1234567")), "expected 8 bytes"},
        {track(1, "c", 0, sub(8, num(4, INT64_MAX))) + event(1, kCounter + num(11, 1) + num(30, 2)),
         "a counter of more than 64 bits"},
        {event(1, sub(6, num(2, 1))), "LegacyEvent.phase: found 1, expected a letter"},
        {event(1, kInstant + sub(22, std::string(40000, 'c')) + sub(22, std::string(40000, 'd'))),
         "found more than 65536 bytes of categories"},
        {packet(sub(59, sub(11, sub(99, std::string(65536, 'x'))))),
         "TracePacketDefaults.track_event_defaults: found 65541 bytes, expected at most 65536"},
        {packet(sub(50, "zz")), "byte 0x0: found compressed packets", CS_ERR_UNSUPPORTED},
        {packet(sub(133, "zz")), "decompress_packets", CS_ERR_UNSUPPORTED},
    };

    for (const auto &c : cases) {
        const Reading reading = read(c.file);

        EXPECT_EQ(reading.status, c.status) << c.error;
        EXPECT_NE(reading.error.find(c.error), std::string::npos)
            << "expected " << c.error << ", found " << reading.error;
        if (c.status == CS_ERR_FORMAT) {
            EXPECT_NE(reading.error.find("byte 0x"), std::string::npos) << reading.error;
        }
    }
    EXPECT_EQ(read(good + "\x0b").rows.size(), 1u); // what stands before is handed out
}

// As deep as is allowed, and one deeper.
TEST(PerfettoRead, ArgumentsInEachOther)
{
    for (const unsigned depth : {CS_PERFETTOREAD_DEEP - 1, CS_PERFETTOREAD_DEEP}) {
        std::string nested = num(5, 7), path = "a";

        for (unsigned i = 1; i < depth; i++) {
            nested = sub(4, nested);
            path += ".0";
        }
        const Reading reading = read(event(1, kInstant + arg("a", sub(8, nested))));

        if (depth < CS_PERFETTOREAD_DEEP)
            EXPECT_EQ(reading.rows, (std::vector<std::string>{"instant 1 -:- - " + path + "=7"}));
        else
            EXPECT_NE(reading.status, CS_OK);
    }
}

TEST(PerfettoRead, ReadsTheGoldenTraceAsItsJsonIs)
{
    // Given the same run in both flavours
    std::vector<std::string> proto, json, counters;
    const std::string text = file_text(kGolden + "pftrace");
    Bytes bytes{text};
    const cs_byte_source source = {give, &bytes};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *e = nullptr;
    std::vector<std::string> begun(1);
    cs_diag diag = {};

    // When the protocol buffers are read
    ASSERT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    while (cs_perfettoread_next(reader, &e, &diag) == CS_OK && e != nullptr) {
        std::string row = or_none(e->group) + "|" + or_none(e->track) + "|" + or_none(e->name) +
                          "|" + std::to_string(e->time_ns);

        if (e->kind == CS_PERFETTOREAD_BEGIN) {
            ASSERT_EQ(e->slice, begun.size());
            begun.push_back(row + fields_of(e->args, true));
        } else if (e->kind == CS_PERFETTOREAD_END) {
            proto.push_back(begun[e->slice] + " for " + std::to_string(e->duration_ns));
        } else if (e->kind == CS_PERFETTOREAD_COUNTER) {
            proto.push_back(or_none(e->group) + "|" + or_none(e->name) + "|" +
                            std::to_string(e->time_ns) + " " + e->unit + "=" + e->value);
        } else if (e->kind == CS_PERFETTOREAD_INSTANT) {
            proto.push_back(row + fields_of(e->args, true));
        } else {
            ASSERT_EQ(e->kind, CS_PERFETTOREAD_TRACK);
        }
    }
    EXPECT_STREQ(diag.text, "");
    cs_perfettoread_close(reader);
    // Then its events are those of the JSON
    TempFolder temp;
    for (const TimelineEvent &t :
         timeline_read(temp.write("json", file_text(kGolden + "json")), CS_SOURCE_DIR)) {
        std::string row = t.group + "|" + t.track + "|" + t.name + "|" + std::to_string(t.ns);

        if (t.phase == "fact")
            continue;
        if (t.phase == "C")
            row = t.group + "|" + t.name + "|" + std::to_string(t.ns);
        for (const auto &a : t.args)
            row += " " + a.first + "=" + a.second;
        json.push_back(row + (t.phase == "X" ? " for " + std::to_string(t.duration_ns) : ""));
    }
    std::sort(proto.begin(), proto.end());
    std::sort(json.begin(), json.end());
    EXPECT_GT(proto.size(), 4000u);
    EXPECT_EQ(proto, json);
}

TEST(PerfettoRead, PrintsRows)
{
    Bytes bytes{track(1, "g") + track(2, "t", 1, sub(8, sub(6, "V"))) +
                event(7, begin_of("s") + sub(22, "c") + arg("a", num(4, 1))) +
                event(9, kEnd, num(58, 3)) + event(9, kCounter + num(11, 2) + real(44, HUGE_VAL))};
    const cs_byte_source source = {give, &bytes};

    for (const cs_table_format format : {CS_TABLE_CSV, CS_TABLE_JSON}) {
        cs_perfettoread *reader = nullptr;
        std::string out;
        const cs_text_sink sink = {collect, &out};

        bytes.at = 0;
        ASSERT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
        EXPECT_EQ(cs_perfettoread_print(reader, format, &sink, nullptr), CS_OK);
        cs_perfettoread_close(reader);
        if (format == CS_TABLE_CSV)
            EXPECT_EQ(out,
                      "offset,time_ns,what,group,track,event,category,duration_ns,value,fields\n"
                      "0x000000,,track,,g,,,,,\n"
                      "0x00000a,,track,g,t,,,,,unit=V\n"
                      "0x00001b,7,begin,,,s,c,,,a=1\n"
                      "0x000032,9,end,,,s,,2,,clock=3\n"
                      "0x00003d,9,counter,g,t,t,,,inf,unit=V\n");
        else
            EXPECT_NE(out.find("\"event\": \"t\", \"category\": null, \"duration_ns\": null, "
                               "\"value\": null, \"fields\": \"unit=V\""),
                      std::string::npos)
                << out;
    }
}

TEST(PerfettoRead, IsToldFromOtherFiles)
{
    const auto looks = [](const std::string &text) {
        const size_t bytes = std::min<size_t>(text.size(), 128);

        return cs_perfettoread_looks_so(reinterpret_cast<const uint8_t *>(text.data()), bytes);
    };
    const auto is_json = [](const std::string &text) {
        return cs_perfettoread_is_json(reinterpret_cast<const uint8_t *>(text.data()), text.size());
    };

    EXPECT_TRUE(looks(file_text(kGolden + "pftrace")));
    EXPECT_TRUE(looks(packet(sub(60, num(1, 1) + sub(2, std::string(500, 'n'))))));
    EXPECT_TRUE(looks(event(1, kInstant)));
    // a text that begins with an empty line, a ring's record of type 10, other numbers
    EXPECT_FALSE(looks("\n{\"traceEvents\":[" + std::string(200, ' ')));
    EXPECT_FALSE(looks(std::string("\x0a\0\0\0\x02\0\x40\0", 8)));
    EXPECT_FALSE(looks(std::string("\x0a\x05\x08\x01\x07\x01\x02", 7)));
    EXPECT_FALSE(looks(file_text(CS_SOURCE_DIR "/traces/pmcu/pmcu.aux")));
    EXPECT_FALSE(looks(file_text(CS_SOURCE_DIR "/traces/pmcu/pmcu.aux").substr(0, 10)));
    EXPECT_FALSE(looks(std::string("\x0a\x7f\x5a\x7f\x01", 5))); // a field longer than its packet
    EXPECT_FALSE(looks(std::string("\x0a\x04\x80\x80\x01\x05\x0a", 7))); // field 2048
    for (size_t bytes = 8; bytes < 128; bytes++)
        EXPECT_TRUE(looks(file_text(kGolden + "pftrace").substr(0, bytes))) << bytes;
    EXPECT_TRUE(is_json("\n{\"traceEvents\":["));
    EXPECT_TRUE(is_json("{\x01"));
    EXPECT_FALSE(is_json("")) << "a trace without packets";
    EXPECT_FALSE(is_json(event(1, kInstant)));
}

TEST(PerfettoRead, NeverCrashesOnDamage)
{
    const std::string golden = file_text(kGolden + "pftrace").substr(0, 8000);
    const std::string whole = golden.substr(0, golden.rfind("\x0a", 7000));
    const std::string foreign =
        track(1, "g") + track(2, "t", 1) + track(3, "c", 2, sub(8, num(5, 1) + num(4, 3))) +
        packet(sub(59, num(58, 64) + sub(11, num(11, 2) + num(31, 3) + num(45, 3))) +
               sub(6, sub(1, num(1, 64) + num(2, 5) + num(3, 1))) +
               sub(12, sub(2, entry(1, "n")) + sub(3, entry(1, "k")) + sub(29, entry(2, "v"))) +
               kCleared) +
        event(1,
              num(9, 1) + num(10, 1) + num(12, 4) + real(46, 2) + sub(4, num(1, 1) + num(17, 2)) +
                  arg("d", sub(11, sub(10, "x") + sub(12, num(4, 2)) + sub(12, num(4, 3)))) +
                  arg("o", sub(8, sub(2, "k") + sub(3, sub(4, num(5, 1))))),
              kNeeds) +
        event(3, kEnd, kNeeds) + event(4, sub(6, num(2, 'X') + num(3, 2)), kNeeds) +
        event(4, kCounter + num(11, 3) + num(30, 3), kNeeds);
    std::mt19937 random(2026);
    unsigned errors = 0;

    ASSERT_EQ(read(foreign).status, CS_OK) << read(foreign).error;
    for (int i = 0; i < 6000; i++) {
        std::string bad = i % 2 == 0 ? foreign : whole;
        const size_t at = random() % bad.size(), bytes = random() % 64;

        switch (random() % 5) {
        case 0:
            bad[at] = static_cast<char>(bad[at] ^ 1 << random() % 8);
            break;
        case 1:
            for (size_t k = at; k < std::min(at + bytes, bad.size()); k++)
                bad[k] = static_cast<char>(random());
            break;
        case 2:
            bad.resize(at);
            break;
        case 3:
            bad.erase(at, bytes);
            break;
        default:
            bad.insert(at, bad.substr(random() % bad.size(), bytes));
            break;
        }
        const Reading reading = read(bad);
        errors += reading.status != CS_OK;
        EXPECT_TRUE(reading.status == CS_OK || reading.status == CS_ERR_FORMAT ||
                    reading.status == CS_ERR_UNSUPPORTED)
            << reading.error;
        if (reading.status != CS_OK) {
            EXPECT_NE(reading.error.find("byte 0x"), std::string::npos) << reading.error;
        }
    }
    EXPECT_GT(errors, 3000u);
    // Cut between packets it is a shorter file, cut elsewhere an error.
    for (size_t bytes = 0; bytes < foreign.size(); bytes++) {
        const Reading reading = read(foreign.substr(0, bytes));

        EXPECT_TRUE(reading.status == CS_ERR_FORMAT ||
                    read(foreign).rows.size() > reading.rows.size());
    }
}
