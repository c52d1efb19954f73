// SPDX-License-Identifier: Apache-2.0
// Pipes that become files.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include <sys/stat.h>

#include "formats/common/input.h"
#include "support/temp_folder.hpp"

using namespace cs_test;

namespace
{

std::string counting(size_t bytes)
{
    std::string text(bytes, '\0');

    for (size_t i = 0; i < bytes; i++)
        text[i] = static_cast<char>(i * 31 + (i >> 8));
    return text;
}

} // namespace

// Its bytes are those of the pipe, in order and in any.
TEST(InputEdges, APipeBecomesAFile)
{
    for (const size_t size : {0u, 1u, 127u, 128u, 129u, 4096u, 65536u + 128u, 200000u})
        for (const uint64_t offset : {uint64_t{0}, uint64_t{size / 2}}) {
            TempFolder temp;
            const std::string path = temp.file("pipe"), text = counting(size);
            const std::string expected = text.substr(offset);
            std::string in_order(size + 1, '\0'), anywhere(size + 1, '\0');
            cs_seek_source seek = {};
            cs_input in;
            size_t got = 0;

            ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
            std::thread writer([&] { temp.write("pipe", text); });
            const cs_status opened = cs_input_open(&in, path.c_str(), offset, UINT64_MAX, nullptr);
            EXPECT_FALSE(cs_input_seek_source(&in, &seek)) << "a pipe";
            const cs_status spooled = cs_input_spool(&in, nullptr);
            writer.join();
            ASSERT_EQ(opened, CS_OK);
            ASSERT_EQ(spooled, CS_OK);

            ASSERT_TRUE(cs_input_seek_source(&in, &seek));
            EXPECT_EQ(seek.bytes, expected.size()) << size;
            ASSERT_EQ(seek.read_at(seek.ctx, 0, reinterpret_cast<uint8_t *>(anywhere.data()),
                                   anywhere.size(), &got, nullptr),
                      CS_OK);
            EXPECT_TRUE(anywhere.substr(0, got) == expected) << size << " from " << offset;
            const cs_byte_source source = cs_input_source(&in);
            ASSERT_EQ(source.read(source.ctx, reinterpret_cast<uint8_t *>(in_order.data()),
                                  in_order.size(), &got, nullptr),
                      CS_OK);
            EXPECT_TRUE(in_order.substr(0, got) == expected) << size << " from " << offset;
            cs_input_close(&in);
        }
}
