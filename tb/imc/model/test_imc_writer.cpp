// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Writer", STATUS and what power leaves of a transfer. TB(t) = t.
#include <algorithm>

#include "bench.hpp"

namespace
{

constexpr uint64_t pdbar = 0x10000;

uint64_t buffer(unsigned thread)
{
    return 0x100000 + 0x40000 * uint64_t{thread};
}

std::vector<cs_probe_record> records(const std::vector<Sample> &samples)
{
    std::vector<cs_probe_record> result;
    for (const Sample &s : samples)
        result.push_back(s.record());
    return result;
}

using Overflows = std::vector<std::vector<cs_cycle>>; // of each thread

// Four threads that trace; thread v overflows in the cycles of `when(v)` (its CPMC1 counts one
// there, and is loaded with all ones). The window has 2^17 cycles or so.
class Tracers : public Bench
{
  public:
    explicit Tracers(Overflows when, Style style = Style::at_once)
        : Bench(config_of(4), style), when_(std::move(when))
    {
        for (unsigned v = 0; v < 4; v++)
            threads[v].increment = [this, v](uint32_t event, cs_cycle t) -> uint64_t {
                return event == 0 && v < when_.size() &&
                       std::find(when_[v].begin(), when_[v].end(), t) != when_[v].end();
            };
        start(0);
    }

    void start(cs_cycle at)
    {
        write(at, CS_IMC_REG_TRACE, TraceFields{0, ~0u, 0, 0, 0}.value());
        write(at + 1, CS_IMC_REG_EVENT_MASK, field(7, 32) | all_sets);
        write(at + 2, CS_IMC_REG_HTM_MODE, htm_on);
        for (unsigned v = 0; v < 4; v++)
            write(at + 3 + v, CS_IMC_REG_LDBAR + v, ldbar_trace | buffer(v));
    }

    std::vector<unsigned> order() const
    {
        std::vector<unsigned> result;
        for (const Transfer &t : bus.log)
            result.push_back(static_cast<unsigned>((t.addr - buffer(0)) / 0x40000));
        return result;
    }

  private:
    Overflows when_;
};

TEST(ImcWriter, AResetLeavesNothing)
{
    Tracers b({{20, 300}, {}, {}, {}});
    b.run(200);
    ASSERT_EQ(1u, b.bus.log.size());

    cs_imc_core_reset(b.model(), 210);
    EXPECT_EQ(210u, b.now());
    EXPECT_EQ(CS_NEVER, cs_imc_core_next(b.model()));
    for (const unsigned reg : {CS_IMC_REG_TRACE, CS_IMC_REG_EVENT_MASK, CS_IMC_REG_HTM_MODE,
                               CS_IMC_REG_STATUS, CS_IMC_REG_LDBAR})
        EXPECT_EQ(0u, b.read(210, reg)) << reg;
    b.run(1000);
    EXPECT_EQ(1u, b.bus.log.size());
}

// Neither the transfer that is out, nor whose turn it was, nor the numbers.
TEST(ImcWriter, AResetForgetsTheTransfer)
{
    Tracers b({{60}, {60}, {20, 60}, {60}}); // 2 is written in 23..28
    b.run(25);
    ASSERT_EQ(1u, b.bus.log.size());

    cs_imc_core_reset(b.model(), 25);
    EXPECT_EQ(0u, count_of_status(b.read(25, CS_IMC_REG_STATUS)));
    b.start(26);
    b.run(100);
    EXPECT_EQ((std::vector<unsigned>{2, 0, 1, 2, 3}), b.order());
    EXPECT_EQ(records({{68, 0, buffer(0), 0, 64, 0, 61},
                       {75, 1, buffer(1), 0, 64, 0, 61},
                       {82, 2, buffer(2), 0, 64, 0, 61},
                       {89, 3, buffer(3), 0, 64, 0, 61}}),
              b.records_of(CS_PROBE_SAMPLE));
}

// ---- order and times ----

TEST(ImcWriter, RoundRobin)
{
    const struct {
        Overflows when;
        std::vector<unsigned> order;
    } cases[] = {
        {{{20}, {20}, {20}, {20}}, {0, 1, 2, 3}},
        {{{100}, {100}, {20, 100}, {100}}, {2, 3, 0, 1, 2}},
        {{{100}, {100}, {100}, {20, 100}}, {3, 0, 1, 2, 3}},
        {{{20}, {100}, {}, {20}}, {0, 3, 1}},
        // The second of thread 0 waits when 0's first is complete.
        {{{20, 22}, {21}, {21}, {}}, {0, 1, 2, 0}},
    };

    for (const auto &c : cases) {
        Tracers bench(c.when);
        bench.run(200);
        EXPECT_EQ(c.order, bench.order());
    }
}

// Overflow 20, u = 21, waits and is taken in 22, request 23; complete 28, idle 29, request 30.
TEST(ImcWriter, Times)
{
    for (Style style : {Style::at_once, Style::later, Style::later_copied}) {
        Tracers bench({{20}, {20}}, style);
        bench.run(100);
        ASSERT_EQ(2u, bench.bus.log.size());
        EXPECT_EQ(23u, bench.bus.log[0].request);
        EXPECT_EQ(30u, bench.bus.log[1].request);
        EXPECT_EQ(records({{28, 0, buffer(0), 0, 64, 0, 21}, {35, 1, buffer(1), 0, 64, 0, 21}}),
                  bench.records_of(CS_PROBE_SAMPLE));
    }
}

TEST(ImcWriter, CompleteInTheCycleOfTheRequest)
{
    Tracers bench({{20}, {20}});

    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{0}; };
    bench.run(100);
    EXPECT_EQ(25u, bench.bus.log.at(1).request);
}

