// SPDX-License-Identifier: Apache-2.0
// Which event of perf has which counter of a guest's harts: what the log says of its overflows and counts.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "guest/hpm/owned.h"

namespace
{

constexpr uint16_t kInhibit = 0x320, kEvent3 = 0x323, kCounter3 = 0xb03, kReadable3 = 0xc03,
                   kMie = 0x304, kMip = 0x344;
constexpr uint64_t kMinh = UINT64_C(1) << 62, kPeriod = 100, kPerf = 0x77;

class Owned : public testing::Test
{
  protected:
    FILE *log = std::tmpfile();
    owned *o = nullptr;
    hart_executed executed[2] = {};
    uint64_t pc = 0x1000;

    void begin(unsigned fault, uint64_t faulty)
    {
        cs_hpm_config hpm = cs_hpm_default_config();
        hart_event events[HART_EVENTS] = {};
        uint8_t cost[CS_RISCV_KINDS];

        events[CS_HPM_EVENT_CYCLES] = {(1u << CS_RISCV_KINDS) - 1, true, 0};
        events[CS_HPM_EVENT_INSTRET] = {(1u << CS_RISCV_KINDS) - 1, false, 0};
        for (uint8_t &one : cost)
            one = 1;
        hpm.modes = CS_HPM_MODES_M_S_U;
        hpm.counters = 0x18;
        hpm.smcdeleg = hpm.smcntrpmf = hpm.aia = false;
        const owned_config config = {&hpm,   events, cost, 2, static_cast<uint8_t>(fault),
                                     faulty, log};
        ASSERT_EQ(owned_create(&config, &o, nullptr), CS_OK);
    }

    void TearDown() override
    {
        owned_destroy(o);
        std::fclose(log);
    }

    owned_where where(unsigned hart, unsigned mode, unsigned kind)
    {
        executed[hart].of[mode][kind]++;
        return {&executed[hart], pc += 4, {mode, kind, 0, 0}, 0, mode == CS_HPM_MODE_U};
    }

    uint64_t access(unsigned hart, uint16_t csr, cs_hpm_op op, uint64_t value)
    {
        const owned_where here = where(hart, CS_HPM_MODE_M, CS_RISCV_CSR);
        const cs_hpm_access what = {csr, static_cast<uint8_t>(op), CS_HPM_MODE_M, value, 0, true,
                                    true};

        return owned_access(o, hart, &here, &what).value;
    }

    void start(unsigned hart, uint64_t period)
    {
        access(hart, kMie, CS_HPM_OP_SET, 1 << 13);
        access(hart, kInhibit, CS_HPM_OP_SET, 8);
        access(hart, kEvent3, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET | kMinh);
        owned_start(o, hart, kPerf);
        access(hart, kCounter3, CS_HPM_OP_WRITE, -period);
        access(hart, kInhibit, CS_HPM_OP_CLEAR, 8);
    }

    // Instructions of user code until the hart has an interrupt, or so many.
    unsigned execute(unsigned hart, unsigned most)
    {
        for (unsigned i = 1; i <= most; i++) {
            const owned_where here = where(hart, CS_HPM_MODE_U, CS_RISCV_OTHER);

            owned_tell(o, hart, &here);
            if (owned_pending(o, hart))
                return i;
        }
        return 0;
    }

    // Lines of the log that begin with the letter.
    std::string lines(char letter)
    {
        std::string all;
        char line[256];

        std::rewind(log);
        while (std::fgets(line, sizeof line, log) != nullptr)
            if (line[0] == letter)
                all += line;
        std::fseek(log, 0, SEEK_END);
        return all;
    }
};

} // namespace

