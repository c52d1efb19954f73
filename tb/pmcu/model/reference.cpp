// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <algorithm>

namespace
{

enum { IDLE, INIT, FETCH, PROGRAM, START, WAIT, STOP, READ, STORE, SWITCH, BREAK };

struct Access {
    bool write;
    unsigned offset, bytes;
    uint64_t data;
    int low, high; // fields in the sample for idx 0, -1: none
    int stride;
    bool reset = false;
};

// A slot that is missing from the subsamples first..last.
struct Missing {
    unsigned index;
    uint64_t first, last;
};

class Run
{
  public:
    Run(const cs_pmcu_config &config, const Program &program, World &world, cs_cycle brk)
        : c_(config), p_(program), world_(world), brk_(brk), nr_cpu_(c_.clusters * c_.slots)
    {
        pointer_ = p_.store_base & ~7ull;
        kill_ = p_.kill_base & ~7ull;
        sample_.resize((p_.nr_pmu + (p_.comp ? 1 : 2)) * 8 * nr_cpu_);
    }

    Outcome go(cs_cycle start)
    {
        whole_run(start);
        std::stable_sort(
            out_.transfers.begin(), out_.transfers.end(), [](const Transfer &a, const Transfer &b) {
                return a.request != b.request ? a.request < b.request : a.port < b.port;
            });
        out_.end = out_.states.back().cycle;
        return std::move(out_);
    }

  private:
    // Every step takes the first cycle of its state and returns the first cycle of the next;
    // when BRK has cut it, broken_ is set.
    void whole_run(cs_cycle t)
    {
        const unsigned groups = (p_.ev_len + p_.nr_pmu - 1) / p_.nr_pmu;
        bool fetched = false;

        t = walk(INIT, t);
        for (unsigned loop = 0; loop < p_.nr_loop; loop++)
            for (unsigned group = 0; group < groups; group++) {
                const bool last = loop + 1 == p_.nr_loop && group + 1 == groups;
                const bool prefetch = c_.prefetch && !last;

                first_ = loop == 0 && group == 0;
                last_ = last;

                if (!broken_ && !fetched) {
                    enter(FETCH, t);
                    t = fetch(group, t) + 1;
                    if (!broken_ && out_.errors & CS_PMCU_FSM_STATUS_FETCH_ERR_MASK)
                        return enter(IDLE, t);
                }
                t = walk(PROGRAM, t);
                t = walk(START, t);
                t = wait(prefetch, (group + 1) % groups, t);
                fetched = prefetch;
                t = walk(STOP, t);
                t = walk(READ, t);
                t = store(t);
                if (!broken_ && out_.errors & (CS_PMCU_FSM_STATUS_KILL_MASK |
                                               CS_PMCU_FSM_STATUS_STORE_ERR_MASK))
                    return enter(IDLE, t);
                if (!broken_) {
                    enter(SWITCH, t);
                    out_.samples.push_back(
                        {t, sample_addr_, number_++, static_cast<uint32_t>(sample_.size())});
                    broken_ = t >= brk_;
                    t++;
                    if (!broken_ && (last || out_.errors & CS_PMCU_FSM_STATUS_FETCH_ERR_MASK))
                        return enter(IDLE, t);
                }
                if (broken_) {
                    enter(BREAK, t);
                    return enter(IDLE, lanes(BREAK, t) + 1);
                }
            }
    }

    void enter(unsigned state, cs_cycle t)
    {
        out_.states.push_back({t, state});
    }

    // A request may rise in r unless the flag was set in the cycle before.
    bool may_ask(cs_cycle r) const
    {
        return breaking_ || r - 1 < brk_;
    }

    // The cycle that leaves the state: the first after t in which nothing is busy, or already
    // t when the flag is set in it. `idle` is the first cycle without anything busy.
    cs_cycle leave(cs_cycle t, cs_cycle idle)
    {
        if (breaking_)
            return std::max(t + 1, idle);
        if (t >= brk_) {
            broken_ = true;
            return t;
        }
        idle = std::max(t + 1, idle);
        broken_ = idle >= brk_;
        return idle;
    }

    Transfer ask(unsigned port, cs_cycle request, uint64_t addr, bool write, unsigned size,
                 unsigned beats, const uint8_t *data)
    {
        cs_bus_txn txn = {};
        txn.addr = addr;
        txn.request = request;
        txn.write = write;
        txn.size = static_cast<uint8_t>(size);
        txn.beats = static_cast<uint8_t>(beats);
        if (write)
            std::copy(data, data + size * beats, txn.data);
        world_.answer(port, &txn);
        out_.transfers.push_back(world_.log.back());
        return world_.log.back();
    }