// A thread that accumulates and three that trace: posts first, the core's before the thread's.
TEST(ImcWriter, PostsBeforeRecords)
{
    Bench bench(config_of(2));

    for (Thread &thread : bench.threads)
        thread.increment = [](uint32_t event, cs_cycle t) -> uint64_t {
            return event == 256 && (t == 5 || t == 7);
        };
    bench.bus.latency = [](unsigned, cs_cycle) { return cs_cycle{10}; };
    bench.write(0, CS_IMC_REG_PDBAR, pdbar);
    bench.write(0, CS_IMC_REG_EVENT_MASK, all_sets);
    bench.write(0, CS_IMC_REG_TRACE, TraceFields{2, ~0u, 0, 0, 0}.value());
    bench.write(1, CS_IMC_REG_LDBAR, ldbar_enable | buffer(0));
    bench.write(1, CS_IMC_REG_LDBAR + 1, ldbar_trace | buffer(1));
    bench.write(1, CS_IMC_REG_HTM_MODE, htm_on);
    // The record of u = 6 is taken in 7 and complete in 18; that of u = 8 waits from 9 on, and so
    // do the posts of boundary 8. Off, no more come.
    EXPECT_EQ(1u, count_of_status(bench.read(8, CS_IMC_REG_STATUS)));
    EXPECT_EQ(4u, count_of_status(bench.read(9, CS_IMC_REG_STATUS)));
    bench.write(12, CS_IMC_REG_HTM_MODE, 0);
    bench.run(60);
    ASSERT_EQ(4u, bench.bus.log.size());
    EXPECT_EQ(buffer(1), bench.bus.log[0].addr);
    EXPECT_EQ(add_bit | (pdbar + 0x18), bench.bus.log[1].addr);
    EXPECT_EQ(add_bit | (buffer(0) + 0x18), bench.bus.log[2].addr);
    EXPECT_EQ(20u, bench.bus.log[1].request);
    EXPECT_EQ(32u, bench.bus.log[2].request);
    EXPECT_EQ(buffer(1) + 64, bench.bus.log[3].addr);
}

// ---- responses ----

constexpr uint64_t error_bit = field(1, 0), pdbar_error = field(1, 2);
constexpr uint64_t addr_err = field(1, 12), ack_dead = field(1, 13);

struct Response {
    unsigned which; // 0: the core's post, 1: the thread's, 2: a record
    uint8_t resp;
    uint64_t status, fir;
};

const Response responses[] = {
    {0, CS_BUS_OKAY, 0, 0},
    {0, CS_BUS_SLVERR, error_bit | pdbar_error, ack_dead},
    {0, CS_BUS_DECERR, error_bit | pdbar_error, addr_err},
    {1, CS_BUS_SLVERR, error_bit, ack_dead},
    {1, CS_BUS_DECERR, error_bit, addr_err},
    {2, CS_BUS_SLVERR, error_bit, ack_dead},
    {2, CS_BUS_DECERR, error_bit, addr_err},
};

