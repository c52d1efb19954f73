// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

#include "base/probe/soft.h"
#include <countersink/base/numbers.h>

namespace
{

CS_SOFT_KIND(apples, int)
CS_SOFT_KIND(pears, int)
CS_SOFT_KIND(plums, int)
CS_SOFT_KIND(silence, cs_nothing)
CS_SOFT_PRINTED(apples, int, "apples")
{
    fprintf(out, "ripe %d", *what);
}
const cs_soft_kind cs_soft_pears = {"pears", nullptr};
const cs_soft_kind cs_soft_plums = {"plums", nullptr};
const cs_soft_kind cs_soft_silence = {"silence", nullptr};

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
                     std::to_string(*static_cast<const int *>(r->untyped)) + " ";
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
    const int plums = 2 * *cs_told_pears(r);

    cs_tell_plums(&static_cast<Soft *>(ctx)->sink, r->cycle + 1, r->cpu, &plums);
}

} // namespace

TEST_F(Soft, EachHearsItsKindsInTheOrderOfJoining)
{
    const cs_soft_hearing both[] = {{&cs_soft_apples, first}, {&cs_soft_pears, first}, {}};
    const cs_soft_hearing pears[] = {{&cs_soft_pears, second}, {}};
    const int seven = 7;

    ASSERT_EQ(cs_soft_stream_join(stream, both, this, nullptr), CS_OK);
    ASSERT_EQ(cs_soft_stream_join(stream, pears, this, nullptr), CS_OK);
    ASSERT_EQ(cs_soft_stream_join(stream, nullptr, this, nullptr), CS_OK);
    cs_tell_apples(&sink, 10, 1, &seven);
    cs_tell_pears(&sink, 11, 2, &seven);
    cs_tell_plums(&sink, 12, 3, &seven);

    EXPECT_EQ(log, "first:apples@10/1=7 first:pears@11/2=7 second:pears@11/2=7 ");
}

TEST_F(Soft, ARecordMayBePutWhileAnotherIsHeard)
{
    const cs_soft_hearing list[] = {
        {&cs_soft_pears, cook}, {&cs_soft_pears, first}, {&cs_soft_plums, second}, {}};
    const int three = 3;

    ASSERT_EQ(cs_soft_stream_join(stream, list, this, nullptr), CS_OK);
    cs_tell_pears(&sink, 5, 0, &three);

    EXPECT_EQ(log, "second:plums@6/0=6 first:pears@5/0=3 ");
}

TEST_F(Soft, ManyJoin)
{
    const cs_soft_hearing one[] = {{&cs_soft_apples, first}, {}};
    const int zero = 0;

    for (int i = 0; i < 40; i++)
        ASSERT_EQ(cs_soft_stream_join(stream, one, this, nullptr), CS_OK);
    cs_tell_apples(&sink, 0, 0, &zero);

    EXPECT_EQ(log.size(), 40 * std::string("first:apples@0/0=0 ").size());
}

TEST_F(Soft, WhoAsksForEveryRecordHearsEachBeforeOthersDo)
{
    const cs_soft_hearing every[] = {{&cs_soft_every, first}, {}};
    const cs_soft_hearing pears[] = {{&cs_soft_pears, second}, {}};
    const int one = 1;

    ASSERT_EQ(cs_soft_stream_join(stream, pears, this, nullptr), CS_OK);
    ASSERT_EQ(cs_soft_stream_join(stream, every, this, nullptr), CS_OK);
    cs_tell_pears(&sink, 1, 0, &one);
    cs_tell_plums(&sink, 2, 0, &one);

    EXPECT_EQ(log, "first:pears@1/0=1 second:pears@1/0=1 first:plums@2/0=1 ");
}

TEST(SoftPrint, ALineSaysWhenWhereAndWhat)
{
    const int three = 3;
    char *text = nullptr;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    cs_soft_print(std::array<cs_soft_record, 1>{{{&cs_soft_apples, 12, 4, &three}}}.data(), out);
    cs_soft_print(
        std::array<cs_soft_record, 1>{{{&cs_soft_silence, 13, CS_ANY_CPU, nullptr}}}.data(), out);
    fclose(out);

    EXPECT_STREQ(text, "12 cpu 4 apples: ripe 3\n13 cpu any silence\n");
    free(text);
}

TEST(SoftKinds, ARecordReadAsAnotherKindEndsTheProgram)
{
    const int three = 3;
    const cs_soft_record record = {&cs_soft_apples, 12, 4, &three};

    EXPECT_EQ(*cs_told_apples(&record), 3);
    EXPECT_DEATH(cs_told_pears(&record), "a record \"apples\" is read as \"pears\"");
}

TEST(SoftSink, NobodyListens)
{
    const cs_soft_sink nobody = {};

    cs_tell_apples(nullptr, 0, 0, nullptr);
    cs_tell_apples(&nobody, 0, 0, nullptr);
}
