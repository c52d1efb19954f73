// SPDX-License-Identifier: Apache-2.0
/* What is special in a record of perf.data, in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/perf/read/print.h"

#define SHORT_BYTES 32u
#define SHORT_WORDS 16u

typedef struct writer {
    char **text;
    size_t *room;
    size_t used;
    bool full;
    bool failed;
} writer;

/* Adds "name=..", with a space before it unless it is the first. */
__attribute__((format(printf, 2, 3))) static void put(writer *out, const char *format, ...)
{
    for (;;) {
        va_list arguments;

        va_start(arguments, format);
        const size_t left = *out->room - out->used;
        const int length = left > 1 ? vsnprintf(*out->text + out->used, left, format, arguments)
                                    : (int)sizeof(void *);
        va_end(arguments);
        if (left > 1 && length >= 0 && (size_t)length < left) {
            out->used += (size_t)length;
            return;
        }
        const size_t more = 2 * *out->room + 256;
        char *text = out->failed ? NULL : realloc(*out->text, more);
        if (text == NULL) {
            out->failed = true;
            return;
        }
        *out->text = text;
        *out->room = more;
    }
}

static void put_words(writer *out, const char *name, const cs_perfread_words *words)
{
    put(out, " %s=%zu[", name, words->count);
    for (size_t i = 0; i < words->count; i++) {
        if (!out->full && i == SHORT_WORDS) {
            put(out, " ..");
            break;
        }
        put(out, "%s0x%" PRIx64, i > 0 ? " " : "", cs_perfread_word(words, i));
    }
    put(out, "]");
}

static void put_bytes(writer *out, const char *name, const uint8_t *bytes, size_t count)
{
    put(out, " %s=%zu:", name, count);
    for (size_t i = 0; i < count; i++) {
        if (!out->full && i == SHORT_BYTES) {
            put(out, "..");
            break;
        }
        put(out, "%02x", bytes[i]);
    }
}

static void put_blob(writer *out, const char *name, const cs_perfread_blob *blob)
{
    put_bytes(out, name, blob->bytes, blob->count);
}

static void put_values(writer *out, const cs_perfread_values *values)
{
    if ((values->format & CS_PERFREAD_FORMAT_ENABLED) != 0)
        put(out, " enabled=%" PRIu64, values->enabled);
    if ((values->format & CS_PERFREAD_FORMAT_RUNNING) != 0)
        put(out, " running=%" PRIu64, values->running);
    for (size_t i = 0; i < values->nr_values; i++) {
        const cs_perfread_one_value one = cs_perfread_value(values, i);

        put(out, " value=%" PRIu64, one.value);
        if ((values->format & CS_PERFREAD_FORMAT_ID) != 0)
            put(out, "@%" PRIu64, one.id);
        if ((values->format & CS_PERFREAD_FORMAT_LOST) != 0)
            put(out, " lost=%" PRIu64, one.lost);
    }
}

static void put_branches(writer *out, const cs_perfread_branches *branches)
{
    if (branches->has_hw_index)
        put(out, " hw_idx=%" PRIu64, branches->hw_index);
    put(out, " branches=%zu[", branches->count);
    for (size_t i = 0; i < branches->count; i++) {
        const cs_perfread_branch branch = cs_perfread_branch_of(branches, i);

        if (!out->full && i == SHORT_WORDS) {
            put(out, " ..");
            break;
        }
        put(out, "%s0x%" PRIx64 ">0x%" PRIx64 "/%c/%u", i > 0 ? " " : "", branch.from, branch.to,
            branch.mispredicted ? 'M'
            : branch.predicted  ? 'P'
                                : '-',
            (unsigned)branch.cycles);
    }
    put(out, "]");
}

static void put_regs(writer *out, const char *name, const cs_perfread_regs *regs)
{
    put(out, " %s.abi=%" PRIu64, name, regs->abi);
    if (regs->abi != 0)
        put_words(out, name, &regs->words);
}

