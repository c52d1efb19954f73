// SPDX-License-Identifier: Apache-2.0
// Random programs of software events: calls, signals, injections and completions, against the
// reference, in all answers, states, registers and bytes of shared memory.
#include <cstring>
#include <random>

#include "firmware.hpp"
#include "sse_reference.hpp"

using namespace cs_test;

namespace
{

using Registers = SseReference::Registers;

constexpr uint64_t kShared = kMemory + 0x1000, kSharedBytes = 0x100;

cs_sse_supervisor as_model(const Registers &r)
{
    return {r.pc,  r.privileged, r.virtualized, r.sepc, r.spp, r.spie,
            r.sie, r.spv,        r.spvp,        r.a6,   r.a7};
}

bool same(const cs_sse_supervisor &a, const Registers &b)
{
    return a.pc == b.pc && a.privileged == b.privileged && a.virtualized == b.virtualized &&
           a.sepc == b.sepc && a.spp == b.spp && a.spie == b.spie && a.sie == b.sie &&
           a.spv == b.spv && a.spvp == b.spvp && a.a6 == b.a6 && a.a7 == b.a7;
}

struct Counts {
    unsigned injected = 0, nested = 0, completed = 0, written = 0, oneshots = 0;
    std::map<int64_t, unsigned> errors;
};

class Program
{
  public:
    explicit Program(uint32_t seed)
        : random_(seed), xlen_(pick(2) ? 64 : 32), overflow_(pick(4) != 0), h_(pick(2) != 0),
          platform_(pick(CS_SSE_MAX_PLATFORM + 1)),
          reference_(xlen_, 1, 3, overflow_, h_, platform_)
    {
        cs_hart_alone_config config = cs_hart_alone_defaults();
        const cs_sbi_sse_config sse = {1, 3, overflow_, h_, platform_, kShared, kSharedBytes};
        const cs_timeline_desc desc = {1, 0, 0, tracks_, CS_HART_TRACKS, nullptr, 0, CS_MODE_EL0};
        cs_diag diag = {};

        for (unsigned i = 0; i < CS_HART_TRACKS; i++) {
            segments_[i].length_cycles = 1u << 20;
            segments_[i].mode = CS_MODE_S;
            tracks_[i] = {"track", &segments_[i], 1};
        }
        EXPECT_EQ(cs_timeline_create(&desc, &timeline_, &diag), CS_OK) << diag.text;
        config.hart.xlen = config.hpm.xlen = xlen_;
        config.timeline = timeline_;
        EXPECT_EQ(cs_hart_alone_create(&config, &alone_, &diag), CS_OK) << diag.text;
        EXPECT_EQ(cs_sbi_sse_create(&sse, &sse_, &diag), CS_OK) << diag.text;
    }
    ~Program()
    {
        cs_sbi_sse_destroy(sse_);
        cs_hart_alone_destroy(alone_);
        cs_timeline_destroy(timeline_);
    }

    void run(unsigned steps, Counts *counts)
    {
        for (unsigned i = 0; i < steps && !testing::Test::HasFailure(); i++) {
            SCOPED_TRACE("step " + std::to_string(i));
            step(counts);
            compare();
        }
    }

  private:
    unsigned pick(unsigned below)
    {
        return static_cast<unsigned>(random_() % below);
    }
    uint64_t word()
    {
        const uint64_t value = static_cast<uint64_t>(random_()) << 32 | random_();

        return xlen_ == 32 ? static_cast<uint32_t>(value) : value;
    }
    uint32_t event()
    {
        static const uint32_t others[] = {
            0, 1, 2, 0x8000, 0x10001, 0x100000, 0x108000, 0xffff8000, 0x4000 + CS_SSE_MAX_PLATFORM};

        switch (pick(8)) {
        case 0:
            return others[pick(sizeof others / sizeof others[0])];
        case 1:
        case 2:
            return CS_SSE_LOCAL_SOFTWARE;
        case 3:
        case 4:
            return CS_SSE_PMU_OVERFLOW;
        default:
            return CS_SSE_PLATFORM + pick(CS_SSE_MAX_PLATFORM);
        }
    }

    // Values that attributes may have, mostly.
    void fill_memory()
    {
        for (unsigned i = 0; i < 10; i++) {
            const uint64_t value = pick(8) == 0 ? word() : pick(3);

            for (unsigned k = 0; k < xlen_ / 8; k++) {
                const auto byte = static_cast<uint8_t>(value >> (8 * k));
                const uint64_t at = kShared + i * (xlen_ / 8) + k;

                memory_.bytes[at] = byte;
                cs_memory_write(cs_hart_alone_memory(alone_), at, 1, &byte, nullptr);
            }
        }
    }

    std::array<uint64_t, 6> arguments(uint64_t fid)
    {
        // Upper halves of what has 32 bits are not looked at.
        std::array<uint64_t, 6> args = {event() | (xlen_ == 64 && pick(8) == 0 ? word() << 32 : 0)};

        if (fid <= 1) {
            const bool fits = pick(4) != 0;

            args[1] = fits ? 1 + pick(9) : pick(12);
            args[2] = fits ? 1 + pick(static_cast<unsigned>(10 - args[1])) : pick(12);
            args[3] = kShared + (pick(6) ? 0 : pick(static_cast<unsigned>(kSharedBytes) + 16));
            args[3] -= pick(32) ? 0 : 0x1000;
            args[4] = pick(32) ? 0 : word();
            if (fid == CS_SBI_SSE_WRITE_ATTRS && pick(2)) {
                static const uint64_t writable[] = {1, 1, 2, 2, 6, 7, 8, 9};

                args[1] = writable[pick(8)];
                args[2] = 1;
            }
        } else if (fid == CS_SBI_SSE_REGISTER) {
            args[1] = word() & ~static_cast<uint64_t>(pick(6) ? 1 : 0);
            args[2] = word();
        } else if (fid == CS_SBI_SSE_INJECT) {
            args[1] = pick(6) ? 1 : pick(5);
        }
        return args;
    }