// A boundary in 8 posts twice, in 10..15 and 17..22; with LDBAR.TRACE one record is written, of
// u = 6, in 8..13. Returns the cycle of the response.
cs_cycle prepare(Bench &bench, const Response &r)
{
    const uint64_t mode = r.which == 2 ? ldbar_trace : ldbar_enable;
    const unsigned bad = r.which == 1 ? 1 : 0;

    bench.bus.error = [bad, r](unsigned n) { return n == bad ? r.resp : uint8_t{CS_BUS_OKAY}; };
    bench.threads[0].increment = [](uint32_t event, cs_cycle t) -> uint64_t {
        return event == 256 && t == 5;
    };
    bench.write(0, CS_IMC_REG_PDBAR, pdbar);
    bench.write(0, CS_IMC_REG_TRACE, TraceFields{2, ~0u, 0, 0, 0}.value());
    bench.write(1, CS_IMC_REG_LDBAR, mode | buffer(0));
    bench.write(1, CS_IMC_REG_HTM_MODE, htm_on);
    return r.which == 0 ? 15 : r.which == 1 ? 22 : 13;
}

TEST(ImcWriter, ResponsesSetBits)
{
    for (const Response &r : responses) {
        Bench bench(config_of(1));
        const cs_cycle c = prepare(bench, r);
        const uint64_t errors = error_bit | pdbar_error;
        EXPECT_EQ(0u, bench.read(c, CS_IMC_REG_STATUS) & errors);
        EXPECT_EQ(0u, bench.read(c, CS_IMC_REG_FIR));
        EXPECT_EQ(r.status, bench.read(c + 1, CS_IMC_REG_STATUS) & errors);
        EXPECT_EQ(r.fir, bench.read(c + 1, CS_IMC_REG_FIR));
        // They stick, and nothing stops.
        EXPECT_EQ(r.status, bench.read(c + 100, CS_IMC_REG_STATUS) & errors);
        EXPECT_EQ(RUN, state_of_status(bench.read(c + 100, CS_IMC_REG_STATUS)));
        if (r.which != 2) {
            EXPECT_GT(bench.bus.log.size(), 10u);
        }
        // HTM_MODE clears the ones, FIR the others.
        bench.write(c + 100, CS_IMC_REG_HTM_MODE, htm_on);
        EXPECT_EQ(0u, bench.read(c + 101, CS_IMC_REG_STATUS) & errors);
        EXPECT_EQ(r.fir, bench.read(c + 101, CS_IMC_REG_FIR));
        bench.write(c + 101, CS_IMC_REG_FIR, 0);
        EXPECT_EQ(0u, bench.read(c + 102, CS_IMC_REG_FIR));
    }
}

TEST(ImcWriter, SetWinsOverTheWriteOfItsCycle)
{
    for (const Response &r : responses) {
        Bench bench(config_of(1));
        const cs_cycle c = prepare(bench, r);
        bench.write(c, CS_IMC_REG_HTM_MODE, htm_on);
        bench.write(c, CS_IMC_REG_FIR, 0);
        EXPECT_EQ(r.status, bench.read(c + 1, CS_IMC_REG_STATUS) & (error_bit | pdbar_error));
        EXPECT_EQ(r.fir, bench.read(c + 1, CS_IMC_REG_FIR));
    }
}

// The number counts what was carried out, whatever the response.
TEST(ImcWriter, SampleRecords)
{
    Tracers bench({{20, 40, 60}, {60}});

    bench.bus.error = [](unsigned n) { return uint8_t(n == 1 ? CS_BUS_DECERR : CS_BUS_OKAY); };
    bench.run(100);
    EXPECT_EQ(records({{28, 0, buffer(0), 0, 64, CS_BUS_OKAY, 21},
                       {48, 0, buffer(0) + 64, 1, 64, CS_BUS_DECERR, 41},
                       {68, 1, buffer(1), 0, 64, CS_BUS_OKAY, 61},
                       {75, 0, buffer(0) + 128, 2, 64, CS_BUS_OKAY, 61}}),
              bench.records_of(CS_PROBE_SAMPLE));
}

// ---- STATUS ----

