// SPDX-License-Identifier: Apache-2.0
// What docs/drivers/software_way.md says, as a plain loop over cycles: counters are registers that grow by what
// happens in each cycle, the kernel and perf are rows of instructions.
#ifndef TB_DRIVERS_MULTIPLEX_REFERENCE_HPP
#define TB_DRIVERS_MULTIPLEX_REFERENCE_HPP

#include <algorithm>
#include <deque>
#include <list>

#include "multiplex_rig.hpp"
#include "scenario/corepmu/multiplex_spec.h"

namespace cs_multiplex_test
{

class Reference
{
  public:
    std::vector<cs_rotated_count> told;
    std::vector<Stay> stays;
    cs_multiplex_report report = {};
    cs_cycle end = 0;
    // By CPU and event: what happened in the cycles in which it was on a counter that counted, and the
    // cycles in which it had one.
    std::vector<std::vector<uint64_t>> counted, on_counter;
    bool overflowed = false; // any counter came round

    Reference(const cs_multiplex_spec &spec, unsigned nr_cpus, unsigned tool_cpu, Streams &streams)
        : counted(nr_cpus, std::vector<uint64_t>(spec.nr_events)), on_counter(counted), s_(spec),
          streams_(streams), cpus_(nr_cpus), home_(tool_cpu), at_(tool_cpu),
          mask_(spec.counter_bits == 64 ? UINT64_MAX : (uint64_t(1) << spec.counter_bits) - 1)
    {
        for (unsigned c = 0; c < nr_cpus; c++) {
            Cpu &cpu = cpus_[c];

            cpu.number = c;
            cpu.measured = spec.cpus[c];
            cpu.counters.resize(spec.counters + 1);
            cpu.events.resize(spec.nr_events);
            for (unsigned e = 0; e < spec.nr_events; e++) {
                cpu.list.push_back(e);
                cpu.events[e].left = int64_t(mask_ >> 1);
            }
        }
    }

    void run(cs_cycle limit)
    {
        now_ = 1;
        perf_starts();
        for (; now_ < limit; now_++) {
            settle();
            note_stays();
            if (ended_ && std::all_of(cpus_.begin(), cpus_.end(),
                                      [](const Cpu &c) { return c.kernel.empty(); }))
                break;
            pass_a_cycle();
        }
        end = now_;
        std::sort(stays.begin(), stays.end());
    }

  private:
    struct Instruction {
        uint64_t cycles;
        std::function<void()> then;
    };
    struct Counter {
        int event = -1;
        uint64_t value = 0;
        bool overflow = false;
    };
    struct Event {
        int counter = -1;
        uint64_t prev = 0, raw = 0, running = 0, told_raw = 0, told_running = 0;
        cs_cycle told_at = 0, seen_at = 0; // read: the times go with the count
        uint64_t seen_running = 0;
        int64_t left = 0;
    };
    struct Cpu {
        unsigned number = 0;
        bool measured = false, enabled = false, e = false; // e: PMCR.E
        std::vector<Counter> counters;                     // [0] the cycle counter
        std::vector<Event> events;
        std::list<unsigned> list; // the events' turns
        unsigned ticks = 0;
        cs_cycle tick_due = CS_NEVER, call_due = CS_NEVER, opened = 0, closed = 0;
        std::function<void()> call;
        std::deque<Instruction> kernel; // with interrupts off
        std::deque<Instruction> perf;
        bool taken = false;
        cs_cycle since = 0;
    };

    cs_multiplex_spec s_;
    Streams &streams_;
    std::vector<Cpu> cpus_;
    unsigned home_, at_;
    uint64_t mask_;
    cs_cycle now_ = 0;
    bool ended_ = false, awake_ = true;
    cs_cycle wake_at_ = CS_NEVER;

    // ---- costs ----

    uint64_t registers(const std::string &accesses)
    {
        const auto reads = uint64_t(std::count(accesses.begin(), accesses.end(), 'r'));
        const auto writes = uint64_t(std::count(accesses.begin(), accesses.end(), 'w'));

        report.rotating.register_accesses += reads + writes;
        return reads * s_.register_read_cycles + writes * s_.register_write_cycles;
    }
    uint64_t pmu_off()
    {
        return registers("r:PMCR w:PMCR");
    }
    uint64_t pmu_on()
    {
        return registers("w:PMUSERENR r:PMCR w:PMCR");
    }
    uint64_t out()
    {
        return s_.event_out_cycles + registers("w:PMCNTENCLR w:PMINTENCLR w:PMOVSCLR r:PMEVCNTR");
    }
    uint64_t in()
    {
        return s_.event_in_cycles +
               registers("w:PMEVCNTR w:PMCNTENCLR w:PMEVTYPER w:PMINTENSET w:PMCNTENSET");
    }

