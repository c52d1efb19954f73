// SPDX-License-Identifier: Apache-2.0
// A CTF trace as it is written, and what babeltrace2 has to show for it.
#ifndef CS_TB_FORMATS_CTF_TRACE_HPP
#define CS_TB_FORMATS_CTF_TRACE_HPP

#include <gtest/gtest.h>

#include <cinttypes>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <limits>
#include <random>

#include <sys/resource.h>

#include "formats/ctf/write/ctf.h"
#include "support/babeltrace.hpp"
#include "support/forked.hpp"
#include "support/temp_folder.hpp"

namespace ctf_trace
{

using namespace cs_test;

const cs_field_label kResponses[] = {{0, "OKAY"}, {2, "SLVERR"}, {255, "a \"quoted\" \\ name"}};
const cs_field kFields[] = {
    {"u8", CS_FIELD_DECIMAL, 8, nullptr, 0},   {"u16", CS_FIELD_DECIMAL, 16, nullptr, 0},
    {"u32", CS_FIELD_DECIMAL, 32, nullptr, 0}, {"u64", CS_FIELD_DECIMAL, 64, nullptr, 0},
    {"h8", CS_FIELD_HEX, 8, nullptr, 0},       {"h64", CS_FIELD_HEX, 64, nullptr, 0},
    {"s8", CS_FIELD_SIGNED, 8, nullptr, 0},    {"s64", CS_FIELD_SIGNED, 64, nullptr, 0},
    {"resp", CS_FIELD_ENUM, 8, kResponses, 3}, {"text", CS_FIELD_TEXT, 0, nullptr, 0},
};
constexpr size_t kNrFields = sizeof kFields / sizeof kFields[0];
const cs_ctf_event_class kEvents[] = {{"all", kFields, kNrFields}, {"one", kFields, 1}};
const cs_ctf_stream_class kClasses[] = {{"cpu_id", kEvents, 2}, {"unit_id", kEvents, 2}};
const cs_ctf_fact kFacts[] = {{"tracer_name", "counter\"sink", 0}, {"seed", nullptr, -5}};

inline cs_ctf_config config()
{
    cs_ctf_config c = {};

    c.clock_hz = 1000000000;
    c.clock_name = "bus";
    c.uuid[0] = 0xc5;
    c.facts = kFacts;
    c.nr_facts = 2;
    c.classes = kClasses;
    c.nr_classes = 2;
    return c;
}

inline std::vector<cs_field_value> values(uint64_t number, const char *text)
{
    std::vector<cs_field_value> v(kNrFields);

    for (size_t i = 0; i < kNrFields; i++) {
        const unsigned bits = kFields[i].bits;

        if (kFields[i].kind == CS_FIELD_TEXT)
            v[i].text = text;
        else if (kFields[i].kind == CS_FIELD_SIGNED &&
                 bits < 64) // its lowest bits, with their sign
            v[i].number =
                static_cast<uint64_t>(static_cast<int64_t>(number << (64 - bits)) >> (64 - bits));
        else
            v[i].number = bits < 64 ? number & ((UINT64_C(1) << bits) - 1) : number;
    }
    return v;
}

// What babeltrace2 has to show for a value.
inline std::string shown(const cs_field &field, cs_field_value value)
{
    char text[32];

    switch (field.kind) {
    case CS_FIELD_TEXT:
        return value.text;
    case CS_FIELD_HEX:
        std::snprintf(text, sizeof text, "0x%" PRIX64, value.number);
        return text;
    case CS_FIELD_SIGNED:
        return std::to_string(static_cast<int64_t>(value.number));
    case CS_FIELD_ENUM:
        for (size_t i = 0; i < field.nr_labels; i++)
            if (field.labels[i].value == value.number)
                return field.labels[i].name;
        return "?" + std::to_string(value.number);
    case CS_FIELD_DECIMAL:
        break;
    }
    return std::to_string(value.number);
}

struct Trace {
    explicit Trace(const cs_ctf_config &c = config(), const char *name = "trace")
        : path(folder.file(name))
    {
        status = cs_ctf_create(path.c_str(), &c, &trace, &diag);
    }
    ~Trace()
    {
        cs_ctf_abandon(trace);
    }
    cs_ctf_stream *open(unsigned class_index, uint32_t instance, const std::string &name)
    {
        cs_ctf_stream *stream = nullptr;

        EXPECT_EQ(cs_ctf_open(trace, class_index, instance, name.c_str(), &stream, &diag), CS_OK)
            << diag.text;
        return stream;
    }
    cs_status close()
    {
        cs_ctf *t = trace;

        trace = nullptr;
        return cs_ctf_close(t, &diag);
    }
    std::vector<CtfEvent> read()
    {
        EXPECT_EQ(close(), CS_OK) << diag.text;
        return ctf_read(path);
    }

    TempFolder folder;
    std::string path;
    cs_ctf *trace = nullptr;
    cs_status status = CS_OK;
    cs_diag diag = {};
};

} // namespace ctf_trace

#endif
