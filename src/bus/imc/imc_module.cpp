// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/imc/imc_module.hpp>

#include <algorithm>
#include <string>

#include "models/imc/imc_scom.h"
#include <countersink/base/numbers.h>

namespace cs
{

namespace
{

constexpr RegisterMap kScomMap = {CS_SCOM_BYTES - 1, 3, true};
constexpr RegisterMap kSprMap = {CS_SPR_BYTES - 1, 0, true};

} // namespace

ImcModule::Scom::Scom(ImcModule &module, unsigned chip)
    : socket(("scom_" + std::to_string(chip)).c_str()), window(module, false, chip),
      access(module.clock_, {{&window, static_cast<uint16_t>(CS_UNIT_SCOM_OF(chip))}},
             module.config_.probe, kScomMap)
{
    socket.bind(access);
}

ImcModule::ImcModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                     const ImcConfig &config)
    : AgentModule(name, period), spr("spr"), config_(config), spr_window_(*this, true),
      spr_access_(clock_, {{&spr_window_, CS_UNIT_SPR}}, config.probe, kSprMap)
{
    for (unsigned i = 0; i < config.cores; i++) {
        cs_imc_core_config core = config.core;
        cs_imc_core_env env = {};
        cs_imc_core *made = nullptr;
        cs_diag diag = {};

        core.unit = static_cast<uint16_t>(core.unit + i);
        env.bus = {submit, this};
        env.port = i;
        env.events = config_.events[i].data();
        env.probe = config.probe;
        if (cs_imc_core_create(&core, &env, &made, &diag) == CS_OK) {
            cores_.push_back(made);
            next_.set(i, 0);
        } else {
            SC_REPORT_ERROR("/countersink/imc", diag.text);
            config_.power.clear(); // all cores are the same: there is none
        }
        add_port(("port_" + std::to_string(i)).c_str());
    }
    kept_txn_.resize(config.cores);
    for (unsigned chip = 0; chip < config.chips; chip++)
        scoms_.push_back(std::make_unique<Scom>(*this, chip));
    spr.bind(spr_access_);
}

ImcModule::~ImcModule()
{
    for (cs_imc_core *core : cores_)
        cs_imc_core_destroy(core);
}

// ---- as an agent ----

cs_cycle ImcModule::earliest() const
{
    return pending_ != 0 ? clock_.cycle() + 1 : seen_after(next());
}

// The core that asks does nothing else before its transfer is complete; what others do in a cycle,
// they ask for in the next.
bool ImcModule::alone(cs_cycle until) const
{
    return picking_ || (kept_ == 0 && next_.least_but(executing_) >= until);
}

// Power changes at the beginning of a cycle: it is applied with the end of the one before.
cs_cycle ImcModule::next() const
{
    return power_done_ < config_.power.size()
               ? std::min(next_.least(), config_.power[power_done_].cycle - 1)
               : next_.least();
}

void ImcModule::look(unsigned core)
{
    next_.set(core, cs_imc_core_next(cores_[core]));
}

void ImcModule::execute_power()
{
    const PowerChange &change = config_.power[power_done_++];

    cs_imc_core_set_power(cores_[change.core], change.cycle, change.on);
    look(change.core);
}

// The core whose turn it is, as long as it comes before all others and before `end`, and until a
// transfer goes the long way or is kept. One that is kept may be complete soon after its turn.
void ImcModule::execute_core(cs_cycle end)
{
    cs_cycle others;
    const unsigned core = next_.place(others);
    const cs_cycle cycle = next_.least();

    executing_ = core;
    end = std::min({end, others, first_turn_.cycle});
    cs_imc_core_advance(cores_[core], std::max(end, cycle + 1));
    look(core);
}

// Nothing that the cores do moves the horizon but a transfer that goes the long way; so they run
// up to it without asking again. Cores of one cycle come in any order: none sees another in it.
void ImcModule::execute(cs_cycle cycle)
{
    const cs_cycle ahead = pending_ == 0 ? horizon() : 0;
    const cs_cycle power =
        power_done_ < config_.power.size() ? config_.power[power_done_].cycle - 1 : CS_NEVER;

    for (;;) {
        const cs_cycle first = next();

        if (first_turn_.cycle <= first && kept_ != 0)
            pick_kept();
        else if (first > cycle && (first >= ahead || pending_ != 0))
            break;
        else if (first < next_.least())
            execute_power();
        else
            execute_core(std::min(std::max(cycle + 1, ahead), power));
    }
    release_kept();
}

// ---- transfers that are kept ----

bool ImcModule::keep(unsigned core, cs_bus_txn *txn)
{
    const Turn turn = port(core).turn(*txn);

    if (pending_ != 0 || turn.cycle == CS_NEVER)
        return false;
    kept_ |= uint32_t(1) << core;
    kept_txn_[core] = txn;
    compare_kept(core, turn);
    return true;
}

