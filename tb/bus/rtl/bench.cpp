// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"
#include "Vbus_tb_top.h"
#include "pins.hpp"

#include <algorithm>

unsigned target_of(uint64_t addr, unsigned clusters)
{
    if (addr - ram_base < ram_size || addr - add_bit - ram_base < ram_size)
        return 0;
    if (addr - pmcu_base < 0x10000)
        return 1;
    if (addr - cluster_base < clusters * 0x100000ull)
        return 2 + static_cast<unsigned>((addr - cluster_base) >> 20);
    return hole;
}

bool malformed(const Transfer &t)
{
    if (t.burst != 1 || t.size > 3 || t.beats > 16 || (t.beats > 1 && t.size != 3))
        return true;
    if (t.addr % (1ull << t.size) != 0)
        return true;
    return t.addr % 4096 + t.bytes() > 4096;
}

unsigned Transfer::result() const
{
    return responses.empty() ? unsigned(OKAY)
                             : *std::max_element(responses.begin(), responses.end());
}

uint8_t Transfer::strobe(unsigned beat) const
{
    if (beat < strb.size())
        return strb[beat];
    const unsigned width = 1u << std::min(size, 3u);
    return static_cast<uint8_t>(((1u << width) - 1) << (addr & 7 & ~(width - 1)));
}

Bench::Bench(const Straps &straps, uint64_t seed)
    : straps_(straps), top_(std::make_unique<Vbus_tb_top>()), rng_(seed)
{
    Vbus_tb_top &t = *top_;
    t.shared_i = straps.shared;
    t.forward_cycles_i = static_cast<uint8_t>(straps.forward);
    t.return_cycles_i = static_cast<uint8_t>(straps.ret);
    t.read_cycles_i = static_cast<uint16_t>(straps.read);
    t.write_cycles_i = static_cast<uint16_t>(straps.write);
    t.gap_cycles_i = static_cast<uint8_t>(straps.gap);
    t.access_cycles_i = static_cast<uint8_t>(straps.access);
    t.ram_base_i = ram_base;
    t.ram_size_i = ram_size;
    t.nr_cluster_i = static_cast<uint8_t>(straps.clusters);
    t.present_i = static_cast<uint8_t>(straps.present);
    t.m_arvalid_i = t.m_awvalid_i = t.m_wvalid_i = t.m_rready_i = t.m_bready_i = 0;
    t.clk_i = 0;
    t.rst_ni = 1;
    t.eval();
    t.rst_ni = 0;
    for (int i = 0; i < 4; i++) {
        t.clk_i = !t.clk_i;
        t.eval();
    }
    t.rst_ni = 1;
    t.eval();
}

Bench::~Bench()
{
    top_->final();
}

Transfer &Bench::post(unsigned manager, const Transfer &transfer)
{
    transfers_.push_back(std::make_unique<Transfer>(transfer));
    Transfer *t = transfers_.back().get();
    Port &port = ports_[manager];
    auto &queue = t->write ? port.writes : port.reads;
    if (queue.empty())
        (t->write ? port.write_start : port.read_start) = now();
    queue.push_back(t);
    return *t;
}

bool Bench::idle() const
{
    return std::all_of(ports_.begin(), ports_.end(),
                       [](const Port &p) { return p.reads.empty() && p.writes.empty(); });
}

