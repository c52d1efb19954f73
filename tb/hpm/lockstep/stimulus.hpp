// SPDX-License-Identifier: Apache-2.0
// What both sides are driven with: a random program, perhaps with a reset in its midst, and at
// the end a reading of every register from M mode.
#pragma once

#include <initializer_list>
#include <vector>

#include "../model/random_program.hpp"
#include "tour.hpp"

// Which programs: these straps by choice, the others by chance.
struct Kind {
    unsigned xlen;
    bool has_h;
};

constexpr Kind KINDS[] = {{32, false}, {32, true}, {64, false}, {64, true}};
constexpr unsigned SHARES = 4;     // of each kind, that run side by side
constexpr unsigned PROGRAMS = 300; // of each share

inline bool is_of(const Kind &kind, const cs_hpm_config &config)
{
    return config.xlen == kind.xlen && (config.modes == CS_HPM_MODES_H) == kind.has_h;
}

// The seeds of a share: no two shares have one in common.
inline std::vector<uint64_t> seeds_of(const Kind &kind, unsigned share)
{
    std::vector<uint64_t> seeds;
    for (uint64_t seed = 1000000 * (share + 1); seeds.size() < PROGRAMS; seed++)
        if (is_of(kind, RandomProgram::config_of(seed)))
            seeds.push_back(seed);
    return seeds;
}

// The registers of section 5, whether they exist or not.
inline std::vector<unsigned> all_registers()
{
    std::vector<unsigned> list;
    for (unsigned first : {0x320u, 0x720u, 0xB00u, 0xB80u, 0xC00u, 0xC80u})
        for (unsigned n = 0; n < 32; n++)
            list.push_back(first + n);
    for (unsigned first : {0x150u, 0x250u, 0x350u})
        for (unsigned n = 0; n < 8; n++)
            list.push_back(first + n);
    const std::initializer_list<unsigned> others = {
        0x306, 0x106, 0x606, 0x30A, 0x31A, 0x60A, 0x61A, 0x120, 0xDA0, 0x605, 0x615, 0x304, 0x344,
        0x303, 0x104, 0x144, 0x603, 0x204, 0x244, 0x308, 0x309, 0x608, 0x645, 0x604, 0x644, 0x181};
    list.insert(list.end(), others);
    return list;
}

// A program that stays with a few registers and leaves them hardly a cycle of peace, so that
// each of their writes meets the other's, and the hardware's.
class Focus
{
  public:
    Focus(uint64_t seed, const cs_hpm_config &config) : random_{mix(seed, 0x54)}
    {
        for (unsigned n = 3; n < 32; n++)
            if (config.counters >> n & 1)
                there_.push_back(n);
        const std::vector<unsigned> everything = all_registers();
        if (!there_.empty() && random_(2))
            around(config, there_[0]);
        const uint64_t count = 2 + random_(4);
        const std::vector<unsigned> lcofip = {0x344, 0x144, 0x244};
        for (uint64_t i = 0; i < count; i++)
            registers_.push_back(at_lcofip_   ? random_.of(lcofip)
                                 : random_(2) ? random_.of(everything)
                                              : near());
    }

    Pins any(const Pins &before)
    {
        Pins p = before;
        if (random_.one_in(rest_))
            p.op = -1;
        else if (random_(10) != 0) {
            p.op = static_cast<int>(random_(4));
            p.csr = random_.of(registers_);
            p.operand = operand(p.csr);
        }
        if (at_lcofip_ && p.mode == 3 && random_.one_in(6)) { // VS shall reach LCOFIP
            p.op = CS_HPM_OP_SET;
            p.csr = random_.of<unsigned>({0x303, 0x603});
            p.operand = 1u << 13;
        }
        p.stateen_m = random_.one_in(8) ? random_(2) : p.stateen_m;
        p.stateen_h = random_.one_in(8) ? random_(2) : p.stateen_h;
        return p;
    }

  private:
    Random random_;
    std::vector<unsigned> there_, registers_;
    unsigned width_ = 64; // of the counter
    const bool at_lcofip_ = random_.one_in(3);
    const uint64_t rest_ = 3 + random_(6);

    // All that says when counter n carries.
    void around(const cs_hpm_config &config, unsigned n)
    {
        width_ = config.width[n];
        for (unsigned csr : {0xB00 + n, 0x320 + n, 0x320u})
            registers_.push_back(csr);
        if (config.xlen != 32)
            return;
        registers_.push_back(0xB80 + n);
        registers_.push_back(0x720 + n);
    }

    unsigned near()
    {
        return random_.of<unsigned>({0x151, 0x152, 0x155, 0x156, 0x120, 0x344, 0x304, 0x303, 0x144,
                                     0x104, 0x244, 0x204, 0x603, 0x308, 0x309, 0x608, 0x645,
                                     0xDA0});
    }

