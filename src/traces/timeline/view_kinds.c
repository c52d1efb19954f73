/* What kinds of events there are, with their fields. A field more is a line here and a value in
 * view.c. */
#include "base/bus/bus_port.h"
#include "base/probe/probe.h"
#include "traces/timeline/view.h"

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

#define DECIMAL(name, bits)                                                                        \
    {                                                                                              \
        name, CS_FIELD_DECIMAL, bits, NULL, 0                                                      \
    }
#define HEX(name, bits)                                                                            \
    {                                                                                              \
        name, CS_FIELD_HEX, bits, NULL, 0                                                          \
    }
#define TEXT(name)                                                                                 \
    {                                                                                              \
        name, CS_FIELD_TEXT, 0, NULL, 0                                                            \
    }
#define ENUM(name, labels)                                                                         \
    {                                                                                              \
        name, CS_FIELD_ENUM, 8, labels, COUNT_OF(labels)                                           \
    }

static const cs_field_label directions[] = {{0, "read"}, {1, "write"}};
static const cs_field_label responses[] = {
    {CS_BUS_OKAY, "OKAY"}, {CS_BUS_SLVERR, "SLVERR"}, {CS_BUS_DECERR, "DECERR"}};
static const cs_field_label results[] = {{CS_BUS_OKAY, "written"},
                                         {CS_SAMPLE_LOST, "lost"},
                                         {CS_BUS_SLVERR, "SLVERR"},
                                         {CS_BUS_DECERR, "DECERR"}};
static const cs_field_label exceptions[] = {
    {0, "none"}, {1, "illegal instruction"}, {2, "virtual instruction"}};
static const cs_field_label no_yes[] = {{0, "no"}, {1, "yes"}};
/* docs/hw/pmcu.md, "States" */
static const cs_field_label pmcu_states[] = {
    {0, "IDLE"}, {1, "INIT"}, {2, "FETCH"}, {3, "PROGRAM"}, {4, "START"},  {5, "WAIT"},
    {6, "STOP"}, {7, "READ"}, {8, "STORE"}, {9, "SWITCH"},  {10, "BREAK"},
};
/* docs/hw/imc.md, "STATE" */
static const cs_field_label imc_states[] = {
    {0, "OFF"}, {1, "SYNC"}, {2, "RUN"}, {3, "DONE"}, {4, "FROZEN"}};
/* docs/hw/nest.md, "status" */
static const cs_field_label nest_states[] = {
    {0, "INIT"}, {1, "RUN"}, {2, "PAUSE"}, {3, "ERR1"}, {4, "ERR2"}};
static const cs_field_label cpu_software[] = {{1, "handler"}};
static const cs_field_label hart_software[] = {{1, "kernel"}, {2, "firmware"}, {3, "guest"}};

/* Slices begin with their length in cycles. */
static const cs_field transfer[] = {DECIMAL("cycles", 64),         DECIMAL("grant", 64),
                                    ENUM("direction", directions), HEX("addr", 64),
                                    DECIMAL("bytes", 32),          ENUM("resp", responses)};
static const cs_field load[] = {DECIMAL("held_cycles", 32), DECIMAL("percent", 8)};
static const cs_field pmcu_state[] = {DECIMAL("cycles", 64), ENUM("state", pmcu_states)};
static const cs_field imc_state[] = {DECIMAL("cycles", 64), ENUM("state", imc_states)};
static const cs_field nest_state[] = {DECIMAL("cycles", 64), ENUM("state", nest_states)};
static const cs_field line[] = {DECIMAL("cycles", 64), DECIMAL("line", 8)};
static const cs_field subsample[] = {DECIMAL("number", 64), HEX("addr", 64), DECIMAL("bytes", 32)};
static const cs_field window[] = {DECIMAL("cycles", 64), DECIMAL("subsample", 64)};
static const cs_field blind[] = {DECIMAL("cycles", 64)};
static const cs_field count[] = {DECIMAL("subsample", 64), HEX("number", 16), TEXT("name"),
                                 DECIMAL("count", 64)};
static const cs_field record[] = {ENUM("result", results), DECIMAL("snapshot", 64),
                                  DECIMAL("number", 64), HEX("addr", 64)};
