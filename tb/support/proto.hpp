// SPDX-License-Identifier: Apache-2.0
// Protocol buffers by hand: a message is the bytes of its fields, one behind the other.
#ifndef CS_TB_SUPPORT_PROTO_HPP
#define CS_TB_SUPPORT_PROTO_HPP

#include <cstdint>
#include <cstring>
#include <string>

namespace cs_test
{

inline std::string varint(uint64_t value)
{
    std::string bytes;

    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}

// field N as a number, a double, and as a text, message or packed numbers
inline std::string num(unsigned field, int64_t value)
{
    return varint(uint64_t{field} << 3) + varint(static_cast<uint64_t>(value));
}

inline std::string real(unsigned field, double value)
{
    std::string bytes(8, '\0');

    std::memcpy(bytes.data(), &value, 8); // of a little endian host
    return varint(uint64_t{field} << 3 | 1) + bytes;
}

inline std::string sub(unsigned field, const std::string &bytes)
{
    return varint(uint64_t{field} << 3 | 2) + varint(bytes.size()) + bytes;
}

inline std::string packet(const std::string &fields)
{
    return sub(1, fields);
}

} // namespace cs_test

#endif