    uint64_t operand(unsigned csr)
    {
        const uint64_t bits[] = {0,
                                 ~0ull,
                                 random_.bits(),
                                 1u << 13,
                                 1ull << random_(64),
                                 random_(31),
                                 0x3F + random_(34)};
        if (random_(2))
            return bits[random_(sizeof bits / sizeof bits[0])];
        if (csr == 0x320)
            return random_(2) ? random_.bits() : 0;
        if (csr >= 0xB80)
            return ~0ull;
        if (csr >= 0xB00)
            return (~0ull >> (64 - width_)) - random_(4);
        if (csr >= 0x720 && csr < 0x740)
            return (random_.bits() & random_.bits()) & 0xFC000000;
        return (random_.bits() & random_.bits() & 63ull << 58) | random_(6);
    }
};

class Stimulus
{
  public:
    explicit Stimulus(uint64_t seed)
        : program(seed), focus_(seed, program.config), tour_(seed, program.config),
          way_(static_cast<Way>(mix(seed, 0x55) % 3)), quiet_{mix(seed, 0x57)},
          is_quiet_(quiet_.one_in(6))
    {
        Random random{mix(seed, 0x51)};
        if (random.one_in(8))
            reset_ = 50 + random(RandomProgram::CYCLES - 50);
        if (random.one_in(64))
            for (unsigned csr = 0; csr < 0x1000; csr++)
                end_with(CS_HPM_OP_READ, csr, 0);
        for (unsigned csr : all_registers())
            end_with(CS_HPM_OP_READ, csr, 0);
        uncover();
        if (program.config.smcdeleg)
            through_the_window();
    }

    cs_cycle cycles() const
    {
        return RandomProgram::CYCLES + ending_.size();
    }

    // The pins of cycle t; once for each, rising.
    Pins pins(cs_cycle t)
    {
        Pins p = t < RandomProgram::CYCLES ? program.pins(t) : ending_[t - RandomProgram::CYCLES];
        p.t = t;
        if (t >= SET_UP && t < RandomProgram::CYCLES)
            p = way_ == FOCUS ? focus_.any(p) : way_ == TOUR ? tour_.any(p) : p;
        if (resets_in(t) ||
            (is_quiet_ && t >= SET_UP && t < RandomProgram::CYCLES && !quiet_.one_in(60)))
            p.op = -1;
        return p;
    }

    // Software waits rather than does.
    bool is_quiet() const
    {
        return is_quiet_;
    }

    // The reset pin falls within t and rises before t + 1, the first cycle of the new state.
    bool resets_in(cs_cycle t) const
    {
        return t == reset_;
    }

    RandomProgram program;

  private:
    static constexpr cs_cycle SET_UP = 300; // of the random program, before it goes its way

    enum Way { FOCUS, TOUR, ON };
    Focus focus_;
    Tour tour_;
    const Way way_;
    Random quiet_;
    const bool is_quiet_;
    cs_cycle reset_ = CS_NEVER;
    std::vector<Pins> ending_;

    void end_with(int op, unsigned csr, uint64_t operand)
    {
        Pins p;
        p.op = op;
        p.csr = csr;
        p.operand = operand;
        p.time = 0x8000000080000000;
        ending_.push_back(p);
    }

    // Section 9's bits that no alias shows as the program has left it.
    void uncover()
    {
        end_with(CS_HPM_OP_CLEAR, 0x303, 1 << 13);
        end_with(CS_HPM_OP_SET, 0x308, 1 << 13);
        for (unsigned csr : {0x104u, 0x144u, 0x603u, 0x204u, 0x244u}) // sie_v, hideleg's store
            end_with(CS_HPM_OP_READ, csr, 0);
        end_with(CS_HPM_OP_CLEAR, 0x603, 1 << 13);
        end_with(CS_HPM_OP_SET, 0x608, 1 << 13);
        for (unsigned csr : {0x204u, 0x244u}) // vsie_v
            end_with(CS_HPM_OP_READ, csr, 0);
    }

    void through_the_window()
    {
        end_with(CS_HPM_OP_WRITE, 0x306, ~0ull);
        end_with(CS_HPM_OP_WRITE, program.config.xlen == 32 ? 0x31A : 0x30A,
                 program.config.xlen == 32 ? 1 << 28 : 1ull << 60);
        for (unsigned select = 0x3F; select <= 0x60; select++) {
            end_with(CS_HPM_OP_WRITE, 0x150, select);
            for (unsigned csr : {0x151u, 0x152u, 0x153u, 0x155u, 0x156u, 0x157u})
                end_with(CS_HPM_OP_READ, csr, 0);
        }
    }
};
