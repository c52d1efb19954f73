// SPDX-License-Identifier: Apache-2.0
// What our reader of Perfetto's protocol buffers says of a file, and what Perfetto's own trace processor
// says of it: slices, instants, counters and arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "formats/perfetto/read/proto.h"
#include "support/proto.hpp"
#include "support/temp_folder.hpp"
#include "support/trace_processor.hpp"

using namespace cs_test;

namespace
{

using Rows = std::vector<std::string>;

struct Bytes {
    std::string text;
    size_t at = 0;
};

cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
{
    Bytes *source = static_cast<Bytes *>(ctx);

    *got = std::min(bytes, source->text.size() - source->at);
    std::memcpy(out, source->text.data() + source->at, *got);
    source->at += *got;
    return CS_OK;
}

std::string text(const char *value)
{
    return value != nullptr ? value : "-";
}

Rows sorted(Rows rows)
{
    std::sort(rows.begin(), rows.end());
    return rows;
}

// "a.0.b" is "a[0].b" there, truth is 1, pointers are numbers.
std::string argument(const std::string &slice, const cs_event_field &field)
{
    std::string key = "debug";
    std::istringstream parts(field.name);

    for (std::string part; std::getline(parts, part, '.');)
        key += isdigit(static_cast<unsigned char>(part[0])) ? "[" + part + "]" : "." + part;
    const std::string value = field.text;
    const std::string plain = value == "true"    ? "1"
                              : value == "false" ? "0"
                              : field.is_number ? std::to_string(static_cast<int64_t>(field.number))
                                                : value;
    return slice + "|" + key + "|" + plain;
}

struct Content {
    Rows slices, counters, arguments;
};

// Both sides: group|track|name|time|duration (-1: it does not end; 0: an instant), and so on.
Content ours(const std::string &file)
{
    Bytes bytes{file};
    const cs_byte_source source = {give, &bytes};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *e = nullptr;
    std::map<uint64_t, std::string> open;
    Content content;
    cs_diag diag = {};

    EXPECT_EQ(cs_perfettoread_open(&source, "t", &reader, &diag), CS_OK);
    while (cs_perfettoread_next(reader, &e, &diag) == CS_OK && e != nullptr) {
        const std::string place = text(e->group) + "|" + text(e->track) + "|";
        const std::string at = text(e->name) + "|" + std::to_string(e->time_ns);
        const std::string begin = place + text(e->category) + "|" + at + "|";

        if (e->kind == CS_PERFETTOREAD_BEGIN)
            open[e->slice] = begin;
        if (e->kind == CS_PERFETTOREAD_END && e->slice != 0) {
            content.slices.push_back(open[e->slice] + std::to_string(e->duration_ns));
            open.erase(e->slice);
        }
        if (e->kind == CS_PERFETTOREAD_COMPLETE)
            content.slices.push_back(begin + std::to_string(e->duration_ns));
        if (e->kind == CS_PERFETTOREAD_INSTANT)
            content.slices.push_back(begin + "0");
        if (e->kind == CS_PERFETTOREAD_COUNTER)
            content.counters.push_back(place + std::to_string(e->time_ns) + "|" + text(e->unit) +
                                       "|" + std::to_string(std::stod(e->value)));
        if (e->kind != CS_PERFETTOREAD_COUNTER)
            for (size_t i = 0; i < e->args.nr_fields; i++)
                content.arguments.push_back(argument(at, e->args.fields[i]));
    }
    EXPECT_STREQ(diag.text, "");
    cs_perfettoread_close(reader);
    for (const auto &slice : open)
        content.slices.push_back(slice.second + "-1");
    return {sorted(content.slices), sorted(content.counters), sorted(content.arguments)};
}

#define WHERE "coalesce(pt.name, pr.name, '-'), coalesce(th.name, own.name, t.name, '-'), "
#define TRACKS                                                                                     \
    "join track t on x.track_id = t.id left join track pt on t.parent_id = pt.id "                 \
    "left join thread_track tt on tt.id = t.id left join thread th using (utid) "                  \
    "left join process pr on th.upid = pr.upid left join process_track o on o.id = t.id "          \
    "left join process own on own.upid = o.upid "

Content perfettos(const std::string &path)
{
    const auto answers = ask_perfetto(
        path,
        {"select " WHERE "coalesce(x.category, '-'), coalesce(x.name, '-'), x.ts, x.dur from slice "
         "x " TRACKS,
         "select " WHERE "x.ts, coalesce(c.unit, '-'), printf('%f', x.value) from counter x " TRACKS
         "join counter_track c on c.id = t.id",
         "select coalesce(s.name, '-'), s.ts, a.key, coalesce(a.string_value, a.int_value, "
         "a.real_value) from slice s join args a using (arg_set_id) where a.key like 'debug.%'",
         "select name, value from stats where value > 0 and severity != 'info'"});

    EXPECT_EQ(answers[3], Rows{});
    return {sorted(answers[0]), sorted(answers[1]), sorted(answers[2])};
}

void expect_same(const std::string &path)
{
    const Content we = ours(file_text(path)), they = perfettos(path);

    EXPECT_EQ(we.slices, they.slices);
    EXPECT_EQ(we.counters, they.counters);
    EXPECT_EQ(we.arguments, they.arguments);
}

std::string track(uint64_t uuid, const std::string &name, uint64_t parent, const std::string &more)
{
    return packet(sub(60, num(1, uuid) + (name.empty() ? "" : sub(2, name)) +
                              (parent != 0 ? num(5, parent) : "") + more) +
                  num(10, 1));
}

std::string event(uint64_t time, const std::string &fields, const std::string &more)
{
    return packet(num(8, time) + sub(11, fields) + more);
}

std::string arg(const std::string &name, const std::string &value)
{
    return sub(4, sub(10, name) + value);
}

std::string entry(uint64_t iid, const std::string &name)
{
    return num(1, iid) + sub(2, name);
}

} // namespace

