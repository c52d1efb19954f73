// SPDX-License-Identifier: Apache-2.0
#include "lockstep/manager_monitor.hpp"

#include <algorithm>

namespace cs
{

void ManagerMonitor::Transfer::address(bool valid, bool ready, uint64_t address, unsigned len,
                                       unsigned log_size, cs_cycle now)
{
    if (valid && !requested) {
        requested = true;
        request = now;
        addr = address;
        size = 1u << log_size;
        beats = len + 1;
        resp = CS_BUS_OKAY;
    }
    if (valid && ready)
        grant = now;
}

// The bytes of a beat lie on the lanes that the address selects.
void ManagerMonitor::Transfer::beat(uint64_t lanes)
{
    unsigned shift = 8 * static_cast<unsigned>(addr % CS_BUS_BEAT_BYTES);

    for (unsigned i = 0; i < size && taken * size + i < CS_BUS_MAX_BYTES; i++)
        data[taken * size + i] = static_cast<uint8_t>(lanes >> (shift + 8 * i));
    taken++;
}

void ManagerMonitor::Transfer::complete(cs_cycle now, unsigned manager, bool write,
                                        const cs_probe_sink *sink)
{
    cs_probe_record record = {};

    record.cycle = now;
    record.kind = CS_PROBE_BUS;
    record.write = write;
    record.resp = resp;
    record.source = static_cast<uint16_t>(manager);
    record.addr = addr;
    record.bytes = beats * size;
    record.request = request;
    record.grant = grant;
    record.value = cs_probe_data(sink, data, std::min(beats * size, CS_BUS_MAX_BYTES));
    cs_probe_emit(sink, &record);
    requested = false;
    taken = 0;
}

void ManagerMonitor::observe(const ManagerPins &pins, cs_cycle now, unsigned manager,
                             const cs_probe_sink *sink)
{
    read_.address(pins.ar_valid, pins.ar_ready, pins.ar_addr, pins.ar_len, pins.ar_size, now);
    write_.address(pins.aw_valid, pins.aw_ready, pins.aw_addr, pins.aw_len, pins.aw_size, now);
    if (pins.r_valid && pins.r_ready) {
        read_.beat(pins.r_data);
        read_.resp = std::max(read_.resp, pins.r_resp);
        if (pins.r_last)
            read_.complete(now, manager, false, sink);
    }
    if (pins.w_valid && pins.w_ready)
        write_.beat(pins.w_data);
    if (pins.b_valid && pins.b_ready) {
        write_.resp = pins.b_resp;
        write_.complete(now, manager, true, sink);
    }
}

} // namespace cs
