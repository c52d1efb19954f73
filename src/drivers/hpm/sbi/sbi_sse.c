// SPDX-License-Identifier: Apache-2.0
#include <countersink/drivers/hpm/sbi/sbi_sse.h>

#include <stdlib.h>

#include "drivers/hpm/sbi/sbi_sse_impl.h"

/* ---- create, destroy ---- */

static void sbi_sse_add(cs_sbi_sse *sse, uint32_t id)
{
    cs_sse_event *event = &sse->events[sse->nr_events++];

    event->id = id;
    event->attrs[CS_SSE_PREFERRED_HART] = sse->config.hart;
}

cs_status cs_sbi_sse_create(const cs_sbi_sse_config *config, cs_sbi_sse **out, cs_diag *diag)
{
    cs_sbi_sse *sse;

    *out = NULL;
    if (config->platform > CS_SSE_MAX_PLATFORM)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "expected at most %u platform events of SSE, found %u",
                           CS_SSE_MAX_PLATFORM, config->platform);
    sse = calloc(1, sizeof *sse);
    if (sse == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for software events");
    sse->config = *config;
    sse->masked = true;
    for (unsigned i = 0; i < config->platform; i++)
        sbi_sse_add(sse, CS_SSE_PLATFORM + i);
    if (config->pmu_overflow)
        sbi_sse_add(sse, CS_SSE_PMU_OVERFLOW);
    sbi_sse_add(sse, CS_SSE_LOCAL_SOFTWARE);
    *out = sse;
    return CS_OK;
}

void cs_sbi_sse_destroy(cs_sbi_sse *sse)
{
    free(sse);
}

/* ---- which events there are ---- */

cs_sse_event *cs_sse_find(cs_sbi_sse *sse, uint32_t id)
{
    for (size_t i = 0; i < sse->nr_events; i++)
        if (sse->events[i].id == id)
            return &sse->events[i];
    return NULL;
}

static cs_sbi_error why_not(uint64_t id)
{
    static const uint32_t standard[] = {
        CS_SSE_LOCAL_HIGH_RAS, CS_SSE_DOUBLE_TRAP,     CS_SSE_GLOBAL_HIGH_RAS,
        CS_SSE_PMU_OVERFLOW,   CS_SSE_LOCAL_LOW_RAS,   CS_SSE_GLOBAL_LOW_RAS,
        CS_SSE_LOCAL_SOFTWARE, CS_SSE_GLOBAL_SOFTWARE,
    };

    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++)
        if (standard[i] == id)
            return CS_SBI_ERR_NOT_SUPPORTED;
    return CS_SBI_ERR_INVALID_PARAM;
}

cs_sbi_error cs_sse_named(cs_sbi_sse *sse, uint64_t argument, cs_sse_event **event)
{
    *event = cs_sse_find(sse, (uint32_t)argument);
    return *event != NULL ? CS_SBI_SUCCESS : why_not((uint32_t)argument);
}

const cs_sse_event *cs_sbi_sse_event(const cs_sbi_sse *sse, uint32_t id)
{
    return cs_sse_find((cs_sbi_sse *)sse, id);
}

bool cs_sbi_sse_masked(const cs_sbi_sse *sse)
{
    return sse->masked;
}

/* ---- who is first ---- */

static bool is_before(const cs_sse_event *a, const cs_sse_event *b)
{
    if (a->attrs[CS_SSE_PRIORITY] != b->attrs[CS_SSE_PRIORITY])
        return a->attrs[CS_SSE_PRIORITY] < b->attrs[CS_SSE_PRIORITY];
    return a->id < b->id;
}

/* The first of those in the state; NULL: there is none. */
static cs_sse_event *first_in(const cs_sbi_sse *sse, cs_sse_state state, bool pending)
{
    const cs_sse_event *first = NULL;

    for (size_t i = 0; i < sse->nr_events; i++) {
        const cs_sse_event *event = &sse->events[i];

        if (event->state == state && (event->pending || !pending) &&
            (first == NULL || is_before(event, first)))
            first = event;
    }
    return (cs_sse_event *)first;
}

