// SPDX-License-Identifier: Apache-2.0
// A guest of several CPUs that take turns, without one: whose instructions are whose.
#include "fixture.hpp"

namespace
{

constexpr uint64_t kPdbar = 0x1001220b, kPdbar1 = 0x1001230b, kEventMask = 0x20010aa8;
constexpr uint64_t kHtmMode1 = 0x10012300, kEventMask1 = 0x21010aa8, kTraceScom1 = 0x21010aa9;
constexpr uint64_t kUserKernel = 0x0402010000000000;
constexpr uint64_t kOther = 0x60000; // another buffer

// Two cores of two threads; each CPU has so many instructions a turn.
struct Cpus : testing::Test {
    std::vector<uint8_t> ram = std::vector<uint8_t>(1 << 20);
    std::unique_ptr<bridge> b{new bridge()};
    char *text = nullptr;
    size_t bytes = 0;
    FILE *log = open_memstream(&text, &bytes);
    events_executed done[4] = {};
    unsigned cpu = 0;
    uint64_t now = 0;
    bool ran = false;

    Cpus()
    {
        const bridge_config config = {2, 2, 2, 10, 0, 0};

        b->ram = {ram.data(), 0, ram.size()};
        EXPECT_EQ(bridge_create(b.get(), &config, log, nullptr), CS_OK);
        for (const unsigned slot : {0, 64})
            b->events.core[128 + slot] = EVENTS_INSTRUCTIONS;
    }

    ~Cpus() override
    {
        bridge_destroy(b.get());
        fclose(log);
        free(text);
    }

    static uint64_t pc_of(unsigned of, uint64_t instruction)
    {
        return (of + 1) << 20 | 4 * instruction;
    }

    // Executes so many instructions on the CPU, and stops where it is told.
    void execute(unsigned of, uint64_t count)
    {
        if (of != cpu) {
            bridge_executed(b.get(), now, done, nullptr);
            bridge_turn(b.get(), of);
            cpu = of;
        }
        for (uint64_t i = 0; i < count; i++) {
            const bool stop = bridge_next(b.get(), now) == now + 1;

            now++;
            done[cpu].of[3][CS_POWER_INSTRUCTIONS]++;
            if (!stop)
                continue;
            bridge_executed(b.get(), now, done, nullptr);
            b->cpus[cpu].now = {pc_of(cpu, now), 7 + cpu, 0, 3, 0};
            bridge_execute(b.get(), now);
        }
    }

    // By the CPU whose turn it is.
    void scom(uint32_t address, uint64_t value)
    {
        execute(cpu, 1);
        bridge_executed(b.get(), now, done, nullptr);
        bridge_scom(b.get(), now, address, value);
    }

    void ldbar(unsigned of, uint64_t value)
    {
        execute(of, 1);
        bridge_executed(b.get(), now, done, nullptr);
        bridge_ldbar(b.get(), now, value);
    }

    uint64_t word(uint64_t address) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | ram[address + i];
        return value;
    }

    std::vector<std::vector<uint64_t>> records()
    {
        std::vector<std::vector<uint64_t>> out;
        fflush(log);
        std::istringstream all(text != nullptr ? text : "");

        for (std::string line; std::getline(all, line);) {
            std::istringstream words(line.substr(1));
            std::vector<uint64_t> f;

            EXPECT_NE(line[0], 'X') << line;
            for (std::string w; words >> w;)
                f.push_back(strtoull(w.c_str(), nullptr, 16));
            if (line[0] == 'R')
                out.push_back(f);
        }
        return out;
    }
};

} // namespace

