// SPDX-License-Identifier: Apache-2.0
// cs_utf8_length against the definition of UTF-8 by code points (RFC 3629): the shortest form, no
// surrogates, nothing beyond U+10FFFF.
#include <gtest/gtest.h>

#include <cstdint>

#include "formats/common/event_fields.h"

namespace
{

// The bytes of the character at the start, or 0: it is decoded, and written anew.
size_t expected(const unsigned char *c, size_t bytes)
{
    const size_t length = c[0] < 0x80           ? 1
                          : (c[0] >> 5) == 0x6  ? 2
                          : (c[0] >> 4) == 0xE  ? 3
                          : (c[0] >> 3) == 0x1E ? 4
                                                : 0;
    uint32_t point = length == 1 ? c[0] : c[0] & (0x7Fu >> length);

    if (length == 0 || length > bytes)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((c[i] >> 6) != 2)
            return 0;
        point = point << 6 | (c[i] & 0x3Fu);
    }
    const size_t shortest = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    const bool is_one = (point < 0xD800 || point > 0xDFFF) && point <= 0x10FFFF;
    return shortest == length && is_one ? length : 0;
}

TEST(Utf8, LengthOfEveryBeginning)
{
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (unsigned third : {0x00u, 0x7Fu, 0x80u, 0xBFu, 0xC0u})
                for (unsigned fourth : {0x7Fu, 0x80u, 0xBFu, 0xC0u}) {
                    const unsigned char text[] = {
                        static_cast<unsigned char>(first), static_cast<unsigned char>(second),
                        static_cast<unsigned char>(third), static_cast<unsigned char>(fourth)};
                    for (size_t bytes = 1; bytes <= 4; bytes++)
                        ASSERT_EQ(expected(text, bytes),
                                  cs_utf8_length(reinterpret_cast<const char *>(text), bytes))
                            << std::hex << first << " " << second << " " << third << " " << fourth
                            << " of " << bytes;
                }
}

} // namespace