const cs_sse_event *cs_sbi_sse_ready(const cs_sbi_sse *sse)
{
    const cs_sse_event *event = first_in(sse, CS_SSE_ENABLED, true);
    const cs_sse_event *running = first_in(sse, CS_SSE_RUNNING, false);

    if (sse->masked || event == NULL || (running != NULL && is_before(running, event)))
        return NULL;
    return event;
}

void cs_sbi_sse_signal(cs_sbi_sse *sse, uint32_t id)
{
    cs_sse_event *event = cs_sse_find(sse, id);

    if (event != NULL)
        event->pending = true;
}

/* ---- injection and completion ---- */

static void sbi_sse_save(const cs_sbi_sse *sse, cs_sse_event *event, const cs_sse_supervisor *s)
{
    uint64_t flags = (s->spp ? CS_SSE_FLAG_SPP : 0) | (s->spie ? CS_SSE_FLAG_SPIE : 0);

    if (sse->config.hypervisor)
        flags |= (s->spv ? CS_SSE_FLAG_SPV : 0) | (s->spvp ? CS_SSE_FLAG_SPVP : 0);
    event->attrs[CS_SSE_INTERRUPTED_FLAGS] = flags;
    event->attrs[CS_SSE_INTERRUPTED_SEPC] = s->sepc;
    event->attrs[CS_SSE_INTERRUPTED_A6] = s->a6;
    event->attrs[CS_SSE_INTERRUPTED_A7] = s->a7;
}

void cs_sbi_sse_inject(cs_sbi_sse *sse, cs_sse_supervisor *s)
{
    cs_sse_event *event = (cs_sse_event *)cs_sbi_sse_ready(sse);

    event->state = CS_SSE_RUNNING;
    event->pending = false;
    sbi_sse_save(sse, event, s);
    s->a6 = sse->config.hart;
    s->a7 = event->attrs[CS_SSE_ENTRY_ARG];
    s->sepc = s->pc;
    s->spp = s->privileged;
    s->spie = s->sie;
    s->sie = false;
    if (sse->config.hypervisor) {
        s->spv = s->virtualized;
        s->spvp = s->spv ? s->spp : s->spvp;
    }
    s->virtualized = false;
    s->privileged = true;
    s->pc = event->attrs[CS_SSE_ENTRY_PC];
}

static void sbi_sse_resume(const cs_sbi_sse *sse, const cs_sse_event *event, cs_sse_supervisor *s)
{
    const uint64_t flags = event->attrs[CS_SSE_INTERRUPTED_FLAGS];

    s->pc = s->sepc;
    s->privileged = s->spp;
    if (sse->config.hypervisor) {
        s->virtualized = s->spv;
        s->spv = (flags & CS_SSE_FLAG_SPV) != 0;
        s->spvp = (flags & CS_SSE_FLAG_SPVP) != 0;
    }
    s->sie = s->spie;
    s->spie = (flags & CS_SSE_FLAG_SPIE) != 0;
    s->spp = (flags & CS_SSE_FLAG_SPP) != 0;
    s->a7 = event->attrs[CS_SSE_INTERRUPTED_A7];
    s->a6 = event->attrs[CS_SSE_INTERRUPTED_A6];
    s->sepc = event->attrs[CS_SSE_INTERRUPTED_SEPC];
}

/* ---- the calls ---- */

static cs_sbi_error sbi_sse_unmask(cs_sbi_sse *sse)
{
    if (!sse->masked)
        return CS_SBI_ERR_ALREADY_STARTED;
    sse->masked = false;
    return CS_SBI_SUCCESS;
}

static cs_sbi_error sbi_sse_mask(cs_sbi_sse *sse)
{
    if (sse->masked)
        return CS_SBI_ERR_ALREADY_STOPPED;
    sse->masked = true;
    return CS_SBI_SUCCESS;
}