    // ---- counters ----

    void read_counter(Cpu &cpu, Event &e)
    {
        const uint64_t value = cpu.counters[unsigned(e.counter)].value;
        const uint64_t delta = (value - e.prev) & mask_;

        e.prev = value;
        e.raw += delta;
        e.left -= int64_t(delta);
    }
    void write_counter(Cpu &cpu, Event &e)
    {
        const int64_t period = int64_t(mask_ >> 1);

        if (e.left <= -period)
            e.left = period;
        if (e.left <= 0)
            e.left += period;
        e.prev = cpu.counters[unsigned(e.counter)].value = uint64_t(-e.left) & mask_;
    }
    unsigned take_all_out(Cpu &cpu)
    {
        unsigned n = 0;

        for (Counter &counter : cpu.counters) {
            if (counter.event < 0)
                continue;
            Event &e = cpu.events[unsigned(counter.event)];
            read_counter(cpu, e);
            e.counter = counter.event = -1;
            counter.overflow = false;
            n++;
        }
        return n;
    }
    // In the order of the list, up to the first that finds no counter.
    std::vector<unsigned> fitting(Cpu &cpu, unsigned enabled)
    {
        std::vector<unsigned> set;
        unsigned general = 0;
        bool cycles = false;

        for (unsigned e : cpu.list) {
            if (e >= enabled)
                continue;
            if (s_.events[e] == kCycles && !cycles)
                cycles = true;
            else if (general < s_.counters)
                general++;
            else
                break;
            set.push_back(e);
        }
        return set;
    }
    unsigned put_in(Cpu &cpu)
    {
        const std::vector<unsigned> set = fitting(cpu, s_.nr_events);
        int general = 1;

        for (unsigned number : set) {
            Event &e = cpu.events[number];

            e.counter = s_.events[number] == kCycles && cpu.counters[0].event < 0 ? 0 : general++;
            cpu.counters[unsigned(e.counter)].event = int(number);
            write_counter(cpu, e);
        }
        return unsigned(set.size());
    }

    // ---- the kernel ----

    void then(Cpu &cpu, uint64_t cycles, std::function<void()> what)
    {
        cpu.kernel.push_back({cycles, std::move(what)});
    }
    void interrupt(Cpu &cpu, std::function<void()> handler)
    {
        report.rotating.interrupts++;
        then(cpu, s_.irq_entry_cycles, std::move(handler));
    }
    void leave(Cpu &cpu)
    {
        then(cpu, s_.irq_exit_cycles, [] {});
    }

    void tick(Cpu &cpu)
    {
        report.rotating.ticks++;
        while (cpu.tick_due + s_.tick_us <= now_) {
            report.rotating.late_ticks++;
            cpu.tick_due += s_.tick_us;
        }
        cpu.tick_due += s_.tick_us;
        if (++cpu.ticks % s_.divider != 0) {
            then(cpu, s_.timer_cycles,
                 [this, &cpu] { then(cpu, 0, [this, &cpu] { leave(cpu); }); });
            return;
        }
        report.rotating.rotations++;
        then(cpu, s_.timer_cycles + pmu_off(), [this, &cpu] {
            cpu.e = false;
            uint64_t cost = s_.rotation_cycles;
            for (unsigned n = take_all_out(cpu); n > 0; n--)
                cost += out();
            cpu.list.push_front(cpu.list.back());
            cpu.list.pop_back();
            const unsigned n = put_in(cpu);
            for (unsigned i = 0; i < n; i++)
                cost += in();
            cost += uint64_t(s_.event_skip_cycles) * (s_.nr_events - n) + pmu_on();
            then(cpu, cost, [this, &cpu] {
                cpu.e = true;
                leave(cpu);
            });
        });
    }

    void overflow(Cpu &cpu)
    {
        then(cpu, registers("r:PMOVSCLR w:PMOVSCLR") + pmu_off(), [this, &cpu] {
            cpu.e = false;
            uint64_t cost = 0;
            report.overflows++;
            for (Counter &counter : cpu.counters) {
                if (!counter.overflow)
                    continue;
                Event &e = cpu.events[unsigned(counter.event)];
                read_counter(cpu, e);
                write_counter(cpu, e);
                counter.overflow = false;
                cost += s_.overflow_cycles + registers("r:PMEVCNTR w:PMEVCNTR");
            }
            then(cpu, cost + pmu_on(), [this, &cpu] {
                cpu.e = true;
                leave(cpu);
            });
        });
    }

