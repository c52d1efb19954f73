// SPDX-License-Identifier: Apache-2.0
#include "nest_memory.hpp"

namespace
{

constexpr uint64_t add_bit = uint64_t{1} << 56;

uint64_t swapped(uint64_t word)
{
    uint64_t out = 0;
    for (int i = 0; i < 8; i++)
        out = out << 8 | (word >> (8 * i) & 0xFF);
    return out;
}

} // namespace

uint64_t NestMemory::word(uint64_t addr) const
{
    auto found = memory_.find(addr);
    return found == memory_.end() ? 0 : found->second;
}

void NestMemory::put(uint64_t addr, uint64_t word)
{
    memory_[addr] = word;
}

void NestMemory::check(bool ok, uint64_t cycle, const char *what)
{
    if (!ok && complaints.size() < 20)
        complaints.push_back("cycle " + std::to_string(cycle) + ": " + what);
}

void NestMemory::drive(NestTop &dut)
{
    bool reads = phase_ == Phase::read_address, writes = phase_ == Phase::write;
    ready_ = (reads || (writes && !addressed_)) && wait_address_ == 0;
    // R beat, W beat or B response, whichever is next.
    data_ =
        (phase_ == Phase::read_data || (writes && (!data_done_ || addressed_))) && wait_data_ == 0;
    last_ = phase_ == Phase::read_data && now_.words.size() + 1 == now_.beats;

    bool beat = phase_ == Phase::read_data && data_;
    dut.arready_i = reads && ready_;
    dut.rvalid_i = beat;
    dut.rlast_i = beat && last_;
    unsigned beat_number = static_cast<unsigned>(now_.words.size());
    dut.rresp_i = static_cast<CData>(beat ? response(now_, beat_number) : 0);
    // Out of turn there are words and responses that nobody may look at.
    dut.rdata_i = beat ? swapped(word(now_.addr + 8 * now_.words.size())) : 0x5A5A5A5A5A5A5A5A;
    dut.rid_i = beat ? 0 : 9;

    dut.awready_i = writes && ready_;
    dut.wready_i = writes && !data_done_ && data_;
    dut.bvalid_i = writes && data_done_ && addressed_ && data_;
    dut.bresp_i = static_cast<CData>(dut.bvalid_i ? response(now_, 0) : 3);
    dut.bid_i = dut.bvalid_i ? 0 : 9;
}

void NestMemory::observe(const NestTop &dut, uint64_t cycle)
{
    check(dut.rready_o && dut.bready_o, cycle, "not ready for what it asked for");
    check(!(dut.arvalid_o && dut.awvalid_o), cycle, "a read and a write at once");
    if (phase_ == Phase::idle)
        begin(dut, cycle);
    else if (phase_ == Phase::write)
        observe_write(dut, cycle);
    else
        observe_read(dut, cycle);
}

void NestMemory::begin(const NestTop &dut, uint64_t cycle)
{
    check(dut.awvalid_o == dut.wvalid_o, cycle, "AWVALID and WVALID do not rise together");
    if (!dut.arvalid_o && !dut.awvalid_o)
        return;
    bool write = dut.awvalid_o;
    check((write ? dut.awid_o : dut.arid_o) == 0, cycle, "an ID that no answer here has");
    unsigned beats = (write ? dut.awlen_o : dut.arlen_o) + 1u;
    now_ = {write, write ? dut.awaddr_o : dut.araddr_o, beats, {}, cycle, 0, 0};
    check((write ? dut.awsize_o : dut.arsize_o) == 3, cycle, "not 8 bytes a beat");
    check((write ? dut.awburst_o : dut.arburst_o) == 1, cycle, "not INCR");
    check(beats <= 16, cycle, "more than 16 beats");
    check(now_.addr % 8 == 0, cycle, "not aligned");
    check(now_.addr / 4096 == (now_.addr + 8 * beats - 1) / 4096, cycle, "across 4 KiB");
    phase_ = write ? Phase::write : Phase::read_address;
    addressed_ = data_done_ = false;
    wait_address_ = delay();
    wait_data_ = write ? delay() : 0;
}

void NestMemory::observe_read(const NestTop &dut, uint64_t cycle)
{
    check(!dut.awvalid_o && !dut.wvalid_o, cycle, "a write during a read");
    if (phase_ == Phase::read_address) {
        check(dut.arvalid_o && dut.araddr_o == now_.addr && dut.arlen_o + 1u == now_.beats, cycle,
              "ARVALID did not hold");
        if (!ready_) {
            wait_address_--;
            return;
        }
        phase_ = Phase::read_data;
        wait_data_ = delay();
        return;
    }
    check(!dut.arvalid_o, cycle, "a second read");
    if (!data_) {
        wait_data_--;
        return;
    }
    now_.resp = now_.resp < dut.rresp_i ? dut.rresp_i : now_.resp;
    now_.words.push_back(swapped(dut.rdata_i));
    wait_data_ = delay();
    if (last_)
        finish(cycle);
}

void NestMemory::observe_write(const NestTop &dut, uint64_t cycle)
{
    check(!dut.arvalid_o, cycle, "a read during a write");
    check(dut.awvalid_o == !addressed_, cycle, "AWVALID does not last until its handshake");
    check(addressed_ || (dut.awaddr_o == now_.addr && dut.awlen_o + 1u == now_.beats), cycle,
          "the write's address changed");
    check(dut.wvalid_o == !data_done_, cycle, "WVALID has a bubble or does not end");
    if (dut.bvalid_i) {
        now_.resp = dut.bresp_i;
        if (now_.resp == 0)
            store();
        finish(cycle);
        return;
    }
    bool was_addressed = addressed_;
    if (!addressed_) {
        addressed_ = ready_;
        wait_address_ -= ready_ ? 0 : 1;
    }
    if (dut.wready_i)
        take_word(dut, cycle);
    else if (wait_data_ != 0 && (!data_done_ || was_addressed))
        wait_data_--;
}

void NestMemory::take_word(const NestTop &dut, uint64_t cycle)
{
    check(dut.wstrb_o == 0xFF, cycle, "byte lanes are missing");
    now_.words.push_back(swapped(dut.wdata_o));
    data_done_ = now_.words.size() == now_.beats;
    check(dut.wlast_o == data_done_, cycle, "WLAST");
    wait_data_ = delay();
}

void NestMemory::store()
{
    for (unsigned i = 0; i < now_.beats; i++) {
        uint64_t addr = (now_.addr & ~add_bit) + 8 * i;
        put(addr, now_.words[i] + (now_.addr & add_bit ? word(addr) : 0));
    }
}

void NestMemory::finish(uint64_t cycle)
{
    now_.complete = cycle;
    transfers.push_back(now_);
    phase_ = Phase::idle;
}
