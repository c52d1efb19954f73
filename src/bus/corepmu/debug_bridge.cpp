// SPDX-License-Identifier: Apache-2.0
#include "bus/corepmu/debug_bridge.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cs
{

namespace
{

unsigned slot_of(uint64_t address)
{
    return address >> 16 & 0xf;
}

// As the fabric counts them (docs/hw/bus.md, "What a manager may ask for").
unsigned beats_of(const tlm::tlm_generic_payload &payload)
{
    const unsigned beat = std::min(payload.get_streaming_width(), CS_BUS_BEAT_BYTES);

    return (payload.get_data_length() + beat - 1) / beat;
}

} // namespace

DebugBridge::DebugBridge(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                         const DebugBusConfig &config, std::vector<RegisterSlot> slots,
                         const cs_probe_sink *probe, uint16_t broadcast_unit)
    : sc_core::sc_module(name), socket("socket"), clock_(period), config_(config),
      access_(clock_, std::move(slots), probe), due_("due_event")
{
    access_.enable_broadcast(broadcast_unit);
    socket.bind(*this);
    SC_METHOD(due);
    sensitive << due_;
    dont_initialize();
}

// ---- times ----

// Of an access that may start in this cycle, as the last of all.
cs_cycle DebugBridge::effect_from(cs_cycle start) const
{
    const cs_cycle s = std::max(start, free_);
    const cs_cycle first = (s + config_.ratio - 1) / config_.ratio * config_.ratio;

    return first + uint64_t(config_.access_cycles) * config_.ratio - 1;
}

// The first cycle from this one on in which a place is free.
cs_cycle DebugBridge::room_from(cs_cycle cycle) const
{
    if (posted_.size() < config_.posted)
        return cycle;
    return std::max(cycle, posted_[posted_.size() - config_.posted].effect + 1);
}

bool DebugBridge::posts(const tlm::tlm_generic_payload &payload) const
{
    return config_.posted != 0 && payload.is_write();
}

Plan DebugBridge::plan(const tlm::tlm_generic_payload &payload, cs_cycle address) const
{
    const unsigned beats = beats_of(payload);
    const cs_cycle handshake = address + beats; // of the last W beat

    if (posts(payload)) {
        const cs_cycle taken = beats == 1 ? room_from(handshake) : handshake;
        return {taken, taken + 1};
    }
    const cs_cycle effect = effect_from(payload.is_write() ? handshake + 1 : address + 1);
    return {effect, effect + 1 + (payload.is_write() ? 0 : beats - 1)};
}

// ---- effects ----

// Those below `end` take effect; the last few stay, for they say when places became free.
void DebugBridge::drain(cs_cycle end)
{
    for (Posted &write : posted_) {
        if (write.effect >= end)
            break;
        if (write.request.bytes == 0)
            continue;
        const bool error = access_.carry_out(write.request, write.effect);

        if (error && !access_.is_broadcast(write.request.address))
            late_ |= 1u << slot_of(write.request.address);
        write.request.bytes = 0;
    }
    while (posted_.size() > config_.posted && posted_.front().request.bytes == 0)
        posted_.pop_front();
}

void DebugBridge::due()
{
    drain(clock_.cycle() + 1);
    if (earliest() != CS_NEVER)
        due_.notify(clock_.until_begin(earliest()));
}

cs_cycle DebugBridge::earliest() const
{
    for (const Posted &write : posted_)
        if (write.request.bytes != 0)
            return write.effect;
    return CS_NEVER;
}

void DebugBridge::read(tlm::tlm_generic_payload &payload, cs_cycle cycle)
{
    RegisterRequest request = RegisterAccess::request_of(payload);
    const uint32_t slot = 1u << slot_of(request.address);
    bool error = RegisterAccess::malformed(payload);

    if (!error && (late_ & slot) != 0) {
        late_ &= ~slot;
        error = true;
    } else if (!error) {
        error = access_.carry_out(request, cycle);
        std::memcpy(payload.get_data_ptr(), &request.data, request.bytes);
    }
    payload.set_response_status(error ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
}

void DebugBridge::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    const cs_cycle cycle = clock_.at_or_after(delay);
    bool error = RegisterAccess::malformed(payload);

    if (posts(payload)) {
        error = error || !access_.reaches(payload.get_address());
        if (!error) {
            const cs_cycle effect = effect_from(cycle + 1);

            drain(cycle);
            posted_.push_back({effect, RegisterAccess::request_of(payload)});
            free_ = effect + 1;
            due_.notify(clock_.until_begin(effect)); // an earlier one stays
        }
        payload.set_response_status(error ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
        return;
    }
    drain(cycle);
    free_ = cycle + 1;
    if (payload.is_read()) {
        read(payload, cycle);
        return;
    }
    if (!error) {
        RegisterRequest request = RegisterAccess::request_of(payload);
        error = access_.carry_out(request, cycle);
    }
    payload.set_response_status(error ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum DebugBridge::nb_transport_fw(tlm::tlm_generic_payload &payload,
                                                tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ)
        b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
}

// What has been posted takes effect first.
unsigned DebugBridge::transport_dbg(tlm::tlm_generic_payload &payload)
{
    drain(clock_.cycle());
    return access_.transport_dbg(payload);
}

} // namespace cs