TEST(ImcStatus, TraceActiveAndCount)
{
    Tracers bench({{20}, {20}, {20}, {20}});
    const uint64_t active = field(1, 1);

    EXPECT_EQ(0u, count_of_status(bench.read(21, CS_IMC_REG_STATUS)));
    EXPECT_EQ(4u, count_of_status(bench.read(22, CS_IMC_REG_STATUS)));
    EXPECT_EQ(4u, count_of_status(bench.read(28, CS_IMC_REG_STATUS)));
    EXPECT_EQ(3u, count_of_status(bench.read(29, CS_IMC_REG_STATUS)));
    for (unsigned v = 0; v < 4; v++)
        bench.write(29, CS_IMC_REG_LDBAR + v, 0); // 1 is taken in 29, 2 and 3 are dropped
    EXPECT_EQ(active, bench.read(30, CS_IMC_REG_STATUS) & active);
    EXPECT_EQ(1u, count_of_status(bench.read(35, CS_IMC_REG_STATUS)));
    EXPECT_EQ(active, bench.read(35, CS_IMC_REG_STATUS) & active);
    EXPECT_EQ(0u, bench.read(36, CS_IMC_REG_STATUS) & active);
    EXPECT_EQ(0u, count_of_status(bench.read(36, CS_IMC_REG_STATUS)));
}

TEST(ImcStatus, TracesWhenOff)
{
    Bench bench(config_of(2));

    bench.write(10, CS_IMC_REG_LDBAR + 1, ldbar_trace);
    EXPECT_EQ(field(1, 1), bench.read(11, CS_IMC_REG_STATUS));
}

// ---- power ----

TEST(ImcWriter, PowerLossLeavesOnlyTheTransfer)
{
    Tracers bench({{20}, {20}}, Style::later);

    bench.power(25, false); // in 23..28 the first is written; the second waits
    bench.power(60, true);
    bench.run(100);
    EXPECT_EQ(1u, bench.bus.log.size());
    EXPECT_EQ(records({{28, 0, buffer(0), 0, 64, 0, 21}}), bench.records_of(CS_PROBE_SAMPLE));
}

// The bits that its response sets are lost in a cycle without power, and kept in one with.
TEST(ImcWriter, ResponseAfterPowerLoss)
{
    for (cs_cycle on : {28, 29}) {
        Tracers bench(Overflows{{20}});
        bench.bus.error = [](unsigned) { return uint8_t{CS_BUS_SLVERR}; };
        bench.power(25, false);
        bench.power(on, true);
        EXPECT_EQ(on == 28 ? error_bit : 0, bench.read(29, CS_IMC_REG_STATUS));
        EXPECT_EQ(on == 28 ? ack_dead : 0, bench.read(29, CS_IMC_REG_FIR));
        EXPECT_EQ(1u, bench.records_of(CS_PROBE_SAMPLE).size());
    }
}

// Neither overflow, snapshot nor taking happens without power.
TEST(ImcWriter, PowerLossInEachCycleOfASample)
{
    for (cs_cycle off : {20, 21, 22}) {
        Tracers bench(Overflows{{20}});
        bench.power(off, false);
        bench.run(100);
        EXPECT_TRUE(bench.bus.log.empty()) << off;
        EXPECT_TRUE(bench.records_of(CS_PROBE_SAMPLE).empty()) << off;
    }
    Tracers bench(Overflows{{20}});
    bench.power(23, false);
    bench.run(100);
    EXPECT_EQ(1u, bench.bus.log.size());
}

TEST(ImcWriter, TurnAndNumbersOutlivePower)
{
    Tracers bench(Overflows{{20, 60}, {60}, {}, {}});

    bench.power(40, false);
    bench.power(42, true);
    bench.write(43, CS_IMC_REG_TRACE, TraceFields{0, ~0u, 0, 0, 0}.value());
    for (unsigned v = 0; v < 4; v++)
        bench.write(44, CS_IMC_REG_LDBAR + v, ldbar_trace | buffer(v));
    bench.write(45, CS_IMC_REG_EVENT_MASK, field(7, 32));
    bench.write(46, CS_IMC_REG_HTM_MODE, htm_on);
    bench.run(100);
    EXPECT_EQ((std::vector<unsigned>{0, 1, 0}), bench.order());
    EXPECT_EQ(records({{28, 0, buffer(0), 0, 64, 0, 21},
                       {68, 1, buffer(1), 0, 64, 0, 61},
                       {75, 0, buffer(0), 1, 64, 0, 61}}),
              bench.records_of(CS_PROBE_SAMPLE));
}

} // namespace
