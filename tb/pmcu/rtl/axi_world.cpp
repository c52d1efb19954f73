#include "axi_world.hpp"

namespace
{

template <typename Wide> uint64_t get64(const Wide &wide, unsigned lane)
{
    return wide[2 * lane] | uint64_t{wide[2 * lane + 1]} << 32;
}

template <typename Wide> void set64(Wide &wide, unsigned lane, uint64_t value)
{
    wide[2 * lane] = static_cast<uint32_t>(value);
    wide[2 * lane + 1] = static_cast<uint32_t>(value >> 32);
}

template <typename Port> void set_bit(Port &port, unsigned bit, bool value)
{
    port = (port & ~(1u << bit)) | (unsigned{value} << bit);
}

bool bit(unsigned port, unsigned n)
{
    return (port >> n) & 1;
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
        set_bit(dut.arready_i, l, r.ready);
        set_bit(dut.rvalid_i, l, r.driving);
        bool error = r.driving && beat_fails(r);
        set64(dut.rdata_i, l, r.driving && !error ? beat_of(r.transfer, r.done) : 0);
        dut.rresp_i = (dut.rresp_i & ~(3u << (2 * l))) | ((error ? 2u : 0u) << (2 * l));
        set_bit(dut.rlast_i, l, r.driving && r.done + 1 == r.beats);

        w.ready = w.out && !w.addressed && w.wait_address == 0;
        w.wready = w.out && !w.data_done && w.wait_data == 0;
        w.driving = w.addressed && w.data_done && w.wait_data == 0;
        set_bit(dut.awready_i, l, w.ready);
        set_bit(dut.wready_i, l, w.wready);
        set_bit(dut.bvalid_i, l, w.driving);
        error = w.driving && fails(w.transfer);
        dut.bresp_i = (dut.bresp_i & ~(3u << (2 * l))) | ((error ? 3u : 0u) << (2 * l));
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
        if (!bit(dut.rready_o, l) || !bit(dut.bready_o, l))
            complain(cycle, l, "not ready");
        observe_read(dut, l, cycle);
        observe_write(dut, l, cycle);
    }
}

void AxiWorld::observe_read(const Vpmcu &dut, unsigned l, uint64_t cycle)
{
    Direction &r = lanes_[l].read;
    bool valid = bit(dut.arvalid_o, l);
    Transfer now{};
    unsigned beats = 0;
    if (valid) {
        now = {l, false, get64(dut.araddr_o, l), 1u << ((dut.arsize_o >> (3 * l)) & 7), {}, cycle,
               0, false};
        beats = ((dut.arlen_o >> (8 * l)) & 0xFF) + 1;
        check_address(now, beats, (dut.arburst_o >> (2 * l)) & 3, cycle);
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
    r.transfer.data.push_back(get64(dut.rdata_i, l));
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
    bool valid = bit(dut.awvalid_o, l), wvalid = bit(dut.wvalid_o, l);
    Transfer now{};
    unsigned beats = 0;
    if (valid) {
        now = {l, true, get64(dut.awaddr_o, l), 1u << ((dut.awsize_o >> (3 * l)) & 7), {}, cycle,
               0, false};
        beats = ((dut.awlen_o >> (8 * l)) & 0xFF) + 1;
        check_address(now, beats, (dut.awburst_o >> (2 * l)) & 3, cycle);
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
    uint64_t data = get64(dut.wdata_o, l);
    unsigned strobes = (static_cast<uint32_t>(dut.wstrb_o) >> (8 * l)) & 0xFF;
    const Transfer &t = w.transfer;
    if (strobes != (t.bytes == 8 ? 0xFF : t.addr & 4 ? 0xF0u : 0x0Fu))
        complain(cycle, l, "byte lanes");
    if (bit(dut.wlast_o, l) != (w.done + 1 == w.beats))
        complain(cycle, l, "WLAST");
    w.transfer.data.push_back(data);
    if (!t.to_core()) {
        put(t.addr + 8 * w.done, static_cast<uint32_t>(data));
        put(t.addr + 8 * w.done + 4, static_cast<uint32_t>(data >> 32));
    }
    w.wait_data = delay();
    w.data_done = ++w.done == w.beats;
}
