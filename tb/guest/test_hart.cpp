// SPDX-License-Identifier: Apache-2.0
// A guest's hart and our counters of it, without a guest: random instructions, of which only those are told
// that the hart asks for, against a count of each.
#include <array>
#include <random>

#include <gtest/gtest.h>

extern "C" {
#include "guest/hpm/hart.h"
}

namespace
{

constexpr uint32_t kAll = (1u << CS_RISCV_KINDS) - 1;
constexpr uint16_t kMcycle = 0xb00, kMinstret = 0xb02, kEvent3 = 0x323, kCounter3 = 0xb03,
                   kMip = 0x344, kMie = 0x304, kInhibit = 0x320;
constexpr std::array<unsigned, 3> kModes = {CS_HPM_MODE_U, CS_HPM_MODE_S, CS_HPM_MODE_M};
constexpr uint64_t kOf = UINT64_C(1) << 63, kMinh = UINT64_C(1) << 62, kSinh = UINT64_C(1) << 61,
                   kUinh = UINT64_C(1) << 60;

struct Event {
    uint32_t number;
    hart_event what;
};
const std::array<Event, 8> kEvents = {
    {{CS_HPM_EVENT_CYCLES, {kAll, true, 0}},
     {CS_HPM_EVENT_INSTRET, {kAll, false, 0}},
     {3, {1u << CS_RISCV_LOAD, false, 0}},
     {9, {1u << CS_RISCV_BRANCH | 1u << CS_RISCV_JUMP, false, 0}},
     {10, {0, false, CS_RISCV_OUTCOME(L1I_MISS)}},
     {11, {0, false, CS_RISCV_OUTCOME(L1D_LOAD_MISS) | CS_RISCV_OUTCOME(DTLB_MISS)}},
     {12, {1u << CS_RISCV_JUMP, false, CS_RISCV_OUTCOME(TAKEN)}},
     {13, {0, false, CS_RISCV_OUTCOME(EXCEPTION) | CS_RISCV_OUTCOME(INTERRUPT)}}}};
constexpr uint32_t kTraps = CS_RISCV_OUTCOME(EXCEPTION) | CS_RISCV_OUTCOME(INTERRUPT);

class Hart : public testing::TestWithParam<unsigned>
{
  protected:
    std::mt19937_64 random{GetParam()};
    hart *h = nullptr;
    hart_executed executed = {};
    std::array<uint8_t, CS_RISCV_KINDS> cost = {};
    std::array<int64_t, HART_MODES> left = {};
    int64_t outcomes_left = 0;

    uint64_t below(uint64_t n)
    {
        return random() % n;
    }

    void SetUp() override
    {
        cs_hpm_config config = cs_hpm_default_config();
        hart_event events[HART_EVENTS] = {};

        for (const Event &event : kEvents)
            events[event.number] = event.what;
        for (uint8_t &one : cost)
            one = GetParam() % 2 == 0 ? 1 : static_cast<uint8_t>(1 + below(15));
        config.modes = CS_HPM_MODES_M_S_U;
        config.counters = 0x7fff8;
        config.smcdeleg = config.smcntrpmf = config.aia = false;
        ASSERT_EQ(hart_create(&config, events, cost.data(), &h, nullptr), CS_OK);
        look();
    }

    void TearDown() override
    {
        EXPECT_EQ(hart_failed(h), nullptr) << hart_failed(h);
        hart_destroy(h);
    }

    void look()
    {
        for (unsigned mode = 0; mode < HART_MODES; mode++)
            left[mode] = static_cast<int64_t>(hart_left(h, mode));
        outcomes_left = static_cast<int64_t>(hart_outcomes_left(h));
    }

    // One in sixteen brings something about; a trap comes from any mode.
    uint32_t bring_about(unsigned mode, unsigned from)
    {
        const uint32_t outcome = below(16) == 0 ? 1u << below(CS_RISCV_OUTCOMES) : 0;

        for (unsigned i = 0; i < CS_RISCV_OUTCOMES; i++)
            executed.outcomes[(outcome & kTraps) != 0 ? from : mode][i] += outcome >> i & 1;
        outcomes_left -= outcome != 0;
        return outcome;
    }

