// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench.hpp"

namespace
{

std::vector<unsigned> numbers(const std::string &list)
{
    std::vector<unsigned> result;
    std::istringstream in(list);
    std::string item;

    while (list != "-" && std::getline(in, item, ','))
        result.push_back(static_cast<unsigned>(std::stoul(item)));
    return result;
}

std::vector<Row> read_rows(const char *path)
{
    std::vector<Row> rows;
    std::ifstream in(path);
    std::string line;

    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string states, offset, units, width, prescale, epoch;
        Row row;

        if (line.empty() || line[0] == '#')
            continue;
        fields >> row.group >> states >> row.kind >> offset >> row.count >> units >> width >>
            prescale >> row.style >> epoch;
        if (!fields)
            throw std::runtime_error("cannot read: " + line);
        row.states = numbers(states);
        row.offset = static_cast<unsigned>(std::stoul(offset, nullptr, 16));
        row.units = numbers(units);
        row.width = width == "-" ? 0 : numbers(width)[0];
        row.prescale = prescale == "-" ? 0 : numbers(prescale)[0];
        row.epoch = epoch == "-" ? -1 : static_cast<int>(numbers(epoch)[0]);
        rows.push_back(row);
    }
    if (rows.empty())
        throw std::runtime_error(std::string("no rows in ") + path);
    return rows;
}

bool has(const std::vector<unsigned> &list, unsigned number)
{
    return std::find(list.begin(), list.end(), number) != list.end();
}

uint64_t power_of_2(unsigned n)
{
    return uint64_t{1} << n;
}

// The end of the run, out of whatever is going on.
struct Stop {
};

class Engine
{
  public:
    Engine(uint32_t tick_cycles, const Nest &nest, World &world, const std::vector<HostWrite> &host,
           cs_cycle end, bool power10)
        : power10_(power10), rows_(row_table(power10)), period_(tick_cycles), nest_(nest),
          world_(world), host_(host), end_(end)
    {
        for (const Row &row : rows_)
            for (unsigned i = 0; row.kind == "counters" && i < row.count; i++)
                add_counter(row, row.offset / 8 + i);
    }

    Outcome run()
    {
        try {
            let_the_host_write();
            for (;;)
                one_tick();
        } catch (const Stop &) {
        }
        return outcome_;
    }

  private:
    struct Counter {
        unsigned event = 0, width = 0, prescale = 0;
        std::string style;
        uint64_t upper = 0, lower = 0, prev = 0;
        bool cleared = false; // is read, and of the style that this clears, in the cycle
        bool counts = false;  // its event does anything at all
    };

    void add_counter(const Row &row, unsigned event)
    {
        Counter c;
        c.event = event;
        c.width = row.width;
        c.prescale = row.prescale;
        c.style = row.style;
        c.counts = static_cast<bool>(nest_.increment[event]);
        counters_.push_back(c);
        by_event_[event] = counters_.size() - 1;
    }

    // ---- time ----

    void let_the_host_write()
    {
        for (; at_ < host_.size() && host_[at_].cycle <= t_; at_++)
            world_.control(host_[at_].word) = host_[at_].value;
    }

    void count(Counter &c)
    {
        const uint64_t low = c.lower + nest_.at(c.event, t_);
        const uint64_t old = c.cleared ? 0 : c.upper;

        c.upper = (old + (low >> c.prescale)) % power_of_2(c.width);
        c.lower = low % power_of_2(c.prescale);
        c.cleared = false;
    }

    // The rest of cycle t, and the edge to t + 1.
    void pass(bool taken = false)
    {
        const bool comes = t_ > 0 && t_ % period_ == 0;

        for (Counter &c : counters_)
            if (c.counts)
                count(c);
        outcome_.coverage.take_and_come += comes && taken;
        outcome_.coverage.full += comes && !taken && ticks_ == 255;
        if (comes && !taken && ticks_ < 255)
            ticks_++;
        if (taken && !comes)
            ticks_--;
        t_++;
        if (t_ == end_)
            throw Stop();
        let_the_host_write();
    }

    // The state's first cycle is t; returns in the cycle of the last handshake, which is not
    // over.
    Transfer transfer(uint64_t addr, bool write, const std::vector<uint64_t> &data)
    {
        Transfer t;

        t.request = t_ + 1;
        t.addr = addr;
        t.write = write;
        t.data = data;
        world_.submit(t);
        while (t_ < t.complete)
            pass();
        if (world_.effect_at_end)
            world_.take_effect(t);
        outcome_.coverage.failed_writes += write && t.resp != CS_BUS_OKAY;
        return t;
    }

