// SPDX-License-Identifier: Apache-2.0
#include "software/perf/attr.h"

#include <errno.h>
#include <string.h>

#include "software/perf/abi.h"

static_assert(sizeof(struct cs_perf_attr_abi) == CS_PERF_ATTR_BYTES, "as the kernel lays it out");

int cs_perf_attr_bytes(uint32_t size)
{
    if (size == 0)
        return (int)CS_PERF_ATTR_LEAST_BYTES;
    if (size < CS_PERF_ATTR_LEAST_BYTES || size > CS_PERF_ATTR_MOST_BYTES)
        return -E2BIG;
    return (int)size;
}

static bool attr_ends_in_zeros(const unsigned char *bytes, size_t n)
{
    for (size_t i = CS_PERF_ATTR_BYTES; i < n; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void attr_convert(const struct cs_perf_attr_abi *abi, cs_perf_attr *out)
{
    *out = (cs_perf_attr){
        .type = abi->type,
        .config = abi->config,
        .config1 = abi->config1,
        .config2 = abi->config2,
        .config3 = abi->config3,
        .sample_period = abi->sample_period,
        .sample_type = abi->sample_type,
        .read_format = abi->read_format,
        .flags = abi->flags,
        .wakeup = abi->wakeup,
        .bp_type = abi->bp_type,
        .branch_sample_type = abi->branch_sample_type,
        .sample_regs_user = abi->sample_regs_user,
        .sample_stack_user = abi->sample_stack_user,
        .clockid = abi->clockid,
        .sample_regs_intr = abi->sample_regs_intr,
        .aux_watermark = abi->aux_watermark,
        .sample_max_stack = abi->sample_max_stack,
        .aux_sample_size = abi->aux_sample_size,
        .sig_data = abi->sig_data,
    };
}

/* What contradicts itself, in whatever event it is. */
static bool attr_contradicts(const cs_perf_attr *a)
{
    const uint64_t weights = CS_PERF_SAMPLE_WEIGHT | CS_PERF_SAMPLE_WEIGHT_STRUCT;
    const bool inherits = (a->flags & CS_PERF_ATTR_INHERIT) != 0;
    const bool leaves = (a->flags & CS_PERF_ATTR_REMOVE_ON_EXEC) != 0;

    if ((a->sample_type & weights) == weights)
        return true;
    if (!inherits && (a->flags & CS_PERF_ATTR_INHERIT_THREAD) != 0)
        return true;
    if (leaves && (a->flags & CS_PERF_ATTR_ENABLE_ON_EXEC) != 0)
        return true;
    return (a->flags & CS_PERF_ATTR_SIGTRAP) != 0 && !leaves;
}

static bool attr_stack_is_wrong(const cs_perf_attr *a)
{
    return (a->sample_type & CS_PERF_SAMPLE_STACK_USER) != 0 &&
           (a->sample_stack_user >= CS_PERF_STACK_MOST_BYTES || a->sample_stack_user % 8 != 0);
}

/* Registers are asked for by a mask, which must not be empty. */
static bool attr_registers_are_wrong(const cs_perf_attr *a)
{
    return ((a->sample_type & CS_PERF_SAMPLE_REGS_USER) != 0 && a->sample_regs_user == 0) ||
           ((a->sample_type & CS_PERF_SAMPLE_REGS_INTR) != 0 && a->sample_regs_intr == 0);
}

/* Without any kind of branch there is nothing to be recorded. */
static bool attr_branches_are_wrong(const cs_perf_attr *a)
{
    return (a->sample_type & CS_PERF_SAMPLE_BRANCH_STACK) != 0 &&
           ((a->branch_sample_type & ~CS_PERF_BRANCH_KNOWN) != 0 ||
            (a->branch_sample_type & ~CS_PERF_BRANCH_PRIVILEGES) == 0);
}

int cs_perf_attr_decode(const void *bytes, size_t n, cs_perf_attr *out)
{
    struct cs_perf_attr_abi abi = {0};

    if (!attr_ends_in_zeros(bytes, n))
        return -E2BIG;
    memcpy(&abi, bytes, n < sizeof abi ? n : sizeof abi);
    attr_convert(&abi, out);
    out->size = (uint32_t)n;
    if ((out->flags & ~CS_PERF_ATTR_KNOWN) != 0 || abi.reserved_2 != 0 || abi.reserved_3 != 0)
        return -EINVAL;
    if ((out->sample_type & ~CS_PERF_SAMPLE_KNOWN) != 0 ||
        (out->read_format & ~CS_PERF_READ_KNOWN) != 0)
        return -EINVAL;
    if (attr_branches_are_wrong(out) || attr_registers_are_wrong(out) || attr_stack_is_wrong(out) ||
        attr_contradicts(out))
        return -EINVAL;
    return 0;
}