void Bench::drive(unsigned m)
{
    Vbus_tb_top &t = *top_;
    Port &port = ports_[m];

    if (!port.reads.empty() && !port.ar_done && !port.ar_on &&
        now() >= port.read_start + port.reads.front()->address_delay) {
        Transfer &x = *port.reads.front();
        port.ar_on = true;
        x.request = now();
        put_pin(t.m_arid_i, 4 * m, 4, x.id);
        put_pin(t.m_araddr_i, 64 * m, 64, x.addr);
        put_pin(t.m_arlen_i, 8 * m, 8, x.beats - 1);
        put_pin(t.m_arsize_i, 3 * m, 3, x.size);
        put_pin(t.m_arburst_i, 2 * m, 2, x.burst);
    }
    if (!port.writes.empty()) {
        Transfer &x = *port.writes.front();
        if (!port.aw_done && !port.aw_on && now() >= port.write_start + x.address_delay) {
            port.aw_on = true;
            x.request = now();
            put_pin(t.m_awid_i, 4 * m, 4, x.id);
            put_pin(t.m_awaddr_i, 64 * m, 64, x.addr);
            put_pin(t.m_awlen_i, 8 * m, 8, x.beats - 1);
            put_pin(t.m_awsize_i, 3 * m, 3, x.size);
            put_pin(t.m_awburst_i, 2 * m, 2, x.burst);
        }
        if (!port.w_on && port.w_beat < x.beats && now() >= port.write_start + x.data_delay &&
            willing(pace[m].w)) {
            port.w_on = true;
            put_pin(t.m_wdata_i, 64 * m, 64, port.w_beat < x.data.size() ? x.data[port.w_beat] : 0);
            put_pin(t.m_wstrb_i, 8 * m, 8, x.strobe(port.w_beat));
            put_pin(t.m_wlast_i, m, 1, port.w_beat + 1 == x.beats);
        }
    }
    put_pin(t.m_arvalid_i, m, 1, port.ar_on);
    put_pin(t.m_awvalid_i, m, 1, port.aw_on);
    put_pin(t.m_wvalid_i, m, 1, port.w_on);
    put_pin(t.m_rready_i, m, 1, willing(pace[m].r));
    put_pin(t.m_bready_i, m, 1, willing(pace[m].b));
}

// The guard and storage answer in the cycle in which they are asked, from pins of registers.
void Bench::answer()
{
    Vbus_tb_top &t = *top_;
    for (unsigned p = 0; p < nr_path; p++) {
        GuardAnswer a;
        if (get_pin(t.chk_valid_o, p, 1)) {
            asks_.push_back({now(), p, get_pin(t.chk_write_o, p, 1) != 0,
                             get_pin(t.chk_addr_o, 64 * p, 64),
                             static_cast<unsigned>(get_pin(t.chk_bytes_o, 8 * p, 8))});
            if (guard)
                a = guard(asks_.back());
        }
        put_pin(t.chk_error_i, p, 1, a.error);
        put_pin(t.chk_stall_i, 16 * p, 16, a.stall);
    }
    // Nothing but what was asked for: a read at the wrong time gets rubbish.
    t.mem_rdata_i = t.mem_read_o ? memory[t.mem_raddr_o] : rng_();
}

void Bench::sample(unsigned m)
{
    Vbus_tb_top &t = *top_;
    Port &port = ports_[m];
    auto pin = [m](auto port_pin) { return get_pin(port_pin, m, 1) != 0; };
    auto finish = [&](std::deque<Transfer *> &queue, uint64_t &start) {
        Transfer &x = *queue.front();
        x.complete = now();
        x.done = true;
        queue.pop_front();
        start = now() + 1;
        if (on_done)
            on_done(x, m);
    };

    if (pin(t.m_arvalid_i) && pin(t.m_arready_o) && !port.reads.empty()) {
        port.ar_on = false;
        port.ar_done = true;
        port.reads.front()->grant = now();
        if (on_grant)
            on_grant(*port.reads.front(), m);
    }
    if (pin(t.m_awvalid_i) && pin(t.m_awready_o) && !port.writes.empty()) {
        port.aw_on = false;
        port.aw_done = true;
        port.writes.front()->grant = now();
        if (on_grant)
            on_grant(*port.writes.front(), m);
    }
    if (pin(t.m_wvalid_i) && pin(t.m_wready_o) && !port.writes.empty()) {
        port.w_on = false;
        port.w_beat++;
        port.writes.front()->beat_cycles.push_back(now());
    }
    if (pin(t.m_rvalid_o) && !port.reads.empty()) {
        Transfer &x = *port.reads.front();
        if (x.first == 0)
            x.first = now();
        if (pin(t.m_rready_i)) {
            x.beat_cycles.push_back(now());
            x.data.push_back(get_pin(t.m_rdata_o, 64 * m, 64));
            x.responses.push_back(static_cast<unsigned>(get_pin(t.m_rresp_o, 2 * m, 2)));
            if (pin(t.m_rlast_o)) {
                port.ar_done = false;
                finish(port.reads, port.read_start);
            }
        }
    }
    if (pin(t.m_bvalid_o) && !port.writes.empty()) {
        Transfer &x = *port.writes.front();
        if (x.first == 0)
            x.first = now();
        if (pin(t.m_bready_i)) {
            x.responses.push_back(static_cast<unsigned>(get_pin(t.m_bresp_o, 2 * m, 2)));
            port.aw_done = false;
            port.w_beat = 0;
            finish(port.writes, port.write_start);
        }
    }
}