    void write(unsigned offset, const std::vector<uint64_t> &data)
    {
        transfer(world_.base + offset, true, data);
        pass();
    }

    // ---- a tick ----

    void one_tick()
    {
        while (ticks_ == 0)
            pass();
        pass(true);

        const Transfer look = transfer(world_.base + 0x3FC00, false, std::vector<uint64_t>(6));
        pass();
        if (look.resp != CS_BUS_OKAY) {
            outcome_.coverage.failed_looks++;
            return;
        }
        decide(look.data[1], look.data[2], look.data[3], look.data[4]);
    }

    unsigned status() const
    {
        if (seen_ && speed_ > 11)
            return 3;
        if (seen_ && mode_ > 1)
            return 4;
        if (paused_)
            return 2;
        return phase_ < (power10_ ? 16u : 4u) ? 0 : 1;
    }

    void clear_prevs()
    {
        for (Counter &c : counters_)
            c.prev = 0;
    }

    // DECIDE and what follows of it.
    void decide(uint64_t c, uint64_t s, uint64_t u_in_block, uint64_t m)
    {
        const unsigned status_before = status();
        const uint64_t u = u_in_block == 0 && !power10_ ? 0xFFFF8073F007E000u : u_in_block;
        const bool fresh = !seen_;
        const bool again = fresh || c == 3 || s != speed_;
        const bool other_mode = fresh || m != mode_;
        const bool change = again || u != units_ || m != mode_;

        speed_ = s;
        units_ = u;
        mode_ = m;
        seen_ = true;
        if (change) {
            phase_ = 0;
            ring_ = 1;
        }
        if (c == 2) {
            paused_ = true;
            clear_prevs();
        }
        if (c == 1 || c == 3)
            paused_ = false;
        const bool visit = status() == 1;
        const unsigned ring = ring_;
        const std::array<unsigned, 14> epoch = epoch_;
        bool posted[14] = {};
        if (visit)
            count_visits(posted);
        if (status() == 0 && ring_ == phase_ + 1)
            phase_++;
        ring_ = ring_ == (power10_ ? 16u : 8u) ? 1 : ring_ + 1;
        if (status() != status_before)
            status_changes();
        pass();

        for (unsigned at = 0, end = power10_ ? 0xE10 : 0x770; again && at < end; at += 128)
            write(at, std::vector<uint64_t>(std::min(end - at, 128u) / 8));
        if (fresh)
            write(0x2FC00, {0x0100151120260000u});
        if (u_in_block == 0 && !power10_)
            write(0x3FC18, {0xFFFF8073F007E000u});
        if (other_mode)
            write(0x3FC28, {m});
        if (fresh || c != 0 || status() != written_) {
            written_ = status();
            write(0x3FC00, {written_, 0});
        }
        if (visit)
            scan(ring, epoch, posted);
    }

    void status_changes()
    {
        cs_probe_record r = {};

        r.cycle = t_ + 1;
        r.kind = CS_PROBE_STATE;
        r.source = nest_unit;
        r.value = status();
        outcome_.records.push_back(r);
        outcome_.coverage.statuses[status()]++;
    }

    // ---- a visit ----

    bool visits(unsigned group, unsigned ring) const
    {
        for (const Row &row : rows_)
            if (row.group == group && has(row.states, ring))
                return true;
        return false;
    }

    void count_visits(bool posted[14])
    {
        if (power10_) {
            for (unsigned g = 1; g <= 13; g++)
                posted[g] = visits(g, ring_);
            return;
        }
        for (unsigned g = 1; g <= 7; g++) {
            if (!visits(g, ring_))
                continue;
            posted[g] = delay_[g] == 0;
            delay_[g] = !posted[g] ? delay_[g] - 1 : g <= 3 ? speed_ : speed_ / 8;
        }
        if (posted[2])
            epoch_[2] = 1 - epoch_[2];
        if (posted[4])
            epoch_[4] = epoch_[4] == 2 ? 0 : epoch_[4] + 1;
    }