static cs_sbi_error sbi_sse_complete(cs_sbi_sse *sse, cs_sse_supervisor *s)
{
    cs_sse_event *event = first_in(sse, CS_SSE_RUNNING, false);
    const bool once = event != NULL && (event->attrs[CS_SSE_CONFIG] & CS_SSE_CONFIG_ONESHOT) != 0;

    if (event == NULL)
        return CS_SBI_SUCCESS;
    event->state = once ? CS_SSE_REGISTERED : CS_SSE_ENABLED;
    sbi_sse_resume(sse, event, s);
    return CS_SBI_SUCCESS;
}

static cs_sbi_error sbi_sse_move(cs_sse_event *event, cs_sse_state from, cs_sse_state to)
{
    if (event->state != from)
        return CS_SBI_ERR_INVALID_STATE;
    event->state = to;
    return CS_SBI_SUCCESS;
}

static cs_sbi_error sbi_sse_enroll(cs_sse_event *event, uint64_t pc, uint64_t arg)
{
    cs_sbi_error error;

    if (pc % 2 != 0)
        return CS_SBI_ERR_INVALID_PARAM;
    error = sbi_sse_move(event, CS_SSE_UNUSED, CS_SSE_REGISTERED);
    if (error != CS_SBI_SUCCESS)
        return error;
    event->attrs[CS_SSE_ENTRY_PC] = pc;
    event->attrs[CS_SSE_ENTRY_ARG] = arg;
    return CS_SBI_SUCCESS;
}

/* Another hart's events are another object's. */
static cs_sbi_error sbi_sse_inject(const cs_sbi_sse *sse, cs_sse_event *event, uint64_t hart)
{
    if (hart >= sse->config.harts)
        return CS_SBI_ERR_INVALID_PARAM;
    if (hart != sse->config.hart)
        return CS_SBI_ERR_FAILED;
    event->pending = true;
    return CS_SBI_SUCCESS;
}

/* A call that names an event. */
static cs_sbi_error event_call(cs_sbi_sse *sse, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    cs_sse_event *event;
    cs_sbi_error error = cs_sse_named(sse, args[0], &event);

    if (error != CS_SBI_SUCCESS)
        return error;
    switch (fid) {
    case CS_SBI_SSE_READ_ATTRS:
        return cs_sse_read_attrs(sse, hart, event, args);
    case CS_SBI_SSE_WRITE_ATTRS:
        return cs_sse_write_attrs(sse, hart, event, args);
    case CS_SBI_SSE_REGISTER:
        return sbi_sse_enroll(event, args[1], args[2]);
    case CS_SBI_SSE_UNREGISTER:
        return sbi_sse_move(event, CS_SSE_REGISTERED, CS_SSE_UNUSED);
    case CS_SBI_SSE_ENABLE:
        return sbi_sse_move(event, CS_SSE_REGISTERED, CS_SSE_ENABLED);
    case CS_SBI_SSE_DISABLE:
        return sbi_sse_move(event, CS_SSE_ENABLED, CS_SSE_REGISTERED);
    default:
        return sbi_sse_inject(sse, event, args[1]);
    }
}

cs_sbi_ret cs_sbi_sse_call(cs_sbi_sse *sse, cs_hart *hart, uint64_t fid, const uint64_t args[6],
                           cs_sse_supervisor *s)
{
    switch (fid) {
    case CS_SBI_SSE_COMPLETE:
        return (cs_sbi_ret){.error = sbi_sse_complete(sse, s)};
    case CS_SBI_SSE_HART_UNMASK:
        return (cs_sbi_ret){.error = sbi_sse_unmask(sse)};
    case CS_SBI_SSE_HART_MASK:
        return (cs_sbi_ret){.error = sbi_sse_mask(sse)};
    default:
        return (cs_sbi_ret){.error = fid < CS_SBI_SSE_HART_MASK ? event_call(sse, hart, fid, args)
                                                                : CS_SBI_ERR_NOT_SUPPORTED};
    }
}