    std::vector<Access> pair(bool write, unsigned offset, unsigned high, unsigned wide, int low_at,
                             int high_at, int stride) const
    {
        if (c_.ext64)
            return {{write, wide, 8, 0, low_at, high_at, stride}};
        return {{write, offset, 4, 0, low_at, -1, stride},
                {write, high, 4, 0, high_at, -1, stride}};
    }

    // The orders leave some walks without anything to do.
    bool nothing(unsigned state) const
    {
        if (c_.order == CS_PMCU_ORDER_RUNNING)
            return (state == START && !first_) || (state == STOP && !last_);
        return state == STOP && c_.order != CS_PMCU_ORDER_DIE;
    }

    std::vector<Access> accesses(unsigned state) const
    {
        const bool running = c_.order == CS_PMCU_ORDER_RUNNING;
        const unsigned p = p_.nr_pmu;
        const unsigned first = p_.comp ? 3 : 0;
        const uint32_t mask = (((1u << p) - 1) << first) | (p_.comp ? 0 : 0x80000000u);
        const unsigned pmcr = c_.ext64 ? 0xE10 : 0xE04;
        const int n = static_cast<int>(nr_cpu_);
        std::vector<Access> list;
        const auto write = [&](unsigned offset, uint32_t data) {
            list.push_back({true, offset, 4, data, -1, -1, 0});
        };
        const auto add = [&](const std::vector<Access> &more) {
            list.insert(list.end(), more.begin(), more.end());
        };
        const auto zero_counters = [&] {
            for (unsigned i = first; i < first + p; i++)
                add(state == PROGRAM ? pair(true, 8 * i + 4, 8 * i, 8 * i, -1, -1, 0)
                                     : pair(true, 8 * i, 8 * i + 4, 8 * i, -1, -1, 0));
        };
        const auto stop_first = [&](unsigned counter) {
            if (c_.order == CS_PMCU_ORDER_COUNTER)
                write(0xC20, 1u << counter);
        };
        const auto reset = [&] {
            if (p_.comp)
                zero_counters();
            else
                write(pmcr, p_.pmcr | 6);
            for (size_t i = list.size() - (p_.comp ? p * (c_.ext64 ? 1 : 2) : 1); i < list.size();
                 i++)
                list[i].reset = true;
        };

        if (nothing(state))
            return list;
        switch (state) {
        case INIT:
            write(0xC20, mask);
            if (p_.comp) {
                zero_counters();
            } else {
                write(c_.ext64 ? 0x4F8 : 0x47C, p_.pmccfiltr);
                write(pmcr, p_.pmcr | 6);
            }
            write(0xC80, mask);
            break;
        case PROGRAM:
            for (unsigned i = 0; i < p; i++)
                write(0x400 + (c_.ext64 ? 8 : 4) * (first + i), events_[i]);
            if (running)
                reset();
            break;
        case START:
            write(0xC00, mask);
            break;
        case READ:
            if (c_.order == CS_PMCU_ORDER_CORE)
                write(0xC20, mask);
            list.push_back({false, 0x200, 4, 0, -1, -1, 0});
            add(pair(false, 0x208, 0x22C, 0x228, 0, 4 * n, 4));
            for (unsigned i = 0; i < p; i++) {
                const unsigned o = 8 * (first + i);
                const int at = 8 * n * static_cast<int>(1 + i);
                stop_first(first + i);
                add(pair(false, o, o + 4, o, at, at + 4, 8));
            }
            if (!p_.comp) {
                const int at = 8 * n * static_cast<int>(1 + p);
                stop_first(31);
                add(pair(false, 0xF8, 0xFC, 0xF8, at, at + 4, 8));
            }
            if (!running)
                reset();
            break;
        default:
            write(0xC20, mask);
            break;
        }
        return list;
    }

    // Walks all lanes; the cycle that leaves the state.
    cs_cycle lanes(unsigned state, cs_cycle t)
    {
        const bool broadcast = c_.broadcast && (state == START || state == STOP || state == BREAK);
        const std::vector<Access> list = accesses(state);
        cs_cycle idle = t + 1;

        breaking_ = state == BREAK;
        for (unsigned l = 0; l < c_.lanes; l++) {
            cs_cycle request = t + 1;
            bool held = false;
            for (unsigned k = l; k < c_.clusters && !held; k += c_.lanes)
                for (unsigned s = 0; s < (broadcast ? 1 : c_.slots) && !held; s++)
                    held = slot(state, list, l, k, broadcast ? 15 : s, &request, &idle);
        }
        const cs_cycle left = leave(t, idle);
        breaking_ = false;
        return left;
    }