    bool is_available(const Row &row) const
    {
        if (row.units.empty())
            return true;
        for (unsigned bit : row.units) {
            if (power10_ && bit >= 11 && bit < 35) { // 5, 6, 7: xlink, alink, otl
                const unsigned link = (bit - 11) / 3, kind = (bit - 11) % 3;

                if ((units_ >> (63 - (13 + 3 * link)) & 7) == 5 + kind)
                    return true;
            } else if (units_ >> (63 - bit) & 1) {
                return true;
            }
        }
        return false;
    }

    void scan(unsigned ring, const std::array<unsigned, 14> &epoch, const bool posted[14])
    {
        for (const Row &row : rows_) {
            const bool now = row.epoch < 0 || static_cast<unsigned>(row.epoch) == epoch[row.group];

            pass();
            if (has(row.states, ring) && posted[row.group] && now && is_available(row)) {
                if (row.epoch >= 0 && row.group == 4)
                    outcome_.coverage.epochs[epoch[4]]++;
                outcome_.coverage.turns[epoch[2]] += row.group == 2 && !power10_;
                post(row);
            }
        }
    }

    uint64_t read(Counter &c)
    {
        const uint64_t cur = c.upper;
        uint64_t value = 0;

        if (c.style == "clear") {
            c.cleared = true;
            return cur;
        }
        if (c.style == "store") {
            outcome_.coverage.stores += cur != 0;
            return cur;
        }
        if (c.prev != 0)
            value = cur >= c.prev ? cur - c.prev : power_of_2(c.width) - 1 - c.prev + cur;
        outcome_.coverage.wraps += cur < c.prev;
        outcome_.coverage.cleared_prev += cur != 0 && c.prev == 0;
        outcome_.coverage.doubled += c.style == "wrap2" && value != 0;
        c.prev = cur;
        return c.style == "wrap2" ? 2 * value : value;
    }

    void post(const Row &row)
    {
        const bool elsewhere = mode_ == 1 && row.group <= (power10_ ? 2 : 1);
        const uint64_t addr = world_.base + row.offset + (elsewhere ? 0x10000 : 0);
        std::vector<uint64_t> data;

        if (row.kind == "header") {
            start_ = t_;
            header_ = addr;
            words_ = 0;
        }
        words_ += row.count;
        for (unsigned i = 0; i < row.count; i++) {
            data.push_back(
                row.kind == "counters" ? read(counters_[by_event_.at(row.offset / 8 + i)]) : 1);
            pass();
        }
        const Transfer t = transfer(row.style == "store" ? addr : addr + add_bit, true, data);
        if (row.kind == "trailer")
            sample(row.group, t.resp);
        pass();
    }

    void sample(unsigned group, uint8_t resp)
    {
        cs_probe_record r = {};

        r.cycle = t_;
        r.kind = CS_PROBE_SAMPLE;
        r.resp = resp;
        r.source = nest_unit;
        r.index = static_cast<uint16_t>(group);
        r.addr = header_;
        r.value = postings_[group]++;
        r.request = start_;
        r.bytes = 8 * words_;
        outcome_.records.push_back(r);
        outcome_.coverage.postings[group]++;
        outcome_.coverage.debug_postings += header_ >= world_.base + 0x10000;
    }

    const bool power10_;
    const std::vector<Row> &rows_;
    const uint32_t period_;
    const Nest &nest_;
    World &world_;
    const std::vector<HostWrite> &host_;
    const cs_cycle end_;
    size_t at_ = 0; // in host_

    cs_cycle t_ = 0;
    std::vector<Counter> counters_;
    std::map<unsigned, size_t> by_event_;
    unsigned ticks_ = 0;

    bool seen_ = false, paused_ = false;
    unsigned phase_ = 0, ring_ = 1;
    std::array<unsigned, 14> epoch_{};
    uint64_t speed_ = 0, units_ = 0, mode_ = 0;
    uint64_t delay_[8] = {};
    uint64_t written_ = 0;

    cs_cycle start_ = 0;
    uint64_t header_ = 0;
    uint32_t words_ = 0;
    uint64_t postings_[14] = {};
    Outcome outcome_;
};

} // namespace

const std::vector<Row> &row_table(bool power10)
{
    static const std::vector<Row> nine = read_rows(CS_NEST_ROWS_TXT);
    static const std::vector<Row> ten = read_rows(CS_NEST_P10_ROWS_TXT);
    return power10 ? ten : nine;
}

Outcome reference_run(uint32_t tick_cycles, const Nest &nest, World &world,
                      const std::vector<HostWrite> &host, cs_cycle end, bool power10)
{
    return Engine(tick_cycles, nest, world, host, end, power10).run();
}
