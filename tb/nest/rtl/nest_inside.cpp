// SPDX-License-Identifier: Apache-2.0
#include "nest_inside.hpp"

#include <iterator>
#include <string>

#include "variant.hpp"
#include "verilated.h"
#include "verilated_syms.h"

bool nest_inside_preset(Vnest &dut, unsigned counter, uint64_t value)
{
    for (unsigned r = 0; r < std::size(nest_rows); r++) {
        const cs_nest_row &row = nest_rows[r];
        if (row.kind != CS_NEST_COUNTERS || counter < row.first || counter >= row.first + row.count)
            continue;
        std::string scope = std::string(dut.name()) + ".nest.u_counters.g_row[" +
                            std::to_string(r) + "].g_counters.g_counter[" +
                            std::to_string(counter - row.first) + "].u_counter";
        const VerilatedScope *found = dut.contextp()->scopeFind(scope.c_str());
        VerilatedVar *var = found ? found->varFind("value_q") : nullptr;
        if (!var)
            return false;
        unsigned bits = row.width + row.prescale;
        value &= bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
        if (bits <= 32)
            *static_cast<IData *>(var->datap()) = static_cast<IData>(value);
        else
            *static_cast<QData *>(var->datap()) = value;
        return true;
    }
    return false;
}
