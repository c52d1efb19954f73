// SPDX-License-Identifier: Apache-2.0
// How the fabric meets TLM-2.0: requests in, responses out.
#include <algorithm>

#include "bus/fabric/fabric_transfer.hpp"
#include <countersink/base/bus/bus_port.h>
#include <countersink/bus/fabric/fabric.hpp>

namespace cs
{

namespace
{

constexpr uint64_t kPage = 4096;

bool power_of_two_up_to_8(unsigned bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

// docs/hw/bus.md, "What a manager may ask for". A streaming width below the length is AXI's FIXED
// burst.
bool well_formed(uint64_t addr, unsigned length, unsigned width)
{
    if (width < length)
        return false;
    if (length <= CS_BUS_BEAT_BYTES)
        return power_of_two_up_to_8(length) && addr % length == 0;
    return length % CS_BUS_BEAT_BYTES == 0 && length <= CS_BUS_MAX_BYTES &&
           addr % CS_BUS_BEAT_BYTES == 0 && addr % kPage + length <= kPage;
}

unsigned beats_of(unsigned length, unsigned width)
{
    const unsigned beat = std::min(width, CS_BUS_BEAT_BYTES);
    return (length + beat - 1) / beat;
}

// What needs no transfer: true, with the response set.
bool answer_trivial(tlm::tlm_generic_payload &payload)
{
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    else if (payload.get_data_length() == 0 || payload.get_data_ptr() == nullptr ||
             payload.get_streaming_width() == 0)
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    else
        return false;
    return true;
}

} // namespace

unsigned Fabric::window(uint64_t addr) const
{
    const auto &targets = config_.targets;

    if (last_target_ < targets.size() &&
        addr - targets[last_target_].base < targets[last_target_].size)
        return last_target_;
    for (unsigned i = 0; i < targets.size(); i++)
        if (addr - targets[i].base < targets[i].size)
            return last_target_ = i;
    return static_cast<unsigned>(targets.size());
}

unsigned Fabric::decode(uint64_t addr) const
{
    const unsigned number = window(addr);
    const auto hole = static_cast<unsigned>(config_.targets.size());

    if (number != hole || addr >> 56 != CS_BUS_ADD >> 56)
        return number;
    const unsigned added = window(addr & ~CS_BUS_ADD);
    return added != hole && config_.targets[added].adds ? added : hole;
}

Fabric::Transfer &Fabric::describe(unsigned index, tlm::tlm_generic_payload &payload,
                                   const sc_core::sc_time &delay)
{
    const uint64_t addr = payload.get_address();
    const unsigned length = payload.get_data_length();
    const unsigned width = payload.get_streaming_width();

    if (unused_ == nullptr) {
        transfers_.push_back(std::make_unique<Transfer>());
        unused_ = transfers_.back().get();
    }
    Transfer &x = *unused_;
    unused_ = x.next;
    x.payload = &payload;
    x.write = payload.get_command() == tlm::TLM_WRITE_COMMAND;
    x.requester = 2 * index + x.write;
    x.target = decode(addr);
    x.beats = beats_of(length, width);
    x.blocking = false;
    x.done = false;
    x.resp = CS_BUS_OKAY;
    if (!well_formed(addr, length, width))
        x.resp = CS_BUS_SLVERR;
    if (x.target == config_.targets.size())
        x.resp = CS_BUS_DECERR;
    x.error = x.resp != CS_BUS_OKAY;
    x.request = std::max(clock_.at_or_after(delay), clock_.cycle() + 1);
    return x;
}

void Fabric::give_back(Transfer &x)
{
    x.next = unused_;
    unused_ = &x;
}

// True: complete, after `delay`.
bool Fabric::begin(Transfer &x, sc_core::sc_time &delay)
{
    if (complete_early(x)) {
        delay = clock_.until_begin(x.complete);
        return true;
    }
    enqueue(x);
    if (path_of(x).current != &x && requesters_[x.requester].head == &x)
        arm(x);
    wake_up();
    return false;
}

tlm::tlm_sync_enum Fabric::forward(unsigned index, tlm::tlm_generic_payload &payload,
                                   tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    if (phase == tlm::END_RESP) {
        end_response(index);
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ)
        return tlm::TLM_ACCEPTED; // an ignorable phase of somebody else's
    if (answer_trivial(payload))
        return tlm::TLM_COMPLETED;
    Transfer &x = describe(index, payload, delay);
    if (begin(x, delay)) {
        give_back(x);
        return tlm::TLM_COMPLETED;
    }
    if (payload.has_mm())
        payload.acquire();
    return tlm::TLM_ACCEPTED;
}

void Fabric::blocking(unsigned index, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    if (answer_trivial(payload))
        return;
    Transfer &x = describe(index, payload, delay);
    if (!begin(x, delay)) {
        if (x.change == nullptr)
            x.change = std::make_unique<sc_core::sc_event>();
        x.blocking = true;
        while (!x.done)
            sc_core::wait(*x.change);
        delay = sc_core::SC_ZERO_TIME;
    }
    give_back(x);
}

// At the beginning of the cycle of the completion.
void Fabric::deliver(Transfer &x)
{
    tlm::tlm_generic_payload &payload = *x.payload;
    const unsigned index = x.manager();

    if (x.blocking) {
        x.done = true;
        x.change->notify(sc_core::SC_ZERO_TIME);
        return;
    }
    give_back(x);
    if (managers_[index]->response_open)
        managers_[index]->responses.push_back(&payload);
    else
        send_response(index, payload);
}

void Fabric::send_response(unsigned index, tlm::tlm_generic_payload &payload)
{
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;

    managers_[index]->response_open = true;
    const tlm::tlm_sync_enum answer = manager[index]->nb_transport_bw(payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
        managers_[index]->response_open = false;
    if (payload.has_mm())
        payload.release();
}

void Fabric::end_response(unsigned index)
{
    ManagerSide &side = *managers_[index];

    side.response_open = false;
    while (!side.response_open && !side.responses.empty()) {
        tlm::tlm_generic_payload &payload = *side.responses.front();
        side.responses.pop_front();
        send_response(index, payload);
    }
}

// Reaches through in no time; what goes beyond the window of its first byte is left out.
unsigned Fabric::debug(tlm::tlm_generic_payload &payload)
{
    const uint64_t addr = payload.get_address();
    const unsigned length = payload.get_data_length();
    const unsigned number = decode(addr);

    if (number == config_.targets.size())
        return 0;
    const TargetConfig &to = config_.targets[number];
    const uint64_t left = to.size - (addr - to.base);
    if (to.local_address)
        payload.set_address(addr - to.base);
    payload.set_data_length(static_cast<unsigned>(std::min<uint64_t>(length, left)));
    const unsigned done = targets_[number]->transport_dbg(payload);
    payload.set_data_length(length);
    payload.set_address(addr);
    return done;
}

} // namespace cs
