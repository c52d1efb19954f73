// SPDX-License-Identifier: Apache-2.0
// Timelines as Perfetto's protocol buffers, taken apart by a reader of the test's own. (What
// Perfetto makes of them: tb/traces/test_timelines.cpp.)
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/perfetto/write/proto.h"

namespace
{

// A message: its fields in order, numbers and bytes.
struct Field {
    unsigned id;
    uint64_t number;
    std::string bytes;
};
using Message = std::vector<Field>;

uint64_t varint(const std::string &text, size_t &at)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<uint8_t>(text.at(at++));
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

Message parse(const std::string &text)
{
    Message message;

    for (size_t at = 0; at < text.size();) {
        const uint64_t key = varint(text, at);
        Field f = {static_cast<unsigned>(key >> 3), 0, ""};

        if ((key & 7) == 0) {
            f.number = varint(text, at);
        } else if ((key & 7) == 1) {
            std::memcpy(&f.number, text.substr(at, 8).data(), 8);
            at += 8;
        } else if ((key & 7) == 2) {
            const uint64_t size = varint(text, at);
            if (size > text.size() - at)
                throw std::runtime_error("a field beyond its message");
            f.bytes = text.substr(at, size);
            at += size;
        } else {
            throw std::runtime_error("a kind of fields that is not written");
        }
        message.push_back(f);
    }
    return message;
}

std::vector<const Field *> all(const Message &message, unsigned id)
{
    std::vector<const Field *> found;

    for (const Field &f : message)
        if (f.id == id)
            found.push_back(&f);
    return found;
}

const Field &one(const Message &message, unsigned id)
{
    const auto found = all(message, id);

    if (found.size() != 1)
        throw std::runtime_error("field " + std::to_string(id) + " is there " +
                                 std::to_string(found.size()) + " times");
    return *found[0];
}

const cs_field_label kResponses[] = {{0, "OKAY"}};
const cs_field kFields[] = {
    {"count", CS_FIELD_DECIMAL, 64, nullptr, 0}, {"addr", CS_FIELD_HEX, 64, nullptr, 0},
    {"skid", CS_FIELD_SIGNED, 64, nullptr, 0},   {"resp", CS_FIELD_ENUM, 8, kResponses, 1},
    {"text", CS_FIELD_TEXT, 0, nullptr, 0},
};

struct PerfettoPb : testing::Test {
    PerfettoPb()
    {
        const cs_text_sink sink = {write, this};

        EXPECT_EQ(cs_perfetto_pb_create(&sink, 1000, &t), CS_OK);
    }
    ~PerfettoPb() override
    {
        cs_perfetto_pb_destroy(t);
    }
    static cs_status write(void *ctx, const char *text, size_t bytes)
    {
        auto *test = static_cast<PerfettoPb *>(ctx);

        test->calls++;
        if (bytes > test->room)
            return CS_ERR_IO;
        test->room -= bytes;
        test->text.append(text, bytes);
        return CS_OK;
    }
    std::vector<Message> packets()
    {
        std::vector<Message> result;

        EXPECT_EQ(cs_perfetto_pb_end(t), CS_OK);
        for (const Field &f : parse(text)) {
            EXPECT_EQ(f.id, 1u);
            result.push_back(parse(f.bytes));
            EXPECT_EQ(one(result.back(), 10).number, 1u) << "one sequence";
            EXPECT_EQ(one(result.back(), 13).number, result.size() == 1 ? 3u : 2u);
        }
        return result;
    }

    cs_perfetto_pb *t = nullptr;
    std::string text;
    size_t room = SIZE_MAX;
    unsigned calls = 0;
    const cs_perfetto_track track = {1, 101};
};

TEST_F(PerfettoPb, ASliceIsItsBeginAndItsEnd)
{
    const uint64_t most = ~UINT64_C(0);
    const cs_field_value values[] = {
        {most}, {most - 1}, {static_cast<uint64_t>(-9)}, {0}, {.text = "x"}};
    const cs_perfetto_args args = {kFields, values, 5};

    cs_perfetto_pb_name_group(t, 1, "group", 7);
    cs_perfetto_pb_name_track(t, track, "track", 8);
    cs_perfetto_pb_slice(t, track, "work", 1234, 5678, &args);
    const auto p = packets();

    ASSERT_EQ(p.size(), 4u);
    const Message group = parse(one(p[0], 60).bytes), named = parse(one(p[1], 60).bytes);
    EXPECT_EQ(one(group, 2).bytes, "group");
    EXPECT_EQ(one(group, 12).number, 7u);
    EXPECT_TRUE(all(group, 5).empty());
    EXPECT_EQ(one(named, 2).bytes, "track");
    EXPECT_EQ(one(named, 5).number, one(group, 1).number) << "its parent";
    EXPECT_NE(one(named, 1).number, one(group, 1).number);

    const Message begin = parse(one(p[2], 11).bytes), end = parse(one(p[3], 11).bytes);
    EXPECT_EQ(one(p[2], 8).number, 1234u);
    EXPECT_EQ(one(p[3], 8).number, 5678u);
    EXPECT_EQ(one(begin, 9).number, 1u);
    EXPECT_EQ(one(end, 9).number, 2u);
    EXPECT_EQ(one(begin, 11).number, one(named, 1).number);
    EXPECT_EQ(one(end, 11).number, one(named, 1).number);

    // the names that its numbers mean, and the values
    std::map<uint64_t, std::string> names;
    for (const Field &f : parse(one(p[2], 12).bytes)) {
        const Message entry = parse(f.bytes);
        names[one(entry, 1).number] = one(entry, 2).bytes;
    }
    EXPECT_EQ(names[one(begin, 10).number], "work");
    std::map<std::string, Field> found;
    for (const Field *f : all(begin, 4)) {
        const Message arg = parse(f->bytes);
        ASSERT_EQ(arg.size(), 2u);
        found[names[one(arg, 1).number]] = arg[1];
    }
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found["count"].id, 3u);
    EXPECT_EQ(found["count"].number, most);
    EXPECT_EQ(found["addr"].id, 7u) << "a pointer";
    EXPECT_EQ(found["addr"].number, most - 1);
    EXPECT_EQ(found["skid"].id, 4u);
    EXPECT_EQ(static_cast<int64_t>(found["skid"].number), -9);
    EXPECT_EQ(found["resp"].bytes, "OKAY");
    EXPECT_EQ(found["text"].bytes, "x");
}