    // An instruction; true: the hart had to be told.
    bool execute(unsigned mode, unsigned kind)
    {
        const unsigned from = kModes[below(3)];
        const uint32_t outcomes = bring_about(mode, from);

        executed.of[mode][kind]++;
        if (--left[mode] > 0 && outcomes_left > 0)
            return false;
        hart_tell(h, &executed, {mode, kind, outcomes, from});
        pending = hart_pending(h);
        look();
        return true;
    }

    uint64_t access(uint16_t csr, unsigned op, uint64_t value = 0)
    {
        const cs_hpm_access what = {csr, static_cast<uint8_t>(op), CS_HPM_MODE_M, value, 0, true,
                                    true};

        executed.of[CS_HPM_MODE_M][CS_RISCV_CSR]++;
        hart_tell(h, &executed, {CS_HPM_MODE_M, CS_RISCV_CSR, 0, 0});
        const cs_hpm_result result = hart_access(h, &what);
        EXPECT_EQ(result.exception, CS_HPM_EXCEPTION_NONE);
        pending = hart_pending(h);
        look();
        return result.value;
    }

    uint64_t count(const hart_event &what, uint64_t inhibited) const
    {
        uint64_t sum = 0;

        for (const unsigned mode : kModes) {
            const uint64_t bit = mode == CS_HPM_MODE_M   ? kMinh
                                 : mode == CS_HPM_MODE_S ? kSinh
                                                         : kUinh;

            for (unsigned kind = 0; kind < CS_RISCV_KINDS && (inhibited & bit) == 0; kind++)
                if (what.kinds >> kind & 1)
                    sum += executed.of[mode][kind] * (what.cycles ? cost[kind] : 1);
            for (unsigned i = 0; i < CS_RISCV_OUTCOMES && (inhibited & bit) == 0; i++)
                if (what.outcomes >> i & 1)
                    sum += executed.outcomes[mode][i];
        }
        return sum;
    }