static void put_sample(writer *out, const cs_perfread_sample *sample)
{
    const uint64_t has = sample->has;
    const struct {
        uint64_t bit;
        const char *name;
        uint64_t value;
    } numbers[] = {
        {CS_PERFREAD_ADDR, "addr", sample->addr},
        {CS_PERFREAD_WEIGHT, "weight", sample->weight},
        {CS_PERFREAD_WEIGHT_STRUCT, "weight1", sample->weight},
        {CS_PERFREAD_WEIGHT_STRUCT, "weight2", sample->weight_var2},
        {CS_PERFREAD_WEIGHT_STRUCT, "weight3", sample->weight_var3},
        {CS_PERFREAD_DATA_SRC, "data_src", sample->data_src},
        {CS_PERFREAD_TRANSACTION, "transaction", sample->transaction},
        {CS_PERFREAD_PHYS_ADDR, "phys_addr", sample->phys_addr},
        {CS_PERFREAD_CGROUP, "cgroup", sample->cgroup},
        {CS_PERFREAD_DATA_PAGE_SIZE, "data_page", sample->data_page_bytes},
        {CS_PERFREAD_CODE_PAGE_SIZE, "code_page", sample->code_page_bytes},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if ((has & numbers[i].bit) != 0)
            put(out, " %s=0x%" PRIx64, numbers[i].name, numbers[i].value);
    if ((has & CS_PERFREAD_READ) != 0)
        put_values(out, &sample->values);
    if ((has & CS_PERFREAD_CALLCHAIN) != 0)
        put_words(out, "chain", &sample->callchain);
    if ((has & CS_PERFREAD_BRANCH_STACK) != 0)
        put_branches(out, &sample->branches);
    if ((has & CS_PERFREAD_REGS_USER) != 0)
        put_regs(out, "uregs", &sample->regs_user);
    if ((has & CS_PERFREAD_REGS_INTR) != 0)
        put_regs(out, "iregs", &sample->regs_intr);
    if ((has & CS_PERFREAD_STACK_USER) != 0)
        put_bytes(out, "stack", sample->stack_user.bytes, (size_t)sample->stack_dyn_bytes);
    if ((has & CS_PERFREAD_RAW) != 0)
        put_blob(out, "raw", &sample->raw);
    if ((has & CS_PERFREAD_AUX) != 0)
        put_blob(out, "aux", &sample->aux);
}

static void put_mmap(writer *out, const cs_perfread_record *record)
{
    const cs_perfread_mmap *map = &record->mmap;

    put(out, " start=0x%" PRIx64 " len=0x%" PRIx64 " pgoff=0x%" PRIx64, map->start, map->bytes,
        map->pgoff);
    if (record->type == CS_PERFREAD_MMAP2)
        put(out, " prot=%c%c%c%c flags=0x%" PRIx32, (map->protection & 1) != 0 ? 'r' : '-',
            (map->protection & 2) != 0 ? 'w' : '-', (map->protection & 4) != 0 ? 'x' : '-',
            (map->flags & 1) != 0 ? 's' : 'p', map->flags);
    if (map->build_id_bytes > 0)
        put_bytes(out, "build_id", map->build_id, map->build_id_bytes);
    else if (record->type == CS_PERFREAD_MMAP2)
        put(out, " dev=%" PRIx32 ":%" PRIx32 " ino=%" PRIu64 ".%" PRIu64, map->major, map->minor,
            map->inode, map->generation);
    put(out, " file=%s", map->file);
}

static void put_cpus(writer *out, const cs_perfread_cpu_map *map)
{
    uint32_t place = 0;
    int32_t cpu;
    size_t count = 0;

    put(out, " cpus=[");
    while (cs_perfread_cpu_map_next(map, &place, &cpu)) {
        if (!out->full && count == 4 * SHORT_WORDS) {
            put(out, " ..");
            break;
        }
        put(out, "%s%" PRId32, count++ > 0 ? " " : "", cpu);
    }
    put(out, "]");
}

/* The names of threads are in the words as they stand. */
static void put_threads(writer *out, const cs_perfread_words *entries)
{
    put(out, " threads=[");
    for (size_t i = 0; i + 3 <= entries->count; i += 3) {
        if (!out->full && i == 3 * SHORT_WORDS) {
            put(out, " ..");
            break;
        }
        put(out, "%s%" PRId64 ":%.16s", i > 0 ? " " : "", (int64_t)cs_perfread_word(entries, i),
            (const char *)entries->bytes + 8 * (i + 1));
    }
    put(out, "]");
}

static void put_kernel(writer *out, const cs_perfread_record *record)
{
    switch (record->type) {
    case CS_PERFREAD_SAMPLE:
        put_sample(out, &record->sample);
        break;
    case CS_PERFREAD_MMAP:
    case CS_PERFREAD_MMAP2:
        put_mmap(out, record);
        break;
    case CS_PERFREAD_COMM:
        put(out, " comm=%s%s", record->task.comm,
            (record->misc & CS_PERFREAD_MISC_13) != 0 ? " exec" : "");
        break;
    case CS_PERFREAD_FORK:
    case CS_PERFREAD_EXIT:
        put(out, " parent=%" PRId32 "/%" PRId32, (int32_t)record->task.ppid,
            (int32_t)record->task.ptid);
        break;
    case CS_PERFREAD_LOST:
        put(out, " id=%" PRIu64, record->lost.id);
        put(out, " lost=%" PRIu64, record->lost.lost);
        break;
    case CS_PERFREAD_LOST_SAMPLES:
        put(out, " lost=%" PRIu64, record->lost.lost);
        break;
    case CS_PERFREAD_THROTTLE:
    case CS_PERFREAD_UNTHROTTLE:
        put(out, " id=%" PRIu64 " stream_id=%" PRIu64, record->throttle.id,
            record->throttle.stream_id);
        break;
    case CS_PERFREAD_READ_RECORD:
        put_values(out, &record->read.values);
        break;
    case CS_PERFREAD_AUX_RECORD:
        put(out, " offset=0x%" PRIx64 " bytes=0x%" PRIx64 " flags=0x%" PRIx64, record->aux.offset,
            record->aux.bytes, record->aux.flags);
        break;
    case CS_PERFREAD_SWITCH:
    case CS_PERFREAD_SWITCH_CPU_WIDE:
        put(out, " %s%s", (record->misc & CS_PERFREAD_MISC_13) != 0 ? "out" : "in",
            (record->misc & CS_PERFREAD_MISC_14) != 0 ? " preempted" : "");
        if (record->type == CS_PERFREAD_SWITCH_CPU_WIDE)
            put(out, " %s=%" PRIu32 "/%" PRIu32,
                (record->misc & CS_PERFREAD_MISC_13) != 0 ? "next" : "prev", record->task.pid,
                record->task.tid);
        break;
    case CS_PERFREAD_NAMESPACES:
        put_words(out, "links", &record->namespaces.links);
        break;
    case CS_PERFREAD_KSYMBOL:
        put(out, " addr=0x%" PRIx64 " len=%" PRIu32 " type=%u flags=0x%x name=%s",
            record->ksymbol.address, record->ksymbol.bytes, (unsigned)record->ksymbol.type,
            (unsigned)record->ksymbol.flags, record->ksymbol.name);
        break;
    case CS_PERFREAD_BPF_EVENT:
        put(out, " type=%u flags=0x%x id=%" PRIu32, (unsigned)record->bpf.type,
            (unsigned)record->bpf.flags, record->bpf.id);
        put_bytes(out, "tag", record->bpf.tag, 8);
        break;
    case CS_PERFREAD_CGROUP_RECORD:
        put(out, " id=%" PRIu64 " path=%s", record->cgroup.id, record->cgroup.path);
        break;
    case CS_PERFREAD_TEXT_POKE:
        put(out, " addr=0x%" PRIx64, record->text_poke.address);
        put_blob(out, "old", &record->text_poke.before);
        put_blob(out, "new", &record->text_poke.after);
        break;
    case CS_PERFREAD_AUX_OUTPUT_HW_ID:
        put(out, " hw_id=0x%" PRIx64, record->hw_id);
        break;
    default:
        break;
    }
}

static void put_update(writer *out, const cs_perfread_record *record)
{
    put(out, " id=%" PRIu64, record->update.id);
    if (record->update.type == 3)
        put_cpus(out, &record->update.cpus);
    else if (record->update.type == 1)
        put(out, " scale=%.17g", record->update.scale);
    else
        put(out, " %s=%s", record->update.type == 0 ? "unit" : "name", record->update.text);
}

static void put_user(writer *out, const cs_perfread_record *record)
{
    switch (record->type) {
    case CS_PERFREAD_HEADER_ATTR:
        put(out, " event=%" PRIu32 " type=%" PRIu32 " config=0x%" PRIx64 " ids=%zu",
            record->attr.event->index, record->attr.event->type, record->attr.event->config,
            record->attr.event->nr_ids);
        break;
    case CS_PERFREAD_HEADER_EVENT_TYPE:
        put(out, " id=%" PRIu64 " name=%s", record->event_type.id, record->event_type.name);
        break;
    case CS_PERFREAD_HEADER_TRACING_DATA:
        put(out, " bytes=%" PRIu64, record->payload_bytes);
        break;
    case CS_PERFREAD_HEADER_BUILD_ID:
        put_bytes(out, "build_id", record->build_id.id, record->build_id.bytes);
        put(out, " file=%s", record->build_id.file);
        break;
    case CS_PERFREAD_ID_INDEX:
        put_words(out, "id_idx_cpu_tid", &record->id_index.entries);
        break;
    case CS_PERFREAD_AUXTRACE_INFO:
        put(out, " type=%" PRIu32, record->auxtrace_info.type);
        put_words(out, "private", &record->auxtrace_info.private_words);
        break;
    case CS_PERFREAD_AUXTRACE:
        put(out, " bytes=0x%" PRIx64 " offset=0x%" PRIx64 " reference=0x%" PRIx64 " idx=%" PRIu32,
            record->auxtrace.bytes, record->auxtrace.offset, record->auxtrace.reference,
            record->auxtrace.idx);
        break;
    case CS_PERFREAD_AUXTRACE_ERROR:
        put(out, " type=%" PRIu32 " code=%" PRIu32 " ip=0x%" PRIx64 " message=%s",
            record->auxtrace_error.type, record->auxtrace_error.code, record->auxtrace_error.ip,
            record->auxtrace_error.message);
        break;
    case CS_PERFREAD_THREAD_MAP:
        put_threads(out, &record->thread_map.entries);
        break;
    case CS_PERFREAD_CPU_MAP:
        put_cpus(out, &record->cpu_map);
        break;
    case CS_PERFREAD_STAT_CONFIG:
        put_words(out, "tag_value", &record->stat_config.entries);
        break;
    case CS_PERFREAD_STAT:
        put(out, " id=%" PRIu64 " thread=%" PRId32, record->stat.id, (int32_t)record->stat.thread);
        put(out, " value=%" PRIu64 " enabled=%" PRIu64 " running=%" PRIu64, record->stat.value,
            record->stat.enabled, record->stat.running);
        break;
    case CS_PERFREAD_STAT_ROUND:
        put(out, " %s", record->stat_round.type == 0 ? "interval" : "final");
        break;
    case CS_PERFREAD_EVENT_UPDATE:
        put_update(out, record);
        break;
    case CS_PERFREAD_TIME_CONV:
        put(out,
            " shift=%" PRIu64 " mult=%" PRIu64 " zero=%" PRIu64 " cycles=%" PRIu64
            " mask=0x%" PRIx64,
            record->time_conv.shift, record->time_conv.mult, record->time_conv.zero,
            record->time_conv.cycles, record->time_conv.mask);
        break;
    case CS_PERFREAD_HEADER_FEATURE:
        put(out, " feature=%" PRIu64 " bytes=%zu", record->feature.number,
            record->feature.data.count);
        break;
    default:
        break;
    }
}

bool cs_perfread_detail(const cs_perfread *reader, const cs_perfread_record *record, bool full,
                        char **text, size_t *room)
{
    writer out = {.text = text, .room = room, .full = full};

    (void)reader;
    put(&out, "%s", "");
    if (record->part != NULL)
        put(&out, " file=%s", record->part);
    if (!record->known)
        put_bytes(&out, "bytes", record->bytes + 8, (size_t)record->size - 8);
    else if (record->type < CS_PERFREAD_FIRST_USER)
        put_kernel(&out, record);
    else
        put_user(&out, record);
    if (out.failed)
        return false;
    if (out.used > 0) /* the space before the first */
        memmove(*text, *text + 1, out.used);
    return true;
}
