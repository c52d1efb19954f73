// SPDX-License-Identifier: Apache-2.0
// Random accesses against a counter that is stepped a cycle at a time, written from
// docs/hw/corepmu.md without regard to cost.
#include <map>

#include "core.hpp"

namespace
{

struct Random {
    uint64_t state;
    uint64_t operator()(uint64_t n)
    {
        return mix(state++, 0x77) % n;
    }
};

class Stepped
{
  public:
    Stepped(const cs_corepmu_config &config, const Core &core) : c_(config), core_(core) {}

    // Executes cycles up to, not including, `to`.
    void run(cs_cycle to)
    {
        for (; now_ < to; now_++) {
            count(~0u);
            flags_ |= carried_;
        }
    }

    // The pins from `cycle` on.
    void set_power(cs_cycle cycle, bool offline, bool locked)
    {
        run(cycle);
        if (offline) { // what was there is gone, and nothing comes
            const Stepped fresh(c_, core_);
            *this = fresh;
            now_ = cycle;
        }
        c_.offline = offline;
        c_.locked = locked;
    }

    bool read(cs_cycle e, uint32_t offset, bool wide, uint64_t *data)
    {
        run(e);
        *data = 0;
        if (c_.offline || c_.locked || (wide && !c_.ext64))
            return true;
        *data = word(offset);
        if (wide)
            *data |= uint64_t{word(offset + 4)} << 32;
        return false;
    }

    bool write(cs_cycle e, uint32_t offset, bool wide, uint64_t data)
    {
        run(e);
        if (c_.offline || c_.locked || (wide && !c_.ext64))
            return true;
        // What the words of this access do, then the cycle e itself under the old setting.
        const Stepped old = *this;
        uint32_t lost = 0, cleared = 0;
        set_word(offset, static_cast<uint32_t>(data), &lost, &cleared);
        if (wide)
            set_word(offset + 4, static_cast<uint32_t>(data >> 32), &lost, &cleared);
        Stepped counted = old;
        counted.count(~lost);
        for (unsigned n = 0; n < 32; n++)
            if (!(lost >> n & 1))
                value_[n] = counted.value_[n];
        flags_ = (flags_ & ~cleared) | counted.carried_;
        now_ = e + 1;
        return false;
    }

  private:
    bool exists(unsigned n) const
    {
        return n < c_.counters || n == 31;
    }

    bool counts(unsigned n) const
    {
        const uint32_t f = type_[n];
        const auto bit = [&](unsigned b) { return f >> b & 1; };
        if (!exists(n) || !(enables_ >> n & 1) || c_.offline)
            return false;
        if (n < 31 && n >= c_.hpmn ? !c_.hpme : !(pmcr_ & 1))
            return false;
        if (n < 31 || pmcr_ & 0x20) {
            if (core_.mode(now_) == 3 && !c_.spme)
                return false;
            if (core_.mode(now_) == 2 && c_.hpmd && (n == 31 || n < c_.hpmn))
                return false;
        }
        switch (core_.mode(now_)) {
        case 0:
            return bit(30) == bit(28);
        case 1:
            return bit(31) == bit(29);
        case 2:
            return bit(27) == 1;
        default:
            return bit(26) == bit(31);
        }
    }

    void count(uint32_t mask)
    {
        carried_ = 0;
        for (unsigned n = 0; n < 32; n++) {
            if (!(mask >> n & 1) || !counts(n))
                continue;
            const uint64_t before = value_[n];
            const unsigned add =
                core_.increment(n == 31 ? CS_COREPMU_EVENT_CLOCK : type_[n] & 0xFFFF, now_);
            const uint64_t after = before + add;
            value_[n] = after;
            bool wide = n == 31 ? pmcr_ & 0x40 : n >= c_.hpmn || pmcr_ & 0x80;
            const bool carry63 = after < before;
            const bool carry31 = (before & 0xFFFFFFFF) + add > 0xFFFFFFFF;
            if (wide ? carry63 : carry31)
                carried_ |= 1u << n;
        }
    }

    uint32_t existing() const
    {
        return ((1u << c_.counters) - 1) | 0x80000000u;
    }

    uint32_t word(uint32_t o)
    {
        if (o < 0x100)
            return exists(o / 8) ? static_cast<uint32_t>(value_[o / 8] >> (o % 8 * 8)) : 0;
        if (o == 0x200 || o == 0x220) {
            const cs_context c = core_.context(now_);
            high_ = (c.pc >> 32 & 0xFFFFFF) | uint32_t{c.mode} << 29 | (c.mode < 3 ? 1u << 31 : 0);
            id1_ = c.cid1;
            id2_ = c.cid2;
            return static_cast<uint32_t>(c.pc);
        }
        const unsigned step = c_.ext64 ? 8 : 4;
        if (o >= 0x400 && o < 0x400 + 32 * step)
            return (o - 0x400) % step == 0 ? type_[(o - 0x400) / step] : 0;
        if (o == (c_.ext64 ? 0xE10u : 0xE04u))
            return pmcr_;
        const std::map<uint32_t, uint32_t> words = {
            {0x204, high_},    {0x224, high_},
            {0x208, id1_},     {0x228, id1_},
            {0x22C, id2_},     {0xC00, enables_},
            {0xC20, enables_}, {0xC80, flags_},
            {0xCC0, flags_},   {0xE00, c_.counters | 0x7F00}};
        const auto it = words.find(o);
        return it == words.end() ? 0 : it->second;
    }

