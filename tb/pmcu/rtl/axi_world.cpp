// SPDX-License-Identifier: Apache-2.0
#include "axi_world.hpp"

#include "bus_pkg.hpp"
#include "lockstep/pin.hpp"

namespace
{

using cs::Pin;
namespace bus_pkg = cs::bus_pkg;

// A field of lane l's bundles.
uint64_t req(const Vpmcu &dut, unsigned l, unsigned field, unsigned width)
{
    return Pin(&dut.req_o).get(bus_pkg::ReqBits * l + field, width);
}

uint64_t rsp(const Vpmcu &dut, unsigned l, unsigned field, unsigned width)
{
    return Pin(&dut.rsp_i).get(bus_pkg::RspBits * l + field, width);
}

void set_rsp(Vpmcu &dut, unsigned l, unsigned field, unsigned width, uint64_t value)
{
    Pin(&dut.rsp_i).set(bus_pkg::RspBits * l + field, width, value);
}

} // namespace

void AxiWorld::put(uint64_t addr, uint32_t word)
{
    memory_[addr] = word;
}

uint32_t AxiWorld::get(uint64_t addr) const
{
    auto found = memory_.find(addr);
    return found == memory_.end() ? 0xDEADBEEF : found->second;
}

uint32_t AxiWorld::core_word(uint64_t addr)
{
    return static_cast<uint32_t>((addr ^ 0x5A5A5A) * 2654435761u) | 1;
}

uint64_t AxiWorld::beat_of(const Transfer &t, unsigned beat) const
{
    uint64_t at = (t.addr & ~uint64_t{7}) + 8 * beat;
    uint64_t low = t.to_core() ? core_word(at) : get(at);
    uint64_t high = t.to_core() ? core_word(at + 4) : get(at + 4);
    return high << 32 | low;
}

bool AxiWorld::idle() const
{
    for (const Lane &lane : lanes_)
        if (lane.read.out || lane.write.out)
            return false;
    return true;
}

void AxiWorld::complain(uint64_t cycle, unsigned lane, const std::string &what)
{
    if (complaints.size() < 20)
        complaints.push_back("cycle " + std::to_string(cycle) + " lane " + std::to_string(lane) +
                             ": " + what);
}

void AxiWorld::drive(Vpmcu &dut)
{
    for (unsigned l = 0; l < nr_lane; l++) {
        Direction &r = lanes_[l].read, &w = lanes_[l].write;
        // An address may be taken from the cycle after its first; ready does not wait for it here.
        r.ready = r.out && !r.addressed && r.wait_address == 0;
        r.driving = r.addressed && r.wait_data == 0;
        set_rsp(dut, l, bus_pkg::RspArReady, 1, r.ready);
        set_rsp(dut, l, bus_pkg::RspRValid, 1, r.driving);
        bool error = r.driving && beat_fails(r);
        set_rsp(dut, l, bus_pkg::RspRData, 64,
                r.driving && !error ? beat_of(r.transfer, r.done) : 0);
        set_rsp(dut, l, bus_pkg::RspRResp, 2, error ? 2u : 0u);
        set_rsp(dut, l, bus_pkg::RspRLast, 1, r.driving && r.done + 1 == r.beats);

        w.ready = w.out && !w.addressed && w.wait_address == 0;
        w.wready = w.out && !w.data_done && w.wait_data == 0;
        w.driving = w.addressed && w.data_done && w.wait_data == 0;
        set_rsp(dut, l, bus_pkg::RspAwReady, 1, w.ready);
        set_rsp(dut, l, bus_pkg::RspWReady, 1, w.wready);
        set_rsp(dut, l, bus_pkg::RspBValid, 1, w.driving);
        error = w.driving && fails(w.transfer);
        set_rsp(dut, l, bus_pkg::RspBResp, 2, error ? 3u : 0u);
    }
}

void AxiWorld::check_address(const Transfer &t, unsigned beats, unsigned burst, uint64_t cycle)
{
    auto wrong = [&](const char *what) { complain(cycle, t.lane, what); };
    if (t.lane >= nr_lane_used)
        wrong("a lane that does not exist");
    if (burst != 1)
        wrong("not INCR");
    if (t.to_core()) {
        if (beats != 1 || t.bytes < 4)
            wrong("not one word of a core");
        if (t.cluster() % nr_lane_used != t.lane)
            wrong("a cluster of another lane");
    } else {
        if (t.lane != 0)
            wrong("memory from another lane than 0");
        if (beats > 16 || t.bytes != 8)
            wrong("not a burst of 8-byte beats");
        if (t.addr / 4096 != (t.addr + 8 * beats - 1) / 4096)
            wrong("across 4 KiB");
        if (t.write && (t.addr < store_base || t.addr + 8 * beats > kill_base))
            wrong("write outside of the buffer");
    }
    if (t.addr % t.bytes != 0)
        wrong("not aligned");
}