TEST(PerfettoJudge, AgreesOnTheGoldenTrace)
{
    const std::string path = CS_SOURCE_DIR "/traces/pmcu/timeline.pftrace";
    TempFolder temp;

    expect_same(temp.write("t", file_text(path)));
    EXPECT_GT(ours(file_text(path)).slices.size(), 3000u);
    EXPECT_GT(ours(file_text(path)).counters.size(), 500u);
    EXPECT_GT(ours(file_text(path)).arguments.size(), 10000u);
}

TEST(PerfettoJudge, AgreesOnWhatOtherTracersWrite)
{
    const std::string needs = num(10, 1) + num(13, 2), cleared = num(10, 1) + num(13, 3);
    const std::string begin = num(9, 1), end = num(9, 2), instant = num(9, 3), counter = num(9, 4);
    const std::string old = num(10, 3) + num(13, 2);
    TempFolder temp;
    // Given nested slices, threads and processes, arguments, interned texts, defaults, counters
    const std::string file =
        packet(cleared + sub(59, sub(11, num(11, 12) + num(31, 21))) +
               sub(12, sub(1, entry(1, "cat")) + sub(2, entry(1, "work") + "") +
                           sub(2, entry(2, "rest")) + sub(3, entry(1, "key")) +
                           sub(29, entry(1, "interned value")))) +
        track(10, "", 0, sub(3, num(1, 42) + sub(6, "program"))) +
        track(11, "", 0, sub(4, num(1, 42) + num(2, 43) + sub(5, "worker"))) +
        track(12, "lane", 0, "") + track(13, "inner lane", 12, "") +
        track(20, "bytes used", 12, sub(8, num(3, 3) + num(4, 1024))) +
        track(21, "ticks", 12, sub(8, num(5, 1) + sub(6, "ticks"))) +
        track(22, "volts", 12, sub(8, sub(6, "V"))) +
        // slices inside of each other, on the default track, with an extra counter that goes up
        event(100, begin + num(10, 1) + num(3, 1) + num(12, 5), needs) +
        event(110,
              begin + num(10, 2) + sub(22, "x") + sub(22, "y") + num(12, 7) +
                  sub(4, num(1, 1) + num(17, 1)),
              needs) +
        event(120, end + num(12, 1), needs) + event(130, end + num(12, 2), needs) +
        // other tracks: a thread's, a process's, one in another; a slice that never ends
        event(140, begin + sub(23, "call") + num(11, 11), needs) +
        event(141, instant + sub(23, "now") + num(11, 10) + arg("late", num(2, 1)), needs) +
        event(142, begin + sub(23, "sub") + num(11, 13), needs) +
        event(150, end + num(11, 11), needs) + event(151, end + num(11, 13), needs) +
        event(152, begin + sub(23, "endless") + num(11, 13), needs) +
        // counters
        event(160, counter + num(11, 20) + num(30, 3), needs) +
        event(161, counter + num(11, 22) + real(44, 1.25), needs) +
        event(162, counter + num(11, 21) + num(30, 10), needs) +
        event(163,
              instant + sub(23, "with more") + num(31, 20) + num(12, 4) + num(45, 22) +
                  real(46, -0.5),
              needs) +
        // arguments of every kind
        event(170,
              instant + sub(23, "args") + arg("b", num(2, 1)) + arg("u", num(3, 7)) +
                  arg("i", num(4, -7)) + arg("r", real(5, 0.5)) + arg("s", sub(6, "a text")) +
                  arg("p", num(7, 0xffff0000)) +
                  arg("d", sub(11, sub(10, "x") + num(4, 1)) +
                               sub(11, sub(10, "y") + sub(12, num(4, 2)) + sub(12, sub(6, "z")))) +
                  arg("n", sub(8, num(1, 1) + sub(2, "k") + sub(3, num(5, 4)) + sub(2, "l") +
                                      sub(3, num(1, 2) + sub(4, sub(8, "v")) + sub(4, num(5, 9))))),
              needs) +
        // the state is cleared: the same numbers mean something else, increments begin again
        packet(cleared + sub(59, sub(11, num(11, 13))) + sub(12, sub(2, entry(1, "other work")))) +
        event(180, counter + num(11, 21) + num(30, 1), needs) +
        event(181, instant + num(10, 1) + num(11, 12), needs) +
        // a second sequence with a clock of its own, in microseconds and increments
        packet(num(10, 2) + num(13, 3) +
               sub(6, sub(1, num(1, 6) + num(2, 1000000)) +
                          sub(1, num(1, 64) + num(2, 1000) + num(3, 1) + num(4, 1000))) +
               sub(59, num(58, 64) + sub(11, num(11, 12)))) +
        event(5, begin + sub(23, "slow"), num(10, 2) + num(13, 2)) +
        event(20, end, num(10, 2) + num(13, 2)) +
        // a third of the deprecated kind: a thread's, times as increments
        packet(num(10, 3) + num(13, 3) +
               sub(44, num(1, 7) + num(2, 8) + sub(5, "old") + num(6, 2000))) +
        packet(old + sub(11, num(1, 10) + sub(6, num(2, 'B')) + sub(23, "old slice"))) +
        packet(old + sub(11, num(1, 10) + sub(6, num(2, 'X') + num(3, 3)) + sub(23, "whole"))) +
        packet(old + sub(11, num(1, 10) + sub(6, num(2, 'E')))) +
        packet(old +
               sub(11, num(16, 3000) + sub(6, num(2, 'i') + num(14, 3)) + sub(23, "at once")));

    // When both read it, then they say the same
    expect_same(temp.write("t", file));
    EXPECT_EQ(ours(file).slices.size(), 13u);
    EXPECT_EQ(ours(file).counters.size(), 10u);
}