void Bench::record()
{
    const Vbus_tb_top &t = *top_;
    Cycle c{};
    c.ar_valid = t.m_arvalid_i;
    c.ar = t.m_arvalid_i & t.m_arready_o;
    c.aw_valid = t.m_awvalid_i;
    c.aw = t.m_awvalid_i & t.m_awready_o;
    c.w = t.m_wvalid_i & t.m_wready_o;
    c.r_valid = t.m_rvalid_o;
    c.r = t.m_rvalid_o & t.m_rready_i;
    c.r_last = c.r & t.m_rlast_o;
    c.b_valid = t.m_bvalid_o;
    c.b = t.m_bvalid_o & t.m_bready_i;
    c.chk = t.chk_valid_o;
    c.t_ar_valid = t.t_arvalid_o;
    c.t_ar = t.t_arvalid_o & t.t_arready_o;
    c.t_aw_valid = t.t_awvalid_o;
    c.t_aw = t.t_awvalid_o & t.t_awready_o;
    c.t_w = t.t_wvalid_o & t.t_wready_o;
    c.t_r_valid = t.t_rvalid_o;
    c.t_r = t.t_rvalid_o & t.t_rready_o;
    c.t_b_valid = t.t_bvalid_o;
    c.t_b = t.t_bvalid_o & t.t_bready_o;
    c.reg_en = t.reg_en_o;
    c.acc = t.acc_valid_o;
    history_.push_back(c);
}

void Bench::step()
{
    Vbus_tb_top &t = *top_;
    t.clk_i = 0;
    t.eval();
    for (unsigned m = 0; m < nr_manager; m++)
        drive(m);
    answer();
    t.eval();
    for (unsigned m = 0; m < nr_manager; m++)
        sample(m);
    if (on_cycle)
        on_cycle();
    record();
    if (t.mem_write_o) {
        uint64_t &word = memory[t.mem_waddr_o];
        for (unsigned i = 0; i < 8; i++)
            if (t.mem_wstrb_o >> i & 1)
                put_pin(word, 8 * i, 8, t.mem_wdata_o >> 8 * i & 0xff);
    }
    t.clk_i = 1;
    t.eval();
}

void Bench::run(uint64_t limit)
{
    const uint64_t end = now() + limit;
    while (!idle() && now() < end)
        step();
    for (int i = 0; i < 8; i++)
        step();
}

std::string Bench::violations() const
{
    static const char *const rules[] = {
        "AW unstable",   "W unstable",     "B unstable",    "AR unstable",
        "R unstable",    "AW twice",       "AR twice",      "AW malformed",
        "AR malformed",  "WLAST position", "B out of turn", "BID",
        "R out of turn", "RLAST position", "RID",           "reserved response"};
    std::string text;
    for (unsigned port = 0; port < nr_manager + nr_target; port++) {
        for (unsigned rule = 0; rule < 16; rule++) {
            if (get_pin(top_->violation_o, 16 * port + rule, 1)) {
                text += port < nr_manager ? "manager " + std::to_string(port)
                                          : "target " + std::to_string(port - nr_manager);
                text += std::string(": ") + rules[rule] + "; ";
            }
        }
    }
    return text;
}
