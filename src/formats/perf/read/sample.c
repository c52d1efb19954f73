// SPDX-License-Identifier: Apache-2.0
/* A sample, taken apart: a field for each bit of the event's sample_type, in the order in which
 * the kernel writes them (which is not the order of the bits). */
#include <inttypes.h>

#include "formats/perf/read/impl.h"

static bool has(const cs_perfread_event *event, uint64_t bit)
{
    return (event->sample_type & bit) != 0;
}

static uint64_t take_if(cs_perfread_cursor *cursor, const cs_perfread_event *event, uint64_t bit,
                        const char *field)
{
    return has(event, bit) ? cs_perfread_take64(cursor, field) : 0;
}

static size_t words_a_value(uint64_t format)
{
    return 1u + ((format & CS_PERFREAD_FORMAT_ID) != 0) + ((format & CS_PERFREAD_FORMAT_LOST) != 0);
}

void cs_perfread_take_values(cs_perfread_cursor *cursor, uint64_t format,
                             cs_perfread_values *values)
{
    const size_t begin = cursor->at;
    const bool group = (format & CS_PERFREAD_FORMAT_GROUP) != 0;
    const size_t words = words_a_value(format);
    uint64_t count = 1;

    values->format = format;
    if (group) {
        count = cs_perfread_take64(cursor, "read.nr");
    } else {
        /* The value stands before the times, what else it has behind them. */
        values->words = cs_perfread_take_words(cursor, 1, "read.value");
    }
    if ((format & CS_PERFREAD_FORMAT_ENABLED) != 0)
        values->enabled = cs_perfread_take64(cursor, "read.time_enabled");
    if ((format & CS_PERFREAD_FORMAT_RUNNING) != 0)
        values->running = cs_perfread_take64(cursor, "read.time_running");
    if (!group) {
        cs_perfread_words rest = cs_perfread_take_words(cursor, words - 1, "read.id");

        values->nr_values = cursor->failed ? 0 : 1;
        if (!cursor->failed)
            values->words.count = (size_t)(rest.bytes - values->words.bytes) / 8 + rest.count;
        return;
    }
    if (count > cs_perfread_left(cursor) / (8 * words))
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "read.nr is %" PRIu64 " values of %zu bytes, there are %zu bytes", count,
                          8 * words, cs_perfread_left(cursor));
    values->words = cs_perfread_take_words(cursor, count * words, "read.values");
    values->nr_values = values->words.count / words;
}

cs_perfread_one_value cs_perfread_value(const cs_perfread_values *values, size_t i)
{
    const size_t words = words_a_value(values->format);
    const bool group = (values->format & CS_PERFREAD_FORMAT_GROUP) != 0;
    size_t at = group ? i * words : 0;
    cs_perfread_one_value one = {.value = cs_perfread_word(&values->words, at++)};

    if (!group)
        at += (size_t)((values->format & CS_PERFREAD_FORMAT_ENABLED) != 0) +
              (size_t)((values->format & CS_PERFREAD_FORMAT_RUNNING) != 0);
    if ((values->format & CS_PERFREAD_FORMAT_ID) != 0)
        one.id = cs_perfread_word(&values->words, at++);
    if ((values->format & CS_PERFREAD_FORMAT_LOST) != 0)
        one.lost = cs_perfread_word(&values->words, at);
    return one;
}

static void take_branches(cs_perfread_cursor *cursor, const cs_perfread_event *event,
                          cs_perfread_branches *branches)
{
    const size_t begin = cursor->at;
    const bool counters = (event->branch_type & CS_PERFREAD_BRANCH_COUNTERS) != 0;
    const uint64_t count = cs_perfread_take64(cursor, "branch_stack.nr");

    branches->has_hw_index = (event->branch_type & CS_PERFREAD_BRANCH_HW_INDEX) != 0;
    if (branches->has_hw_index)
        branches->hw_index = cs_perfread_take64(cursor, "branch_stack.hw_idx");
    if (count > cs_perfread_left(cursor) / (counters ? 32 : 24))
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "branch_stack.nr is %" PRIu64
                          " branches of %d bytes, there are %zu bytes",
                          count, counters ? 32 : 24, cs_perfread_left(cursor));
    branches->entries = cs_perfread_take_words(cursor, 3 * count, "branch_stack.lbr");
    if (counters)
        branches->counters = cs_perfread_take_words(cursor, count, "branch_stack.counters");
    branches->count = branches->entries.count / 3;
}

