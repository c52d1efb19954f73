// SPDX-License-Identifier: Apache-2.0
// An environment in which nothing happens: for tests of how a unit is made.
#pragma once

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/stream/events.h>

inline cs_event_source still_events()
{
    cs_event_source source = {};

    source.sum = [](void *, auto...) -> uint64_t { return 0; };
    source.reach = [](void *, auto...) -> uint64_t { return CS_NEVER; };
    source.context = [](void *, auto, cs_context *out) { *out = {}; };
    return source;
}

// A bus that never answers.
inline cs_bus_port silent_bus()
{
    cs_bus_port port = {};

    port.submit = [](void *, unsigned, cs_bus_txn *) { return CS_BUS_PENDING; };
    return port;
}
