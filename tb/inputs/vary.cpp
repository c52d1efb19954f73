// SPDX-License-Identifier: Apache-2.0
#include "vary.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace
{

constexpr size_t kMostWords = 4096, kLongestWord = 24, kMostChanges = 6;

// What is at a limit more often than others.
constexpr uint64_t kNumbers[] = {
    0,          1,          2,          3,           4,         7,         8,     9,
    16,         31,         32,         63,          64,        100,       127,   128,
    255,        256,        1000,       4096,        32767,     32768,     65535, 65536,
    0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, INT64_MAX, UINT64_MAX};

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

} // namespace

void Variation::add(const std::string &input)
{
    inputs_.push_back(input);
    for (size_t i = 0; i < input.size() && words_.size() < kMostWords;) {
        size_t end = i;

        while (end < input.size() && is_word(input[end]))
            end++;
        if (end - i >= 2 && end - i <= kLongestWord)
            words_.push_back(input.substr(i, end - i));
        i = end + 1;
    }
}

const std::string &Variation::some()
{
    const size_t nr = inputs_.size();
    const std::string *best = nullptr;

    for (int i = 0; i < 3; i++) { // the smallest of three
        const size_t at = below(2) != 0 ? below(nr) : nr - 1 - below(std::min<size_t>(nr, 64));

        if (best == nullptr || inputs_[at].size() < best->size())
            best = &inputs_[at];
    }
    return *best;
}

void Variation::change_number(std::string &input, size_t at)
{
    const size_t width = size_t{1} << below(4);
    const bool big = below(2) != 0;
    uint64_t value = 0;

    if (at + width > input.size())
        return;
    for (size_t i = 0; i < width; i++)
        value |= static_cast<uint64_t>(static_cast<uint8_t>(input[at + i]))
                 << 8 * (big ? width - 1 - i : i);
    switch (below(4)) {
    case 0:
        value += 1 + below(4);
        break;
    case 1:
        value -= 1 + below(4);
        break;
    case 2:
        value = kNumbers[below(std::size(kNumbers))] + below(3) - 1;
        break;
    default:
        value ^= uint64_t{1} << below(8 * width);
        break;
    }
    for (size_t i = 0; i < width; i++)
        input[at + i] = static_cast<char>(value >> 8 * (big ? width - 1 - i : i));
}

// A number in digits, or a word, becomes another.
void Variation::change_text(std::string &input, size_t at)
{
    size_t begin = at, end = at;

    while (begin > 0 && is_word(input[begin - 1]))
        begin--;
    while (end < input.size() && is_word(input[end]))
        end++;
    const bool digits = end != begin && std::isdigit(static_cast<unsigned char>(input[begin])) != 0;

    if (digits || below(4) == 0) {
        const size_t nr = below(std::size(kNumbers));

        input.replace(begin, end - begin,
                      digits && end - begin < 19 && below(2) != 0
                          ? std::to_string(std::strtoull(&input[begin], nullptr, 10) + below(3) - 1)
                          : std::to_string(kNumbers[nr] + below(3) - 1));
    } else if (!words_.empty()) {
        input.replace(begin, end - begin, words_[below(words_.size())]);
    }
}

void Variation::change(std::string &input)
{
    static const char kMarks[] = "{}[]\",:;=<>()/*#%\\\n\t -+.eE0u'";
    const size_t at = below(input.size()), some = 1 + below(below(4) == 0 ? 64 : 8);

    if (input.empty()) {
        input.assign(1 + below(8), static_cast<char>(random_()));
        return;
    }
    switch (below(12)) {
    case 0:
        input[at] = static_cast<char>(random_());
        break;
    case 1:
        input[at] = static_cast<char>(input[at] ^ 1 << below(8));
        break;
    case 2:
        input.erase(at, some);
        break;
    case 3:
        input.insert(at, input.substr(at, some));
        break;
    case 4:
        input.insert(at, 1, kMarks[below(sizeof kMarks - 1)]);
        break;
    case 5:
        input[at] = kMarks[below(sizeof kMarks - 1)];
        break;
    case 6:
        input.resize(at);
        break;
    case 7: // a piece of another, or of this one from elsewhere
    case 8: {
        const std::string &other = below(2) != 0 ? input : this->some();
        const size_t from = below(other.size());
        const std::string piece = other.substr(from, 1 + below(64));

        input.replace(at, below(2) != 0 ? piece.size() : 0, piece);
        break;
    }
    case 9:
        change_text(input, at);
        break;
    case 10:
        change_number(input, at & ~(size_t{1 + 2 * below(4)}));
        break;
    default:
        input.back() = static_cast<char>(random_());
        break; // it chooses, too
    }
}

std::string Variation::next()
{
    std::string input = inputs_.empty() ? std::string() : some();

    for (size_t i = 1 + below(below(2) != 0 ? 2 : kMostChanges); i > 0; i--)
        change(input);
    return input;
}
