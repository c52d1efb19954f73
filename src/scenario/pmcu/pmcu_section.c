#include "scenario/key_macros.h"
#include "scenario/pmcu/pmcu_spec.h"

#define S cs_pmcu_spec

static const cs_key pmcu_keys[] = {
    {NUMBER("clusters", "", 0, 16, "=4; 0 on a die with IMC cores or harts and no key pmcu",
            "clusters of the die; 0: no PMCU"),
     AT(S, clusters)},
    {NUMBER("slots", "", 1, 8, "8",
            "CPU slots of a cluster; slot c of cluster k is CPU c + slots * k"),
     AT(S, slots)},
    {NUMBER("lanes", "", 1, 4, "1", "register accesses in flight"), AT(S, lanes)},
    {OTHER("broadcast", CS_KEY_FLAG, "false", "start and stop by one write to each cluster"),
     AT(S, broadcast)},
    {OTHER("prefetch", CS_KEY_FLAG, "false", "fetch the next events while counting"),
     AT(S, prefetch)},
    {NUMBER("tick_cycles", "bus cycles", 1, 65535, "=bus.clock_mhz / 50",
            "length of a tick of WAIT_CNT"),
     AT(S, tick_cycles)},
};
static const cs_key_shape shape = {SHAPE("pmcu", pmcu_keys, S)};

static const cs_key keys[] = {{MAP("pmcu", &shape, "the die and its PMCU")}};
const cs_section cs_section_pmcu = {SECTION("pmcu", keys, S)};
