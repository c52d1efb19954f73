// SPDX-License-Identifier: Apache-2.0
// A bridge with a guest of the test's own behind it: instructions that are numbers.
#pragma once

#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "guest/imc/bridge.h"

constexpr uint64_t kBuffer = 0x20000;
constexpr uint64_t kTrace = UINT64_C(1) << 62;
constexpr uint64_t kOn = 0xe800000000000000, kOff = 0xe000000000000000;
constexpr uint32_t kHtmMode = 0x10012200, kTraceScom = 0x20010aa9;
// CPMC2 samples, begins at -251 and counts event 2, the 32 MHz clock: 4 ticks in 125 cycles.
constexpr uint64_t kEach251Ticks = 0x7fffffc142020000;

struct Line {
    char kind;
    std::vector<uint64_t> f;
};

struct Bridge : testing::Test {
    std::vector<uint8_t> ram = std::vector<uint8_t>(1 << 20);
    std::unique_ptr<bridge> b{new bridge()};
    char *text = nullptr;
    size_t bytes = 0;
    FILE *log = open_memstream(&text, &bytes);
    uint64_t now = 0;

    events_executed done = {};
    uint64_t told = 0;

    explicit Bridge(bridge_config config = {1, 1, 1, 18, 0, 0})
    {
        b->ram = {ram.data(), 0, ram.size()};
        EXPECT_EQ(bridge_create(b.get(), &config, log, nullptr), CS_OK);
    }

    ~Bridge() override
    {
        bridge_destroy(b.get());
        fclose(log);
        free(text);
    }

    static uint64_t pc_of(uint64_t instruction)
    {
        return 0x1000 + 4 * instruction;
    }

    // A guest of the host kernel that is in user mode for every other thousand instructions; each
    // fourth instruction is a load.
    static unsigned mode_of(uint64_t instruction)
    {
        return instruction / 1000 % 2 != 0 ? 3 : 2;
    }

    void tell()
    {
        for (; told <= now; told++) {
            done.of[mode_of(told)][CS_POWER_INSTRUCTIONS]++;
            if (told % 4 == 0)
                done.of[mode_of(told)][CS_POWER_LOADS]++;
        }
        bridge_executed(b.get(), now, &done, nullptr);
    }

    void scom(uint32_t address, uint64_t value)
    {
        tell();
        bridge_scom(b.get(), now++, address, value);
    }

    // Executes instructions up to `to`, as a guest does that stops where it is told.
    void execute(uint64_t to)
    {
        while (bridge_next(b.get(), now) <= to) {
            now = bridge_next(b.get(), now);
            tell();
            b->cpus[0].now = {pc_of(now), 7, 0, 3, 0};
            bridge_execute(b.get(), now);
        }
        now = to;
    }

    void start()
    {
        bridge_scom(b.get(), now++, kTraceScom, kEach251Ticks);
        bridge_ldbar(b.get(), now++, kTrace | kBuffer);
        bridge_scom(b.get(), now++, kHtmMode, kOn);
    }

    uint64_t word(unsigned record, unsigned nr) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | ram[kBuffer + 64 * record + 8 * nr + i];
        return value;
    }

    std::vector<Line> lines(char kind)
    {
        std::vector<Line> out;
        fflush(log);
        std::istringstream all(text);
        std::string line;

        while (std::getline(all, line)) {
            std::istringstream words(line.substr(1));
            Line l{line[0], {}};

            for (std::string w; words >> w;)
                l.f.push_back(strtoull(w.c_str(), nullptr, 16));
            if (l.kind == kind)
                out.push_back(l);
        }
        return out;
    }
};
