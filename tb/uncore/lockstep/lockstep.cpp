// SPDX-License-Identifier: Apache-2.0
#include "lockstep.hpp"

#include <algorithm>
#include <sstream>

#include "../rtl/uncore_bench.hpp"
#include "Vuncore.h"
#include "Vuncore_1.h"
#include "Vuncore_5.h"
#include "Vuncore_tags.h"
#include "model_side.hpp"

namespace
{

std::string text(const cs_probe_record &record)
{
    char buffer[256];
    return cs_probe_print(&record, buffer, sizeof buffer);
}

// Two models: one is asked when the bus asks and now and then, so that much is left to be brought
// up to date; the other one, in every cycle, for its line and for some register.
template <class Dut> class Run
{
  public:
    Run(uint64_t seed, unsigned built, LockstepCoverage &coverage, bool tags = false)
        : seed_(seed), built_(built), coverage_(coverage), program_(seed, built, tags),
          config_(program_.config),
          rtl_({config_.counters, config_.width, config_.id, config_.extended}),
          lazy_(config_, program_.increments), eager_(config_, program_.increments),
          reference_(config_), random_(seed ^ 0x5EED), pace_(random_.below(3))
    {
    }

    std::string operator()()
    {
        if (lazy_.get() == nullptr || eager_.get() == nullptr)
            return "the model refuses its straps";
        coverage_.straps(config_);
        for (now_ = 0; now_ < program_.cycles() && difference_.empty(); now_++) {
            pins_ = program_.pins(now_);
            cycle();
        }
        // All that can be read, one register a cycle, while counting goes on.
        for (unsigned offset = 0; offset < 0x500 && difference_.empty(); offset += 8) {
            if (offset == 0x20)
                offset = 0x100;
            if (offset >= 0x100 && offset % 0x100 == 8 * config_.counters)
                offset = (offset / 0x100 + 1) * 0x100;
            if (offset == 0x500)
                break;
            pins_ = {false, true, false, true, static_cast<uint16_t>(offset), 0};
            cycle();
            now_++;
        }
        if (difference_.empty())
            compare_records();
        return difference_;
    }

  private:
    const uint64_t seed_;
    const unsigned built_;
    LockstepCoverage &coverage_;
    Program program_;
    const cs_uncore_config config_;
    UncoreRtl<Dut> rtl_;
    ModelSide lazy_, eager_;
    Reference reference_;
    Random random_;
    const unsigned pace_; // the lazy model is also asked: every cycle, now and then, never
    cs_cycle now_ = 0;
    Pins pins_;
    bool line_ = false;
    bool is_foretold_ = false;
    cs_cycle foretold_ = 0;
    std::vector<cs_probe_record> edges_; // of the RTL's line
    std::string difference_;

    void fail(const std::string &what, const std::string &found)
    {
        std::ostringstream out;
        out << "seed " << seed_ << " (N " << config_.counters << " of " << built_ << ", W "
            << config_.width << "), cycle " << now_ << (pins_.reset ? ", reset" : "");
        if (pins_.enabled)
            out << (pins_.write ? ", write " : ", read ") << (pins_.wide ? 8 : 4) << std::hex
                << " at 0x" << pins_.addr << " data 0x" << pins_.data;
        out << ": " << what << ": " << found;
        if (difference_.empty())
            difference_ = out.str();
    }

    void compare(const std::string &what, uint64_t model, uint64_t rtl, uint64_t reference)
    {
        if (model == rtl && rtl == reference)
            return;
        std::ostringstream out;
        out << std::hex << "model 0x" << model << ", RTL 0x" << rtl << ", reference 0x"
            << reference;
        fail(what, out.str());
    }

    // 1. A reset, which is seen in its own cycle. 2. The pins of the cycle. 3. Its end.
    void cycle()
    {
        const Reference before = reference_;
        const bool line_before = line_;
        if (pins_.reset) {
            cs_uncore_reset(lazy_.get(), now_);
            cs_uncore_reset(eager_.get(), now_);
            reference_ = Reference(config_);
            is_foretold_ = false;
        }
        rtl_.dut.rst_ni = !pins_.reset;
        const std::array<unsigned, 16> inc = drive_increments();
        drive_bus();

        line();
        outputs();
        access();
        look_at_a_register();
        drive_bus();
        const Happens happens = reference_.step(pins_, inc);
        coverage_.cycle(config_, before, reference_, pins_, happens, inc, line_before);
        rtl_.edge();
    }

    // Without an access the other pins of the bus are noise.
    void drive_bus()
    {
        rtl_.drive(pins_.write, pins_.addr, pins_.data, pins_.wide);
        rtl_.dut.reg_en_i = pins_.enabled;
        rtl_.settle();
    }

    // The unit answers event_o in the same cycle; where nothing counts, with noise.
    std::array<unsigned, 16> drive_increments()
    {
        std::array<unsigned, 16> inc = {};
        for (unsigned n = 0; n < built_; n++) {
            inc[n] = reference_.counting(n) ? increment(reference_.counter[n]) : random_.below(16);
            rtl_.increment(n, inc[n]);
        }
        return inc;
    }

    // Of an extended unit those alone that fit.
    unsigned increment(const Reference::Counter &c) const
    {
        if (config_.extended && !Increments::fits(c.event, now_, c.match, c.mask))
            return 0;
        return program_.increments.at(c.event, now_);
    }

    void line()
    {
        if (pace_ == 0 || (pace_ == 1 && random_.one_in(9)))
            cs_uncore_advance(lazy_.get(), now_);
        cs_uncore_advance(eager_.get(), now_);
        compare("irq_o", cs_uncore_irq(eager_.get()), rtl_.irq(), reference_.irq());
        const bool edge = rtl_.irq() != line_;
        if (edge) {
            cs_probe_record record = {};
            record.cycle = now_;
            record.kind = CS_PROBE_IRQ;
            record.source = config_.unit;
            record.value = rtl_.irq();
            edges_.push_back(record);
        }
        line_ = rtl_.irq();
        if (is_foretold_ && edge != (foretold_ == now_))
            fail("cs_uncore_next", "model " + std::to_string(foretold_) +
                                       (edge ? ", RTL has an edge now" : ", RTL has none now"));
        coverage_.foretold += is_foretold_ && edge;
        if (edge)
            is_foretold_ = false;
        cs_uncore *asked = random_.one_in(2) ? lazy_.get() : eager_.get();
        if (!is_foretold_ && cs_uncore_now(asked) == now_ && random_.one_in(3)) {
            foretold_ = cs_uncore_next(asked);
            is_foretold_ = true;
        }
    }

    void outputs()
    {
        for (unsigned n = 0; n < built_; n++)
            if (rtl_.event(n) != reference_.counter[n].event)
                fail("event_o of " + std::to_string(n), std::to_string(rtl_.event(n)));
        for (unsigned n = 0; n < built_ && config_.extended; n++)
            if (rtl_.match(n) != reference_.counter[n].match ||
                rtl_.mask(n) != reference_.counter[n].mask)
                fail("tags of " + std::to_string(n), std::to_string(rtl_.match(n)));
        for (unsigned n = 0; n < 16; n++)
            if ((rtl_.counting() >> n & 1) != reference_.counting(n))
                fail("counting_o of " + std::to_string(n), std::to_string(rtl_.counting()));
        if (!pins_.enabled)
            compare("without an access", 0, rtl_.dut.reg_rdata_o | rtl_.dut.reg_err_o, 0);
    }

    void access()
    {
        if (!pins_.enabled)
            return;
        const uint64_t data = rtl_.dut.reg_rdata_o;
        const bool error = rtl_.dut.reg_err_o;
        const bool refused = Reference::is_refused(pins_);

        for (cs_uncore *model : {lazy_.get(), eager_.get()}) {
            uint64_t found = 0;
            bool told = refused; // a write while the reset is held is nobody's
            if (!pins_.write)
                told = cs_uncore_read(model, now_, pins_.addr, pins_.wide, &found) != CS_BUS_OKAY;
            else if (!pins_.reset)
                told =
                    cs_uncore_write(model, now_, pins_.addr, pins_.wide, pins_.data) != CS_BUS_OKAY;
            compare("reg_err_o", told, error, refused);
            compare("reg_rdata_o", found, data, reference_.rdata(pins_));
        }
        if (pins_.write)
            is_foretold_ = false;
    }

    // In a cycle that the bus leaves free. The RTL is asked without a clock edge.
    void look_at_a_register()
    {
        if (pins_.enabled || pins_.reset)
            return;
        const unsigned n = random_.below(config_.counters);
        const unsigned choice[] = {0x008, 0x010, 0x100 + 8 * n, 0x200 + 8 * n};
        const auto offset = static_cast<uint16_t>(choice[random_.below(4)]);
        uint64_t found;

        cs_uncore_read(eager_.get(), now_, offset, true, &found);
        compare("register at " + std::to_string(offset), found, rtl_.peek(offset),
                reference_.whole(offset));
        coverage_.peeks++;
    }

    // A write is executed at once, with the line of the cycle behind it. When that is the cycle of
    // a reset there are two records of it, up and down: a level that nobody has seen.
    static std::vector<cs_probe_record> seen_of(const std::vector<cs_probe_record> &records)
    {
        std::vector<cs_probe_record> seen;
        for (const cs_probe_record &record : records) {
            if (!seen.empty() && seen.back().cycle == record.cycle)
                seen.pop_back();
            else
                seen.push_back(record);
        }
        return seen;
    }

    void compare_records()
    {
        for (ModelSide *model : {&lazy_, &eager_}) {
            cs_uncore_advance(model->get(), now_ - 1);
            const std::vector<cs_probe_record> records = seen_of(model->records);
            for (size_t i = 0; i < std::max(records.size(), edges_.size()); i++) {
                if (i >= records.size() || i >= edges_.size())
                    return fail("records", "model " + std::to_string(records.size()) + ", RTL " +
                                               std::to_string(edges_.size()));
                const char *field = cs_probe_difference(&records[i], &edges_[i], nullptr, nullptr);
                if (field != nullptr)
                    return fail(model == &lazy_ ? "record, lazy model" : "record, eager model",
                                text(records[i]) + ", RTL " + text(edges_[i]));
            }
        }
        coverage_.records += edges_.size();
    }
};

} // namespace

std::string lockstep(uint64_t seed, LockstepCoverage &coverage)
{
    if (seed >= first_with_tags)
        return Run<Vuncore_tags>(seed, 5, coverage, true)();
    switch (seed % 8) {
    case 0:
        return Run<Vuncore_1>(seed, 1, coverage)();
    case 1:
    case 2:
        return Run<Vuncore_5>(seed, 5, coverage)();
    default:
        return Run<Vuncore>(seed, 16, coverage)();
    }
}
