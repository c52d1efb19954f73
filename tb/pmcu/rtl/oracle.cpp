// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"

#include <algorithm>
#include <sstream>

namespace
{

// Offsets of the core PMU's two maps.
struct Map {
    unsigned control, cycle_filter, typer, typer_stride;
};
Map map_of(bool ext64)
{
    return ext64 ? Map{0xE10, 0x4F8, 0x400, 8} : Map{0xE04, 0x47C, 0x400, 4};
}
constexpr unsigned enable_set = 0xC00, enable_clr = 0xC20, overflow_clr = 0xC80;

} // namespace

std::string text_of(const Transfer &t, unsigned beats)
{
    std::ostringstream out;
    out << (t.write ? "W " : "R ") << std::hex << t.addr << " " << t.bytes << "x" << std::dec
        << beats;
    if (t.write && t.to_core())
        out << " = " << std::hex << t.word();
    return out.str();
}

bool Oracle::access(unsigned k, unsigned c, bool write, unsigned offset, bool wide, uint32_t data)
{
    Transfer t{};
    t.lane = k % s_.lanes;
    t.write = write;
    t.addr = 0x20000000 + k * 0x100000 + c * 0x10000 + offset;
    t.bytes = wide ? 8 : 4;
    t.data = {uint64_t{data} << (8 * (t.addr & 4))};
    lanes[t.lane].push_back(text_of(t, 1));
    if (world_.fails(t)) {
        errors |= core_err;
        lose(k, c, write);
        return false;
    }
    return true;
}

// docs/hw/pmcu.md, "Failed slots".
void Oracle::lose(unsigned k, unsigned slot, bool write)
{
    const bool stop = state_ == STOP || (state_ == READ && write && !resetting_);
    const bool reset = state_ == READ && resetting_;
    const bool read = state_ == READ && !write;
    const bool late = read && s_.posted;
    const size_t number = samples.size();
    const unsigned first = slot == 15 ? 0 : slot, end = slot == 15 ? s_.slots : slot + 1;

    for (unsigned c = first; c < end; c++) {
        const unsigned idx = c * s_.clusters + k;
        if (state_ == INIT || (state_ == START && s_.order == running) || (late && number == 0))
            never_.insert(idx);
        if (state_ == PROGRAM || state_ == START || stop || read)
            lost_[number].insert(idx);
        if (stop || reset || (read && s_.order == by_counter) || late)
            lost_[number + 1].insert(idx);
    }
}

void Oracle::clear_lost()
{
    std::set<unsigned> slots = never_;
    const unsigned n = s_.nr_cpu();

    slots.insert(lost_[samples.size()].begin(), lost_[samples.size()].end());
    for (unsigned idx : slots) {
        sample_[4 * idx] = sample_[4 * (n + idx)] = 0;
        for (unsigned at = 8 * (n + idx); at < s_.sample_bytes(); at += 8 * n)
            sample_[at] = sample_[at + 4] = 0;
    }
}

bool Oracle::burst(bool write, uint64_t addr, unsigned beats)
{
    Transfer t{};
    t.write = write;
    t.addr = addr;
    t.bytes = 8;
    lanes[0].push_back(text_of(t, beats));
    return !world_.fails(t);
}

bool Oracle::fetch(unsigned group)
{
    unsigned first = group * s_.nr_pmu, events = std::min(s_.nr_pmu, s_.ev_len - first);
    uint64_t addr = (s_.event_base & ~3ull) + 4 * first, from = addr & ~7ull;
    unsigned beats = (events + (addr >> 2 & 1) + 1) / 2;
    while (beats != 0) {
        unsigned n = std::min<unsigned>(beats, (4096 - from % 4096) / 8);
        if (!burst(false, from, n)) {
            errors |= fetch_err;
            return false;
        }
        from += 8 * n;
        beats -= n;
    }
    return true;
}

bool Oracle::store()
{
    uint64_t kill = s_.kill_base & ~7ull, begin = pointer_;
    unsigned words = s_.sample_bytes() / 8;

    clear_lost();
    while (words != 0) {
        uint64_t room = kill > pointer_ ? (kill - pointer_) / 8 : 0;
        uint64_t n = std::min<uint64_t>({16, words, (4096 - pointer_ % 4096) / 8, room});
        if (n == 0) {
            errors |= killed;
            return false;
        }
        for (uint64_t at = pointer_; at < pointer_ + 8 * n; at += 4)
            memory[at] = sample_[static_cast<unsigned>(at - begin)];
        if (!burst(true, pointer_, static_cast<unsigned>(n))) {
            errors |= store_err;
            return false;
        }
        pointer_ += 8 * n;
        words -= n;
    }
    return true;
}

