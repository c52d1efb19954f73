// SPDX-License-Identifier: Apache-2.0
// perf.data: what cannot be written.
#include "perf_data_file.hpp"

using namespace perf_data_file;
using namespace cs_test;

// ---- what cannot be written ----

namespace
{

// Takes `left` bytes, then fails.
struct Failing {
    size_t left;
    std::vector<uint8_t> bytes;
};

cs_status failing_write(void *ctx, const void *bytes, size_t length, cs_diag *diag)
{
    auto *f = static_cast<Failing *>(ctx);
    const auto *from = static_cast<const uint8_t *>(bytes);

    if (length > f->left)
        return cs_diag_set(diag, CS_ERR_IO, "sink", "it is full");
    f->left -= length;
    f->bytes.insert(f->bytes.end(), from, from + length);
    return CS_OK;
}

cs_status failing_patch(void *ctx, uint64_t offset, const void *bytes, size_t length, cs_diag *)
{
    auto *f = static_cast<Failing *>(ctx);

    memcpy(f->bytes.data() + offset, bytes, length);
    return CS_OK;
}

cs_status write_all(Failing *to, cs_diag *diag, cs_status *last_put)
{
    const cs_perf_data_sink sink = {failing_write, failing_patch, to};
    const cs_perf_data_event e = event("cycles", 0, 0, 0);
    const cs_perf_data_features features = {};
    const std::vector<uint8_t> payload(1 << 20, 1);
    const cs_perf_data_auxtrace a = {};
    cs_perf_data_writer *w = nullptr;
    const cs_status status = cs_perf_data_create(&sink, &e, 1, &w, diag);

    if (status != CS_OK) {
        EXPECT_EQ(w, nullptr);
        return status;
    }
    for (unsigned i = 0; i < 20000; i++) {
        const cs_perf_data_sample s = sample(at(0, 1, 1, i, 0), i, 1);

        *last_put = cs_perf_data_put_sample(w, &s);
    }
    *last_put = cs_perf_data_put_auxtrace(w, &a, payload.data(), payload.size());
    return cs_perf_data_finish(w, &features, diag);
}

} // namespace

TEST(PerfDataErrors, AFullSinkIsToldAtTheEnd)
{
    cs_diag diag = {};
    cs_status last = CS_OK;
    Failing all = {SIZE_MAX, {}};

    ASSERT_EQ(write_all(&all, &diag, &last), CS_OK);
    for (size_t room = 0; room < all.bytes.size(); room += all.bytes.size() / 37 + 1) {
        Failing some = {room, {}};

        EXPECT_EQ(write_all(&some, &diag, &last), CS_ERR_IO) << room;
        EXPECT_STREQ(diag.text, "it is full");
    }
    Failing almost = {all.bytes.size() - 1, {}};
    EXPECT_EQ(write_all(&almost, &diag, &last), CS_ERR_IO);
    EXPECT_EQ(last, CS_OK) << "only the features did not fit";
}

