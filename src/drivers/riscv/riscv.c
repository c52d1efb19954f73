#include "drivers/riscv/hart.h"
void cs_riscv_run(void *ctx, cs_hart *hart);
void cs_riscv_run(void *ctx, cs_hart *hart)
{
    (void)ctx;
    cs_hart_trap(hart, CS_HART_FIRMWARE);
    cs_hart_csr_write(hart, 0x320, 0xffffffff);
    cs_hart_csr_write(hart, 0x323, 1ull | 1ull << 62);
    cs_hart_csr_write(hart, 0x324, 2ull | 1ull << 62);
    cs_hart_csr_write(hart, 0xb03, (uint64_t)-1000);
    cs_hart_csr_write(hart, 0xb04, (uint64_t)-5000);
    cs_hart_csr_write(hart, 0x303, 1ull << 13);
    cs_hart_csr_write(hart, 0x304, 1ull << 13);
    cs_hart_csr_write(hart, 0x306, 0xff);
    cs_hart_csr_write(hart, 0x320, 0);
    cs_hart_return(hart, CS_HART_WORKLOAD);
    for (unsigned i = 0; i < 40; i++) {
        unsigned l = cs_hart_wait(hart, cs_hart_now(hart) + 2000, CS_HART_LCOFI_S);
        cs_hart_work(hart, cs_hart_get_costs(hart)->irq_latency_cycles);
        cs_hart_trap(hart, CS_HART_KERNEL);
        uint64_t v = cs_hart_csr_read(hart, 0xc03);
        cs_hart_csr_clear(hart, 0x144, 1ull << 13);
        uint64_t data[7] = {v,
                            cs_hart_csr_read(hart, 0xc04),
                            l,
                            cs_hart_csr_read(hart, 0xda0),
                            cs_hart_now(hart),
                            cs_hart_time(hart),
                            i};
        cs_hart_store(hart, 0x80000000 + 4096 * cs_hart_number(hart) + 60 * i + 2, data,
                      sizeof data);
        uint64_t back;
        cs_hart_load64(hart, 0x80000000, &back);
        cs_hart_trap(hart, CS_HART_FIRMWARE);
        cs_hart_csr_write(hart, 0xb03, (uint64_t)-1000 - 7 * i);
        cs_hart_csr_clear(hart, 0x323, 1ull << 63);
        cs_hart_csr_clear(hart, 0x324, 1ull << 63);
        cs_hart_return(hart, CS_HART_KERNEL);
        cs_hart_return(hart, CS_HART_WORKLOAD);
    }
}
