// SPDX-License-Identifier: Apache-2.0
#include "bus/machine/memory_target.hpp"

#include <algorithm>

#include <countersink/base/bus/bus_port.h>

namespace cs
{

MemoryTarget::MemoryTarget(const sc_core::sc_module_name &name, cs_memory *memory, uint64_t offset,
                           bool adds)
    : sc_core::sc_module(name), socket("socket"), memory_(memory), offset_(offset), adds_(adds)
{
    socket.bind(*this);
}

static void check_memory(cs_status status)
{
    if (status != CS_OK)
        SC_REPORT_ERROR("/countersink/memory", "no host memory for the simulated memory");
}

// Only whole doublewords add.
void MemoryTarget::add(uint64_t addr, const tlm::tlm_generic_payload &payload)
{
    const unsigned bytes = payload.get_data_length();
    const uint8_t *data = payload.get_data_ptr();

    if (payload.get_byte_enable_ptr() != nullptr || addr % CS_BUS_BEAT_BYTES != 0)
        return;
    for (unsigned i = 0; i + CS_BUS_BEAT_BYTES <= bytes; i += CS_BUS_BEAT_BYTES) {
        uint64_t value = 0;

        for (unsigned k = 0; k < CS_BUS_BEAT_BYTES; k++)
            value = value << 8 | data[i + k];
        check_memory(cs_memory_add(memory_, addr + i, value));
    }
}

// Byte enables are repeated until the data ends.
void MemoryTarget::write(uint64_t addr, const tlm::tlm_generic_payload &payload)
{
    const unsigned bytes = payload.get_data_length();
    const uint8_t *enables = payload.get_byte_enable_ptr();
    const unsigned pattern = enables == nullptr ? bytes : payload.get_byte_enable_length();
    cs_status status = CS_OK;

    for (unsigned done = 0; done < bytes && pattern != 0 && status == CS_OK; done += pattern)
        status = cs_memory_write(memory_, addr + done, std::min(pattern, bytes - done),
                                 payload.get_data_ptr() + done, enables);
    check_memory(status);
}

void MemoryTarget::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &)
{
    const bool adding = adds_ && payload.get_address() >> 56 == CS_BUS_ADD >> 56;
    const uint64_t addr = (payload.get_address() & ~(adding ? CS_BUS_ADD : 0)) + offset_;

    if (payload.get_streaming_width() < payload.get_data_length()) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.is_read())
        cs_memory_read(memory_, addr, payload.get_data_length(), payload.get_data_ptr());
    else if (payload.is_write() && adding)
        add(addr, payload);
    else if (payload.is_write())
        write(addr, payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum MemoryTarget::nb_transport_fw(tlm::tlm_generic_payload &payload,
                                                 tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ)
        b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
}

bool MemoryTarget::get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &)
{
    return false;
}

unsigned MemoryTarget::transport_dbg(tlm::tlm_generic_payload &payload)
{
    const uint64_t addr = payload.get_address() + offset_;
    const unsigned bytes = payload.get_data_length();

    if (payload.is_read())
        cs_memory_read(memory_, addr, bytes, payload.get_data_ptr());
    else if (!payload.is_write() ||
             cs_memory_write(memory_, addr, bytes, payload.get_data_ptr(), nullptr) != CS_OK)
        return 0;
    return bytes;
}

} // namespace cs
