// SPDX-License-Identifier: Apache-2.0
/* Attributes of software events, in shared memory. */
#include "drivers/hpm/sbi/sbi_sse_impl.h"

typedef struct range {
    unsigned first, count;
    uint64_t address;
    unsigned bytes; /* of a value */
} range;

/* The range of a call: event, first, count, address low, high. */
static cs_sbi_error range_of(const cs_sbi_sse *sse, const cs_hart *hart, const uint64_t args[6],
                             range *out)
{
    const uint32_t first = (uint32_t)args[1], count = (uint32_t)args[2];
    const unsigned bytes = cs_hart_xlen(hart) / 8;
    const uint64_t base = sse->config.memory_base, size = sse->config.memory_size;

    if (count == 0)
        return CS_SBI_ERR_INVALID_PARAM;
    if (first >= CS_SSE_NR_ATTRS || count > CS_SSE_NR_ATTRS - first)
        return CS_SBI_ERR_BAD_RANGE;
    *out = (range){first, count, args[3], bytes};
    if (args[4] != 0 || args[3] % bytes != 0 || args[3] < base || args[3] - base >= size ||
        size - (args[3] - base) < (uint64_t)count * bytes)
        return CS_SBI_ERR_INVALID_ADDRESS;
    return CS_SBI_SUCCESS;
}

static uint64_t value_of(const cs_sse_event *event, unsigned attr)
{
    if (attr != CS_SSE_STATUS)
        return event->attrs[attr];
    return event->state | (event->pending ? CS_SSE_STATUS_PENDING : 0) | CS_SSE_STATUS_INJECTABLE;
}

cs_sbi_error cs_sse_read_attrs(cs_sbi_sse *sse, cs_hart *hart, const cs_sse_event *event,
                               const uint64_t args[6])
{
    uint8_t data[8 * CS_SSE_NR_ATTRS];
    range r;
    const cs_sbi_error error = range_of(sse, hart, args, &r);

    if (error != CS_SBI_SUCCESS)
        return error;
    for (unsigned i = 0; i < r.count; i++)
        for (unsigned k = 0; k < r.bytes; k++)
            data[i * r.bytes + k] = (uint8_t)(value_of(event, r.first + i) >> (8 * k));
    return cs_hart_store(hart, r.address, data, (size_t)r.count * r.bytes) == CS_BUS_OKAY
               ? CS_SBI_SUCCESS
               : CS_SBI_ERR_FAILED;
}

/* What may be written: in which states, and which bits. No state: it is read-only. */
static const struct {
    unsigned states; /* as bits */
    uint64_t bits;
} rules[CS_SSE_NR_ATTRS] = {
    [CS_SSE_PRIORITY] = {1u << CS_SSE_UNUSED | 1u << CS_SSE_REGISTERED, UINT32_MAX},
    [CS_SSE_CONFIG] = {1u << CS_SSE_UNUSED | 1u << CS_SSE_REGISTERED, CS_SSE_CONFIG_ONESHOT},
    [CS_SSE_INTERRUPTED_SEPC] = {1u << CS_SSE_RUNNING, UINT64_MAX},
    [CS_SSE_INTERRUPTED_FLAGS] = {1u << CS_SSE_RUNNING, 0x3f},
    [CS_SSE_INTERRUPTED_A6] = {1u << CS_SSE_RUNNING, UINT64_MAX},
    [CS_SSE_INTERRUPTED_A7] = {1u << CS_SSE_RUNNING, UINT64_MAX},
};

static cs_sbi_error sbi_sse_attr_check(const cs_sse_event *event, unsigned attr, uint64_t value)
{
    if (rules[attr].states == 0)
        return CS_SBI_ERR_DENIED;
    if ((rules[attr].states >> event->state & 1) == 0)
        return CS_SBI_ERR_INVALID_STATE;
    return (value & ~rules[attr].bits) != 0 ? CS_SBI_ERR_INVALID_PARAM : CS_SBI_SUCCESS;
}

cs_sbi_error cs_sse_write_attrs(cs_sbi_sse *sse, cs_hart *hart, cs_sse_event *event,
                                const uint64_t args[6])
{
    uint64_t values[CS_SSE_NR_ATTRS] = {0};
    uint8_t data[8 * CS_SSE_NR_ATTRS];
    range r;
    cs_sbi_error error = range_of(sse, hart, args, &r);

    if (error != CS_SBI_SUCCESS)
        return error;
    if (cs_hart_load(hart, r.address, data, (size_t)r.count * r.bytes) != CS_BUS_OKAY)
        return CS_SBI_ERR_FAILED;
    for (unsigned i = 0; i < r.count && error == CS_SBI_SUCCESS; i++) {
        for (unsigned k = 0; k < r.bytes; k++)
            values[i] |= (uint64_t)data[i * r.bytes + k] << (8 * k);
        error = sbi_sse_attr_check(event, r.first + i, values[i]);
    }
    for (unsigned i = 0; i < r.count && error == CS_SBI_SUCCESS; i++)
        event->attrs[r.first + i] = values[i];
    return error;
}