    // One slot; true when BRK keeps the lane from going on.
    bool slot(unsigned state, const std::vector<Access> &list, unsigned lane, unsigned k,
              unsigned s, cs_cycle *request, cs_cycle *idle)
    {
        const unsigned index = s * c_.clusters + k;
        bool failed = false;

        for (const Access &a : list) {
            if (failed && !a.reset)
                continue;
            if (!may_ask(*request))
                return true;
            uint8_t data[8];
            for (unsigned i = 0; i < 8; i++)
                data[i] = static_cast<uint8_t>(a.data >> (8 * i));
            const Transfer x =
                ask(lane, *request,
                    0x20000000ull + (c_.die * c_.clusters + k) * 0x100000 + s * 0x10000 + a.offset,
                    a.write, a.bytes, 1, data);
            *request = x.complete + 1;
            *idle = std::max(*idle, x.complete + 1);
            if (x.resp != CS_BUS_OKAY) {
                out_.errors |= CS_PMCU_FSM_STATUS_CORE_ERR_MASK;
                failed |= !a.write;
                spoil(state, a, k, s);
            }
            if (a.write)
                continue;
            for (unsigned i = 0; i < 4; i++) {
                if (a.low >= 0)
                    sample_[a.low + a.stride * index + i] = x.data[i];
                if (a.high >= 0)
                    sample_[a.high + a.stride * index + i] = x.data[4 + i];
            }
        }
        return false;
    }

    // "Failed slots", as which subsamples a slot is missing from: by their number.
    void spoil(unsigned state, const Access &a, unsigned k, unsigned s)
    {
        std::vector<unsigned> slots = {s};
        uint64_t first = number_, last = number_;

        if (s == 15) {
            slots.clear();
            for (unsigned c = 0; c < c_.slots; c++)
                slots.push_back(c);
        }
        if (state == INIT || (state == START && c_.order == CS_PMCU_ORDER_RUNNING))
            last = UINT64_MAX;
        else if (state == STOP)
            last = number_ + 1;
        else if (state == READ && a.reset)
            first = last = number_ + 1;
        else if (state == READ && !a.write && c_.posted)
            last = number_ == 0 ? UINT64_MAX : number_ + 1;
        else if (state == READ && (a.write || c_.order == CS_PMCU_ORDER_COUNTER))
            last = number_ + 1;
        for (unsigned c : slots)
            missing_.push_back({c * c_.clusters + k, first, last});
    }

    void sign_missing()
    {
        for (const Missing &m : missing_) {
            if (number_ < m.first || number_ > m.last)
                continue;
            for (size_t at = 0; at < sample_.size(); at++) {
                const size_t size = at < 8 * nr_cpu_ ? 4 : 8; // context IDs, counts
                if (at / size % nr_cpu_ == m.index)
                    sample_[at] = 0;
            }
        }
    }

    cs_cycle walk(unsigned state, cs_cycle t)
    {
        if (broken_)
            return t;
        enter(state, t);
        return lanes(state, t) + 1;
    }

    // Returns the cycle that leaves the state (a FETCH of its own).
    cs_cycle fetch(unsigned group, cs_cycle t)
    {
        return leave(t, fetch_bursts(group, t));
    }

    // The first cycle in which the engine is idle again.
    cs_cycle fetch_bursts(unsigned group, cs_cycle t)
    {
        const unsigned first = group * p_.nr_pmu;
        const unsigned m = std::min(p_.nr_pmu, p_.ev_len - first);
        const uint64_t addr = (p_.event_base & ~3ull) + 4 * first;
        const uint64_t end = (addr & ~7ull) + 8 * ((m + (addr >> 2 & 1) + 1) / 2);
        cs_cycle request = t + 1;

        events_.assign(p_.nr_pmu, 0xC000);
        for (uint64_t at = addr & ~7ull; at < end && may_ask(request);) {
            const uint64_t page_end = (at | 0xFFF) + 1;
            const unsigned beats = static_cast<unsigned>((std::min(end, page_end) - at) / 8);
            const Transfer x = ask(0, request, at, false, 8, beats, nullptr);

            request = x.complete + 1;
            if (x.resp != CS_BUS_OKAY) {
                out_.errors |= CS_PMCU_FSM_STATUS_FETCH_ERR_MASK;
                break;
            }
            for (unsigned i = 0; i < m; i++) {
                const uint64_t word = addr + 4 * i;
                if (word >= at && word < at + 8 * beats)
                    events_[i] = x.data[word - at] | x.data[word - at + 1] << 8;
            }
            at += 8 * beats;
        }
        return request;
    }

    cs_cycle wait(bool prefetch, unsigned group, cs_cycle t)
    {
        const uint64_t w = std::max<uint64_t>(1, uint64_t{p_.wait_cnt} * c_.tick_cycles);
        cs_cycle idle = t;

        if (broken_)
            return t;
        enter(WAIT, t);
        if (t >= brk_) {
            broken_ = true;
            return t + 1;
        }
        if (prefetch)
            idle = std::max(t + 1, fetch_bursts(group, t));
        const cs_cycle left = std::max(t + w - 1, idle);
        if (left >= brk_) {
            broken_ = true;
            return std::max(brk_, idle) + 1;
        }
        return left + 1;
    }