static const cs_field posting[] = {DECIMAL("cycles", 64), DECIMAL("number", 64), HEX("addr", 64),
                                   DECIMAL("bytes", 32), ENUM("resp", responses)};
static const cs_field on_cpu[] = {DECIMAL("cycles", 64), ENUM("who", cpu_software)};
static const cs_field on_hart[] = {DECIMAL("cycles", 64), ENUM("who", hart_software)};
static const cs_field hart_sample[] = {DECIMAL("command", 16), DECIMAL("event", 16),
                                       HEX("ip", 64),          DECIMAL("pid", 32),
                                       DECIMAL("period", 64),  ENUM("lost", no_yes)};
static const cs_field access[] = {ENUM("direction", directions), HEX("offset", 64),
                                  HEX("value", 64), DECIMAL("bytes", 8), ENUM("resp", responses)};
static const cs_field csr[] = {ENUM("direction", directions), HEX("csr", 16), HEX("value", 64),
                               ENUM("exception", exceptions)};

#define CLASS(name, shape, fields)                                                                 \
    {                                                                                              \
        name, shape, fields, COUNT_OF(fields)                                                      \
    }

static const cs_view_class transfer_classes[] = {CLASS("transfer", CS_VIEW_SLICE, transfer)};
static const cs_view_class load_classes[] = {CLASS("bus_load", CS_VIEW_COUNTER, load)};
static const cs_view_class state_classes[] = {CLASS("pmcu_state", CS_VIEW_SLICE, pmcu_state),
                                              CLASS("imc_state", CS_VIEW_SLICE, imc_state),
                                              CLASS("nest_state", CS_VIEW_SLICE, nest_state)};
static const cs_view_class line_classes[] = {CLASS("interrupt", CS_VIEW_SLICE, line)};
static const cs_view_class sample_classes[] = {CLASS("subsample", CS_VIEW_INSTANT, subsample)};
static const cs_view_class window_classes[] = {CLASS("window", CS_VIEW_SLICE, window),
                                               CLASS("blind", CS_VIEW_SLICE, blind),
                                               CLASS("count", CS_VIEW_COUNTER, count)};
static const cs_view_class record_classes[] = {CLASS("imc_record", CS_VIEW_INSTANT, record)};
static const cs_view_class posting_classes[] = {CLASS("posting", CS_VIEW_SLICE, posting)};
static const cs_view_class software_classes[] = {CLASS("software", CS_VIEW_SLICE, on_cpu),
                                                 CLASS("hart_software", CS_VIEW_SLICE, on_hart)};
static const cs_view_class profile_classes[] = {CLASS("hart_sample", CS_VIEW_INSTANT, hart_sample)};
static const cs_view_class register_classes[] = {CLASS("access", CS_VIEW_INSTANT, access)};
static const cs_view_class csr_classes[] = {CLASS("csr", CS_VIEW_INSTANT, csr)};

#define KIND(instance, classes)                                                                    \
    {                                                                                              \
        instance, classes, COUNT_OF(classes)                                                       \
    }

const cs_view_kind_info cs_view_kinds[CS_VIEW_KINDS] = {
    [CS_VIEW_TRANSFERS] = KIND("manager_id", transfer_classes),
    [CS_VIEW_LOAD] = KIND("manager_id", load_classes),
    [CS_VIEW_STATES] = KIND("unit_id", state_classes),
    [CS_VIEW_LINES] = KIND("unit_id", line_classes),
    [CS_VIEW_SAMPLES] = KIND("unit_id", sample_classes),
    [CS_VIEW_WINDOWS] = KIND("cpu_id", window_classes),
    [CS_VIEW_RECORDS] = KIND("cpu_id", record_classes),
    [CS_VIEW_POSTINGS] = KIND("group_id", posting_classes),
    [CS_VIEW_SOFTWARE] = KIND("cpu_id", software_classes),
    [CS_VIEW_PROFILE] = KIND("cpu_id", profile_classes),
    [CS_VIEW_REGISTERS] = KIND("unit_id", register_classes),
    [CS_VIEW_CSRS] = KIND("unit_id", csr_classes),
};