void Oracle::write_counters(unsigned k, unsigned c)
{
    for (unsigned i = 0; i < s_.nr_pmu; i++) {
        unsigned offset = 8 * (s_.first_counter() + i);
        const unsigned high_first = state_ == PROGRAM && !s_.ext64 ? 4 : 0;
        access(k, c, true, offset + high_first, s_.ext64, 0);
        if (!s_.ext64)
            access(k, c, true, offset + 4 - high_first, false, 0);
    }
}

void Oracle::read_slot(unsigned k, unsigned c)
{
    unsigned idx = c * s_.clusters + k, n = s_.nr_cpu();
    uint64_t frame = 0x20000000 + k * 0x100000 + c * 0x10000;
    std::vector<std::pair<unsigned, unsigned>> words; // offset in the frame, in the subsample
    std::map<unsigned, uint32_t> stops;               // by offset: what stops before it is read
    unsigned cid1 = s_.ext64 ? 0x228 : 0x208;
    words.push_back({cid1, 4 * idx});
    words.push_back({0x22C, 4 * n + 4 * idx});
    for (unsigned i = 0; i <= s_.nr_pmu; i++) {
        if (i == s_.nr_pmu && s_.comp)
            break;
        unsigned counter = i == s_.nr_pmu ? 0xF8 : 8 * (s_.first_counter() + i);
        if (s_.order == by_counter)
            stops[counter] = 1u << (i == s_.nr_pmu ? 31 : s_.first_counter() + i);
        words.push_back({counter, 8 * n * (1 + i) + 8 * idx});
        words.push_back({counter + 4, 8 * n * (1 + i) + 8 * idx + 4});
    }
    if (s_.order == by_core)
        access(k, c, true, enable_clr, false, s_.mask());
    bool ok = access(k, c, false, 0x200, false, 0);
    for (size_t i = 0; i < words.size() && ok; i += s_.ext64 ? 2 : 1) {
        if (stops.count(words[i].first))
            access(k, c, true, enable_clr, false, stops[words[i].first]);
        ok = access(k, c, false, words[i].first, s_.ext64, 0);
    }
    for (const auto &word : words)
        sample_[word.second] = ok ? AxiWorld::core_word(frame + word.first) : 0;
}

void Oracle::reset(unsigned k, unsigned c)
{
    resetting_ = true;
    if (s_.comp)
        write_counters(k, c);
    else
        access(k, c, true, map_of(s_.ext64).control, false, s_.pmcr | 0x6);
    resetting_ = false;
}

void Oracle::slot(State state, unsigned group, unsigned k, unsigned c)
{
    Map map = map_of(s_.ext64);
    uint32_t control = s_.pmcr | 0x6;
    switch (state) {
    case INIT:
        access(k, c, true, enable_clr, false, s_.mask());
        if (s_.comp) {
            write_counters(k, c);
        } else {
            access(k, c, true, map.cycle_filter, false, 0x58000000);
            access(k, c, true, map.control, false, control);
        }
        access(k, c, true, overflow_clr, false, s_.mask());
        break;
    case PROGRAM:
        for (unsigned i = 0; i < s_.nr_pmu; i++)
            access(k, c, true, map.typer + map.typer_stride * (s_.first_counter() + i), false,
                   s_.event(group * s_.nr_pmu + i));
        if (s_.order == running)
            reset(k, c);
        break;
    case START:
        access(k, c, true, enable_set, false, s_.mask());
        break;
    case READ:
        read_slot(k, c);
        if (s_.order != running)
            reset(k, c);
        break;
    default: // STOP, BREAK
        access(k, c, true, enable_clr, false, s_.mask());
    }
}

void Oracle::walk(State state, unsigned group)
{
    order.push_back(state);
    state_ = state;
    bool broadcast = s_.broadcast && (state == START || state == STOP || state == BREAK);
    for (unsigned k = 0; k < s_.clusters; k++) {
        if (broadcast)
            slot(state, group, k, 15);
        for (unsigned c = 0; c < s_.slots && !broadcast; c++)
            slot(state, group, k, c);
    }
}

