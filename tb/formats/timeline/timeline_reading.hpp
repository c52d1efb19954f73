// SPDX-License-Identifier: Apache-2.0
// What the readers of timelines and tables say of a file.
#ifndef CS_TB_FORMATS_TIMELINE_READING_HPP
#define CS_TB_FORMATS_TIMELINE_READING_HPP

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

namespace timeline_reading
{

using namespace cs_test;

const std::string kGolden = CS_SOURCE_DIR "/traces/";

using Rows = std::vector<std::string>;

struct Bytes {
    std::string text;
    size_t at = 0, piece = SIZE_MAX;
};

inline cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
{
    Bytes *source = static_cast<Bytes *>(ctx);

    *got = std::min({bytes, source->text.size() - source->at, source->piece});
    std::memcpy(out, source->text.data() + source->at, *got);
    source->at += *got;
    return CS_OK;
}

inline std::string fields_of(const cs_event_fields &fields)
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

inline Reading read_ctf(const std::string &folder)
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

inline Reading read_json(const std::string &text, size_t piece = SIZE_MAX)
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

inline Reading read_table(const std::string &text, cs_table_format format, size_t piece = SIZE_MAX)
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

inline Rows lines_of(const std::string &command)
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

inline void write(const std::string &path, const std::string &text)
{
    std::ofstream(path, std::ios::binary) << text;
}

// One line a event as babeltrace2 has it, with numbers as decimals.
inline std::string plain(const std::string &text)
{
    char *end = nullptr;
    const unsigned long long number = std::strtoull(text.c_str(), &end, 0);

    return !text.empty() && *end == '\0' && text[0] != '-' ? std::to_string(number) : text;
}

inline Rows in_order(Rows rows)
{
    std::sort(rows.begin(), rows.end());
    return rows;
}

inline std::string number_row(const std::string &row)
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
typealias integer { size = 64; align = 8; map = clock.c.value; } := whole_stamp;
stream {
    packet.context := struct {
        unsigned int content_size; unsigned int packet_size;
        whole_stamp timestamp_begin; whole_stamp timestamp_end;
    };
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

inline void be(std::string &out, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i-- > 0;)
        out += static_cast<char>(value >> (8 * i));
}

inline std::string foreign_stream()
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
    be(packet, (28 + events.size()) * 8, 4);
    be(packet, (28 + events.size() + 2) * 8, 4);
    be(packet, 0xfffffff0, 8);
    be(packet, 0x100000010, 8);
    return packet + events + "\x55\x55";
}

} // namespace timeline_reading

#endif
