// SPDX-License-Identifier: Apache-2.0
// A guest of KVM's: its calls, and the host's driver below.
#ifndef CS_TB_DRIVERS_RISCV_PMU_GUEST_OF_KVM_HPP
#define CS_TB_DRIVERS_RISCV_PMU_GUEST_OF_KVM_HPP

#include <array>

#include "drivers/hpm/kvm.h"
#include "kernel.hpp"

namespace cs_test
{

constexpr unsigned kExitCycles = 100, kCallCycles = 30;
constexpr uint64_t kGuestPage = kMemory + 0x8000;

// Hardware counters 3..6 of the host's: the guest has 0, 2..6, and 22 of firmware from 7 on.
inline Machine host_of_guest(unsigned mode = CS_HPM_MODE_VU)
{
    Machine m = machine();

    m.workload = mode;
    m.hpm.aia = true;
    return m;
}

class Guest
{
  public:
    explicit Guest(const Machine &m = host_of_guest(), bool adds = false, bool interrupts = true)
        : k(m)
    {
        cs_hart_perf_config perf = {};
        cs_kvm_config config = {};

        perf.pmu = k.pmu();
        EXPECT_EQ(cs_hart_perf_create(&perf, &perf_, nullptr), CS_OK);
        config.host = k.pmu();
        config.perf = perf_;
        config.exit_cycles = kExitCycles;
        config.call_cycles = kCallCycles;
        config.interrupts = interrupts;
        config.reads_add = adds;
        config.tell = [](void *ctx, const cs_riscv_virtual *what) {
            static_cast<Guest *>(ctx)->told.push_back(*what);
        };
        config.ctx = this;
        EXPECT_EQ(cs_kvm_create(&config, &kvm_, nullptr), CS_OK);
        cs_kvm_boot(kvm_, k.hart());
    }
    Guest(const Guest &) = delete;
    Guest &operator=(const Guest &) = delete;
    ~Guest()
    {
        cs_hart_perf_destroy(perf_);
        cs_kvm_destroy(kvm_);
    }

    // The error; `value` beside it.
    int64_t call(uint64_t fid, std::array<uint64_t, 6> args = {}, uint64_t eid = CS_SBI_EID_PMU)
    {
        const cs_sbi sbi = cs_kvm_interface(kvm_);

        cs_hart_run(k.hart(), CS_HART_GUEST);
        const cs_sbi_ret ret = sbi.call(sbi.ctx, k.hart(), eid, fid, args.data());
        EXPECT_EQ(cs_hart_running(k.hart()), CS_HART_GUEST);
        cs_hart_run(k.hart(), CS_HART_KERNEL);
        value = ret.value;
        return ret.error;
    }
    int64_t config(uint64_t base, uint64_t mask, uint64_t event, uint64_t data = 0,
                   uint64_t flags = 0)
    {
        return call(CS_SBI_PMU_COUNTER_CONFIG_MATCHING, {base, mask, flags, event, data});
    }
    int64_t start(uint64_t base, uint64_t mask, uint64_t flags = 0, uint64_t first = 0)
    {
        return call(CS_SBI_PMU_COUNTER_START, {base, mask, flags, first});
    }
    int64_t stop(uint64_t base, uint64_t mask, uint64_t flags = 0)
    {
        return call(CS_SBI_PMU_COUNTER_STOP, {base, mask, flags});
    }
    // Configured and started from 0; which one it is.
    uint64_t counts(uint64_t data, uint64_t flags = 0)
    {
        EXPECT_EQ(config(0, 0x7f, CS_SBI_TYPE_RAW_V2 << 16, data, flags), CS_SBI_SUCCESS);
        const uint64_t counter = value;
        EXPECT_EQ(start(counter, 1, CS_SBI_START_SET_INIT_VALUE), CS_SBI_SUCCESS);
        return counter;
    }
    // The guest reads a counter.
    uint64_t read(uint64_t counter)
    {
        cs_hart_run(k.hart(), CS_HART_GUEST);
        const uint64_t found = cs_hart_csr_read(k.hart(), static_cast<uint16_t>(0xc00 + counter));
        EXPECT_EQ(cs_hart_running(k.hart()), CS_HART_GUEST);
        cs_hart_run(k.hart(), CS_HART_KERNEL);
        return found;
    }
    void set_page()
    {
        EXPECT_EQ(call(CS_SBI_PMU_SNAPSHOT_SET_SHMEM, {kGuestPage}), CS_SBI_SUCCESS);
    }
    uint64_t marks()
    {
        return k.load(kGuestPage);
    }
    uint64_t slot(unsigned i)
    {
        return k.load(kGuestPage + CS_SBI_SNAPSHOT_VALUES + 8 * i);
    }
    cs_kvm *kvm()
    {
        return kvm_;
    }
    const cs_kvm_figures &figures() const
    {
        return *cs_kvm_get_figures(kvm_);
    }

    Kernel k;
    uint64_t value = 0;
    std::vector<cs_riscv_virtual> told;

  private:
    cs_hart_perf *perf_ = nullptr; // the host's
    cs_kvm *kvm_ = nullptr;
};

} // namespace cs_test

#endif
