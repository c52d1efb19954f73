// SPDX-License-Identifier: Apache-2.0
// perf.data at its edges: the most ids and facts that are taken, and what is refused behind them.
#include <gtest/gtest.h>

#include <memory>

#include "perf_seek.hpp"

using namespace cs_test;

namespace
{

struct Closer {
    void operator()(cs_perfread *reader) const
    {
        cs_perfread_close(reader);
    }
};
using Reader = std::unique_ptr<cs_perfread, Closer>;

struct Opened {
    cs_status status;
    Reader reader;
    cs_diag diag;
};

// Without an error there is a reader, with one there is none.
Opened open(const cs_seek_source &source)
{
    Opened opened = {};
    int nothing;
    cs_perfread *reader = reinterpret_cast<cs_perfread *>(&nothing);

    opened.status = cs_perfread_open(&source, "file", &reader, &opened.diag);
    EXPECT_EQ(reader == nullptr, opened.status != CS_OK);
    if (opened.status != CS_OK) {
        EXPECT_STREQ(opened.diag.where, "file");
    }
    opened.reader.reset(reader);
    return opened;
}

// Some bytes, then zeros that take no memory.
struct Sparse {
    PerfBytes front;
    uint64_t zeros;

    cs_seek_source source()
    {
        return {read_at, this, front.size() + zeros};
    }
    static cs_status read_at(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                             cs_diag *)
    {
        const auto *file = static_cast<Sparse *>(ctx);

        *got = static_cast<size_t>(
            std::min<uint64_t>(bytes, file->front.size() + file->zeros - offset));
        std::memset(out, 0, *got);
        for (size_t i = 0; i < *got && offset + i < file->front.size(); i++)
            out[i] = file->front[offset + i];
        return CS_OK;
    }
};

// Some bytes, then strings, each as long as may be, with its length in front.
struct Strings {
    static constexpr uint64_t kBytes = 4 + CS_PERFREAD_MOST_STRING_BYTES;
    PerfBytes front;
    unsigned count;

    cs_seek_source source()
    {
        return {read_at, this, front.size() + count * kBytes};
    }
    static cs_status read_at(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                             cs_diag *)
    {
        const auto *file = static_cast<Strings *>(ctx);
        const uint64_t front = file->front.size();
        const auto set = [&](uint64_t at, uint8_t byte) {
            if (at >= offset && at - offset < *got)
                out[at - offset] = byte;
        };

        *got =
            static_cast<size_t>(std::min<uint64_t>(bytes, front + file->count * kBytes - offset));
        std::memset(out, 'x', *got);
        for (uint64_t i = 0; i < front; i++)
            set(i, file->front[i]);
        for (uint64_t at = front; at < front + file->count * kBytes; at += kBytes) {
            for (unsigned i = 0; i < 4; i++)
                set(at + i, static_cast<uint8_t>(CS_PERFREAD_MOST_STRING_BYTES >> 8 * i));
            set(at + kBytes - 1, 0);
        }
        return CS_OK;
    }
};

} // namespace

// An id of 0 is none, but takes its place in the list.
TEST(PerfLimitsEdges, SoManyIdsAreTakenAndNotOneMore)
{
    const struct {
        std::vector<uint64_t> first;
        uint64_t second;
        const char *text;
    } cases[] = {
        {{}, CS_PERFREAD_MOST_IDS, ""},
        {{},
         CS_PERFREAD_MOST_IDS + 1,
         "byte 384: size of the ids is 33554440, expected at most 4194304 ids (perf.data header)"},
        {{5}, CS_PERFREAD_MOST_IDS - 1, ""},
        {{5},
         CS_PERFREAD_MOST_IDS,
         "byte 400: 4194304 ids of event 1 and 1 of others, expected at most 4194304"},
    };

    for (const auto &c : cases) {
        PerfFile file;
        file.attrs = {{.ids = c.first}, {}};
        PerfOut out{false, file.make()};
        const size_t place = out.bytes.size() - 16; // of the second event's ids

        out.set(place, out.bytes.size(), 8);
        out.set(place + 8, 8 * c.second, 8);
        Sparse sparse{out.bytes, 8 * c.second};
        const Opened opened = open(sparse.source());
        EXPECT_EQ(opened.status, *c.text != '\0' ? CS_ERR_FORMAT : CS_OK);
        EXPECT_STREQ(opened.diag.text, c.text);
        if (opened.status == CS_OK) {
            EXPECT_EQ(cs_perfread_get_facts(opened.reader.get())->events[1].nr_ids, c.second);
            EXPECT_EQ(cs_perfread_event_of(opened.reader.get(), 0), nullptr);
        }
    }
}

// Strings of 1 MiB each, the longest that there may be: 63 of them and the list of words fit. Six
// features have the same one.
TEST(PerfLimitsEdges, SoManyFactsAreTakenAndNotOneMore)
{
    for (const unsigned words : {57u, 58u}) {
        PerfFile file;

        file.attrs = {{}};
        for (const unsigned feature : {3u, 4u, 5u, 6u, 8u, 9u})
            file.features[feature] = {};
        file.features[11] = PerfOut().u32(words).bytes;
        file.add(68, 0, {});
        PerfOut out{false, file.make()};
        const size_t front = out.bytes.size();
        for (size_t i = 0, place = front - 4 - 7 * 16; i < 7; i++, place += 16) {
            out.set(place, i < 6 ? front : front - 4, 8);
            out.set(place + 8, i < 6 ? Strings::kBytes : 4 + words * Strings::kBytes, 8);
        }
        Strings strings{out.bytes, words};
        const Opened opened = open(strings.source());
        if (words == 57) {
            ASSERT_EQ(opened.status, CS_OK) << opened.diag.text;
            const cs_perfread_facts *facts = cs_perfread_get_facts(opened.reader.get());
            ASSERT_EQ(facts->nr_cmdline, words);
            EXPECT_EQ(std::strlen(facts->cmdline[56]), CS_PERFREAD_MOST_STRING_BYTES - 1);
            continue;
        }
        EXPECT_EQ(opened.status, CS_ERR_FORMAT);
        EXPECT_STREQ(opened.diag.text,
                     "names, ids and facts of the header need more than 67108864 bytes");
    }
}
