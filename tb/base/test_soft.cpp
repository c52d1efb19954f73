// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "base/probe/soft.h"

namespace
{

const cs_soft_kind kApples = {"apples"}, kPears = {"pears"}, kPlums = {"plums"};

struct Soft : testing::Test {
    cs_soft_stream *stream = nullptr;
    cs_soft_sink sink = {};
    std::string log;

    void SetUp() override
    {
        ASSERT_EQ(cs_soft_stream_create(&stream, nullptr), CS_OK);
        sink = cs_soft_stream_sink(stream);
    }
    void TearDown() override
    {
        cs_soft_stream_destroy(stream);
    }
    static void note(Soft *soft, const char *who, const cs_soft_record *r)
    {
        soft->log += std::string(who) + ":" + r->kind->name + "@" + std::to_string(r->cycle) + "/" +
                     std::to_string(r->cpu) + "=" +
                     std::to_string(*static_cast<const int *>(r->what)) + " ";
    }
};

void first(void *ctx, const cs_soft_record *r)
{
    Soft::note(static_cast<Soft *>(ctx), "first", r);
}

void second(void *ctx, const cs_soft_record *r)
{
    Soft::note(static_cast<Soft *>(ctx), "second", r);
}

// Makes plums of pears.
void cook(void *ctx, const cs_soft_record *r)
{
    const int plums = 2 * *static_cast<const int *>(r->what);

    cs_soft_emit(&static_cast<Soft *>(ctx)->sink, &kPlums, r->cycle + 1, r->cpu, &plums);
}

} // namespace

TEST_F(Soft, EachHearsItsKindsInTheOrderOfJoining)
{
    const cs_soft_hearing both[] = {{&kApples, first}, {&kPears, first}, {}};
    const cs_soft_hearing pears[] = {{&kPears, second}, {}};
    const int seven = 7;

    ASSERT_EQ(cs_soft_stream_join(stream, both, this, nullptr), CS_OK);
    ASSERT_EQ(cs_soft_stream_join(stream, pears, this, nullptr), CS_OK);
    ASSERT_EQ(cs_soft_stream_join(stream, nullptr, this, nullptr), CS_OK);
    cs_soft_emit(&sink, &kApples, 10, 1, &seven);
    cs_soft_emit(&sink, &kPears, 11, 2, &seven);
    cs_soft_emit(&sink, &kPlums, 12, 3, &seven);

    EXPECT_EQ(log, "first:apples@10/1=7 first:pears@11/2=7 second:pears@11/2=7 ");
}

TEST_F(Soft, ARecordMayBePutWhileAnotherIsHeard)
{
    const cs_soft_hearing list[] = {{&kPears, cook}, {&kPears, first}, {&kPlums, second}, {}};
    const int three = 3;

    ASSERT_EQ(cs_soft_stream_join(stream, list, this, nullptr), CS_OK);
    cs_soft_emit(&sink, &kPears, 5, 0, &three);

    EXPECT_EQ(log, "second:plums@6/0=6 first:pears@5/0=3 ");
}

TEST_F(Soft, ManyJoin)
{
    const cs_soft_hearing one[] = {{&kApples, first}, {}};
    const int zero = 0;

    for (int i = 0; i < 40; i++)
        ASSERT_EQ(cs_soft_stream_join(stream, one, this, nullptr), CS_OK);
    cs_soft_emit(&sink, &kApples, 0, 0, &zero);

    EXPECT_EQ(log.size(), 40 * std::string("first:apples@0/0=0 ").size());
}

TEST(SoftSink, NobodyListens)
{
    const cs_soft_sink nobody = {};

    cs_soft_emit(nullptr, &kApples, 0, 0, nullptr);
    cs_soft_emit(&nobody, &kApples, 0, 0, nullptr);
}