    void enable(Cpu &cpu, unsigned number, std::function<void()> done)
    {
        then(cpu, pmu_off(), [this, &cpu, number, done] {
            uint64_t cost = 0;
            const auto before = fitting(cpu, number).size(),
                       after = fitting(cpu, number + 1).size();
            for (size_t i = 0; i < before; i++)
                cost += out();
            for (size_t i = 0; i < after; i++)
                cost += in();
            cost += s_.event_skip_cycles * (number + 1 - after) + pmu_on();
            then(cpu, cost, [this, &cpu, number, done] {
                if (number + 1 == s_.nr_events) {
                    const unsigned n = put_in(cpu);
                    cpu.enabled = cpu.e = true;
                    cpu.opened = now_;
                    for (Event &e : cpu.events)
                        e.told_at = now_;
                    if (n < s_.nr_events)
                        cpu.tick_due = now_ - now_ % s_.tick_us + s_.tick_us;
                }
                done();
            });
        });
    }

    void read(Cpu &cpu, unsigned number, std::function<void()> done)
    {
        then(cpu, registers("r:PMEVCNTR"), [this, &cpu, number, done] {
            // The tick cannot come between the question and the answer but on another CPU.
            if (cpu.events[number].counter >= 0)
                read_counter(cpu, cpu.events[number]);
            see(cpu.events[number]);
            then(cpu, s_.event_read_cycles, done);
        });
    }

    void disable(Cpu &cpu, unsigned number, std::function<void()> done)
    {
        then(cpu, pmu_off(), [this, &cpu, number, done] {
            if (cpu.enabled) {
                std::vector<unsigned> had;
                for (Counter &counter : cpu.counters)
                    if (counter.event >= 0)
                        had.push_back(unsigned(counter.event));
                take_all_out(cpu);
                cpu.e = cpu.enabled = false;
                cpu.closed = now_;
                cpu.tick_due = CS_NEVER;
                had_counter_[cpu.number] = had;
            }
            const auto &had = had_counter_[cpu.number];
            const bool on = std::count(had.begin(), had.end(), number) != 0;
            then(cpu, (on ? out() : 0) + pmu_on(), done);
        });
    }
    std::vector<unsigned> had_counter_[CS_MAX_CPUS];

    // ---- perf ----

    void perf(uint64_t cycles, std::function<void()> what)
    {
        cpus_[at_].perf.push_back({cycles, std::move(what)});
    }

    enum Pass { kEnable, kRead, kDisable, kLastRead };

    unsigned first_cpu(unsigned from)
    {
        while (from < cpus_.size() && !cpus_[from].measured)
            from++;
        return from;
    }

    void perf_starts()
    {
        visit(kEnable, first_cpu(0));
    }

    void visit(Pass pass, unsigned cpu)
    {
        if (cpu == cpus_.size()) {
            end_of_pass(pass);
            return;
        }
        if (s_.calls || at_ == cpu) {
            system_call(pass, cpu, 0);
            return;
        }
        at_ = cpu;
        perf(s_.migration_cycles, [this, pass, cpu] { system_call(pass, cpu, 0); });
    }

    void system_call(Pass pass, unsigned cpu, unsigned event)
    {
        if (event == s_.nr_events) {
            visit(pass, first_cpu(cpu + 1));
            return;
        }
        report.system_calls++;
        perf(s_.syscall_cycles, [this, pass, cpu, event] { in_the_kernel(pass, cpu, event); });
    }

    void in_the_kernel(Pass pass, unsigned number, unsigned event)
    {
        Cpu &cpu = cpus_[number];
        const bool reads = pass == kRead || pass == kLastRead;
        const bool last = pass == kLastRead;
        auto done = [this, pass, number, event, reads, last] {
            if (reads)
                tell(cpus_[number], event, last);
            waits_ = false;
            system_call(pass, number, event + 1);
        };

        if (reads && cpu.events[event].counter < 0) {
            see(cpu.events[event]);
            done();
            return;
        }
        waits_ = true;
        auto what = [this, pass, &cpu, event, done](bool remote) {
            auto finish = [this, &cpu, remote, done] {
                if (remote)
                    leave(cpu);
                done();
            };
            if (pass == kEnable)
                enable(cpu, event, finish);
            else if (pass == kDisable)
                disable(cpu, event, finish);
            else
                read(cpu, event, finish);
        };
        if (number == at_) {
            what(false);
            return;
        }
        report.calls++;
        cpu.call_due = now_ + s_.ipi_cycles;
        cpu.call = [what] { what(true); };
    }
    bool waits_ = false;

