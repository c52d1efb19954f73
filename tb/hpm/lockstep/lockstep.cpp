// SPDX-License-Identifier: Apache-2.0
#include "lockstep.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include "Vhpm.h"
#include "Vhpm_0.h"
#include "Vhpm_6.h"
#include "model_side.hpp"
#include "rtl_side.hpp"
#include "stimulus.hpp"

namespace
{

std::string text(const cs_probe_record &record)
{
    char buffer[256];
    return cs_probe_print(&record, buffer, sizeof buffer);
}

bool before(const cs_probe_record &a, const cs_probe_record &b)
{
    return cs_probe_order(&a, &b) < 0;
}

std::string straps(const cs_hpm_config &c)
{
    std::ostringstream out;
    out << "RV" << c.xlen << " modes " << c.modes << std::hex << " counters 0x" << c.counters
        << std::dec << (c.sscofpmf ? " sscofpmf" : "") << (c.smcntrpmf ? " smcntrpmf" : "")
        << (c.smcdeleg ? " smcdeleg" : "") << (c.aia ? " aia" : "") << " latency "
        << c.lcofi_latency;
    return out.str();
}

std::string pins(const Pins &p)
{
    static const char *const ops[] = {"read", "csrrw", "csrrs", "csrrc"};
    std::ostringstream out;
    out << "mode code " << p.mode;
    if (p.op >= 0)
        out << ", " << ops[p.op] << std::hex << " 0x" << p.csr << " operand 0x" << p.operand;
    return out.str();
}

template <class Dut> class Run
{
  public:
    Run(uint64_t seed, Compared &compared)
        : seed_(seed), compared_(compared), stimulus_(seed), config_(stimulus_.program.config),
          rtl_(config_, stimulus_.program.hart, seed),
          model_(config_, stimulus_.program.hart), random_{mix(seed, 0x53)},
          pace_(stimulus_.is_quiet() ? 3 : random_(4))
    {
        reference_.emplace(config_, stimulus_.program.increments());
    }

    std::string operator()()
    {
        if (!model_.is_made())
            fail("straps", "refused by the model");
        for (cs_cycle t = 0; t < stimulus_.cycles() && difference_.empty(); t++) {
            now_ = stimulus_.pins(t);
            cycle();
        }
        if (difference_.empty())
            compare_records();
        return difference_;
    }

  private:
    using Increments = decltype(std::declval<RandomProgram>().increments());

    const uint64_t seed_;
    Compared &compared_;
    Stimulus stimulus_;
    const cs_hpm_config config_;
    RtlSide<Dut> rtl_;
    ModelSide model_;
    std::optional<Reference<Increments>> reference_;
    Random random_;
    const uint64_t
        pace_; // the model is asked every cycle, now and then, at accesses alone; or waits
    std::vector<unsigned> levels_; // lcofi_o of each cycle
    Pins now_;
    unsigned lines_ = 0;
    cs_cycle foretold_ = 0; // the next edge as the model has it, if nobody comes; 0: not asked
    std::string difference_;

    void fail(const std::string &what, const std::string &found)
    {
        std::ostringstream out;
        out << "seed " << seed_ << " (" << straps(config_) << "), cycle " << now_.t << ", "
            << pins(now_) << ": " << what << ": " << found;
        if (difference_.empty())
            difference_ = out.str();
    }

    static std::string sides(uint64_t model, uint64_t rtl)
    {
        std::ostringstream out;
        out << std::hex << "model 0x" << model << ", RTL 0x" << rtl;
        return out.str();
    }

    // The reference tells who is right, by which rule; alone it stands against both.
    void compare(const char *what, uint64_t model, uint64_t rtl, uint64_t reference,
                 const std::string &rule = "")
    {
        if (model == rtl && rtl == reference)
            return;
        std::ostringstream out;
        out << sides(model, rtl) << std::hex << ", reference 0x" << reference << " " << rule;
        fail(what, out.str());
    }

    // 1. The outputs of the cycle, from both. 2. The cycle's end, or a reset.
    void cycle()
    {
        const bool resets = stimulus_.resets_in(now_.t);
        const Outputs seen = rtl_.cycle(now_, resets);

        compared_.cycles++;
        registers(seen);
        lines(seen);
        if (now_.op >= 0)
            access(seen);
        else if (seen.value != 0 || seen.exception != 0)
            fail("without access", "csr_rdata_o and csr_exc_o are not 0");
        if (resets)
            reset();
        else
            reference_->step(now_);
    }

    // event_o, counting_o: the model has no such pins, the reference has.
    void registers(const Outputs &seen)
    {
        for (unsigned n = 0; n < 32; n++) {
            const unsigned event = reference_->event(n);
            const bool counting = reference_->counting(n);
            if (event != seen.event[n])
                fail("event_o of " + std::to_string(n) + ", reference for model",
                     sides(event, seen.event[n]));
            if (counting != (seen.counting >> n & 1))
                fail("counting_o of " + std::to_string(n) + ", reference for model",
                     sides(counting, seen.counting >> n & 1));
        }
    }

    void lines(const Outputs &seen)
    {
        if (pace_ == 0 || (pace_ == 1 && random_.one_in(3)))
            cs_hpm_advance(model_.get(), now_.t);
        const bool is_now = cs_hpm_now(model_.get()) == now_.t;
        compare("lcofi_o", is_now ? cs_hpm_irq(model_.get()) : seen.lines, seen.lines,
                reference_->lines);
        for (unsigned line = 0; line < 3; line++)
            compared_.edges[line] += (seen.lines ^ lines_) >> line & 1;
        if (foretold_ != 0) {
            const bool edge = seen.lines != lines_;
            if (edge != (foretold_ == now_.t))
                fail("cs_hpm_next", "model " + std::to_string(foretold_) +
                                        (edge ? ", RTL has an edge now" : ", RTL has none now"));
            compared_.foretold += edge;
            if (edge)
                foretold_ = 0;
        }
        lines_ = seen.lines;
        levels_.push_back(lines_);
        if (foretold_ == 0 && is_now && random_.one_in(3))
            foretold_ = cs_hpm_next(model_.get());
    }

    // Up to the access the model looks for a line by itself, as software's wait does.
    void wait()
    {
        const cs_cycle from = cs_hpm_now(model_.get());
        const unsigned mask = static_cast<unsigned>(random_(8));
        cs_cycle first = from;
        unsigned high = 99;

        while (first < now_.t && !(levels_[first] & mask))
            first++;
        const cs_cycle found = cs_hpm_wait(model_.get(), from, now_.t, mask, &high);
        if (found != first)
            fail("cs_hpm_wait, cycle", sides(found, first));
        const unsigned level = first < now_.t ? levels_[first] & mask : 0;
        if (high != level)
            fail("cs_hpm_wait, lines", sides(high, level));
        if (cs_hpm_now(model_.get()) != found)
            fail("cs_hpm_wait, now", sides(cs_hpm_now(model_.get()), found));
        compared_.waited += level != 0 && found > from;
    }

    void ask(const Outputs &seen)
    {
        const cs_hpm_result asked = model_.ask(now_);
        if (asked.exception != static_cast<unsigned>(seen.exception))
            fail("cs_hpm_ask, exception", sides(asked.exception, seen.exception));
        if (asked.value != seen.value)
            fail("cs_hpm_ask, value", sides(asked.value, seen.value));
    }

    void access(const Outputs &seen)
    {
        if (pace_ == 3)
            wait();
        if (cs_hpm_now(model_.get()) == now_.t)
            ask(seen);
        const cs_hpm_result found = model_.access(now_);
        const Answer expected = reference_->answer(now_);

        compare("exception", found.exception, static_cast<unsigned>(seen.exception),
                static_cast<unsigned>(expected.exception), expected.rule);
        compare("value", found.value, seen.value, expected.value, expected.rule);
        compared_.accesses++;
        compared_.refused += seen.exception != 0;
        foretold_ = 0; // an access may change anything
    }

    void reset()
    {
        cs_hpm_reset(model_.get(), now_.t + 1);
        reference_.emplace(config_, stimulus_.program.increments());
        foretold_ = 0;
        compared_.resets++;
    }

    void compare_records()
    {
        std::vector<cs_probe_record> &a = model_.records, &b = rtl_.records;

        cs_hpm_advance(model_.get(), stimulus_.cycles() - 1);
        std::sort(a.begin(), a.end(), before);
        std::sort(b.begin(), b.end(), before);
        compared_.records += b.size();
        for (size_t i = 0; i < std::min(a.size(), b.size()); i++) {
            const char *field = cs_probe_difference(&a[i], &b[i], nullptr, nullptr);
            if (field != nullptr)
                return fail(std::string("record, ") + field,
                            "model " + text(a[i]) + "\nRTL " + text(b[i]));
        }
        if (a.size() != b.size())
            fail("number of records", sides(a.size(), b.size()));
    }
};

} // namespace

unsigned built_for(uint64_t seed, uint32_t counters)
{
    if (seed % 3 == 0)
        return 29;
    return counters == 0 ? 0 : counters < 1u << 9 ? 6 : 29;
}

std::string lockstep(uint64_t seed, Compared &compared)
{
    switch (built_for(seed, RandomProgram::config_of(seed).counters)) {
    case 0:
        return Run<Vhpm_0>(seed, compared)();
    case 6:
        return Run<Vhpm_6>(seed, compared)();
    default:
        return Run<Vhpm>(seed, compared)();
    }
}