TEST_F(PerfettoPb, AValueWithoutANameIsANumber)
{
    static const cs_field_label labels[] = {{0, "OKAY"}, {2, "of another field"}};
    static const cs_field field = {"resp", CS_FIELD_ENUM, 8, labels, 1};
    const cs_field_value value = {2};
    const cs_perfetto_args args = {&field, &value, 1};

    cs_perfetto_pb_instant(t, track, "event", 1, &args);
    const Message arg = parse(one(parse(one(packets().at(0), 11).bytes), 4).bytes);
    EXPECT_EQ(one(arg, 3).number, 2u);
}

TEST_F(PerfettoPb, ANameIsToldOnce)
{
    std::map<std::string, unsigned> told;
    std::map<uint64_t, std::string> names;

    for (unsigned i = 0; i < 3000; i++) // in turns, three times each
        cs_perfetto_pb_instant(t, track, ("event " + std::to_string(i % 1000)).c_str(), i, nullptr);
    const auto p = packets();
    ASSERT_EQ(p.size(), 3000u);
    for (unsigned i = 0; i < 3000; i++) {
        for (const Field *data : all(p[i], 12))
            for (const Field &f : parse(data->bytes)) {
                const Message entry = parse(f.bytes);
                EXPECT_EQ(names.count(one(entry, 1).number), 0u);
                names[one(entry, 1).number] = one(entry, 2).bytes;
                told[one(entry, 2).bytes]++;
            }
        const Message event = parse(one(p[i], 11).bytes);
        EXPECT_EQ(names[one(event, 10).number], "event " + std::to_string(i % 1000));
        EXPECT_EQ(one(event, 9).number, 3u);
    }
    EXPECT_EQ(told.size(), 1000u);
    for (const auto &[name, times] : told)
        EXPECT_EQ(times, 1u) << name;
}

TEST_F(PerfettoPb, ACounterIsATrackOfItsGroup)
{
    for (unsigned group = 1; group <= 2; group++)
        for (uint64_t cycle = 0; cycle < 2; cycle++)
            cs_perfetto_pb_counter(t, group, "load", "percent", cycle, 12.5 * group);
    const auto p = packets();

    ASSERT_EQ(p.size(), 6u);
    for (unsigned i = 0; i < 6; i += 3) {
        const Message named = parse(one(p[i], 60).bytes);
        EXPECT_EQ(one(named, 2).bytes, "load");
        EXPECT_EQ(one(parse(one(named, 8).bytes), 6).bytes, "percent");
        for (unsigned k = 1; k < 3; k++) {
            const Message event = parse(one(p[i + k], 11).bytes);
            double value;
            std::memcpy(&value, &one(event, 44).number, 8);
            EXPECT_EQ(one(event, 11).number, one(named, 1).number);
            EXPECT_EQ(one(event, 9).number, 4u);
            EXPECT_EQ(value, i == 0 ? 12.5 : 25.0);
        }
    }
    EXPECT_NE(one(parse(one(p[0], 60).bytes), 1).number, one(parse(one(p[3], 60).bytes), 1).number);
}

TEST_F(PerfettoPb, WrongSlicesAndFailuresAreTold)
{
    EXPECT_EQ(cs_perfetto_pb_slice(t, track, "wrong", 10, 9, nullptr), CS_ERR_RANGE);
    EXPECT_TRUE(text.empty());

    room = 100000;
    cs_status status = CS_OK;
    for (unsigned i = 0; i < 20000; i++)
        status = cs_perfetto_pb_instant(t, track, "event", i, nullptr);
    EXPECT_EQ(status, CS_ERR_IO);
    EXPECT_EQ(cs_perfetto_pb_end(t), CS_ERR_IO);
    EXPECT_EQ(calls, 2u) << "not asked again";
}

} // namespace