/* The flags are bit fields: a big endian machine fills them from the other end. */
cs_perfread_branch cs_perfread_branch_of(const cs_perfread_branches *branches, size_t i)
{
    const cs_perfread_words *words = &branches->entries;
    const uint64_t flags = cs_perfread_word(words, 3 * i + 2);
    unsigned at = 0;
    uint64_t field[9];
    static const unsigned widths[9] = {1, 1, 1, 1, 16, 4, 2, 4, 3};

    for (unsigned k = 0; k < 9; k++) {
        const unsigned shift = words->big_endian ? 64 - at - widths[k] : at;

        field[k] = flags >> shift & ((UINT64_C(1) << widths[k]) - 1);
        at += widths[k];
    }
    return (cs_perfread_branch){
        .from = cs_perfread_word(words, 3 * i),
        .to = cs_perfread_word(words, 3 * i + 1),
        .mispredicted = field[0] != 0,
        .predicted = field[1] != 0,
        .in_transaction = field[2] != 0,
        .abort = field[3] != 0,
        .cycles = (uint16_t)field[4],
        .type = (uint8_t)field[5],
        .speculation = (uint8_t)field[6],
        .new_type = (uint8_t)field[7],
        .privilege = (uint8_t)field[8],
    };
}

static void take_regs(cs_perfread_cursor *cursor, uint64_t mask, const char *field,
                      cs_perfread_regs *regs)
{
    uint64_t count = 0;

    regs->mask = mask;
    regs->abi = cs_perfread_take64(cursor, field);
    for (; mask != 0; mask &= mask - 1)
        count++;
    if (regs->abi > 2)
        cs_perfread_wrong(cursor, cursor->at - 8, CS_ERR_FORMAT,
                          "%s has abi %" PRIu64 ", expected 0, 1 or 2", field, regs->abi);
    if (regs->abi != 0)
        regs->words = cs_perfread_take_words(cursor, count, field);
}

static void take_stack(cs_perfread_cursor *cursor, cs_perfread_sample *sample)
{
    const uint64_t bytes = cs_perfread_take64(cursor, "stack_user.size");
    const size_t begin = cursor->at;

    if (bytes == 0)
        return;
    sample->stack_user = cs_perfread_take_blob(cursor, bytes, "stack_user.data");
    sample->stack_dyn_bytes = cs_perfread_take64(cursor, "stack_user.dyn_size");
    if (sample->stack_dyn_bytes > bytes)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "stack_user.dyn_size is %" PRIu64 ", expected at most its size %" PRIu64,
                          sample->stack_dyn_bytes, bytes);
}

static void take_weight(cs_perfread_cursor *cursor, const cs_perfread_event *event,
                        cs_perfread_sample *sample)
{
    sample->weight = cs_perfread_take64(cursor, "weight");
    if (!has(event, CS_PERFREAD_WEIGHT_STRUCT))
        return;
    /* var1 is the low half in either byte order, as the kernel declares it. */
    sample->weight_var2 = (uint16_t)(sample->weight >> 32);
    sample->weight_var3 = (uint16_t)(sample->weight >> 48);
    sample->weight &= UINT32_MAX;
}