    void see(Event &e)
    {
        e.seen_at = now_;
        e.seen_running = e.running;
    }

    void tell(Cpu &cpu, unsigned number, bool last)
    {
        Event &e = cpu.events[number];
        cs_rotated_count count = {};

        count.pmu = CS_ROTATED_CPU_PMU;
        count.cpu = cpu.number;
        count.event = s_.events[number];
        count.from = last ? cpu.opened : e.told_at;
        count.to = last ? cpu.closed : e.seen_at;
        count.running = e.seen_running - (last ? 0 : e.told_running);
        count.raw = e.raw - (last ? 0 : e.told_raw);
        count.final = last;
        told.push_back(count);
        e.told_at = e.seen_at;
        e.told_raw = e.raw;
        e.told_running = e.seen_running;
    }

    void end_of_pass(Pass pass)
    {
        if (pass == kDisable) {
            visit(kLastRead, first_cpu(0));
        } else if (pass == kLastRead) {
            ended_ = true;
            awake_ = false;
            wake_at_ = CS_NEVER;
        } else {
            awake_ = false;
            at_ = home_;
            wake_at_ = s_.stop_us;
            if (s_.interval_us != 0)
                wake_at_ = std::min(wake_at_, now_ + s_.interval_us);
            wake_at_ = std::max(wake_at_, now_);
        }
    }

    // ---- cycles ----

    bool settle_cpu(Cpu &cpu)
    {
        if (!cpu.kernel.empty()) {
            if (cpu.kernel.front().cycles != 0)
                return false;
            const auto what = cpu.kernel.front().then;
            cpu.kernel.pop_front();
            what();
            return true;
        }
        const bool flag = std::any_of(cpu.counters.begin(), cpu.counters.end(),
                                      [](const Counter &c) { return c.overflow; });
        if (cpu.call_due <= now_) {
            cpu.call_due = CS_NEVER;
            interrupt(cpu, cpu.call);
        } else if (flag) {
            interrupt(cpu, [this, &cpu] { overflow(cpu); });
        } else if (cpu.tick_due <= now_) {
            interrupt(cpu, [this, &cpu] { tick(cpu); });
        } else {
            return false;
        }
        return true;
    }

    bool settle_perf()
    {
        if (!awake_) {
            if (wake_at_ > now_)
                return false;
            awake_ = true;
            perf(s_.wakeup_cycles,
                 [this] { visit(now_ >= s_.stop_us ? kDisable : kRead, first_cpu(0)); });
            return true;
        }
        Cpu &cpu = cpus_[at_];
        if (!cpu.kernel.empty() || cpu.perf.empty() || cpu.perf.front().cycles != 0)
            return false;
        const auto what = cpu.perf.front().then;
        cpu.perf.pop_front();
        what();
        return true;
    }

    void settle()
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (Cpu &cpu : cpus_)
                while (settle_cpu(cpu))
                    moved = true;
            moved = settle_perf() || moved;
        }
    }

    void note_stays()
    {
        for (Cpu &cpu : cpus_) {
            const bool taken = !cpu.kernel.empty() || (awake_ && &cpu == &cpus_[at_]);

            if (taken && !cpu.taken)
                cpu.since = now_;
            if (!taken && cpu.taken && cpu.since != now_)
                stays.push_back({cpu.number, cpu.since, now_});
            cpu.taken = taken;
        }
    }

    void pass_a_cycle()
    {
        for (Cpu &cpu : cpus_) {
            report.rotating.rotating_cycles += cpu.taken;
            for (Counter &counter : cpu.counters) {
                if (counter.event < 0)
                    continue;
                const auto number = unsigned(counter.event);
                on_counter[cpu.number][number]++;
                cpu.events[number].running++;
                if (!cpu.e)
                    continue;
                const unsigned n = streams_.at(cpu.number, s_.events[number], now_);
                counted[cpu.number][number] += n;
                if (n > mask_ - counter.value)
                    counter.overflow = overflowed = true;
                counter.value = (counter.value + n) & mask_;
            }
            if (!cpu.kernel.empty())
                cpu.kernel.front().cycles--;
            else if (awake_ && &cpu == &cpus_[at_] && !cpu.perf.empty())
                cpu.perf.front().cycles--;
        }
    }
};

} // namespace cs_multiplex_test

#endif
