// SPDX-License-Identifier: Apache-2.0
/* Records of the kernel that are no samples. */
#include <inttypes.h>

#include "formats/perf/read/impl.h"

static void take_task_ids(cs_perfread_cursor *cursor, cs_perfread_task *task)
{
    task->pid = cs_perfread_take32(cursor, "pid");
    task->tid = cs_perfread_take32(cursor, "tid");
}

static void take_mmap(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    cs_perfread_mmap *map = &record->mmap;

    map->pid = cs_perfread_take32(cursor, "pid");
    map->tid = cs_perfread_take32(cursor, "tid");
    map->start = cs_perfread_take64(cursor, "start");
    map->bytes = cs_perfread_take64(cursor, "len");
    map->pgoff = cs_perfread_take64(cursor, "pgoff");
    if (record->type == CS_PERFREAD_MMAP2 && (record->misc & CS_PERFREAD_MISC_14) != 0) {
        const size_t begin = cursor->at;
        cs_perfread_blob id = cs_perfread_take_blob(cursor, 24, "build_id");

        if (!cursor->failed) {
            map->build_id_bytes = id.bytes[0];
            for (unsigned i = 0; i < sizeof map->build_id; i++)
                map->build_id[i] = id.bytes[4 + i];
            if (map->build_id_bytes == 0 || map->build_id_bytes > sizeof map->build_id)
                cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                                  "build_id_size is %u, expected 1..%zu",
                                  (unsigned)map->build_id_bytes, sizeof map->build_id);
        }
    } else if (record->type == CS_PERFREAD_MMAP2) {
        map->major = cs_perfread_take32(cursor, "maj");
        map->minor = cs_perfread_take32(cursor, "min");
        map->inode = cs_perfread_take64(cursor, "ino");
        map->generation = cs_perfread_take64(cursor, "ino_generation");
    }
    if (record->type == CS_PERFREAD_MMAP2) {
        map->protection = cs_perfread_take32(cursor, "prot");
        map->flags = cs_perfread_take32(cursor, "flags");
    }
    map->file = cs_perfread_take_name(cursor, cursor->size, "filename");
}

static void take_comm(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    take_task_ids(cursor, &record->task);
    record->task.comm = cs_perfread_take_name(cursor, cursor->size, "comm");
}

static void take_fork_or_exit(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->task.pid = cs_perfread_take32(cursor, "pid");
    record->task.ppid = cs_perfread_take32(cursor, "ppid");
    record->task.tid = cs_perfread_take32(cursor, "tid");
    record->task.ptid = cs_perfread_take32(cursor, "ptid");
    record->task.time = cs_perfread_take64(cursor, "time");
}

static void take_pid_and_tid(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    take_task_ids(cursor, &record->task);
}

static void take_lost(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    if (record->type == CS_PERFREAD_LOST)
        record->lost.id = cs_perfread_take64(cursor, "id");
    record->lost.lost = cs_perfread_take64(cursor, "lost");
}

static void take_throttle(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->throttle.time = cs_perfread_take64(cursor, "time");
    record->throttle.id = cs_perfread_take64(cursor, "id");
    record->throttle.stream_id = cs_perfread_take64(cursor, "stream_id");
}

static void take_aux(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->aux.offset = cs_perfread_take64(cursor, "aux_offset");
    record->aux.bytes = cs_perfread_take64(cursor, "aux_size");
    record->aux.flags = cs_perfread_take64(cursor, "flags");
}

static void take_nothing(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    (void)cursor;
    (void)record;
}

static void take_namespaces(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->namespaces.pid = cs_perfread_take32(cursor, "pid");
    record->namespaces.tid = cs_perfread_take32(cursor, "tid");

    const size_t begin = cursor->at;
    const uint64_t count = cs_perfread_take64(cursor, "nr_namespaces");
    if (count > cs_perfread_left(cursor) / 16)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "nr_namespaces is %" PRIu64 " of 16 bytes, there are %zu bytes", count,
                          cs_perfread_left(cursor));
    record->namespaces.links = cs_perfread_take_words(cursor, 2 * count, "link_info");
}

