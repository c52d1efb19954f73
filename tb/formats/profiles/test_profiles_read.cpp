// SPDX-License-Identifier: Apache-2.0
// Readers of profilers' formats: small profiles by hand, and what is said of damaged ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "formats/common/profile_read.h"
#include "formats/firefox/read/firefox.h"
#include "formats/folded/read/folded.h"
#include "formats/pprof/read/pprof.h"
#include "formats/speedscope/read/speedscope.h"
#include "support/proto.hpp"

using namespace cs_test;

namespace
{

struct Source {
    std::string text;
    size_t at = 0;
};

cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
{
    auto *source = static_cast<Source *>(ctx);

    *got = source->text.copy(reinterpret_cast<char *>(out), bytes, source->at);
    source->at += *got;
    return CS_OK;
}

cs_status append(void *ctx, const char *text, size_t bytes)
{
    static_cast<std::string *>(ctx)->append(text, bytes);
    return CS_OK;
}

// Its rows without the line of names, or the error.
std::string rows(const cs_profileread_class &format, const std::string &text)
{
    Source from = {text};
    const cs_byte_source source = {give, &from};
    std::string printed;
    const cs_text_sink sink = {append, &printed};
    cs_diag diag = {};

    if (cs_profileread_print(&format, &source, "p", CS_TABLE_CSV, &sink, &diag) != CS_OK)
        return diag.text;
    return printed.substr(printed.find('\n') + 1);
}

std::string firefox(const std::string &names, const std::string &samples)
{
    return "{\"meta\":{\"preprocessedProfileVersion\":1},\"threads\":[{\"name\":\"t\",\"pid\":"
           "\"9\","
           "\"samples\":{" +
           samples +
           "},\"stackTable\":{\"prefix\":[null,0],\"frame\":[0,1]},"
           "\"frameTable\":{\"address\":[16,32],\"func\":[0,1]},\"funcTable\":{\"name\":[0,1]},"
           "\"stringArray\":[" +
           names + "]}]}";
}

} // namespace

TEST(FirefoxRead, StacksByTheirTables)
{
    const std::string all = firefox("\"main\",\"f\"", "\"stack\":[1,null]");
    const std::string first = std::to_string(all.find("[1,null]") + 1);
    const std::string second = std::to_string(all.find("null]"));

    EXPECT_EQ(rows(cs_firefoxread, all),
              first + ",,t,,9,1,0x20,main;f\n" + second + ",,t,,9,1,,\n");
    // A sample of which nothing is known stands in the tables all the same.
    EXPECT_EQ(rows(cs_firefoxread, firefox("\"(no address)\",\"f\"", "\"stack\":[0]")),
              first + ",,t,,9,1,,\n");
    EXPECT_EQ(rows(cs_firefoxread, firefox("\"main\",\"f\"", "\"stack\":[2]")).find("byte 0x"), 0u);
}

TEST(PprofRead, AValueOfEachKind)
{
    const std::string tables = sub(1, num(1, 1)) + sub(6, "") + sub(6, "samples");

    EXPECT_EQ(rows(cs_pprofread, tables + sub(2, num(2, 7))),
              std::to_string(tables.size()) + ",,samples,,,7,,\n");
    EXPECT_NE(rows(cs_pprofread, tables + sub(2, num(2, 7) + num(2, 8)))
                  .find("the number of a sample's values is 2, expected one of each kind"),
              std::string::npos)
        << rows(cs_pprofread, tables + sub(2, num(2, 7) + num(2, 8)));
    EXPECT_NE(rows(cs_pprofread, tables + sub(2, "")).find("a sample's values is 0, expected"),
              std::string::npos)
        << rows(cs_pprofread, tables + sub(2, ""));
}
