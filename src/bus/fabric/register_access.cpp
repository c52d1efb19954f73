#include "bus/fabric/register_access.hpp"

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

void RegisterAccess::record(const tlm::tlm_generic_payload &payload, cycle_t cycle, uint16_t unit,
                            uint64_t data, bool error) const
{
    cs_probe_record record = {};

    record.cycle = cycle;
    record.kind = CS_PROBE_REG;
    record.write = payload.is_write();
    record.resp = error ? CS_BUS_SLVERR : CS_BUS_OKAY;
    record.source = unit;
    record.addr = offset_of(payload);
    record.value = data;
    record.bytes = payload.get_data_length();
    cs_probe_emit(probe_, &record);
}

// True: an error.
bool RegisterAccess::access(tlm::tlm_generic_payload &payload, cycle_t cycle)
{
    const unsigned slot = map_.one_slot ? 0 : payload.get_address() >> 16 & 0xf;
    const uint32_t offset = offset_of(payload);
    const bool wide = payload.get_data_length() == kWideBytes;
    uint64_t data = 0;

    if (payload.is_write())
        std::memcpy(&data, payload.get_data_ptr(), payload.get_data_length());
    if (slot == kBroadcastSlot && broadcast_) {
        if (!payload.is_write())
            return true;
        for (const RegisterSlot &each : slots_)
            if (each.port != nullptr)
                each.port->write(cycle, offset, wide, data);
        record(payload, cycle, broadcast_unit_, data, false);
        return false;
    }
    if (slot >= slots_.size() || slots_[slot].port == nullptr)
        return true;

    RegisterPort &port = *slots_[slot].port;
    const bool error = payload.is_write() ? port.write(cycle, offset, wide, data)
                                          : port.read(cycle, offset, wide, data);
    if (payload.is_read()) {
        if (error)
            data = 0;
        if (!wide)
            data &= 0xffffffffu;
        std::memcpy(payload.get_data_ptr(), &data, payload.get_data_length());
    }
    record(payload, cycle, slots_[slot].unit, data, error);
    return error;
}

// A register port takes one access a cycle: one that comes too soon is made later.
void RegisterAccess::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    const cycle_t cycle = clock_.at_or_after(delay);

    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    if (cycle < free_)
        delay = clock_.until_begin(free_);
    const cycle_t effect = std::max(cycle, free_);
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

} // namespace cs