TEST_F(Owned, AnOverflowIsOfItsEventAndIsTakenAtOnce)
{
    begin(CS_GUEST_NO_FAULT, 0);
    start(1, kPeriod);
    EXPECT_EQ(execute(1, 1000), kPeriod);
    EXPECT_FALSE(owned_pending(o, 0));
    // number, cycle, ip, mode, cpu, image, counter, excess, event, takes
    EXPECT_EQ(lines('O').substr(0, 4), "O 1 ");
    EXPECT_NE(lines('O').find(" 1 1 0 3 0 77 1\n"), std::string::npos) << lines('O');
    ASSERT_TRUE(owned_waits(o, 1));
    where(1, CS_HPM_MODE_S, CS_RISCV_CSR); // the handler's first
    owned_trap(o, 1, &executed[1], 13);
    EXPECT_EQ(lines('T'), "T 1 0 d\n");
    owned_sample(o, 1, kPerf, pc, 5);
    EXPECT_EQ(lines('R').substr(0, 6), "R 0 1 ");
}

TEST_F(Owned, ASampleWithoutAnOverflowIsOfNone)
{
    begin(CS_GUEST_NO_FAULT, 0);
    start(0, kPeriod);
    owned_sample(o, 0, kPerf, pc, 5);
    EXPECT_EQ(lines('R').substr(0, 6), "R 0 0 ");
}

TEST_F(Owned, ALateInterruptComesAnInstructionLater)
{
    begin(CS_GUEST_LATE, 1);
    start(0, kPeriod);
    EXPECT_EQ(execute(0, 1000), kPeriod + 1);
    where(0, CS_HPM_MODE_S, CS_RISCV_CSR);
    owned_trap(o, 0, &executed[0], 13);
    EXPECT_EQ(lines('T'), "T 1 1 d\n");
}

TEST_F(Owned, ALostInterruptNeverComes)
{
    begin(CS_GUEST_LOST, 1);
    start(0, kPeriod);
    EXPECT_EQ(execute(0, 1000), 0u);
    EXPECT_EQ(lines('O').substr(0, 4), "O 1 ");
    owned_stop(o, 0, kPerf);
    EXPECT_EQ(lines('L'), "L 1\n");
}

TEST_F(Owned, ACountIsWhatWasExecutedWhateverTheCounterSays)
{
    for (const unsigned fault : {CS_GUEST_NO_FAULT, CS_GUEST_COUNT_OFF}) {
        owned_destroy(o);
        begin(fault, 1);
        start(0, UINT64_C(1) << 40);
        execute(0, 50);
        owned_read(o, 0, kPerf);
        const uint64_t found = access(0, kReadable3, CS_HPM_OP_READ, 0);

        EXPECT_EQ(found + (UINT64_C(1) << 40), 50u + (fault == CS_GUEST_COUNT_OFF)) << fault;
        owned_stop(o, 0, kPerf);
        access(0, kInhibit, CS_HPM_OP_SET, 8);
    }
    EXPECT_EQ(lines('Q'), "Q 77 0 32\nQ 77 0 32\n");
    EXPECT_EQ(lines('P'), "P 77 0 32\nP 77 0 32\n");
}

// The driver's own instructions count, too, until the firmware has stopped the counter.
TEST_F(Owned, AnOverflowOnTheWayToStopItsCounterHasNoSample)
{
    begin(CS_GUEST_NO_FAULT, 0);
    start(0, kPeriod);
    owned_stop(o, 0, kPerf);
    EXPECT_EQ(lines('L'), "");
    ASSERT_EQ(execute(0, 1000), kPeriod);
    EXPECT_EQ(lines('L'), "L 1\n");
    access(0, kInhibit, CS_HPM_OP_SET, 8);
    access(0, kMip, CS_HPM_OP_CLEAR, 1 << 13);
    start(0, kPeriod);
    ASSERT_EQ(execute(0, 1000), kPeriod);
    EXPECT_EQ(lines('L'), "L 1\n");
}

