// SPDX-License-Identifier: Apache-2.0
// A perf.data file with a record of nearly every kind and a sample with nearly every field, for
// tests that damage it.
#ifndef CS_TB_PERF_ALL_HPP
#define CS_TB_PERF_ALL_HPP

#include "perf_file.hpp"

namespace cs_test
{

inline PerfFile perf_with_everything(bool big)
{
    PerfFile file;

    file.big = big;
    file.attrs = {{.sample_type = 0x1ffffff & ~0x4000u,
                   .read_format = 0xf,
                   .branch_type = 0x20000,
                   .regs_user = 3,
                   .regs_intr = 1,
                   .ids = {5, 6},
                   .name = "first"},
                  {.type = 42, .sample_type = 0x100c7, .ids = {7}, .name = "pmcu/x/"}};
    file.event_desc().text(3, "host").text(6, "aarch64");
    file.features[7] = file.out().u32(8).u32(6).bytes;
    file.features[11] = file.out().u32(2).string("perf").string("record").bytes;
    file.features[16] = file.out().u32(1).u32(42).string("hisi_pmcu").bytes;
    PerfOut id = file.out();
    id.u32(67).u16(0).u16(8 + 4 + 24 + 16).u32(99);
    for (unsigned i = 0; i < 24; i++)
        id.put(i + 1, 1);
    file.features[2] = id.name("/usr/bin/xyzabc", 4).bytes;

    const auto trailer = [&file](PerfOut payload) {
        return payload.u32(1).u32(2).u64(3).u64(7).u32(4).u32(0).u64(7).bytes;
    };
    file.add(70, 0, file.out().u32(9).u32(0).u64(42).bytes);
    file.add(1, 1, trailer(file.out().u32(1).u32(1).u64(0x400000).u64(0x1000).u64(0).name("/a")));
    file.add(10, 2,
             trailer(file.out()
                         .u32(1)
                         .u32(2)
                         .u64(3)
                         .u64(4)
                         .u64(5)
                         .u32(6)
                         .u32(7)
                         .u64(8)
                         .u64(9)
                         .u32(5)
                         .u32(2)
                         .name("/bin/m2")));
    file.add(3, 0, trailer(file.out().u32(1).u32(1).name("comm")));
    for (unsigned i = 0; i < 6; i++) {
        PerfOut o = file.out();

        o.u64(5 + i % 2).u64(0x400100 + i).u32(1).u32(1).u64(1000 + i).u64(0xadd7).u64(5 + i % 2);
        o.u64(1).u32(i).u32(0).u64(99); // stream, cpu, period
        o.u64(1).u64(50).u64(40).u64(9).u64(77);
        o.u64(2).u64(0x10).u64(0x20); // chain
        o.u32(12).raw({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        o.u64(1).u64(17).u64(0x100).u64(0x200).u64(i);
        o.u64(2).u64(0xa).u64(0xb);
        o.u64(16).u64(1).u64(2).u64(8);
        o.u64(1).u64(2).u64(3);           // weight, data_src, transaction
        o.u64(1).u64(0xc);                // regs_intr
        o.u64(1).u64(2).u64(3).u64(4);    // phys, cgroup, pages
        o.u64(8).u64(0x1122334455667788); // aux
        file.add(9, 2, o.bytes);
        file.add(9, 1,
                 file.out().u64(7).u64(0xc0de + i).u32(1).u32(2).u64(3).u64(7).u32(4).u32(0).bytes);
    }
    file.add(11, 0, trailer(file.out().u64(0).u64(64).u64(0)));
    file.add(71, 0, file.out().u64(64).u64(0).u64(0).u32(0).u32(0).u32(0).u32(0).bytes);
    file.records.resize(file.records.size() + 64, 0x5a);
    file.add(74, 0, file.out().u16(1).u16(2).u16(4).u32(2).u32(1).u16(0).bytes);
    file.add(75, 0, file.out().u64(1).u64(1).u64(1000).bytes);
    file.add(76, 0, file.out().u64(5).u32(0xffffffff).u32(0).u64(10).u64(11).u64(12).bytes);
    file.add(78, 0, file.out().u64(2).u64(5).name("renamed").bytes);
    file.add(4, 0, trailer(file.out().u32(1).u32(1).u32(1).u32(1).u64(9)));
    file.add(68, 0, {});
    return file;
}

} // namespace cs_test

#endif
