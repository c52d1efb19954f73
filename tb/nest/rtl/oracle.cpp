// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"

namespace
{

uint64_t ones(unsigned bits)
{
    return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

unsigned group_states(unsigned group)
{
    for (const cs_nest_row &row : nest_rows)
        if (row.group == group)
            return row.states;
    return 0;
}

// "Units" of POWER10: a link's number becomes one of three bits.
uint64_t units_of_rows(uint64_t units)
{
    if (!power10)
        return units;
    for (unsigned n = 0; n < 8; n++) {
        const unsigned lowest = 63 - 13 - 3 * n;
        const uint64_t kind = units >> lowest & 7;
        units &= ~(uint64_t{7} << lowest);
        if (kind >= 5)
            units |= uint64_t{4} >> (kind - 5) << lowest;
    }
    return units;
}

} // namespace

Oracle::Seen &Oracle::Seen::operator+=(const Seen &o)
{
    ticks += o.ticks;
    failed_looks += o.failed_looks;
    cleans += o.cleans;
    pauses += o.pauses;
    errors += o.errors;
    for (unsigned group = 0; group <= nr_group; group++)
        postings[group] += o.postings[group];
    debug_postings += o.debug_postings;
    return *this;
}

Oracle::Oracle(const Nest &nest) : nest_(nest) {}

unsigned Oracle::status() const
{
    if (seen_ && speed_ > 11)
        return ERR1;
    if (seen_ && mode_ > 1)
        return ERR2;
    if (paused_)
        return PAUSE;
    return phase_ < nr_phase ? INIT : RUN;
}

// "Ticks": the cycles before `until`, of which the last takes one or not.
void Oracle::count_ticks(uint64_t until, bool takes)
{
    for (; counted_ < until; counted_++) {
        bool comes = counted_ > 0 && counted_ % nest_.tick_cycles == 0;
        bool take = takes && counted_ + 1 == until;
        if (comes && !take && ticks_ < 255)
            ticks_++;
        if (take && !comes)
            ticks_--;
    }
}

bool Oracle::replay()
{
    while (!over_ && !failed_ && idle() && tick()) {
    }
    if (failed_)
        return false;
    while (!changes_.empty() && changes_.back().cycle >= nest_.cycle)
        changes_.pop_back();
    EXPECT_EQ(next_, nest_.memory.transfers.size());
    EXPECT_EQ(samples_, nest_.samples);
    EXPECT_EQ(changes_, nest_.changes);
    return !testing::Test::HasFailure();
}

// now_ is an IDLE cycle; afterwards the first of LOOK. False when the run is over before.
bool Oracle::idle()
{
    for (; now_ < nest_.cycle; now_++) {
        count_ticks(now_, false);
        if (ticks_ > 0) {
            count_ticks(now_ + 1, true);
            now_++;
            return true;
        }
    }
    over_ = true;
    return false;
}

const Transfer *Oracle::transfer(bool write, uint64_t addr, const std::vector<uint64_t> &words,
                                 unsigned beats)
{
    if (next_ == nest_.memory.transfers.size()) {
        // It may have been under way; but what is complete has to be there.
        over_ = true;
        bool may = !nest_.memory.idle() || now_ + 1 >= nest_.cycle;
        EXPECT_TRUE(may) << "expected a transfer to 0x" << std::hex << addr << std::dec
                         << " in cycle " << now_ + 1;
        failed_ = !may;
        return nullptr;
    }
    const Transfer &t = nest_.memory.transfers[next_++];
    bool same = t.write == write && t.addr == addr && t.beats == beats && t.asked == now_ + 1 &&
                (!write || t.words == words);
    EXPECT_TRUE(same) << (t.write ? "write" : "read") << " of " << t.beats << " at 0x" << std::hex
                      << t.addr << std::dec << " in cycle " << t.asked << ", expected "
                      << (write ? "write" : "read") << " of " << beats << " at 0x" << std::hex
                      << addr << std::dec << " in cycle " << now_ + 1;
    if (write) {
        EXPECT_EQ(t.words, words) << "at 0x" << std::hex << addr;
    }
    failed_ = !same;
    now_ = t.complete + 1;
    return same ? &t : nullptr;
}

bool Oracle::tick()
{
    const Transfer *look = transfer(false, nest_.base + block, {}, 6);
    if (!look)
        return false;
    seen.ticks++;
    if (look->resp != 0) {
        seen.failed_looks++;
        return true;
    }
    return decide({look->words[1], look->words[2], look->words[3], look->words[4]});
}

bool Oracle::decide(const Block &b)
{
    unsigned before = status();
    uint64_t units = b.units == 0 ? units_of_zero : b.units;
    // 1
    bool fresh = !seen_;
    bool again = fresh || b.command == CLEAR || b.speed != speed_;
    bool mode_differs = b.mode != mode_;
    bool change = again || units != units_ || mode_differs;
    // 2
    speed_ = b.speed;
    units_ = units;
    mode_ = b.mode;
    seen_ = true;
    // 3
    if (change) {
        phase_ = 0;
        ring_ = 1;
    }
    // 4
    if (b.command == HALT) {
        paused_ = true;
        prev_.fill(0);
    }
    if (b.command == RESUME || b.command == CLEAR)
        paused_ = false;
    // 5, "Visit"
    bool visits = status() == RUN;
    unsigned ring = ring_;
    const std::array<unsigned, nr_group + 1> epoch = epoch_;
    std::array<bool, nr_group + 1> post{};
    if (visits) {
        for (unsigned g = 1; g <= nr_group; g++) {
            if (!(group_states(g) >> (ring - 1) & 1))
                continue;
            post[g] = delay_[g] == 0;
            if (power10)
                continue; // no delays
            if (post[g])
                delay_[g] = g <= 3 ? speed_ : speed_ / 8;
            else
                delay_[g]--;
        }
        epoch_[2] = (epoch_[2] + post[2]) % 2;
        epoch_[4] = (epoch_[4] + post[4]) % 3;
    }
    // 6
    if (status() == INIT && ring_ == phase_ + 1)
        phase_++;
    unsigned after = status();
    // 7
    ring_ = ring_ % nr_ring + 1;
    now_++;
    if (after != before)
        changes_.push_back({after, now_});
    seen.cleans += again;
    seen.pauses += after == PAUSE;
    seen.errors += after == ERR1 || after == ERR2;

    for (unsigned burst = 0; again && burst <= whole_cleans; burst++)
        if (!write(nest_.base + 128 * burst,
                   std::vector<uint64_t>(burst < whole_cleans ? 16 : last_clean, 0)))
            return false;
    if (fresh && !write(nest_.base + version_place, {version_word}))
        return false;
    if (b.units == 0 && !power10 && !write(nest_.base + block_units, {default_units}))
        return false;
    if ((mode_differs || fresh) && !write(nest_.base + block_mode_state, {mode_}))
        return false;
    if (after != written_ || fresh || b.command != 0) {
        written_ = after;
        if (!write(nest_.base + block, {after, 0}))
            return false;
    }
    return !visits || visit(ring, post, epoch);
}

uint64_t Oracle::read(const cs_nest_row &row, unsigned counter)
{
    auto preset = nest_.presets.find(counter);
    uint64_t all = (preset == nest_.presets.end() ? 0 : preset->second) +
                   nest_.increments.sum(counter, now_) - taken_[counter];
    uint64_t cur = (all & ones(row.width + row.prescale)) >> row.prescale;
    if (row.style == CS_NEST_CLEAR) {
        taken_[counter] += cur << row.prescale;
        return cur;
    }
    if (row.style == CS_NEST_STORE)
        return cur;
    uint64_t prev = prev_[counter], delta = 0;
    if (prev != 0)
        delta = cur >= prev ? cur - prev : ones(row.width) - prev + cur;
    prev_[counter] = cur;
    return row.style == CS_NEST_WRAP2 ? 2 * delta : delta;
}

bool Oracle::visit(unsigned ring, const std::array<bool, nr_group + 1> &post,
                   const std::array<unsigned, nr_group + 1> &epoch)
{
    const uint64_t units = units_of_rows(units_);
    uint64_t start = 0, header = 0;
    unsigned words = 0;
    for (const cs_nest_row &row : nest_rows) {
        now_++; // SCAN
        if (!(row.states >> (ring - 1) & 1) || !post[row.group] ||
            (row.epoch != 3 && row.epoch != epoch[row.group]) ||
            (row.units != ~uint64_t{0} && (row.units & units) == 0))
            continue;
        const bool debugs = mode_ == 1 && row.group <= (power10 ? 2 : 1);
        const uint64_t place = nest_.base + (debugs ? debug_place : 0);
        if (row.kind == CS_NEST_HEADER) {
            start = now_;
            header = place + row.offset;
            words = 0;
        }
        std::vector<uint64_t> values;
        for (unsigned i = 0; i < row.count; i++, now_++)
            values.push_back(row.kind == CS_NEST_COUNTERS ? read(row, row.first + i) : 1);
        words += row.count;
        if (!write((place + row.offset) | (row.style == CS_NEST_STORE ? 0 : add_bit), values))
            return false;
        if (row.kind != CS_NEST_TRAILER)
            continue;
        samples_.push_back({now_ - 1, row.group, header, number_[row.group]++, 8 * words,
                            nest_.memory.transfers[next_ - 1].resp, start});
        seen.postings[row.group]++;
        seen.debug_postings += debugs;
    }
    return true;
}
