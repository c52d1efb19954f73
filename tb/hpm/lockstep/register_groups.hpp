// SPDX-License-Identifier: Apache-2.0
// Groups of CSR numbers that docs/hw/hpm.md judges alike, and what their accesses may be answered
// in each mode. Written from sections 4, 5 and 7 without a look at reference, model or RTL.
#pragma once

#include <string>
#include <vector>

struct Group {
    const char *name;
    std::vector<unsigned> numbers;
    // What M, S, U, VS and VU may be answered: D done, I illegal, V virtual instruction. Of a
    // number that is read only, for reads.
    const char *answers[5];
};

constexpr unsigned GROUP_MODES[] = {3, 1, 0, 5, 4}; // codes, in the order of the answers
constexpr const char *GROUP_MODE_NAMES[] = {"M", "S", "U", "VS", "VU"};

inline std::vector<unsigned> numbers_from(unsigned first, unsigned last)
{
    std::vector<unsigned> list;
    for (unsigned n = first; n <= last; n++)
        list.push_back(n);
    return list;
}

inline const std::vector<Group> &groups()
{
    // "I" beside another answer: the register need not be there, or its enable is off.
    static const std::vector<Group> list = {
        {"mcycle, minstret", {0xB00, 0xB02}, {"D", "I", "I", "I", "I"}},
        {"mcycleh, minstreth", {0xB80, 0xB82}, {"DI", "I", "I", "I", "I"}},
        {"mhpmcounter", numbers_from(0xB03, 0xB1F), {"D", "I", "I", "I", "I"}},
        {"mhpmcounterh", numbers_from(0xB83, 0xB9F), {"DI", "I", "I", "I", "I"}},
        {"cycle, instret", {0xC00, 0xC02}, {"D", "DI", "DI", "DIV", "DIV"}},
        {"cycleh, instreth", {0xC80, 0xC82}, {"DI", "DI", "DI", "DIV", "DIV"}},
        {"hpmcounter", numbers_from(0xC03, 0xC1F), {"D", "DI", "DI", "DIV", "DIV"}},
        {"hpmcounterh", numbers_from(0xC83, 0xC9F), {"DI", "DI", "DI", "DIV", "DIV"}},
        {"time", {0xC01}, {"D", "DI", "DI", "DIV", "DIV"}},
        {"timeh", {0xC81}, {"DI", "DI", "DI", "DIV", "DIV"}},
        {"mcountinhibit", {0x320}, {"D", "I", "I", "I", "I"}},
        {"mcounteren", {0x306}, {"DI", "I", "I", "I", "I"}},
        {"scounteren", {0x106}, {"DI", "D", "I", "D", "V"}},
        {"hcounteren", {0x606}, {"DI", "DI", "I", "V", "V"}},
        {"mhpmevent", numbers_from(0x323, 0x33F), {"D", "I", "I", "I", "I"}},
        {"mhpmeventh", numbers_from(0x723, 0x73F), {"DI", "I", "I", "I", "I"}},
        {"mcyclecfg, minstretcfg", {0x321, 0x322}, {"DI", "I", "I", "I", "I"}},
        {"mcyclecfgh, minstretcfgh", {0x721, 0x722}, {"DI", "I", "I", "I", "I"}},
        {"menvcfg, menvcfgh", {0x30A, 0x31A}, {"DI", "I", "I", "I", "I"}},
        {"scountinhibit", {0x120}, {"DI", "DI", "I", "IV", "IV"}},
        {"scountovf", {0xDA0}, {"DI", "DI", "I", "DIV", "IV"}},
        {"siselect", {0x150}, {"DI", "DI", "I", "DIV", "IV"}},
        {"sireg, sireg2", {0x151, 0x152}, {"DI", "DI", "I", "IV", "IV"}},
        {"sireg4, sireg5", {0x155, 0x156}, {"DI", "DI", "I", "IV", "IV"}},
        {"sireg3, sireg6", {0x153, 0x157}, {"I", "I", "I", "IV", "IV"}},
        {"miselect", {0x350}, {"DI", "I", "I", "I", "I"}},
        {"vsiselect", {0x250}, {"DI", "DI", "I", "IV", "IV"}},
        {"vsireg*", {0x251, 0x252, 0x253, 0x255, 0x256, 0x257}, {"I", "I", "I", "IV", "IV"}},
        {"htimedelta", {0x605}, {"DI", "DI", "I", "V", "V"}},
        {"htimedeltah", {0x615}, {"DI", "DI", "I", "IV", "IV"}},
        {"mie, mip", {0x304, 0x344}, {"D", "I", "I", "I", "I"}},
        {"mideleg", {0x303}, {"DI", "I", "I", "I", "I"}},
        {"sie, sip", {0x104, 0x144}, {"DI", "D", "I", "D", "V"}},
        {"hideleg, vsie, vsip, hvip", {0x603, 0x204, 0x244, 0x645}, {"DI", "DI", "I", "V", "V"}},
        {"mvien, mvip", {0x308, 0x309}, {"DI", "I", "I", "I", "I"}},
        {"hvien", {0x608}, {"DI", "DI", "I", "IV", "IV"}},
        {"none of the block's",
         {0x154, 0x254, 0xB01, 0xB81, 0x34E, 0x14E, 0x24E, 0x14F, 0x15F, 0x181, 0x351,
          0x352, 0x353, 0x354, 0x355, 0x356, 0x357, 0x60A, 0x61A, 0x604, 0x644, 0x720},
         {"I", "I", "I", "I", "I"}},
    };
    return list;
}