// As OpenSBI does while another counter's interrupt is pending: it starts the counter, and leaves OF set.
TEST_F(Owned, ASampleOfACounterThatBeganWithOfIsOfNoOverflow)
{
    begin(CS_GUEST_NO_FAULT, 0);
    start(0, kPeriod);
    ASSERT_EQ(execute(0, 1000), kPeriod);
    owned_sample(o, 0, kPerf, pc, 5);
    EXPECT_EQ(lines('K'), "");
    owned_sample(o, 0, kPerf, pc, 5); // for no reason that is known
    EXPECT_EQ(lines('K'), "");
    access(0, kInhibit, CS_HPM_OP_SET, 8);
    access(0, kCounter3, CS_HPM_OP_WRITE, -kPeriod);
    access(0, kInhibit, CS_HPM_OP_CLEAR, 8);
    owned_sample(o, 0, kPerf, pc, 5);
    EXPECT_EQ(lines('K'), "K 2\n");
    access(0, kEvent3, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET | kMinh);
    owned_sample(o, 0, kPerf, pc, 5);
    access(0, kEvent3, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET | kMinh | UINT64_C(1) << 63);
    owned_sample(o, 0, kPerf, pc, 5);
    EXPECT_EQ(lines('K'), "K 2\nK 4\n");
}

// As Linux 7.2 does with an event that it throttles: it is stopped, and the handler starts its counter.
TEST_F(Owned, WhatIsStartedAgainBySomebodyElseIsStillItsEvents)
{
    begin(CS_GUEST_NO_FAULT, 0);
    start(0, kPeriod);
    ASSERT_EQ(execute(0, 1000), kPeriod);
    owned_sample(o, 0, kPerf, pc, 5);
    owned_stop(o, 0, kPerf);
    access(0, kInhibit, CS_HPM_OP_SET, 8);
    EXPECT_EQ(owned_restarted(o, 0), 0u);
    access(0, kMip, CS_HPM_OP_CLEAR, 1 << 13);
    access(0, kEvent3, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET | kMinh);
    access(0, kCounter3, CS_HPM_OP_WRITE, -kPeriod);
    access(0, kInhibit, CS_HPM_OP_CLEAR, 8);
    EXPECT_EQ(owned_restarted(o, 0), kPerf);
    EXPECT_EQ(owned_restarted(o, 0), 0u);
    EXPECT_EQ(execute(0, 1000), kPeriod);
    owned_sample(o, 0, kPerf, pc, 5);
    EXPECT_NE(lines('R').find("R 1 2 "), std::string::npos) << lines('R');
    EXPECT_EQ(lines('L'), "");
}

// As OpenSBI 1.1 does: the counter counts before it has its first value, and what it counts until then is gone.
TEST_F(Owned, WhatTheFirmwareCountsBeforeItWritesTheCounterIsNobodys)
{
    begin(CS_GUEST_NO_FAULT, 0);
    access(0, kInhibit, CS_HPM_OP_SET, 8);
    access(0, kEvent3, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET);
    owned_start(o, 0, kPerf);
    access(0, kInhibit, CS_HPM_OP_CLEAR, 8);
    access(0, kMie, CS_HPM_OP_READ, 0);
    access(0, kCounter3, CS_HPM_OP_WRITE, 1000);
    execute(0, 50);
    owned_read(o, 0, kPerf);
    EXPECT_EQ(access(0, kReadable3, CS_HPM_OP_READ, 0), 1050u);
    EXPECT_EQ(lines('Q'), "Q 77 0 32\n");
    // A write in its midst loses what was counted, and that is found.
    access(0, kCounter3, CS_HPM_OP_WRITE, 0);
    owned_stop(o, 0, kPerf);
    access(0, kInhibit, CS_HPM_OP_SET, 8);
    EXPECT_EQ(lines('P'), "P 77 0 35\n");
}

// As Linux does in frequency mode, whose first periods are short: the handler comes after the new start.
TEST_F(Owned, AnOverflowBeforeANewStartHasItsSample)
{
    begin(CS_GUEST_NO_FAULT, 0);
    start(0, kPeriod);
    ASSERT_EQ(execute(0, 1000), kPeriod);
    owned_stop(o, 0, kPerf);
    access(0, kInhibit, CS_HPM_OP_SET, 8);
    start(0, kPeriod);
    owned_sample(o, 0, kPerf, pc, 5);
    EXPECT_EQ(lines('R').substr(0, 6), "R 0 1 ");
}