void ImcModule::compare_kept(unsigned core, const Turn &turn)
{
    if (turn < first_turn_) {
        first_turn_ = turn;
        first_kept_ = core;
    }
}

// After a pick the turns of all others are new.
void ImcModule::plan_kept()
{
    first_turn_ = {CS_NEVER, 0};
    for (uint32_t left = kept_; left != 0; left &= left - 1) {
        const auto core = static_cast<unsigned>(__builtin_ctz(left));

        compare_kept(core, port(core).turn(*kept_txn_[core]));
    }
}

// Whoever asks up to this turn has asked.
void ImcModule::pick_kept()
{
    const unsigned core = first_kept_;

    picking_ = true;
    const bool done = port(core).carry_out(*kept_txn_[core]);
    picking_ = false;
    if (!done) {
        release_kept();
        return;
    }
    kept_ &= ~(uint32_t(1) << core);
    hand_back(core);
    plan_kept();
}

// They go the long way.
void ImcModule::release_kept()
{
    for (; kept_ != 0; kept_ &= kept_ - 1) {
        executing_ = static_cast<unsigned>(__builtin_ctz(kept_));
        if (port(executing_).submit_by_tlm(kept_txn_[executing_]) == CS_BUS_DONE)
            hand_back(executing_);
        else
            pending_++;
    }
    first_turn_ = {CS_NEVER, 0};
}

void ImcModule::hand_back(unsigned core)
{
    cs_imc_core_bus_done(cores_[core], kept_txn_[core]);
    look(core);
}

// ---- the models' outputs and inputs ----

void ImcModule::events_changed(unsigned core, unsigned thread)
{
    if (core >= cores_.size())
        return;
    cs_imc_core_events_changed(cores_[core], thread);
    look(core);
    wake();
}

cs_bus_submit ImcModule::submit(void *ctx, unsigned core, cs_bus_txn *txn)
{
    auto *self = static_cast<ImcModule *>(ctx);
    if (self->kept_ == 0 && self->port(core).carry_out(*txn))
        return CS_BUS_DONE;
    if (self->keep(core, txn))
        return CS_BUS_PENDING;
    const cs_bus_submit answer = self->port(core).submit_by_tlm(txn);

    if (answer == CS_BUS_PENDING)
        self->pending_++;
    return answer;
}

void ImcModule::bus_done(unsigned port, cs_bus_txn *txn)
{
    pending_--;
    cs_imc_core_bus_done(cores_[port], txn);
    look(port);
    wake();
}

uint32_t ImcModule::Window::decode(uint32_t offset, unsigned &reg) const
{
    const unsigned cores = static_cast<unsigned>(module_.cores_.size());
    unsigned core, thread;

    if (!spr_) {
        const unsigned own = cores / module_.config_.chips;
        const cs_imc_scom_target target =
            cs_imc_scom_decode(module_.config_.core.power10, own, offset);
        reg = target.reg;
        return target.cores << (own * chip_);
    }
    if (!cs_imc_spr_decode(offset, &core, &thread) || core >= cores)
        return 0;
    reg = CS_IMC_REG_LDBAR + thread;
    return uint32_t(1) << core;
}

// What several cores have is the OR of those that answer; an error is when none does.
template <class Read>
bool ImcModule::Window::read_all(uint32_t offset, bool wide, uint64_t &data, const Read &read) const
{
    unsigned reg = 0;
    const uint32_t cores = wide ? decode(offset, reg) : 0;
    bool error = true;

    data = 0;
    for (unsigned i = 0; cores >> i != 0; i++) {
        uint64_t value = 0;

        if ((cores >> i & 1) == 0)
            continue;
        if (read(module_.cores_[i], reg, &value) == CS_BUS_OKAY) {
            data |= value;
            error = false;
        }
    }
    return error;
}

bool ImcModule::Window::read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data)
{
    return read_all(offset, wide, data, [cycle](cs_imc_core *core, unsigned reg, uint64_t *value) {
        return cs_imc_core_read(core, cycle, reg, value);
    });
}

bool ImcModule::Window::ask(cs_cycle, uint32_t offset, bool wide, uint64_t &data)
{
    return read_all(offset, wide, data, cs_imc_core_ask);
}

bool ImcModule::Window::write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
{
    unsigned reg = 0;
    const uint32_t cores = wide ? decode(offset, reg) : 0;
    bool error = true;

    for (unsigned i = 0; cores >> i != 0; i++) {
        if ((cores >> i & 1) == 0)
            continue;
        if (cs_imc_core_write(module_.cores_[i], cycle, reg, data) == CS_BUS_OKAY)
            error = false;
        module_.look(i);
    }
    module_.wake();
    return error;
}

} // namespace cs