/* What the sample has in common with the sample_id of other records, and its event's numbers. */
static void take_front(cs_perfread_cursor *cursor, const cs_perfread_event *event,
                       cs_perfread_sample *sample, cs_perfread_who *who)
{
    const uint64_t bits = CS_PERFREAD_TID | CS_PERFREAD_TIME | CS_PERFREAD_ID |
                          CS_PERFREAD_STREAM_ID | CS_PERFREAD_CPU | CS_PERFREAD_IDENTIFIER;

    who->has = event->sample_type & bits;
    who->id = take_if(cursor, event, CS_PERFREAD_IDENTIFIER, "identifier");
    sample->ip = take_if(cursor, event, CS_PERFREAD_IP, "ip");
    if (has(event, CS_PERFREAD_TID)) {
        who->pid = cs_perfread_take32(cursor, "pid");
        who->tid = cs_perfread_take32(cursor, "tid");
    }
    who->time = take_if(cursor, event, CS_PERFREAD_TIME, "time");
    sample->addr = take_if(cursor, event, CS_PERFREAD_ADDR, "addr");
    if (has(event, CS_PERFREAD_ID)) {
        const size_t at = cursor->at;
        const uint64_t id = cs_perfread_take64(cursor, "id");

        if (has(event, CS_PERFREAD_IDENTIFIER) && id != who->id)
            cs_perfread_wrong(cursor, at, CS_ERR_FORMAT,
                              "id is %" PRIu64 ", the sample's identifier %" PRIu64, id, who->id);
        who->id = id;
    }
    who->stream_id = take_if(cursor, event, CS_PERFREAD_STREAM_ID, "stream_id");
    if (has(event, CS_PERFREAD_CPU)) {
        who->cpu = cs_perfread_take32(cursor, "cpu");
        cs_perfread_take32(cursor, "cpu's reserved word");
    }
    sample->period = take_if(cursor, event, CS_PERFREAD_PERIOD, "period");
}

void cs_perfread_take_sample(cs_perfread_cursor *cursor, const cs_perfread_event *layout,
                             cs_perfread_record *record)
{
    cs_perfread_sample *sample = &record->sample;

    sample->has = layout->sample_type;
    take_front(cursor, layout, sample, &record->who);
    if (has(layout, CS_PERFREAD_READ))
        cs_perfread_take_values(cursor, layout->read_format, &sample->values);
    if (has(layout, CS_PERFREAD_CALLCHAIN))
        sample->callchain =
            cs_perfread_take_words(cursor, cs_perfread_take64(cursor, "callchain.nr"), "callchain");
    if (has(layout, CS_PERFREAD_RAW))
        sample->raw = cs_perfread_take_blob(cursor, cs_perfread_take32(cursor, "raw.size"), "raw");
    if (has(layout, CS_PERFREAD_BRANCH_STACK))
        take_branches(cursor, layout, &sample->branches);
    if (has(layout, CS_PERFREAD_REGS_USER))
        take_regs(cursor, layout->regs_user, "regs_user", &sample->regs_user);
    if (has(layout, CS_PERFREAD_STACK_USER))
        take_stack(cursor, sample);
    if (has(layout, CS_PERFREAD_WEIGHT | CS_PERFREAD_WEIGHT_STRUCT))
        take_weight(cursor, layout, sample);
    sample->data_src = take_if(cursor, layout, CS_PERFREAD_DATA_SRC, "data_src");
    sample->transaction = take_if(cursor, layout, CS_PERFREAD_TRANSACTION, "transaction");
    if (has(layout, CS_PERFREAD_REGS_INTR))
        take_regs(cursor, layout->regs_intr, "regs_intr", &sample->regs_intr);
    sample->phys_addr = take_if(cursor, layout, CS_PERFREAD_PHYS_ADDR, "phys_addr");
    sample->cgroup = take_if(cursor, layout, CS_PERFREAD_CGROUP, "cgroup");
    sample->data_page_bytes = take_if(cursor, layout, CS_PERFREAD_DATA_PAGE_SIZE, "data_page_size");
    sample->code_page_bytes = take_if(cursor, layout, CS_PERFREAD_CODE_PAGE_SIZE, "code_page_size");
    if (has(layout, CS_PERFREAD_AUX))
        sample->aux = cs_perfread_take_blob(cursor, cs_perfread_take64(cursor, "aux.size"), "aux");
    if (!cursor->failed && cursor->at != cursor->size)
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "%zu bytes are left behind the last field of the sample, expected none",
                          cursor->size - cursor->at);
}
