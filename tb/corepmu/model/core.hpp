// SPDX-License-Identifier: Apache-2.0
// A core for the tests: in every cycle it has a mode and an increment for each event, both
// from a hash; sums are made by adding up.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include <countersink/models/corepmu/corepmu.h>
#include <countersink/regs/corepmu_regs.h>

inline uint64_t mix(uint64_t a, uint64_t b = 0, uint64_t c = 0)
{
    uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu + c * 0x165667B19E3779F9u + 1;
    x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 29)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

struct Core {
    uint64_t seed = 1;
    int fixed_increment = -1; // instead of the hash
    int fixed_mode = -1;
    unsigned sums = 0; // calls of sum

    unsigned mode(cs_cycle t) const
    {
        return fixed_mode >= 0 ? static_cast<unsigned>(fixed_mode) : mix(seed, t / 7) % 4;
    }
    unsigned increment(uint32_t event, cs_cycle t) const
    {
        return fixed_increment >= 0 ? static_cast<unsigned>(fixed_increment)
                                    : mix(seed, event, t) % (t % 64 == 0 ? 256 : 16);
    }
    cs_context context(cs_cycle t) const
    {
        return {mix(seed, t, 3),
                static_cast<uint32_t>(mix(seed, t, 4)),
                static_cast<uint32_t>(mix(seed, t, 5)),
                static_cast<uint8_t>(mode(t)),
                nullptr,
                false,
                0};
    }

    uint64_t sum(uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
    {
        sums++;
        if (fixed_increment >= 0 && fixed_mode >= 0)
            return modes >> fixed_mode & 1 ? (to - from) * static_cast<unsigned>(fixed_increment)
                                           : 0;
        uint64_t total = 0;
        for (cs_cycle t = from; t < to; t++)
            if (modes >> mode(t) & 1)
                total += increment(event, t);
        return total;
    }

    cs_event_source source()
    {
        return {[](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) {
                    return static_cast<Core *>(ctx)->sum(event, modes, from, to);
                },
                [](void *, uint32_t, uint32_t, cs_cycle, uint64_t) { return CS_NEVER; },
                [](void *ctx, cs_cycle cycle, cs_context *out) {
                    *out = static_cast<Core *>(ctx)->context(cycle);
                },
                this, nullptr};
    }
};

// The model with its core.
class Pmu
{
  public:
    Core core;

    explicit Pmu(const cs_corepmu_config &config, const Core &like = {}) : core(like)
    {
        const cs_event_source source = core.source();
        const cs_corepmu_env env = {source};
        EXPECT_EQ(CS_OK, cs_corepmu_create(&config, &env, &pmu_, nullptr));
    }
    Pmu(const Pmu &) = delete;
    Pmu &operator=(const Pmu &) = delete;
    ~Pmu()
    {
        cs_corepmu_destroy(pmu_);
    }

    cs_corepmu *pmu()
    {
        return pmu_;
    }

    uint32_t read(cs_cycle cycle, uint32_t offset)
    {
        uint64_t data = ~0ull;
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_read(pmu_, cycle, offset, false, &data));
        EXPECT_EQ(0u, data >> 32);
        return static_cast<uint32_t>(data);
    }
    uint64_t read_wide(cs_cycle cycle, uint32_t offset)
    {
        uint64_t data = ~0ull;
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_read(pmu_, cycle, offset, true, &data));
        return data;
    }
    void write(cs_cycle cycle, uint32_t offset, uint32_t data)
    {
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_write(pmu_, cycle, offset, false, data));
    }
    void write_wide(cs_cycle cycle, uint32_t offset, uint64_t data)
    {
        EXPECT_EQ(CS_BUS_OKAY, cs_corepmu_write(pmu_, cycle, offset, true, data));
    }
    // Both words of counter n (31: cycles); two reads of one cycle.
    uint64_t counter(cs_cycle cycle, unsigned n)
    {
        return read(cycle, 8 * n) | uint64_t{read(cycle, 8 * n + 4)} << 32;
    }

  private:
    cs_corepmu *pmu_ = nullptr;
};