static void take_ksymbol(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->ksymbol.address = cs_perfread_take64(cursor, "addr");
    record->ksymbol.bytes = cs_perfread_take32(cursor, "len");
    record->ksymbol.type = cs_perfread_take16(cursor, "ksym_type");
    record->ksymbol.flags = cs_perfread_take16(cursor, "flags");
    record->ksymbol.name = cs_perfread_take_name(cursor, cursor->size, "name");
}

static void take_bpf(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->bpf.type = cs_perfread_take16(cursor, "type");
    record->bpf.flags = cs_perfread_take16(cursor, "flags");
    record->bpf.id = cs_perfread_take32(cursor, "id");
    record->bpf.tag = cs_perfread_take_blob(cursor, 8, "tag").bytes;
}

static void take_cgroup(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->cgroup.id = cs_perfread_take64(cursor, "id");
    record->cgroup.path = cs_perfread_take_name(cursor, cursor->size, "path");
}

/* The two stretches of code are padded together to words. */
static void take_text_poke(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->text_poke.address = cs_perfread_take64(cursor, "addr");

    const uint16_t before = cs_perfread_take16(cursor, "old_len");
    const uint16_t after = cs_perfread_take16(cursor, "new_len");
    record->text_poke.before = cs_perfread_take_blob(cursor, before, "old bytes");
    record->text_poke.after = cs_perfread_take_blob(cursor, after, "new bytes");
    if (cs_perfread_left(cursor) < 8)
        cs_perfread_take_blob(cursor, cs_perfread_left(cursor), "padding");
}

static void take_hw_id(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->hw_id = cs_perfread_take64(cursor, "hw_id");
}

typedef void (*taker)(cs_perfread_cursor *cursor, cs_perfread_record *record);

static const taker takers[] = {
    [CS_PERFREAD_MMAP] = take_mmap,
    [CS_PERFREAD_LOST] = take_lost,
    [CS_PERFREAD_COMM] = take_comm,
    [CS_PERFREAD_EXIT] = take_fork_or_exit,
    [CS_PERFREAD_THROTTLE] = take_throttle,
    [CS_PERFREAD_UNTHROTTLE] = take_throttle,
    [CS_PERFREAD_FORK] = take_fork_or_exit,
    [CS_PERFREAD_MMAP2] = take_mmap,
    [CS_PERFREAD_AUX_RECORD] = take_aux,
    [CS_PERFREAD_ITRACE_START] = take_pid_and_tid,
    [CS_PERFREAD_LOST_SAMPLES] = take_lost,
    [CS_PERFREAD_SWITCH] = take_nothing,
    [CS_PERFREAD_SWITCH_CPU_WIDE] = take_pid_and_tid,
    [CS_PERFREAD_NAMESPACES] = take_namespaces,
    [CS_PERFREAD_KSYMBOL] = take_ksymbol,
    [CS_PERFREAD_BPF_EVENT] = take_bpf,
    [CS_PERFREAD_CGROUP_RECORD] = take_cgroup,
    [CS_PERFREAD_TEXT_POKE] = take_text_poke,
    [CS_PERFREAD_AUX_OUTPUT_HW_ID] = take_hw_id,
};

void cs_perfread_take_kernel(cs_perfread_cursor *cursor, const cs_perfread_event *layout,
                             cs_perfread_record *record)
{
    if (record->type == CS_PERFREAD_READ_RECORD) {
        record->read.pid = cs_perfread_take32(cursor, "pid");
        record->read.tid = cs_perfread_take32(cursor, "tid");
        cs_perfread_take_values(cursor, layout->read_format, &record->read.values);
    } else {
        takers[record->type](cursor, record);
    }
    if (!cursor->failed && cursor->at != cursor->size)
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "%zu bytes are left behind its last field, expected none",
                          cursor->size - cursor->at);
}