    // The supervisor goes on: its registers are whatever they are.
    void live()
    {
        registers_.pc = word();
        if (pick(4) != 0)
            return;
        registers_.a6 = word();
        registers_.a7 = word();
        registers_.spp = pick(2);
        registers_.spie = pick(2);
        registers_.spv = pick(2);
        registers_.spvp = pick(2);
        registers_.sepc = word();
        if (depth_ == 0) {
            registers_.privileged = pick(2);
            registers_.virtualized = h_ && pick(2);
            registers_.sie = pick(2);
        }
    }

    void call(Counts *counts)
    {
        static const uint64_t often[] = {CS_SBI_SSE_REGISTER, CS_SBI_SSE_ENABLE,
                                         CS_SBI_SSE_INJECT,   CS_SBI_SSE_COMPLETE,
                                         CS_SBI_SSE_COMPLETE, CS_SBI_SSE_WRITE_ATTRS};
        const uint64_t fid = pick(2) ? often[pick(6)] : pick(12);
        const std::array<uint64_t, 6> args = arguments(fid);
        cs_sse_supervisor s = as_model(registers_);

        if (fid == CS_SBI_SSE_WRITE_ATTRS)
            fill_memory();
        const cs_sbi_ret ret =
            cs_sbi_sse_call(sse_, cs_hart_alone_hart(alone_), fid, args.data(), &s);
        const int expected = reference_.call(fid, args, &memory_, &registers_);

        EXPECT_EQ(ret.error, expected) << "fid " << fid << " event " << args[0];
        EXPECT_TRUE(same(s, registers_)) << "fid " << fid;
        EXPECT_EQ(ret.value, 0u);
        counts->errors[ret.error]++;
        counts->written += fid == CS_SBI_SSE_WRITE_ATTRS && expected == 0;
        if (fid == CS_SBI_SSE_COMPLETE && depth_ > 0) {
            depth_--;
            counts->completed++;
        }
    }

    void step(Counts *counts)
    {
        live();
        if (pick(3) == 0) {
            const uint32_t id = event();

            cs_sbi_sse_signal(sse_, id);
            reference_.signal(id);
        } else {
            call(counts);
        }
        while (const std::optional<uint32_t> id = reference_.ready()) {
            const cs_sse_event *model = cs_sbi_sse_ready(sse_);
            cs_sse_supervisor s = as_model(registers_);

            ASSERT_NE(model, nullptr);
            ASSERT_EQ(model->id, *id);
            cs_sbi_sse_inject(sse_, &s);
            reference_.inject(&registers_);
            EXPECT_TRUE(same(s, registers_));
            counts->oneshots += reference_.events[*id].oneshot;
            counts->injected++;
            counts->nested += depth_++ > 0;
        }
        EXPECT_EQ(cs_sbi_sse_ready(sse_), nullptr);
    }

    void compare()
    {
        for (const auto &[id, e] : reference_.events) {
            const cs_sse_event *model = cs_sbi_sse_event(sse_, id);

            ASSERT_NE(model, nullptr);
            EXPECT_EQ(static_cast<int>(model->state), static_cast<int>(e.state)) << id;
            EXPECT_EQ(model->pending, e.pending) << id;
        }
        EXPECT_EQ(cs_sbi_sse_masked(sse_), reference_.masked);
        for (const auto &[at, byte] : memory_.bytes) {
            uint8_t read = 0;

            cs_memory_read(cs_hart_alone_memory(alone_), at, 1, &read);
            EXPECT_EQ(read, byte) << at;
        }
    }

    std::mt19937 random_;
    unsigned xlen_;
    bool overflow_, h_;
    unsigned platform_;
    SseReference reference_;
    SseReference::Memory memory_ = {kShared, kSharedBytes, {}};
    Registers registers_;
    unsigned depth_ = 0;
    cs_segment segments_[CS_HART_TRACKS] = {};
    cs_track tracks_[CS_HART_TRACKS] = {};
    cs_timeline *timeline_ = nullptr;
    cs_hart_alone *alone_ = nullptr;
    cs_sbi_sse *sse_ = nullptr;
};

} // namespace

TEST(SseRandom, Programs)
{
    Counts counts;

    for (uint32_t seed = 1; seed <= 600 && !HasFailure(); seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Program(seed).run(300, &counts);
    }
    // What has to have been met for this to say something.
    EXPECT_GT(counts.injected, 5000u);
    EXPECT_GT(counts.nested, 500u);
    EXPECT_GT(counts.completed, 5000u);
    EXPECT_GT(counts.written, 500u);
    EXPECT_GT(counts.oneshots, 100u);
    for (int64_t error : {0, -1, -2, -3, -4, -5, -7, -8, -10, -11})
        EXPECT_GT(counts.errors[error], 20u) << error;
}

TEST(Sse, HasAtMostEightEventsOfThePlatform)
{
    for (unsigned platform : {CS_SSE_MAX_PLATFORM, CS_SSE_MAX_PLATFORM + 1}) {
        const cs_sbi_sse_config config = {1, 3, true, false, platform, kShared, kSharedBytes};
        const bool good = platform == CS_SSE_MAX_PLATFORM;
        cs_sbi_sse *sse = nullptr;
        cs_diag diag = {};

        EXPECT_EQ(cs_sbi_sse_create(&config, &sse, &diag), good ? CS_OK : CS_ERR_RANGE);
        EXPECT_EQ(sse != nullptr, good);
        cs_sbi_sse_destroy(sse);
    }
}
