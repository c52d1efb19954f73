// SPDX-License-Identifier: Apache-2.0
// A text of JSON that is as long as it may be.
#include "formats/common/json_read.h"

#include <gtest/gtest.h>

#include <string>

namespace
{

cs_status read_text(size_t bytes, std::string *said, cs_diag *diag)
{
    struct Source {
        std::string text;
        size_t at;
    } bytes_of{"[\"" + std::string(bytes, 'x') + "\"]", 0};
    const cs_byte_source source = {
        [](void *ctx, uint8_t *out, size_t wanted, size_t *got, cs_diag *) {
            auto *s = static_cast<Source *>(ctx);

            *got = s->text.copy(reinterpret_cast<char *>(out), wanted, s->at);
            s->at += *got;
            return CS_OK;
        },
        &bytes_of};
    cs_json *json = nullptr;
    cs_json_token token = {};
    cs_status status = cs_json_open(&source, "a", false, &json, diag);

    for (int i = 0; i < 2 && status == CS_OK; i++)
        status = cs_json_next(json, &token, diag);
    if (status == CS_OK)
        said->assign(token.text, token.bytes);
    cs_json_close(json);
    return status;
}

TEST(JsonLimitEdges, TheLongestTextIsReadAndALongerOneIsRefused)
{
    std::string said;
    cs_diag diag = {};

    ASSERT_EQ(read_text(CS_JSON_MAX_TEXT, &said, &diag), CS_OK) << diag.text;
    EXPECT_EQ(said.size(), CS_JSON_MAX_TEXT);
    EXPECT_EQ(read_text(CS_JSON_MAX_TEXT + 1, &said, &diag), CS_ERR_FORMAT);
    EXPECT_STREQ(diag.text, "byte 0x100003: a text of more than 1048576 bytes");
}

} // namespace