void AxiWorld::observe(const Vpmcu &dut, uint64_t cycle)
{
    for (unsigned l = 0; l < nr_lane; l++) {
        if (!req(dut, l, bus_pkg::ReqRReady, 1) || !req(dut, l, bus_pkg::ReqBReady, 1))
            complain(cycle, l, "not ready");
        observe_read(dut, l, cycle);
        observe_write(dut, l, cycle);
    }
}

void AxiWorld::observe_read(const Vpmcu &dut, unsigned l, uint64_t cycle)
{
    Direction &r = lanes_[l].read;
    bool valid = req(dut, l, bus_pkg::ReqArValid, 1);
    Transfer now{};
    unsigned beats = 0;
    if (valid) {
        now = {l,
               false,
               req(dut, l, bus_pkg::ReqArAddr, 64),
               1u << req(dut, l, bus_pkg::ReqArSize, 3),
               {},
               cycle,
               0,
               false};
        beats = static_cast<unsigned>(req(dut, l, bus_pkg::ReqArLen, 8)) + 1;
        check_address(now, beats, req(dut, l, bus_pkg::ReqArBurst, 2), cycle);
    }
    if (valid && !r.out) {
        if (lanes_[l].write.out)
            complain(cycle, l, "read and write at once");
        r = Direction{};
        r.out = true;
        r.transfer = now;
        r.beats = beats;
        r.wait_address = delay();
        return;
    }
    if (!r.out)
        return;
    if (!r.addressed) {
        if (!valid || now.addr != r.transfer.addr || beats != r.beats)
            complain(cycle, l, "ARVALID did not hold");
        if (r.ready) {
            r.addressed = true;
            r.wait_data = delay();
        } else {
            r.wait_address--;
        }
        return;
    }
    if (valid)
        complain(cycle, l, "a second read");
    if (!r.driving) {
        r.wait_data--;
        return;
    }
    r.transfer.error = r.transfer.error || beat_fails(r);
    r.transfer.data.push_back(rsp(dut, l, bus_pkg::RspRData, 64));
    r.wait_data = delay();
    if (++r.done == r.beats) {
        r.transfer.complete = cycle;
        r.out = r.addressed = false;
        transfers.push_back(r.transfer);
    }
}

void AxiWorld::observe_write(const Vpmcu &dut, unsigned l, uint64_t cycle)
{
    Direction &w = lanes_[l].write;
    bool valid = req(dut, l, bus_pkg::ReqAwValid, 1), wvalid = req(dut, l, bus_pkg::ReqWValid, 1);
    Transfer now{};
    unsigned beats = 0;
    if (valid) {
        now = {l,
               true,
               req(dut, l, bus_pkg::ReqAwAddr, 64),
               1u << req(dut, l, bus_pkg::ReqAwSize, 3),
               {},
               cycle,
               0,
               false};
        beats = static_cast<unsigned>(req(dut, l, bus_pkg::ReqAwLen, 8)) + 1;
        check_address(now, beats, req(dut, l, bus_pkg::ReqAwBurst, 2), cycle);
    }
    if (valid && !w.out) {
        if (lanes_[l].read.out)
            complain(cycle, l, "read and write at once");
        if (!wvalid)
            complain(cycle, l, "AWVALID without WVALID");
        w = Direction{};
        w.out = true;
        w.transfer = now;
        w.beats = beats;
        w.wait_address = delay();
        w.wait_data = delay();
        return;
    }
    if (!w.out) {
        if (wvalid)
            complain(cycle, l, "WVALID without an address");
        return;
    }
    if (valid != !w.addressed)
        complain(cycle, l, "AWVALID does not last until its handshake");
    if (valid && (now.addr != w.transfer.addr || beats != w.beats))
        complain(cycle, l, "write address changed");
    if (wvalid != !w.data_done)
        complain(cycle, l, "WVALID does not last until its last beat");
    if (w.driving) {
        w.transfer.error = fails(w.transfer);
        w.transfer.complete = cycle;
        w.out = w.addressed = false;
        transfers.push_back(w.transfer);
        return;
    }
    if (!w.addressed) {
        if (w.ready)
            w.addressed = true;
        else
            w.wait_address--;
    }
    if (w.data_done) {
        if (w.wait_data != 0)
            w.wait_data--;
        return;
    }
    if (!w.wready) {
        w.wait_data--;
        return;
    }
    uint64_t data = req(dut, l, bus_pkg::ReqWData, 64);
    const uint64_t strobes = req(dut, l, bus_pkg::ReqWStrb, 8);
    const Transfer &t = w.transfer;
    if (strobes != (t.bytes == 8 ? 0xFF : t.addr & 4 ? 0xF0u : 0x0Fu))
        complain(cycle, l, "byte lanes");
    if (req(dut, l, bus_pkg::ReqWLast, 1) != (w.done + 1 == w.beats))
        complain(cycle, l, "WLAST");
    w.transfer.data.push_back(data);
    if (!t.to_core()) {
        put(t.addr + 8 * w.done, static_cast<uint32_t>(data));
        put(t.addr + 8 * w.done + 4, static_cast<uint32_t>(data >> 32));
    }
    w.wait_data = delay();
    w.data_done = ++w.done == w.beats;
}