TEST(PerfDataErrors, EventsThatCannotBeAreRefused)
{
    Failing to = {SIZE_MAX, {}};
    const cs_perf_data_sink sink = {failing_write, failing_patch, &to};
    cs_perf_data_event e[2] = {event("one", 0, 0, 0), event("two", 0, 1, 1)};
    cs_perf_data_writer *w = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_perf_data_create(&sink, e, 0, &w, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "perf.data: there is no event");
    e[0].attr.sample_type |= 1 << 12;
    EXPECT_EQ(cs_perf_data_create(&sink, e, 1, &w, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.where, "one");
    e[0] = event("one", 0, 0, 0);
    e[1].attr.sample_type |= 1 << 11;
    EXPECT_EQ(cs_perf_data_create(&sink, e, 2, &w, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.where, "two");
    EXPECT_STREQ(diag.text, "perf.data: sample_type has 0x800, which is not written");
    e[1] = event("two", 0, 1, 1, kPlain & ~CS_PERF_SAMPLE_IDENTIFIER);
    EXPECT_EQ(cs_perf_data_create(&sink, e, 2, &w, &diag), CS_ERR_RANGE);
    EXPECT_STREQ(diag.text, "perf.data: one of several events, without ids or IDENTIFIER");
    e[1] = event("two", 0, 1, 1);
    e[1].nr_ids = 0;
    EXPECT_EQ(cs_perf_data_create(&sink, e, 2, &w, &diag), CS_ERR_RANGE);
    EXPECT_EQ(to.bytes.size(), 0u);
}

// What a reader could not take apart is not begun.
TEST(PerfDataErrors, EventsThatNoReaderCouldTellApartAreRefused)
{
    static const uint64_t zero[] = {7, 0}, again[] = {202, 101}, twice[] = {203, 203};
    const auto with = [](auto change) {
        cs_perf_data_event e = event("two", 0, 1, 1);
        change(e);
        return e;
    };
    const auto ids = [&](const uint64_t *list) { return with([&](auto &e) { e.ids = list; }); };
    const struct {
        cs_perf_data_event two;
        cs_status status;
        const char *text;
    } cases[] = {
        {with([](auto &e) { e.attr.flags &= ~CS_PERF_ATTR_SAMPLE_ID_ALL; }), CS_ERR_RANGE,
         "perf.data: it and one differ in SAMPLE_ID_ALL"},
        {with([](auto &e) { e.attr.read_format = 0x3f; }), CS_ERR_RANGE,
         "perf.data: read_format has 0x20, which is not written"},
        {ids(again), CS_ERR_RANGE, "perf.data: id 101 is of two events"},
        {ids(zero), CS_ERR_RANGE, "perf.data: an id of 0"},
        {ids(twice), CS_OK, ""},
        {with([](auto &e) { e.attr.read_format = 0x1f; }), CS_OK, ""},
    };

    for (const auto &c : cases) {
        Failing to = {SIZE_MAX, {}};
        const cs_perf_data_sink sink = {failing_write, failing_patch, &to};
        const cs_perf_data_event e[2] = {event("one", 0, 0, 0), c.two};
        cs_perf_data_writer *w = nullptr;
        cs_diag diag = {};

        EXPECT_EQ(cs_perf_data_create(&sink, e, 2, &w, &diag), c.status) << c.text;
        EXPECT_STREQ(diag.text, c.text);
        EXPECT_STREQ(diag.where, c.status == CS_OK ? "" : "two");
        EXPECT_EQ(to.bytes.size(), 0u);
        cs_perf_data_abandon(w);
    }
}

// The size of a build id's record has 16 bits.
TEST(PerfDataErrors, TheFileOfABuildIdHasAnEnd)
{
    const uint8_t id[20] = {1};

    for (const size_t length :
         {size_t(CS_PERF_DATA_FILE_BYTES - 1), size_t(CS_PERF_DATA_FILE_BYTES)}) {
        const std::string path(length, 'x');
        const cs_perf_data_build_id build_id = {CS_PERF_MISC_USER, -1, id, 20, path.c_str()};
        const cs_perf_data_event e = event("one", 0, 0, 0);
        cs_perf_data_features features = {};
        Failing to = {SIZE_MAX, {}};
        const cs_perf_data_sink sink = {failing_write, failing_patch, &to};
        cs_perf_data_writer *w = nullptr;
        cs_diag diag = {};

        features.build_ids = &build_id;
        features.nr_build_ids = 1;
        ASSERT_EQ(cs_perf_data_create(&sink, &e, 1, &w, &diag), CS_OK);
        const cs_status status = cs_perf_data_finish(w, &features, &diag);
        if (length < CS_PERF_DATA_FILE_BYTES) {
            const std::string header("\0\0\0\0\2\x80\xe4\xff", 8); // its size: 36 + 65472

            EXPECT_EQ(status, CS_OK) << diag.text;
            EXPECT_NE(std::string(to.bytes.begin(), to.bytes.end()).find(header),
                      std::string::npos);
        } else {
            EXPECT_EQ(status, CS_ERR_RANGE);
            EXPECT_STREQ(diag.text,
                         "perf.data: a build id's file of 65472 bytes, its record has room "
                         "for less than 65472");
            EXPECT_EQ(to.bytes.size(), 0u);
        }
    }
}

TEST(PerfDataErrors, RecordsThatCannotBeAreRefusedAndStayRefused)
{
    const std::string long_name(CS_PERF_DATA_MOST_BYTES, 'x');
    const uint8_t no_record[16] = {9, 0, 0, 0, 0, 0, 24, 0};
    const uint8_t id[20] = {};
    cs_perf_data_mmap bad_id = map(0, 1, "f");

    bad_id.build_id = id;
    bad_id.build_id_length = 21;
    const struct {
        const char *text;
        std::function<cs_status(cs_perf_data_writer *, const cs_perf_data_where &)> put;
    } cases[] = {
        {"perf.data: event 1 of 1",
         [&](auto *w, const auto &) {
             const cs_perf_data_sample s = sample(at(1, 0, 0, 0, 0), 0, 0);

             return cs_perf_data_put_sample(w, &s);
         }},
        {"perf.data: a sample of 65584 bytes, a record has at most 65528 bytes",
         [&](auto *w, const auto &where) {
             cs_perf_data_sample s = sample(where, 0, 0);

             s.raw = long_name.data();
             s.raw_bytes = long_name.size() - 4;
             return cs_perf_data_put_sample(w, &s);
         }},
        {"perf.data: a name of 65584 bytes, a record has at most 65528 bytes",
         [&](auto *w, const auto &where) {
             return cs_perf_data_put_comm(w, &where, long_name.c_str(), false);
         }},
        {"perf.data: 16 bytes are no record, its header says otherwise",
         [&](auto *w, const auto &) { return cs_perf_data_put_record(w, no_record, 16); }},
        {"perf.data: a build id of 21 bytes",
         [&](auto *w, const auto &where) { return cs_perf_data_put_mmap2(w, &where, &bad_id); }},
    };

    for (const auto &c : cases) {
        Failing to = {SIZE_MAX, {}};
        const cs_perf_data_sink sink = {failing_write, failing_patch, &to};
        const cs_perf_data_event e = event("one", 0, 0, 0, kPlain | CS_PERF_SAMPLE_RAW);
        const cs_perf_data_where where = at(0, 1, 1, 1, 1);
        const cs_perf_data_features features = {};
        cs_perf_data_writer *w = nullptr;
        cs_diag diag = {};

        ASSERT_EQ(cs_perf_data_create(&sink, &e, 1, &w, &diag), CS_OK);
        EXPECT_EQ(c.put(w, where), CS_ERR_RANGE) << c.text;
        EXPECT_EQ(cs_perf_data_put_throttle(w, &where), CS_ERR_RANGE) << "the failure stays";
        EXPECT_EQ(cs_perf_data_get_totals(w).records, 0u);
        EXPECT_EQ(cs_perf_data_finish(w, &features, &diag), CS_ERR_RANGE);
        EXPECT_STREQ(diag.text, c.text);
    }
}