void Oracle::run()
{
    walk(INIT, 0);
    unsigned groups = s_.groups(), all = groups * s_.nr_loop;
    bool fetched = false;
    for (unsigned i = 0; i < all; i++) {
        if (!fetched) {
            order.push_back(FETCH);
            if (!fetch(i % groups))
                break;
        }
        walk(PROGRAM, i % groups);
        if (s_.order != running || i == 0)
            walk(START, 0);
        else
            order.push_back(START);
        order.push_back(WAIT);
        fetched = s_.prefetch && i + 1 < all && fetch((i + 1) % groups);
        if (s_.order == all_cores || (s_.order == running && i + 1 == all))
            walk(STOP, 0);
        else
            order.push_back(STOP);
        walk(READ, 0);
        order.push_back(STORE);
        uint64_t begin = pointer_;
        if (!store())
            break;
        order.push_back(SWITCH);
        samples.push_back({0, begin, i, s_.sample_bytes()});
        if (errors & fetch_err)
            break;
    }
    order.push_back(IDLE);
}

void expect_times(const Pmcu &p, uint64_t brk)
{
    uint64_t w = std::max<uint64_t>(1, uint64_t{p.plan.wait_cnt} * p.plan.tick_cycles);
    unsigned switches = 0;
    EXPECT_EQ(p.states.at(1).second, p.triggered + 1);
    for (size_t i = 1; i + 1 < p.states.size(); i++) {
        State state = p.states[i].first;
        uint64_t t = p.states[i].second, next = p.states[i + 1].second;
        uint64_t last = t; // completion
        uint64_t free[nr_lane] = {t, t, t, t};
        for (const Transfer &x : p.world.transfers) {
            if (x.asked < t || x.asked >= next)
                continue;
            EXPECT_EQ(x.asked, free[x.lane] + 1) << "request in state " << state;
            free[x.lane] = x.complete;
            last = std::max(last, x.complete);
        }
        if (brk != UINT64_MAX && state != BREAK && next > brk + 1) {
            // The flag is set in brk + 1: this state is left for BREAK, or was left for IDLE.
            uint64_t flag = brk + 1;
            if (flag < t)
                continue;
            EXPECT_EQ(next, flag == t ? t + 1 : std::max(flag, last == t ? flag : last + 1) + 1)
                << "BREAK after state " << state;
            for (const Transfer &x : p.world.transfers)
                EXPECT_FALSE(x.asked > flag && x.asked < next) << "a request after BRK";
            continue;
        }
        switch (state) {
        case IDLE:
            break;
        case SWITCH:
            EXPECT_EQ(next, t + 1);
            switches++;
            break;
        case WAIT: {
            bool more = switches + 1 < p.plan.groups() * p.plan.nr_loop;
            uint64_t fetched = last == t ? 0 : last + 2;
            uint64_t least = p.plan.prefetch && more ? t + 2 : 0;
            EXPECT_EQ(next, std::max({t + w, fetched, least})) << "WAIT";
            break;
        }
        default:
            EXPECT_EQ(next, last + 2) << "end of state " << state;
        }
    }
}

void expect_run(Pmcu &p)
{
    Oracle oracle(p.plan, p.world);
    oracle.run();
    std::vector<std::string> lanes[nr_lane];
    for (const Transfer &t : p.world.transfers)
        lanes[t.lane].push_back(text_of(t, static_cast<unsigned>(t.data.size())));
    for (unsigned l = 0; l < nr_lane; l++)
        EXPECT_EQ(lanes[l], oracle.lanes[l]) << "lane " << l;
    EXPECT_EQ(p.order(), oracle.order);
    for (const auto &word : oracle.memory)
        EXPECT_EQ(p.world.get(word.first), word.second) << std::hex << word.first;
    ASSERT_EQ(p.samples.size(), oracle.samples.size());
    for (size_t i = 0; i < p.samples.size(); i++) {
        EXPECT_EQ(p.samples[i].addr, oracle.samples[i].addr);
        EXPECT_EQ(p.samples[i].number, oracle.samples[i].number);
        EXPECT_EQ(p.samples[i].bytes, oracle.samples[i].bytes);
    }
    expect_times(p);
    EXPECT_TRUE(p.dut.irq_o);
    EXPECT_EQ(p.read(reg::status), oracle.errors);
    EXPECT_EQ(p.read(reg::int_stat), done);
}
