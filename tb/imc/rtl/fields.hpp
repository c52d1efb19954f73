// SPDX-License-Identifier: Apache-2.0
// Registers and record words of docs/hw/imc.md, in words of their own: bits are MSB-0.
#ifndef CS_TB_IMC_RTL_FIELDS_HPP
#define CS_TB_IMC_RTL_FIELDS_HPP

#include <cstdint>

namespace imc
{

constexpr uint64_t bit(unsigned n)
{
    return 1ull << (63 - n);
}
// The field a:b of a word.
constexpr uint64_t get(uint64_t word, unsigned a, unsigned b)
{
    return word << a >> (63 - b + a);
}
// A word that is zero but for its field a:b.
constexpr uint64_t put(uint64_t value, unsigned b)
{
    return value << (63 - b);
}
// The field a:b in place.
constexpr uint64_t in_place(uint64_t word, unsigned a, unsigned b)
{
    return put(get(word, a, b), b);
}

enum Reg { HTM_MODE, STATUS, PDBAR, EVENT_MASK, TRACE, FIR, ERR_RPT };
enum State { OFF, SYNC, RUN, DONE, FROZEN };
enum Resp { OKAY = 0, SLVERR = 2, DECERR = 3 };

constexpr uint64_t mode_on = bit(0) | put(3, 2) | bit(4);
constexpr uint64_t status_error = bit(0), status_trace = bit(1), status_pdbar = bit(2);
constexpr uint64_t pdbar_split = bit(1);
constexpr uint64_t disable_wrap = bit(33), freeze = bit(34), one_event = bit(38);
constexpr uint64_t fir_address = bit(12), fir_dead = bit(13), rpt_timeout = bit(24);
constexpr uint64_t ldbar_enable = bit(0), ldbar_trace = bit(1);

// EVENT_MASK: a letter's place in the ten bits of a set.
enum Letter { ECONL, ECRL, ECH, ECP, ECS, ECA, ECTA0, ECTA1, ECUS0, ECUS1 };
constexpr uint64_t letter(unsigned set, Letter which)
{
    return bit(10 * set + which);
}
constexpr uint64_t count_all = letter(0, ECP) | letter(0, ECS) | letter(1, ECP) | letter(1, ECS) |
                               letter(2, ECP) | letter(2, ECS);
constexpr uint64_t tap(unsigned n)
{
    return put(n, 32);
}
constexpr uint64_t event(unsigned thread, unsigned slot)
{
    return one_event | put(thread, 40) | put(slot, 45);
}

// TRACE
constexpr uint64_t trace(unsigned sampsel, uint32_t load, unsigned code1 = 0, unsigned code2 = 0,
                         unsigned buffersize = 0)
{
    return put(sampsel, 1) | put(load, 33) | put(code1, 40) | put(code2, 47) | put(buffersize, 50);
}

constexpr uint64_t to56(uint64_t address)
{
    return address & 0xFFFFFFFFFFFFFF;
}
constexpr uint64_t add_bit = 1ull << 56;

} // namespace imc

#endif