TEST_F(Cpus, EachTraceModeHasItsOwnInstructions)
{
    scom(kTraceScom, kEach251Ticks);
    scom(kTraceScom1, kEach251Ticks);
    ldbar(1, kTrace | kBuffer); // core 0
    ldbar(2, kTrace | kOther);  // core 1
    scom(kHtmMode, kOn);
    scom(kHtmMode1, kOn);
    EXPECT_NE(bridge_counts(b.get(), 0), BRIDGE_BY_TRACE);
    EXPECT_EQ(bridge_counts(b.get(), 1), BRIDGE_BY_TRACE);
    EXPECT_EQ(bridge_counts(b.get(), 2), BRIDGE_BY_TRACE);
    for (unsigned turn = 0; turn < 60; turn++)
        execute(turn % 4, 1000); // 15000 each
    const auto all = records();
    unsigned of[4] = {};
    // A record each 7844 of the CPU's own instructions, at an address of its own.
    for (const auto &r : all) {
        const auto who = static_cast<unsigned>(r[8]);

        ASSERT_LT(who, 4u);
        of[who]++;
        EXPECT_EQ(r[4] >> 20, who + 1);
        EXPECT_EQ(r[5], 7 + who);
        EXPECT_EQ(r[7] & 0xfff00000000000ff, r[7] & 0xc0); // 64 bytes each
        EXPECT_EQ(word(r[7] + 8), r[4]);
    }
    EXPECT_EQ(of[0], 0u);
    EXPECT_EQ(of[1], 1u);
    EXPECT_EQ(of[2], 1u);
    EXPECT_EQ(of[3], 0u);
    for (const auto &r : all)
        EXPECT_EQ(r[7], r[8] == 1 ? kBuffer : kOther);
}

TEST_F(Cpus, ARecordIsOfTheLastInstructionWhereTheTurnEndsWithIt)
{
    scom(kTraceScom, kEach251Ticks);
    scom(kHtmMode, kOn);
    ldbar(0, kTrace | kBuffer);
    const uint64_t begun = now;

    while (records().empty() && now < begun + 20000)
        execute(0, 1);
    const uint64_t cycle = records()[0][2]; // of the snapshot

    // The same once more, but in the snapshot's cycle another CPU executes.
    const cs_cycle end = events_reach(&b->events, 0, CS_IMC_EVENT_CPMC2(2), cycle, 251);
    execute(0, end - 1 - now); // the overflow
    execute(1, 3);
    ASSERT_EQ(records().size(), 2u);
    EXPECT_EQ(records()[1][4], pc_of(0, now - 3));
    EXPECT_EQ(records()[1][2], now - 2);
    EXPECT_NEAR(static_cast<double>(records()[1][2] - cycle), 7844, 1);
}

TEST_F(Cpus, ACoresTableHasWhatItsThreadsHaveExecuted)
{
    constexpr uint64_t kTable = 0x40000, kTable1 = 0x48000;
    uint64_t sum[2] = {};

    scom(kPdbar, kTable);
    scom(kPdbar1, kTable1);
    for (const uint64_t address : {kEventMask, kEventMask1})
        scom(static_cast<uint32_t>(address), kUserKernel);
    scom(kHtmMode, kOn);
    scom(kHtmMode1, kOn);
    // Core 1 executes three times as much.
    for (unsigned turn = 0; turn < 2600; turn++)
        execute(turn % 4 == 0 ? turn / 4 % 2 : 2 + turn / 4 % 2, 400);
    for (unsigned slot = 0; slot < 128; slot++) {
        sum[0] += word(kTable + 64 * slot + 0x28);
        sum[1] += word(kTable1 + 64 * slot + 0x28);
    }
    EXPECT_GT(sum[0], 50000u);
    EXPECT_NEAR(static_cast<double>(sum[1]) / static_cast<double>(sum[0]), 3, 0.3);
    // What counters should have said, had they always counted.
    bridge_executed(b.get(), now, done, nullptr);
    bridge_driver(b.get(), now, BRIDGE_READ, kTable1 + 0x28, false);
    const uint64_t all = done[2].of[3][0] + done[3].of[3][0];
    records(); // no X
    const std::string told(text);
    char want[64];

    snprintf(want, sizeof want, "M 2 %llx 48028 %llx 0\n", static_cast<unsigned long long>(now),
             static_cast<unsigned long long>(all));
    EXPECT_NE(told.find(want), std::string::npos) << told.substr(told.size() - 60);
}
