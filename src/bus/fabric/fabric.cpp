// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/fabric/fabric.hpp>

#include <countersink/base/bus/bus_port.h>

#include <algorithm>
#include <cstring>

#include "bus/fabric/fabric_transfer.hpp"

// SystemC's library asks for one even where the program has its own main; whoever has a real
// one overrides this.
__attribute__((weak)) int sc_main(int, char *[])
{
    return 0;
}

namespace cs
{

namespace
{

constexpr char kId[] = "/countersink/fabric";

void check_config(const FabricConfig &config)
{
    if (!Clock::usable(config.period))
        SC_REPORT_ERROR(kId, "the period is not an even, positive number of time units");
    if (config.managers == 0 || config.managers > Fabric::kMaxManagers)
        SC_REPORT_ERROR(kId, "the number of managers is not 1..128");
    for (size_t i = 0; i < config.targets.size(); i++) {
        const TargetConfig &a = config.targets[i];
        if (a.size == 0 || a.base + (a.size - 1) < a.base)
            SC_REPORT_ERROR(kId, "a target's window is empty or leaves the address space");
        if (a.timing.kind == TargetKind::registers && a.timing.access_cycles == 0)
            SC_REPORT_ERROR(kId, "a register bridge takes at least one cycle");
        for (size_t j = 0; j < i; j++) {
            const TargetConfig &b = config.targets[j];
            if (a.base - b.base < b.size || b.base - a.base < a.size)
                SC_REPORT_ERROR(kId, "the windows of two targets overlap");
        }
    }
}

} // namespace

Fabric::Fabric(const sc_core::sc_module_name &name, const FabricConfig &config)
    : sc_core::sc_module(name), manager("manager"), target("target"), config_(config),
      clock_((check_config(config), config.period)),
      paths_(config.per_target ? config.targets.size() + 1 : 1), requesters_(2 * config.managers),
      target_side_(new TargetSide), agent_of_(config.managers, nullptr), wake_("wake")
{
    manager.init(config.managers);
    target.init(config.targets.size());
    for (unsigned i = 0; i < config.managers; i++) {
        managers_.push_back(std::make_unique<ManagerSide>(*this, i));
        manager[i].bind(*managers_[i]);
    }
    for (auto &socket : target)
        socket.bind(*target_side_);
    SC_METHOD(work);
    sensitive << wake_;
    dont_initialize();
}

Fabric::~Fabric() = default;

void Fabric::attach(unsigned index, Agent &agent)
{
    agent_of_.at(index) = &agent;
    watch(agent);
}

void Fabric::watch(Agent &agent)
{
    if (std::find(agents_.begin(), agents_.end(), &agent) == agents_.end())
        agents_.push_back(&agent);
}

void Fabric::end_of_elaboration()
{
    foreign_ = std::count(agent_of_.begin(), agent_of_.end(), nullptr) != 0;
    for (auto &socket : target)
        targets_.push_back(socket.operator->());
    unguarded_ = config_.early_completion && !foreign_ && cs_guard_is_open(config_.guard);
}

uint16_t Fabric::number_of(unsigned manager) const
{
    return config_.manager_numbers.empty() ? static_cast<uint16_t>(manager)
                                           : config_.manager_numbers[manager];
}

Fabric::Path &Fabric::path_of(const Transfer &x)
{
    return paths_[config_.per_target ? x.target : 0];
}

// ---- the long way ----

void Fabric::enqueue(Transfer &x)
{
    Requester &requester = requesters_[x.requester];

    open_++;
    x.next = nullptr;
    if (requester.head == nullptr)
        requester.head = &x;
    else
        requester.tail->next = &x;
    requester.tail = &x;
}

// The request of x, the head of its requester, rises in x.request.
void Fabric::arm(Transfer &x)
{
    Path &path = path_of(x);

    path.waiting[x.requester / 64] |= uint64_t(1) << x.requester % 64;
    if (path.current == nullptr)
        plan_pick(path);
}

void Fabric::plan_pick(Path &path)
{
    path.step = Step::pick;
    path.due = CS_NEVER;
    for (size_t first = 0; first < requesters_.size(); first += 64)
        for (uint64_t left = path.waiting[first / 64]; left != 0; left &= left - 1) {
            const Transfer &x =
                *requesters_[first + static_cast<unsigned>(__builtin_ctzll(left))].head;
            path.due = std::min(path.due, std::max(x.request, path.idle));
        }
}

// Everything that is due in this cycle, lower paths first.
void Fabric::work()
{
    const cs_cycle now = clock_.cycle();

    wake_at_ = CS_NEVER;
    for (Path &path : paths_)
        if (path.due <= now)
            run_step(path);
    wake_up();
}

void Fabric::wake_up()
{
    cs_cycle first = CS_NEVER;

    for (const Path &path : paths_)
        first = std::min(first, path.due);
    if (first >= wake_at_ || first > clock_.last())
        return;
    wake_at_ = first;
    wake_.notify(clock_.until_begin(first));
}

void Fabric::run_step(Path &path)
{
    switch (path.step) {
    case Step::pick:
        pick(path, path.due);
        break;
    case Step::check:
        check(*path.current);
        path.step = path.current->error ? Step::complete : Step::effect;
        path.due = path.current->error ? path.current->complete : path.current->effect;
        break;
    case Step::effect:
        call_target(*path.current);
        path.step = Step::complete;
        path.due = path.current->complete;
        break;
    case Step::complete:
        finish(path, *path.current);
        break;
    }
}

// Round robin over those whose request is seen in this cycle (docs/hw/bus.md, "Pick").
void Fabric::pick(Path &path, cs_cycle now)
{
    const unsigned count = static_cast<unsigned>(requesters_.size());

    for (unsigned i = 0; i < count; i++) {
        const unsigned number = (path.search + i) % count;
        if ((path.waiting[number / 64] >> number % 64 & 1) == 0 ||
            requesters_[number].head->request > now)
            continue;
        path.current = requesters_[number].head;
        path.current->grant = now + 1;
        path.waiting[number / 64] &= ~(uint64_t(1) << number % 64);
        path.search = number + 1;
        path.step = Step::check;
        path.due = now + 2;
        return;
    }
}

// CHECK: the guard is asked; from here on the times are known.
void Fabric::check(Transfer &x)
{
    uint64_t stall = 0;
    uint64_t addr = x.payload->get_address();
    if (x.target < config_.targets.size() && config_.targets[x.target].adds)
        addr &= ~CS_BUS_ADD;
    const cs_bus_resp resp =
        cs_guard_check(config_.guard, x.write, addr,
                       std::min(x.payload->get_data_length(), CS_BUS_MAX_BYTES), &stall);

    if (resp != CS_BUS_OKAY && !x.error) {
        x.error = true;
        x.resp = resp;
    }
    const cs_cycle address = x.grant + 2 + config_.forward_cycles + stall;
    if (x.error) {
        x.complete = error_cycle(x.write, x.beats, address, config_.return_cycles);
        return;
    }
    const Plan plan = times(x, address);
    x.effect = plan.effect;
    x.complete = plan.complete;
}

// Of a transfer that reaches its target.
Plan Fabric::times(const Transfer &x, cs_cycle address) const
{
    const TargetConfig &to = config_.targets[x.target];

    if (to.timing.kind == TargetKind::planned) {
        Plan plan = to.planner->plan(*x.payload, address);
        plan.complete += config_.return_cycles;
        return plan;
    }
    return {effect_cycle(to.timing, x.write, x.beats, address),
            complete_cycle(to.timing, x.write, x.beats, address, config_.return_cycles)};
}

void Fabric::call_target(Transfer &x)
{
    const TargetConfig &to = config_.targets[x.target];
    tlm::tlm_generic_payload &payload = *x.payload;
    const uint64_t addr = payload.get_address();
    const sc_core::sc_time at = clock_.until_begin(x.effect);
    sc_core::sc_time delay = at;

    if (to.local_address)
        payload.set_address(addr - to.base);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    targets_[x.target]->b_transport(payload, delay);
    payload.set_address(addr);
    if (delay > at)
        x.complete += clock_.cycles(delay - at);
    x.resp = resp_of(payload.get_response_status());
}

// What the manager gets, and the record of it. A target's own response status stays.
void Fabric::respond(Transfer &x) const
{
    tlm::tlm_generic_payload &payload = *x.payload;
    const unsigned bytes = payload.get_data_length();
    TransferTimes *times = payload.get_extension<TransferTimes>();

    payload.set_dmi_allowed(false);
    if (x.error)
        payload.set_response_status(status_of(x.resp));
    if (x.resp != CS_BUS_OKAY && !x.write)
        std::memset(payload.get_data_ptr(), 0, bytes);
    if (times != nullptr) {
        times->request = x.request;
        times->grant = x.grant;
        times->complete = x.complete;
    }
    if (config_.probe == nullptr)
        return;
    cs_probe_record record = {};
    record.cycle = x.complete;
    record.kind = CS_PROBE_BUS;
    record.write = x.write;
    record.resp = static_cast<uint8_t>(x.resp);
    record.source = number_of(x.manager());
    record.addr = payload.get_address();
    record.value = cs_probe_data(config_.probe, payload.get_data_ptr(), bytes);
    record.request = x.request;
    record.grant = x.grant;
    record.bytes = bytes;
    cs_probe_emit(config_.probe, &record);
}

void Fabric::finish(Path &path, Transfer &x)
{
    Requester &requester = requesters_[x.requester];

    path.current = nullptr;
    path.idle = x.complete + 1;
    plan_pick(path);
    requester.head = x.next;
    open_--;
    late_++;
    if (requester.head != nullptr) {
        requester.head->request = std::max(requester.head->request, x.complete + 1);
        arm(*requester.head);
    }
    respond(x);
    deliver(x);
}

// ---- running ahead ----

cs_cycle Fabric::horizon(const Agent &self) const
{
    if (!config_.early_completion || foreign_ || open_ != 0)
        return 0;
    cs_cycle first = limit_;
    for (const Agent *agent : agents_)
        if (agent != &self)
            first = std::min(first, agent->earliest());
    return first;
}

// Carries out all of the transfer at once, where nobody can do anything before it is complete.
// True: done. Otherwise it takes the long way; it may have gone a part of it already, because a
// stall or the target's own delay is known only when guard and target have been asked.
bool Fabric::complete_early(Transfer &x)
{
    const Agent *self = agent_of_[x.manager()];

    if (self == nullptr || open_ != 0)
        return false;
    const cs_cycle end = horizon(*self);
    Path &path = path_of(x);
    const cs_cycle picked = std::max(x.request, path.idle);
    const cs_cycle address = picked + 3 + config_.forward_cycles;
    cs_cycle complete = error_cycle(x.write, x.beats, address, config_.return_cycles);
    if (!x.error) {
        const TargetConfig &to = config_.targets[x.target];
        if (to.owner == self) // it is in the middle of a step
            return false;
        complete = times(x, address).complete;
    }
    if (complete >= end || !self->alone(complete))
        return false;

    x.grant = picked + 1;
    path.search = x.requester + 1;
    check(x);
    const auto undisturbed = [&] {
        return x.complete < end && (x.complete == complete || self->alone(x.complete));
    };
    Step next = x.error ? Step::complete : Step::effect;
    if (!x.error && undisturbed()) {
        call_target(x);
        next = Step::complete;
    }
    if (undisturbed()) {
        path.idle = x.complete + 1;
        respond(x);
        early_++;
        return true;
    }
    path.current = &x;
    path.step = next;
    path.due = next == Step::complete ? x.complete : x.effect;
    return false;
}

} // namespace cs
