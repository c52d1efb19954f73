// SPDX-License-Identifier: Apache-2.0
#include <countersink/bus/fabric/register_access.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace cs
{

namespace
{

constexpr unsigned kNarrowBytes = 4;
constexpr unsigned kWideBytes = 8;

bool all_enabled(const tlm::tlm_generic_payload &payload)
{
    const uint8_t *enables = payload.get_byte_enable_ptr();

    if (enables == nullptr)
        return true;
    for (unsigned i = 0; i < payload.get_byte_enable_length(); i++)
        if (enables[i] == 0)
            return false;
    return payload.get_byte_enable_length() != 0;
}

bool is_access(const tlm::tlm_generic_payload &payload)
{
    const unsigned bytes = payload.get_data_length();

    return (bytes == kNarrowBytes || bytes == kWideBytes) && payload.get_address() % bytes == 0 &&
           payload.get_streaming_width() >= bytes && all_enabled(payload);
}

} // namespace

RegisterAccess::RegisterAccess(const Clock &clock, std::vector<RegisterSlot> slots,
                               const cs_probe_sink *probe, RegisterMap map)
    : clock_(clock), slots_(std::move(slots)), probe_(probe), map_(map)
{
}

void RegisterAccess::enable_broadcast(uint16_t unit)
{
    broadcast_ = true;
    broadcast_unit_ = unit;
}

bool RegisterAccess::malformed(const tlm::tlm_generic_payload &payload)
{
    return !is_access(payload);
}

RegisterRequest RegisterAccess::request_of(const tlm::tlm_generic_payload &payload)
{
    RegisterRequest request;

    request.write = payload.is_write();
    request.address = payload.get_address();
    request.bytes = payload.get_data_length();
    if (request.write)
        std::memcpy(&request.data, payload.get_data_ptr(), request.bytes);
    return request;
}

bool RegisterAccess::is_broadcast(uint64_t address) const
{
    return broadcast_ && slot_of(address) == kBroadcastSlot;
}

bool RegisterAccess::reaches(uint64_t address) const
{
    const unsigned slot = slot_of(address);

    return is_broadcast(address) || (slot < slots_.size() && slots_[slot].port != nullptr);
}

void RegisterAccess::record(const RegisterRequest &request, cs_cycle cycle, uint16_t unit,
                            bool error) const
{
    cs_probe_record record = {};

    record.cycle = cycle;
    record.kind = CS_PROBE_REG;
    record.write = request.write;
    record.resp = error ? CS_BUS_SLVERR : CS_BUS_OKAY;
    record.source = unit;
    record.addr = offset_of(request.address);
    record.value = request.data;
    record.bytes = request.bytes;
    cs_probe_emit(probe_, &record);
}

bool RegisterAccess::carry_out(RegisterRequest &request, cs_cycle cycle) const
{
    const unsigned slot = slot_of(request.address);
    const uint32_t offset = offset_of(request.address);
    const bool wide = request.bytes == kWideBytes;

    if (is_broadcast(request.address)) {
        if (!request.write)
            return true;
        for (const RegisterSlot &each : slots_)
            if (each.port != nullptr)
                each.port->write(cycle, offset, wide, request.data);
        record(request, cycle, broadcast_unit_, false);
        return false;
    }
    if (!reaches(request.address))
        return true;

    RegisterPort &port = *slots_[slot].port;
    const bool error = request.write ? port.write(cycle, offset, wide, request.data)
                                     : port.read(cycle, offset, wide, request.data);
    if (!request.write && error)
        request.data = 0;
    if (!request.write && !wide)
        request.data &= 0xffffffffu;
    record(request, cycle, slots_[slot].unit, error);
    return error;
}

// True: an error.
bool RegisterAccess::access(tlm::tlm_generic_payload &payload, cs_cycle cycle)
{
    RegisterRequest request = request_of(payload);
    const bool error = carry_out(request, cycle);

    if (!request.write && reaches(request.address))
        std::memcpy(payload.get_data_ptr(), &request.data, request.bytes);
    return error;
}

void RegisterAccess::carry_out(cs_bus_txn &txn, uint64_t base, cs_cycle effect)
{
    RegisterRequest request;

    request.write = txn.write != 0;
    request.address = txn.addr - base;
    request.bytes = txn.size;
    if (request.write)
        std::memcpy(&request.data, txn.data, request.bytes);
    free_ = effect + 1;
    const bool error = carry_out(request, effect);
    if (!request.write && error)
        request.data = 0;
    if (!request.write)
        std::memcpy(txn.data, &request.data, request.bytes);
    txn.resp = static_cast<uint8_t>(error ? CS_BUS_SLVERR : CS_BUS_OKAY);
}

// A register port takes one access a cycle: one that comes too soon is made later.
void RegisterAccess::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    const cs_cycle cycle = clock_.at_or_after(delay);

    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    if (cycle < free_)
        delay = clock_.until_begin(free_);
    const cs_cycle effect = std::max(cycle, free_);
    free_ = effect + 1;
    const bool error = !is_access(payload) || access(payload, effect);
    payload.set_response_status(error ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum RegisterAccess::nb_transport_fw(tlm::tlm_generic_payload &payload,
                                                   tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ)
        b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
}

unsigned RegisterAccess::transport_dbg(tlm::tlm_generic_payload &payload)
{
    const uint64_t address = payload.get_address();
    const unsigned bytes = payload.get_data_length();
    uint64_t data = 0;

    if (!payload.is_read() || !is_access(payload) || is_broadcast(address) || !reaches(address))
        return 0;
    if (slots_[slot_of(address)].port->ask(clock_.cycle(), offset_of(address), bytes == kWideBytes,
                                           data))
        return 0;
    std::memcpy(payload.get_data_ptr(), &data, bytes);
    return bytes;
}

} // namespace cs