    cs_cycle store(cs_cycle t)
    {
        cs_cycle request = t + 1;

        if (broken_)
            return t;
        enter(STORE, t);
        sample_addr_ = pointer_;
        sign_missing();
        for (size_t done = 0; done < sample_.size() && t < brk_;) {
            uint64_t n = std::min<uint64_t>(16, (sample_.size() - done) / 8);
            n = std::min(n, ((pointer_ | 0xFFF) + 1 - pointer_) / 8);
            n = std::min(n, pointer_ < kill_ ? (kill_ - pointer_) / 8 : 0);
            if (n == 0) {
                out_.errors |= CS_PMCU_FSM_STATUS_KILL_MASK;
                break;
            }
            if (!may_ask(request))
                break;
            const Transfer x =
                ask(0, request, pointer_, true, 8, static_cast<unsigned>(n), &sample_[done]);
            request = x.complete + 1;
            if (x.resp != CS_BUS_OKAY) {
                out_.errors |= CS_PMCU_FSM_STATUS_STORE_ERR_MASK;
                break;
            }
            pointer_ += 8 * n;
            done += 8 * n;
        }
        return leave(t, request) + 1;
    }

    const cs_pmcu_config &c_;
    const Program &p_;
    World &world_;
    const cs_cycle brk_;
    const unsigned nr_cpu_;
    bool broken_ = false;
    bool breaking_ = false;
    bool first_ = false, last_ = false; // of the run's groups
    std::vector<uint32_t> events_;
    std::vector<uint8_t> sample_;
    std::vector<Missing> missing_;
    uint64_t pointer_, kill_, sample_addr_ = 0;
    uint64_t number_ = 0;
    Outcome out_;
};

} // namespace

Outcome reference_run(const cs_pmcu_config &config, const Program &program, World &world,
                      cs_cycle start, cs_cycle brk)
{
    Run run(config, program, world, brk);
    return run.go(start);
}

void put_events(World &world, const Program &program)
{
    for (unsigned i = 0; i < program.ev_len; i++)
        world.set_word((program.event_base & ~3ull) + 4 * i, 0x5A000000u | (0x100 + i));
}

cs_cycle put_program(Die &die, const Program &program, cs_cycle cycle)
{
    const auto high = [](uint64_t v) { return static_cast<uint32_t>(v >> 32); };
    const auto low = [](uint64_t v) { return static_cast<uint32_t>(v); };

    die.write(cycle++, CS_PMCU_FSM_CFG, program.fsm_cfg());
    die.write(cycle++, CS_PMCU_EVENT_BASE_H, high(program.event_base));
    die.write(cycle++, CS_PMCU_EVENT_BASE_L, low(program.event_base));
    die.write(cycle++, CS_PMCU_KILL_BASE_H, high(program.kill_base));
    die.write(cycle++, CS_PMCU_KILL_BASE_L, low(program.kill_base));
    die.write(cycle++, CS_PMCU_STORE_BASE_H, high(program.store_base));
    die.write(cycle++, CS_PMCU_STORE_BASE_L, low(program.store_base));
    die.write(cycle++, CS_PMCU_WAIT_CNT, program.wait_cnt);
    die.write(cycle++, CS_PMCU_COMP, program.comp);
    die.write(cycle++, CS_PMCU_PMCR, program.pmcr);
    die.write(cycle++, CS_PMCU_PMCCFILTR, program.pmccfiltr);
    die.write(cycle, CS_PMCU_FSM_CTRL, 1);
    return cycle + 1;
}

void expect_same(const Outcome &outcome, const Die &die)
{
    const auto &log = die.world.log;

    EXPECT_EQ(outcome.transfers.size(), log.size());
    for (size_t i = 0; i < std::min(outcome.transfers.size(), log.size()); i++) {
        const Transfer &a = outcome.transfers[i];
        const Transfer &b = log[i];
        if (a == b)
            continue;
        ADD_FAILURE() << "transfer " << i << std::hex << ": expected port " << a.port << " request "
                      << std::dec << a.request << std::hex << " addr " << a.addr
                      << (a.write ? " write" : " read") << ", found port " << b.port << " request "
                      << std::dec << b.request << std::hex << " addr " << b.addr
                      << (b.write ? " write" : " read") << (a.data != b.data ? ", other data" : "");
        break;
    }
    EXPECT_EQ(outcome.states.size(), die.states.size());
    for (size_t i = 0; i < std::min(outcome.states.size(), die.states.size()); i++) {
        ASSERT_EQ(outcome.states[i].cycle, die.states[i].cycle) << "state " << i;
        ASSERT_EQ(outcome.states[i].value, die.states[i].value) << "state " << i;
    }
    EXPECT_TRUE(outcome.samples == die.samples);
}
