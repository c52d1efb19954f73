// SPDX-License-Identifier: Apache-2.0
#include "axi_memory.hpp"

namespace
{

// The bytes of a beat as memory has them, read as a big-endian number.
uint64_t big_endian(uint64_t lanes)
{
    uint64_t value = 0;

    for (unsigned lane = 0; lane < 8; lane++)
        value = value << 8 | (lanes >> (8 * lane) & 0xFF);
    return value;
}

} // namespace

void AxiMemory::complain(uint64_t cycle, const std::string &what)
{
    complaints.push_back("cycle " + std::to_string(cycle) + ": " + what);
}

void AxiMemory::drive(ImcCoreTop &dut)
{
    awready_ = (out_ && !addressed_ && wait_address_ == 0) || eager();
    wready_ = (out_ && !data_done_ && wait_data_ == 0) || eager();
    bvalid_ = out_ && addressed_ && data_done_ && wait_response_ == 0 && !stuck;
    dut.awready_i = awready_;
    dut.wready_i = wready_;
    dut.bvalid_i = bvalid_;
    dut.bresp_i = bvalid_ ? burst_.resp : 0;
    dut.bid_i = 0;
}

void AxiMemory::begin(const ImcCoreTop &dut, uint64_t cycle)
{
    out_ = true;
    addressed_ = data_done_ = judged_ = false;
    beats_ = 0;
    burst_ = {dut.awaddr_o, {}, cycle, 0, 0};
    wait_address_ = delay();
    wait_data_ = delay();
    wait_response_ = delay();
    check(dut.awsize_o == 3 && dut.awburst_o == 1, cycle, "not a burst of doublewords");
    check((dut.awaddr_o & 7) == 0, cycle, "not aligned");
    check((dut.awaddr_o & 0xFFF) + 8 * (dut.awlen_o + 1u) <= 0x1000, cycle, "leaves its page");
    check(dut.awlen_o == (dut.awaddr_o >> 56 ? 3 : 7), cycle, "neither post nor record");
    check(dut.awaddr_o >> 57 == 0, cycle, "address too high");
}

void AxiMemory::wait()
{
    if (wait_address_ > 0)
        wait_address_--;
    if (wait_data_ > 0)
        wait_data_--;
    if (addressed_ && data_done_ && wait_response_ > 0)
        wait_response_--;
}

void AxiMemory::observe(const ImcCoreTop &dut, uint64_t cycle)
{
    check(dut.bready_o, cycle, "not ready for the response");
    if (!out_) {
        check(dut.awvalid_o == dut.wvalid_o, cycle, "AWVALID and WVALID do not rise together");
        if (!dut.awvalid_o)
            return;
        begin(dut, cycle);
    } else {
        wait(); // from the second cycle on
    }
    check(dut.awvalid_o == !addressed_, cycle, "AWVALID changed");
    check(dut.awaddr_o == burst_.addr, cycle, "AWADDR changed");
    check(dut.wvalid_o == !data_done_, cycle, "WVALID changed or has a bubble");
    if (dut.wvalid_o) {
        check(dut.wstrb_o == 0xFF, cycle, "WSTRB");
        check(dut.wlast_o == (beats_ == dut.awlen_o), cycle, "WLAST");
    }

    if (awready_)
        addressed_ = true;
    if (wready_ && dut.wvalid_o) {
        burst_.words.push_back(big_endian(dut.wdata_o));
        data_done_ = beats_++ == dut.awlen_o;
        wait_data_ = delay();
    }
    if (addressed_ && data_done_ && !judged_) {
        judged_ = true;
        burst_.resp = response(burst_);
    }
    if (bvalid_) {
        burst_.complete = cycle;
        commit();
        bursts.push_back(burst_);
        out_ = false;
    }
}

void AxiMemory::commit()
{
    if (burst_.resp != 0)
        return;
    for (unsigned i = 0; i < burst_.words.size(); i++) {
        uint64_t addr = (burst_.addr & ~(1ull << 56)) + 8 * i;
        memory_[addr] = burst_.addr >> 56 & 1 ? memory_[addr] + burst_.words[i] : burst_.words[i];
    }
}

uint64_t AxiMemory::doubleword(uint64_t addr) const
{
    auto found = memory_.find(addr);

    return found == memory_.end() ? 0 : found->second;
}