    bool pending = false;
};

TEST_P(Hart, OverflowsAtTheInstruction)
{
    access(kMie, CS_HPM_OP_SET, 1 << 13); // else no line moves, and nobody looks
    for (unsigned round = 0; round < 90; round++) {
        const Event &event = kEvents[below(kEvents.size())];
        const uint64_t inhibited =
            (below(2) ? kMinh : 0) | (below(2) ? kSinh : 0) | (below(3) ? 0 : kUinh);
        const uint64_t period = 1 + below(below(2) ? 20 : 3000);
        uint64_t told = 0, instructions = 0;

        access(kEvent3, CS_HPM_OP_WRITE, 0);
        access(kMip, CS_HPM_OP_CLEAR, 1 << 13);
        access(kCounter3, CS_HPM_OP_WRITE, -period);
        access(kEvent3, CS_HPM_OP_WRITE, event.number | inhibited);
        ASSERT_FALSE(pending);
        // The write takes effect after its own instruction.
        const uint64_t before = count(event.what, inhibited);
        unsigned mode = kModes[below(3)];
        for (; instructions < 20000 && !pending; instructions++) {
            mode = below(30) == 0 ? kModes[below(3)] : mode;
            told += execute(mode, static_cast<unsigned>(below(CS_RISCV_KINDS)));
            ASSERT_EQ(pending, count(event.what, inhibited) - before >= period) << period;
        }
        if (!pending)
            continue;
        const uint64_t there = count(event.what, inhibited) - before;
        EXPECT_EQ(access(kCounter3, CS_HPM_OP_READ), there - period);
        EXPECT_NE(access(kEvent3, CS_HPM_OP_READ) & kOf, 0u);
        // It is told far less often than it executes.
        if (event.number == CS_HPM_EVENT_INSTRET) {
            EXPECT_LT(told, 60u) << period;
        }
    }
}

TEST_P(Hart, CountsWhatNobodyLooksAtForLong)
{
    const uint64_t cycles = access(kMcycle, CS_HPM_OP_READ);
    const uint64_t first = count(kEvents[0].what, 0);
    const uint64_t instructions = access(kMinstret, CS_HPM_OP_READ);
    const uint64_t second = count(kEvents[1].what, 0);

    // More looks than the hart remembers.
    access(kCounter3, CS_HPM_OP_WRITE, 0);
    access(kEvent3, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET);
    for (unsigned i = 0; i < 20000; i++)
        access(kMie, CS_HPM_OP_READ);
    const uint64_t then = access(kMcycle, CS_HPM_OP_READ);
    EXPECT_EQ(then - cycles, count(kEvents[0].what, 0) - first);
    const uint64_t after = access(kMinstret, CS_HPM_OP_READ);
    EXPECT_EQ(after - instructions, count(kEvents[1].what, 0) - second);
    EXPECT_EQ(access(kCounter3, CS_HPM_OP_READ), 20002u);
}

TEST_P(Hart, CountsMissesOfInstructionsThatFollowEachOther)
{
    access(kCounter3, CS_HPM_OP_WRITE, 0);
    access(kEvent3, CS_HPM_OP_WRITE, 10);
    for (unsigned i = 0; i < 50; i++) {
        executed.of[CS_HPM_MODE_U][CS_RISCV_OTHER]++;
        executed.outcomes[CS_HPM_MODE_U][CS_RISCV_L1I_MISS]++;
        hart_tell(h, &executed, {CS_HPM_MODE_U, CS_RISCV_OTHER, CS_RISCV_OUTCOME(L1I_MISS), 0});
        hart_pending(h);
    }
    EXPECT_EQ(access(kCounter3, CS_HPM_OP_READ), 50u);
}

TEST_P(Hart, WantsOutcomesThatACounterCounts)
{
    EXPECT_EQ(hart_wanted(h), 0u);
    access(kEvent3, CS_HPM_OP_WRITE, 12);
    EXPECT_EQ(hart_wanted(h), CS_RISCV_OUTCOME(TAKEN));
    access(kEvent3 + 1, CS_HPM_OP_WRITE, 13);
    EXPECT_EQ(hart_wanted(h), CS_RISCV_OUTCOME(TAKEN) | kTraps);
    access(kInhibit, CS_HPM_OP_WRITE, 8);
    EXPECT_EQ(hart_wanted(h), kTraps);
    access(kEvent3 + 1, CS_HPM_OP_WRITE, CS_HPM_EVENT_INSTRET);
    EXPECT_EQ(hart_wanted(h), 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Hart, testing::Range(1u, 7u));

TEST(RiscvKinds, OfInstructions)
{
    const struct {
        uint32_t word;
        unsigned kind;
    } all[] = {
        {0x00000013, CS_RISCV_OTHER},  // addi zero,zero,0
        {0x0005b503, CS_RISCV_LOAD},   // ld a0,0(a1)
        {0x0005b507, CS_RISCV_LOAD},   // fld fa0,0(a1)
        {0x00a5b023, CS_RISCV_STORE},  // sd a0,0(a1)
        {0x00a5b027, CS_RISCV_STORE},  // fsd fa0,0(a1)
        {0xfea59ee3, CS_RISCV_BRANCH}, // bne a1,a0,-4
        {0x00008067, CS_RISCV_JUMP},   // ret
        {0x0000006f, CS_RISCV_JUMP},   // j 0
        {0x100525af, CS_RISCV_ATOMIC}, // lr.w a1,(a0)
        {0x00b5252f, CS_RISCV_ATOMIC}, // amoadd.w a0,a1,(a0)
        {0x02b57553, CS_RISCV_FLOAT},  // fadd.d fa0,fa0,fa1
        {0x62b57543, CS_RISCV_FLOAT},  // fmadd.d
        {0xc0202573, CS_RISCV_CSR},    // csrr a0,instret
        {0x34405073, CS_RISCV_CSR},    // csrwi mip,0
        {0x00000073, CS_RISCV_OTHER},  // ecall
        {0x10500073, CS_RISCV_OTHER},  // wfi
        {0x0ff0000f, CS_RISCV_FENCE},  // fence
        {0x0000100f, CS_RISCV_FENCE},  // fence.i
        {0x4108, CS_RISCV_LOAD},       // c.lw a0,0(a0)
        {0x2108, CS_RISCV_LOAD},       // c.fld fa0,0(a0)
        {0xe108, CS_RISCV_STORE},      // c.sd a0,0(a0)
        {0x0001, CS_RISCV_OTHER},      // c.nop
        {0xa001, CS_RISCV_JUMP},       // c.j 0
        {0xc101, CS_RISCV_BRANCH},     // c.beqz a0,0
        {0xe101, CS_RISCV_BRANCH},     // c.bnez a0,0
        {0x8082, CS_RISCV_JUMP},       // ret
        {0x9502, CS_RISCV_JUMP},       // c.jalr a0
        {0x852e, CS_RISCV_OTHER},      // c.mv a0,a1
        {0x952e, CS_RISCV_OTHER},      // c.add a0,a1
        {0x9002, CS_RISCV_OTHER},      // c.ebreak
        {0x6502, CS_RISCV_LOAD},       // c.ldsp a0,0(sp)
        {0xe02a, CS_RISCV_STORE},      // c.sdsp a0,0(sp)
    };

    for (const auto &one : all)
        EXPECT_EQ(cs_riscv_kind(one.word), one.kind) << std::hex << one.word;
}

TEST(RiscvKinds, WhetherABranchIsTaken)
{
    const uint64_t minus = ~UINT64_C(0);
    const struct {
        uint32_t word;
        unsigned left, right;
        uint64_t of_left, of_right;
        bool taken;
    } all[] = {
        {0x00b50463, 10, 11, 5, 5, true},      // beq a0,a1
        {0x00b50463, 10, 11, 5, 6, false},     //
        {0xfea59ee3, 11, 10, 5, 6, true},      // bne a1,a0
        {0xfea59ee3, 11, 10, 5, 5, false},     //
        {0x00b54463, 10, 11, minus, 0, true},  // blt a0,a1
        {0x00b54463, 10, 11, 0, 0, false},     //
        {0x00b55463, 10, 11, minus, 0, false}, // bge a0,a1
        {0x00b55463, 10, 11, 0, 0, true},      //
        {0x00b56463, 10, 11, minus, 0, false}, // bltu a0,a1
        {0x00b56463, 10, 11, 0, minus, true},  //
        {0x00b57463, 10, 11, minus, 0, true},  // bgeu a0,a1
        {0x00b57463, 10, 11, 0, minus, false}, //
        {0x01ff8463, 31, 31, 7, 7, true},      // beq t6,t6
        {0xc101, 10, 0, 0, 0, true},           // c.beqz a0
        {0xc101, 10, 0, 1, 0, false},          //
        {0xe381, 15, 0, 1, 0, true},           // c.bnez a5
        {0xe381, 15, 0, 0, 0, false},          //
    };

    for (const auto &one : all) {
        const cs_riscv_branch branch = cs_riscv_branch_of(one.word);

        EXPECT_EQ(cs_riscv_kind(one.word), static_cast<unsigned>(CS_RISCV_BRANCH));
        EXPECT_EQ(branch.left, one.left) << std::hex << one.word;
        EXPECT_EQ(branch.right, one.right) << std::hex << one.word;
        EXPECT_EQ(cs_riscv_is_taken(branch, one.of_left, one.of_right), one.taken)
            << std::hex << one.word << " " << one.of_left;
    }
}

} // namespace