    void set_word(uint32_t o, uint32_t data, uint32_t *lost, uint32_t *cleared)
    {
        const unsigned step = c_.ext64 ? 8 : 4;
        if (o < 0x100 && exists(o / 8)) {
            const unsigned shift = o % 8 * 8;
            uint64_t &v = value_[o / 8];
            v = (v & ~(0xFFFFFFFFull << shift)) | uint64_t{data} << shift;
            *lost |= 1u << o / 8;
        } else if (o >= 0x400 && o < 0x400 + 32 * step && (o - 0x400) % step == 0) {
            const unsigned n = (o - 0x400) / step;
            if (exists(n))
                type_[n] = data & (n == 31 ? 0xFC000000 : 0xFC00FFFF);
        } else if (o == 0xC00) {
            enables_ |= data & existing();
        } else if (o == 0xC20) {
            enables_ &= ~data;
        } else if (o == 0xC80) {
            *cleared |= data;
        } else if (o == 0xCC0) {
            flags_ |= data & existing();
        } else if (o == (c_.ext64 ? 0xE10u : 0xE04u)) {
            pmcr_ = data & 0xE1;
            for (unsigned n = 0; n < 32; n++)
                if (n == 31 ? data & 4 : data & 2) {
                    value_[n] = 0;
                    *lost |= 1u << n;
                }
        }
    }

    cs_corepmu_config c_;
    Core core_;
    cs_cycle now_ = 0;
    uint64_t value_[32] = {};
    uint32_t type_[32] = {};
    uint32_t enables_ = 0, flags_ = 0, carried_ = 0, pmcr_ = 0, high_ = 0, id1_ = 0, id2_ = 0;
};

uint32_t any_offset(Random &random, const cs_corepmu_config &c)
{
    const unsigned n = static_cast<unsigned>(random(c.counters + 1));
    const unsigned i = n == c.counters ? 31 : n;
    switch (random(12)) {
    case 0:
    case 1:
        return 8 * i;
    case 2:
        return 8 * i + 4;
    case 3:
        return 0x400 + (c.ext64 ? 8 : 4) * i;
    case 4:
        return 0xC00;
    case 5:
        return 0xC20;
    case 6:
        return 0xC80;
    case 7:
        return random(2) ? 0xCC0 : 0xC80;
    case 8:
    case 9:
        return c.ext64 ? 0xE10 : 0xE04;
    case 10:
        return 0x200 + 4 * static_cast<uint32_t>(random(12));
    default:
        return 4 * static_cast<uint32_t>(random(0x1100 / 4));
    }
}

// Often what makes carries and counting likely.
uint64_t any_data(Random &random, uint32_t offset)
{
    if (offset < 0x100)
        return random(4) ? ~0ull - random(300) : mix(random.state++);
    if (offset == 0xE04 || offset == 0xE10)
        return random(8) ? (random(256) & 0xE0) | 1 : random(256);
    if (offset == 0xC00)
        return ~0ull;
    if (offset >= 0x400 && offset < 0x500)
        return (random(2) ? 0 : random(64) << 26) | random(40);
    return mix(random.state++);
}

TEST(CorePmuRandom, AgainstACycleByCycleCounter)
{
    unsigned flags_seen = 0;
    // Seeds from 401 on also lose their power, and come back with or without a lock.
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Random random{seed * 100000};
        const cs_corepmu_config config = {static_cast<unsigned>(1 + random(random(2) ? 8 : 31)),
                                          random(2) != 0,
                                          static_cast<unsigned>(random(32)),
                                          random(2) != 0,
                                          random(50) == 0,
                                          random(50) == 0,
                                          random(2) != 0,
                                          random(2) != 0};
        Core core;
        core.seed = seed;
        Pmu pmu(config, core);
        Stepped reference(config, core);
        cs_cycle e = 0;
        for (unsigned i = 0; i < 400; i++) {
            e += 1 + random(random(4) ? 6 : 90);
            if (seed > 400 && random(12) == 0) {
                const bool offline = random(2) != 0, locked = random(3) == 0;
                reference.set_power(e, offline, locked);
                cs_corepmu_set_power(pmu.pmu(), e, offline, locked);
            }
            const bool wide = random(config.ext64 ? 3 : 30) == 0;
            uint32_t offset = any_offset(random, config);
            if (wide)
                offset &= ~7u;
            if (random(2)) {
                const uint64_t data = any_data(random, offset);
                ASSERT_EQ(reference.write(e, offset, wide, data),
                          cs_corepmu_write(pmu.pmu(), e, offset, wide, data) != CS_BUS_OKAY);
                continue;
            }
            uint64_t expected = 0, found = 1;
            ASSERT_EQ(reference.read(e, offset, wide, &expected),
                      cs_corepmu_read(pmu.pmu(), e, offset, wide, &found) != CS_BUS_OKAY);
            ASSERT_EQ(expected, found) << "seed " << seed << " access " << i << " cycle " << e
                                       << std::hex << " " << offset;
            flags_seen += offset == 0xC80 && expected != 0;
        }
    }
    EXPECT_GT(flags_seen, 500u);
}

} // namespace
