// SPDX-License-Identifier: Apache-2.0
// Builds perf's records and rings with known contents (docs/drivers/riscv_driver.md, "The ring"), written
// a byte at a time, so that they owe nothing to what is tested.
#ifndef CS_TB_RING_RECORDS_HPP
#define CS_TB_RING_RECORDS_HPP

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace cs_test
{

using Octets = std::vector<uint8_t>;

inline void put_little(Octets &out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

inline void change_little(Octets &image, size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        image[at + i] = static_cast<uint8_t>(value >> (8 * i));
}

// Fields of {bytes, value}, one after the other.
inline Octets octets(std::initializer_list<std::pair<unsigned, uint64_t>> fields)
{
    Octets out;

    for (const auto &field : fields)
        put_little(out, field.second, field.first);
    return out;
}

struct Who {
    uint32_t pid = 0x101;
    uint32_t tid = 0x102;
    uint64_t time = 1000;
    uint32_t cpu = 3;
};

inline Octets ring_sample(uint64_t id, uint64_t ip, uint16_t misc, uint64_t period, Who who = {})
{
    return octets({{4, 9},
                   {2, misc},
                   {2, 56},
                   {8, id},
                   {8, ip},
                   {4, who.pid},
                   {4, who.tid},
                   {8, who.time},
                   {4, who.cpu},
                   {4, 0},
                   {8, period}});
}

// The same with a call chain.
inline Octets ring_chain(uint64_t id, uint64_t ip, uint16_t misc, uint64_t period,
                         const std::vector<uint64_t> &words, Who who = {})
{
    Octets out = ring_sample(id, ip, misc, period, who);

    put_little(out, words.size(), 8);
    for (uint64_t word : words)
        put_little(out, word, 8);
    change_little(out, 6, out.size(), 2);
    return out;
}

inline Octets ring_lost(uint64_t id, uint64_t records, Who who = {})
{
    return octets({{4, 2},
                   {2, 0},
                   {2, 56},
                   {8, id},
                   {8, records},
                   {4, who.pid},
                   {4, who.tid},
                   {8, who.time},
                   {4, who.cpu},
                   {4, 0},
                   {8, id}});
}

// type 5: THROTTLE; 6: UNTHROTTLE
inline Octets ring_throttle(uint32_t type, uint64_t id, Who who = {})
{
    return octets({{4, type},
                   {2, 0},
                   {2, 64},
                   {8, who.time},
                   {8, id},
                   {8, id},
                   {4, who.pid},
                   {4, who.tid},
                   {8, who.time},
                   {4, who.cpu},
                   {4, 0},
                   {8, id}});
}

inline Octets joined(std::initializer_list<Octets> parts)
{
    Octets all;

    for (const Octets &part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

// Header page and data; `stream` is what was written from `tail` on.
inline Octets ring_image(uint64_t data_size, uint64_t tail, const Octets &stream)
{
    Octets image(4096 + data_size);

    change_little(image, 0x28, 2, 8);
    change_little(image, 0x48, 96, 4);
    change_little(image, 0x400, tail + stream.size(), 8);
    change_little(image, 0x408, tail, 8);
    change_little(image, 0x410, 4096, 8);
    change_little(image, 0x418, data_size, 8);
    for (size_t i = 0; i < stream.size(); i++)
        image[4096 + (tail + i) % data_size] = stream[i];
    return image;
}

inline std::string as_text(const Octets &image)
{
    return {image.begin(), image.end()};
}

} // namespace cs_test

#endif
