// RtlDie over one verilated top: a template, because Verilator makes a class of its own for
// each set of parameters. Pins are packed vectors; wide ones are arrays of 32-bit words.
#ifndef CS_LOCKSTEP_RTL_DIE_IMPL_HPP
#define CS_LOCKSTEP_RTL_DIE_IMPL_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lockstep/rtl_die.hpp"

namespace cs
{

// Bits [lsb, lsb + width) of a packed pin, width <= 64, whatever type Verilator gave it.
template <typename Pin> uint64_t get_bits(const Pin &pin, unsigned lsb, unsigned width)
{
    const uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;

    if constexpr (std::is_integral_v<Pin>) {
        return static_cast<uint64_t>(pin) >> lsb & mask;
    } else {
        uint64_t value = 0;

        for (unsigned have = 0; have < width;) {
            unsigned bit = (lsb + have) % 32;

            value |= (static_cast<uint64_t>(pin[(lsb + have) / 32]) >> bit) << have;
            have += 32 - bit;
        }
        return value & mask;
    }
}

template <typename Pin> void set_bits(Pin &pin, unsigned lsb, unsigned width, uint64_t value)
{
    if constexpr (std::is_integral_v<Pin>) {
        const uint64_t mask = (width == 64 ? ~0ull : (1ull << width) - 1) << lsb;

        pin = static_cast<Pin>((static_cast<uint64_t>(pin) & ~mask) | (value << lsb & mask));
    } else {
        for (unsigned done = 0; done < width;) {
            unsigned bit = (lsb + done) % 32;
            unsigned part = 32 - bit < width - done ? 32 - bit : width - done;
            uint32_t mask = (part == 32 ? ~0u : (1u << part) - 1) << bit;
            auto &word = pin[(lsb + done) / 32];

            word = (word & ~mask) | (static_cast<uint32_t>(value >> done) << bit & mask);
            done += part;
        }
    }
}

// What bridge `n` of several shows; they stand side by side in the pins.
template <typename Bit, typename Address, typename Data>
AccessPins access_of(const Bit &valid, const Bit &write, const Address &addr, unsigned addr_bits,
                     const Bit &wide, const Data &wdata, const Data &rdata, const Bit &err,
                     unsigned n)
{
    AccessPins p = {};

    p.valid = get_bits(valid, n, 1);
    if (!p.valid)
        return p;
    p.write = get_bits(write, n, 1);
    p.wide = get_bits(wide, n, 1);
    p.err = get_bits(err, n, 1);
    p.addr = get_bits(addr, addr_bits * n, addr_bits);
    p.wdata = get_bits(wdata, 64 * n, 64);
    p.rdata = get_bits(rdata, 64 * n, 64);
    return p;
}

template <typename Top> class VerilatedDie : public RtlDie
{
  public:
    explicit VerilatedDie(const DieSize &size) : size_(size)
    {
        context_.debug(0);
    }

    ~VerilatedDie() override
    {
        top_.final();
    }

    const DieSize &size() const override
    {
        return size_;
    }

    void reset(const cs_environment &environment) override;

    void rise() override
    {
        top_.clk_i = 1;
        top_.eval();
        top_.rst_ni = 1; // after reset(), this was the edge into cycle 0
    }

    void settle() override
    {
        top_.clk_i = 0;
        top_.eval();
    }

    bool check(unsigned path, bool &write, uint64_t &addr, uint32_t &bytes) const override
    {
        if (get_bits(top_.chk_valid_o, path, 1) == 0)
            return false;
        write = get_bits(top_.chk_write_o, path, 1) != 0;
        addr = get_bits(top_.chk_addr_o, 64 * path, 64);
        bytes = static_cast<uint32_t>(
            get_bits(top_.chk_bytes_o, kCheckBytesBits * path, kCheckBytesBits));
        return true;
    }

    void answer_check(unsigned path, bool error, uint32_t stall) override
    {
        set_bits(top_.chk_error_i, path, 1, error);
        set_bits(top_.chk_stall_i, 16 * path, 16, stall);
    }

    bool storage_read(uint64_t &addr) const override
    {
        addr = top_.mem_raddr_o;
        return top_.mem_read_o;
    }

    bool storage_write(uint64_t &addr, uint64_t &data, uint8_t &enables) const override
    {
        addr = top_.mem_waddr_o;
        data = top_.mem_wdata_o;
        enables = top_.mem_wstrb_o;
        return top_.mem_write_o;
    }

    bool storage_commit() const override
    {
        return top_.mem_commit_o;
    }

    void answer_storage(uint64_t data) override
    {
        top_.mem_rdata_i = data;
    }

    bool irq() const override
    {
        return top_.irq_o;
    }

    unsigned state() const override
    {
        return top_.state_o;
    }

    bool sample(uint64_t &addr, uint32_t &number, uint32_t &bytes) const override
    {
        addr = top_.sample_addr_o;
        number = top_.sample_number_o;
        bytes = top_.sample_bytes_o;
        return top_.sample_valid_o;
    }

    bool counting(unsigned core) const override
    {
        return get_bits(top_.counting_o, core, 1) != 0;
    }

    uint16_t event(unsigned core, unsigned counter) const override
    {
        return static_cast<uint16_t>(
            get_bits(top_.event_o, 16 * (core * size_.counters + counter), 16));
    }

    bool capture(unsigned core) const override
    {
        return get_bits(top_.capture_o, core, 1) != 0;
    }

    void increments(unsigned core, const uint8_t *by_counter, uint8_t cycles) override
    {
        for (unsigned n = 0; n < size_.counters;) {
            uint64_t packed = 0;
            unsigned count = 0;

            for (; n + count < size_.counters && count < 8; count++)
                packed |= static_cast<uint64_t>(by_counter[n + count]) << (4 * count);
            set_bits(top_.inc_i, 4 * (core * size_.counters + n), 4 * count, packed);
            n += count;
        }
        set_bits(top_.cycle_inc_i, 4 * core, 4, cycles);
    }

    void mode(unsigned core, unsigned mode) override
    {
        set_bits(top_.mode_i, 2 * core, 2, mode);
    }

    void context(unsigned core, uint64_t pc, uint32_t cid1, uint32_t cid2) override
    {
        set_bits(top_.pc_i, 64 * core, 64, pc);
        set_bits(top_.cid1_i, 32 * core, 32, cid1);
        set_bits(top_.cid2_i, 32 * core, 32, cid2);
    }

    unsigned imc_state(unsigned core) const override
    {
        return static_cast<unsigned>(get_bits(top_.imc_state_o, 3 * core, 3));
    }

    bool imc_active(unsigned thread, unsigned code[2]) const override
    {
        code[0] = static_cast<unsigned>(get_bits(top_.imc_code1_o, 7 * thread, 7));
        code[1] = static_cast<unsigned>(get_bits(top_.imc_code2_o, 7 * thread, 7));
        return get_bits(top_.imc_active_o, thread, 1) != 0;
    }

    bool imc_capture(unsigned thread) const override
    {
        return get_bits(top_.imc_capture_o, thread, 1) != 0;
    }

    unsigned nest_status() const override
    {
        return top_.nest_status_o;
    }

    void imc_power(unsigned core, bool on) override
    {
        set_bits(top_.imc_power_i, core, 1, on);
    }

    void imc_increments(unsigned thread, const uint8_t by_cpmc[4]) override
    {
        set_bits(top_.imc_inc1_i, 4 * thread, 4, by_cpmc[0]);
        set_bits(top_.imc_inc2_i, 4 * thread, 4, by_cpmc[1]);
        set_bits(top_.imc_inc3_i, 4 * thread, 4, by_cpmc[2]);
        set_bits(top_.imc_inc4_i, 4 * thread, 4, by_cpmc[3]);
    }

    void imc_mode(unsigned thread, unsigned mode) override
    {
        set_bits(top_.imc_mode_i, 2 * thread, 2, mode);
    }

    void imc_context(unsigned thread, uint64_t pc, uint32_t pid, uint32_t lpid) override
    {
        set_bits(top_.imc_pc_i, 64 * thread, 64, pc);
        set_bits(top_.imc_pid_i, 32 * thread, 32, pid);
        set_bits(top_.imc_lpid_i, 32 * thread, 32, lpid);
    }

    void nest_increment(unsigned counter, uint8_t increment) override
    {
        set_bits(top_.nest_inc_i, 4 * counter, 4, increment);
    }

    AccessPins imc_access(bool scom) const override
    {
        constexpr unsigned kAddressBits = 33;

        return access_of(top_.imc_acc_valid_o, top_.imc_acc_write_o, top_.imc_acc_addr_o,
                         kAddressBits, top_.imc_acc_wide_o, top_.imc_acc_wdata_o,
                         top_.imc_acc_rdata_o, top_.imc_acc_err_o, scom);
    }

    bool imc_sample(unsigned core, SamplePins &out) const override
    {
        constexpr uint32_t kRecordBytes = 64;

        out.stream = static_cast<unsigned>(get_bits(top_.imc_sample_thread_o, 2 * core, 2));
        out.addr = get_bits(top_.imc_sample_addr_o, 64 * core, 64);
        out.number = static_cast<uint32_t>(get_bits(top_.imc_sample_number_o, 32 * core, 32));
        out.bytes = kRecordBytes;
        out.resp = static_cast<uint8_t>(get_bits(top_.imc_sample_resp_o, 2 * core, 2));
        out.snapshot = get_bits(top_.imc_sample_snap_o, 64 * core, 64);
        return get_bits(top_.imc_sample_valid_o, core, 1) != 0;
    }

    bool imc_lost(unsigned thread) const override
    {
        return get_bits(top_.imc_lost_o, thread, 1) != 0;
    }

    bool imc_dropped(unsigned thread, uint64_t &addr, uint64_t &snapshot) const override
    {
        addr = get_bits(top_.imc_dropped_addr_o, 64 * thread, 64);
        snapshot = get_bits(top_.imc_dropped_snap_o, 64 * thread, 64);
        return get_bits(top_.imc_dropped_o, thread, 1) != 0;
    }

    bool nest_sample(SamplePins &out) const override
    {
        out.stream = top_.nest_sample_group_o;
        out.addr = top_.nest_sample_addr_o;
        out.number = top_.nest_sample_number_o;
        out.bytes = top_.nest_sample_bytes_o;
        out.resp = top_.nest_sample_resp_o;
        out.snapshot = top_.nest_sample_start_o;
        return top_.nest_sample_valid_o;
    }

    uint32_t hart_counting(unsigned hart) const override
    {
        return static_cast<uint32_t>(get_bits(top_.hart_counting_o, 32 * hart, 32));
    }

    uint16_t hart_event(unsigned hart, unsigned counter) const override
    {
        return static_cast<uint16_t>(get_bits(top_.hart_event_o, 16 * (32 * hart + counter), 16));
    }

    unsigned hart_lines(unsigned hart) const override
    {
        return static_cast<unsigned>(get_bits(top_.hart_lcofi_o, 3 * hart, 3));
    }

    void hart_increments(unsigned hart, const HartPins &pins) override
    {
        set_bits(top_.hart_cycle_inc_i, 4 * hart, 4, pins.cycles);
        set_bits(top_.hart_instret_inc_i, 4 * hart, 4, pins.instructions);
        for (unsigned n = 0; n < 32; n += 8) {
            uint64_t packed = 0;

            for (unsigned i = 0; i < 8; i++)
                packed |= static_cast<uint64_t>(pins.by_counter[n + i]) << (4 * i);
            set_bits(top_.hart_inc_i, 4 * (32 * hart + n), 32, packed);
        }
    }

    void hart_mode(unsigned hart, unsigned code) override
    {
        set_bits(top_.hart_mode_i, 2 * hart, 2, code & 3);
        set_bits(top_.hart_v_i, hart, 1, code >> 2);
    }

    void hart_access(unsigned hart, const cs_hpm_access *access) override
    {
        set_bits(top_.hart_csr_valid_i, hart, 1, access != nullptr);
        if (access == nullptr)
            return;
        set_bits(top_.hart_csr_addr_i, 12 * hart, 12, access->csr);
        set_bits(top_.hart_csr_op_i, 2 * hart, 2, access->op);
        set_bits(top_.hart_csr_wdata_i, 64 * hart, 64, access->value);
        top_.hart_time_i = access->time;
    }

    cs_hpm_result hart_result(unsigned hart) const override
    {
        return {static_cast<cs_hpm_exception>(get_bits(top_.hart_csr_exc_o, 2 * hart, 2)),
                get_bits(top_.hart_csr_rdata_o, 64 * hart, 64)};
    }

    uint32_t uncore_counting(unsigned unit) const override
    {
        return static_cast<uint32_t>(
            get_bits(top_.uncore_counting_o, kUncoreCounters * unit, kUncoreCounters));
    }

    uint16_t uncore_event(unsigned unit, unsigned counter) const override
    {
        return static_cast<uint16_t>(
            get_bits(top_.uncore_event_o, 16 * (kUncoreCounters * unit + counter), 16));
    }

    bool uncore_irq(unsigned unit) const override
    {
        return get_bits(top_.uncore_irq_o, unit, 1) != 0;
    }

    void uncore_increment(unsigned unit, unsigned counter, uint8_t increment) override
    {
        set_bits(top_.uncore_inc_i, 4 * (kUncoreCounters * unit + counter), 4, increment);
    }

    AccessPins uncore_access(unsigned bridge) const override
    {
        return access_of(top_.uncore_acc_valid_o, top_.uncore_acc_write_o, top_.uncore_acc_addr_o,
                         kSlotAddressBits, top_.uncore_acc_wide_o, top_.uncore_acc_wdata_o,
                         top_.uncore_acc_rdata_o, top_.uncore_acc_err_o, bridge);
    }

    void port(unsigned number, const CpuPins &pins) override;
    ManagerPins manager(unsigned number) const override;
    AccessPins access(unsigned bridge) const override
    {
        return access_of(top_.acc_valid_o, top_.acc_write_o, top_.acc_addr_o, kSlotAddressBits,
                         top_.acc_wide_o, top_.acc_wdata_o, top_.acc_rdata_o, top_.acc_err_o,
                         bridge);
    }

  private:
    static constexpr unsigned kCheckBytesBits = 8;
    static constexpr unsigned kSlotAddressBits = 20; // slot and offset
    static constexpr unsigned kUncoreCounters = 16;

    void strap_uncore(const cs_scenario &s);

    DieSize size_;
    VerilatedContext context_;
    Top top_{&context_};
};

template <typename Top> void VerilatedDie<Top>::reset(const cs_environment &environment)
{
    const cs_scenario &s = *environment.scenario;

    top_.shared_i = !s.bus->per_target;
    top_.forward_cycles_i = static_cast<uint8_t>(s.bus->forward_cycles);
    top_.return_cycles_i = static_cast<uint8_t>(s.bus->return_cycles);
    top_.access_cycles_i = static_cast<uint8_t>(s.bus->register_access_cycles);
    top_.ram_base_i = s.memory->base;
    top_.ram_size_i = s.memory->size;
    top_.read_cycles_i = static_cast<uint16_t>(s.memory->read_cycles);
    top_.write_cycles_i = static_cast<uint16_t>(s.memory->write_cycles);
    top_.gap_cycles_i = static_cast<uint8_t>(s.memory->gap_cycles);
    top_.nr_cluster_i = static_cast<uint8_t>(s.pmcu->clusters);
    top_.nr_slot_i = static_cast<uint8_t>(s.pmcu->slots);
    top_.nr_lane_i = static_cast<uint8_t>(s.pmcu->lanes);
    top_.broadcast_i = s.pmcu->broadcast;
    top_.prefetch_i = s.pmcu->prefetch;
    top_.ext64_i = s.corepmu->ext64;
    top_.tick_cycles_i = static_cast<uint16_t>(s.pmcu->tick_cycles);
    top_.nr_counter_i = static_cast<uint8_t>(s.corepmu->counters);
    for (unsigned cluster = 0; cluster < size_.clusters; cluster++)
        for (unsigned slot = 0; slot < size_.slots && size_.pmcu(); slot++) {
            unsigned core = core_index(cluster, slot);
            unsigned cpu = slot + s.pmcu->slots * cluster;
            bool exists = cluster < s.pmcu->clusters && slot < s.pmcu->slots;

            set_bits(top_.present_i, core, 1, exists && !s.corepmu->absent[cpu]);
            set_bits(top_.offline_i, core, 1, exists && s.corepmu->offline[cpu]);
            set_bits(top_.locked_i, core, 1, exists && s.corepmu->locked[cpu]);
            set_bits(top_.hpme_i, core, 1, environment.hpme);
            set_bits(top_.hpmn_i, 5 * core, 5, s.corepmu->hpmn);
        }
    top_.adds_i = s.imc->cores != 0 || s.nest->present;
    top_.imc_power10_i = s.imc->power10;
    top_.imc_nr_core_i = static_cast<uint8_t>(s.imc->cores);
    top_.imc_nr_thread_i = static_cast<uint8_t>(s.imc->threads);
    top_.imc_tap_log2_i = static_cast<uint8_t>(s.imc->tap_log2);
    top_.imc_tb_start_i = s.imc->timebase_start;
    top_.imc_tb_num_i = static_cast<uint16_t>(s.imc->timebase_mhz);
    top_.imc_tb_den_i = static_cast<uint16_t>(s.bus->clock_mhz);
    top_.nest_base_i = s.nest->base;
    // The engine of a die without a nest in the scenario never ticks in a run's time.
    top_.nest_tick_cycles_i = s.nest->present ? static_cast<uint32_t>(s.nest->tick_cycles) : ~0u;
    for (unsigned core = 0; core < size_.imc_cores; core++)
        imc_power(core, core < s.imc->cores);
    const cs_hpm_config hpm = cs_environment_hpm(&environment, 0);
    top_.hart_xlen64_i = hpm.xlen == 64;
    top_.hart_modes_i = static_cast<uint8_t>(hpm.modes);
    top_.hart_counters_i = hpm.counters;
    for (unsigned n = 0; n < CS_HPM_SLOTS; n++)
        set_bits(top_.hart_width_i, 7 * n, 7, hpm.width[n]);
    top_.hart_sscofpmf_i = hpm.sscofpmf;
    top_.hart_smcntrpmf_i = hpm.smcntrpmf;
    top_.hart_smcdeleg_i = hpm.smcdeleg;
    top_.hart_aia_i = hpm.aia;
    top_.hart_lcofi_latency_i = static_cast<uint8_t>(hpm.lcofi_latency);
    strap_uncore(s);
    for (unsigned number = 0; number <= size_.harts; number++)
        port(number, {});
    top_.rst_ni = 0;
    for (unsigned i = 0; i < 2; i++) {
        top_.rst_ni = 0;
        settle();
        rise();
    }
    // Reset is still low at the next rising edge, so cycle 0 is in the reset state: counters that run
    // freely begin there.
    top_.rst_ni = 0;
    settle();
}

template <typename Top> void VerilatedDie<Top>::strap_uncore(const cs_scenario &s)
{
    top_.nr_bridge_i = static_cast<uint8_t>(s.uncore->nr_bridges);
    for (unsigned b = 0; b < s.uncore->nr_bridges; b++)
        set_bits(top_.uncore_access_cycles_i, 16 * b, 16, s.uncore->bridges[b].access_cycles);
    for (size_t i = 0; i < s.uncore->nr_units; i++) {
        const cs_uncore_unit_spec &unit = s.uncore->units[i];
        const unsigned index = unit_index(unit.bridge, unit.slot);

        set_bits(top_.uncore_present_i, index, 1, 1);
        set_bits(top_.uncore_counters_i, 5 * index, 5, unit.counters);
        set_bits(top_.uncore_width_i, 7 * index, 7, unit.width);
        set_bits(top_.uncore_id_i, 16 * index, 16, unit.id);
    }
}

template <typename Top> void VerilatedDie<Top>::port(unsigned number, const CpuPins &pins)
{
    constexpr unsigned kIncr = 1;

    set_bits(top_.cpu_awid_i, 4 * number, 4, 0);
    set_bits(top_.cpu_awvalid_i, number, 1, pins.aw_valid);
    set_bits(top_.cpu_awaddr_i, 64 * number, 64, pins.aw_addr);
    set_bits(top_.cpu_awlen_i, 8 * number, 8, pins.aw_len);
    set_bits(top_.cpu_awsize_i, 3 * number, 3, pins.aw_size);
    set_bits(top_.cpu_awburst_i, 2 * number, 2, kIncr);
    set_bits(top_.cpu_wvalid_i, number, 1, pins.w_valid);
    set_bits(top_.cpu_wdata_i, 64 * number, 64, pins.w_data);
    set_bits(top_.cpu_wstrb_i, 8 * number, 8, pins.w_strb);
    set_bits(top_.cpu_wlast_i, number, 1, pins.w_last);
    set_bits(top_.cpu_bready_i, number, 1, pins.b_ready);
    set_bits(top_.cpu_arid_i, 4 * number, 4, 0);
    set_bits(top_.cpu_arvalid_i, number, 1, pins.ar_valid);
    set_bits(top_.cpu_araddr_i, 64 * number, 64, pins.ar_addr);
    set_bits(top_.cpu_arlen_i, 8 * number, 8, pins.ar_len);
    set_bits(top_.cpu_arsize_i, 3 * number, 3, pins.ar_size);
    set_bits(top_.cpu_arburst_i, 2 * number, 2, kIncr);
    set_bits(top_.cpu_rready_i, number, 1, pins.r_ready);
}

template <typename Top> ManagerPins VerilatedDie<Top>::manager(unsigned m) const
{
    ManagerPins p = {};

    p.ar_valid = get_bits(top_.mon_arvalid_o, m, 1);
    p.ar_ready = get_bits(top_.mon_arready_o, m, 1);
    p.r_valid = get_bits(top_.mon_rvalid_o, m, 1);
    p.r_ready = get_bits(top_.mon_rready_o, m, 1);
    p.aw_valid = get_bits(top_.mon_awvalid_o, m, 1);
    p.aw_ready = get_bits(top_.mon_awready_o, m, 1);
    p.w_valid = get_bits(top_.mon_wvalid_o, m, 1);
    p.w_ready = get_bits(top_.mon_wready_o, m, 1);
    p.b_valid = get_bits(top_.mon_bvalid_o, m, 1);
    p.b_ready = get_bits(top_.mon_bready_o, m, 1);
    if (p.ar_valid) {
        p.ar_addr = get_bits(top_.mon_araddr_o, 64 * m, 64);
        p.ar_len = static_cast<uint8_t>(get_bits(top_.mon_arlen_o, 8 * m, 8));
        p.ar_size = static_cast<uint8_t>(get_bits(top_.mon_arsize_o, 3 * m, 3));
    }
    if (p.aw_valid) {
        p.aw_addr = get_bits(top_.mon_awaddr_o, 64 * m, 64);
        p.aw_len = static_cast<uint8_t>(get_bits(top_.mon_awlen_o, 8 * m, 8));
        p.aw_size = static_cast<uint8_t>(get_bits(top_.mon_awsize_o, 3 * m, 3));
    }
    if (p.r_valid) {
        p.r_data = get_bits(top_.mon_rdata_o, 64 * m, 64);
        p.r_resp = static_cast<uint8_t>(get_bits(top_.mon_rresp_o, 2 * m, 2));
        p.r_last = get_bits(top_.mon_rlast_o, m, 1);
    }
    if (p.w_valid) {
        p.w_data = get_bits(top_.mon_wdata_o, 64 * m, 64);
        p.w_strb = static_cast<uint8_t>(get_bits(top_.mon_wstrb_o, 8 * m, 8));
        p.w_last = get_bits(top_.mon_wlast_o, m, 1);
    }
    if (p.b_valid)
        p.b_resp = static_cast<uint8_t>(get_bits(top_.mon_bresp_o, 2 * m, 2));
    return p;
}

} // namespace cs

#endif
