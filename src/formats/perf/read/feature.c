// SPDX-License-Identifier: Apache-2.0
/* Features: what the header of a perf.data file, or a record in a pipe, tells of the machine and
 * the recording. Those that are not taken apart here keep their place in the facts. */
#include <inttypes.h>
#include <string.h>

#include "formats/perf/read/impl.h"

typedef struct feature_context {
    cs_perfread *reader;
    cs_perfread_cursor *cursor;
    bool no_memory;
} feature_context;

static const char *keep(feature_context *context, const char *text)
{
    if (context->cursor->failed)
        return NULL;
    const char *kept = cs_perfread_keep_text(&context->reader->arena, text);
    context->no_memory |= kept == NULL;
    return kept;
}

/* A list of `count` elements, each of at least `least` bytes in the file: what is not there is not
 * allocated. NULL: none, or an error. */
static void *keep_list(feature_context *context, uint64_t count, size_t least, size_t size)
{
    cs_perfread_cursor *cursor = context->cursor;

    if (count > cs_perfread_left(cursor) / least)
        cs_perfread_wrong(cursor, cursor->at - 4, CS_ERR_FORMAT,
                          "%" PRIu64 " entries of at least %zu bytes, there are %zu bytes", count,
                          least, cs_perfread_left(cursor));
    if (cursor->failed || count == 0)
        return NULL;
    void *list = cs_perfread_keep(&context->reader->arena, (size_t)count * size);
    context->no_memory |= list == NULL;
    return list;
}

/* ---- strings and numbers ---- */

static void take_text(feature_context *context, const char **to, const char *field)
{
    *to = keep(context, cs_perfread_take_string(context->cursor, field));
}

static void take_hostname(feature_context *context)
{
    take_text(context, &context->reader->facts.hostname, "hostname");
}

static void take_os_release(feature_context *context)
{
    take_text(context, &context->reader->facts.os_release, "osrelease");
}

static void take_version(feature_context *context)
{
    take_text(context, &context->reader->facts.version, "version");
}

static void take_arch(feature_context *context)
{
    take_text(context, &context->reader->facts.arch, "arch");
}

static void take_cpu_desc(feature_context *context)
{
    take_text(context, &context->reader->facts.cpu_desc, "cpudesc");
}

static void take_cpu_id(feature_context *context)
{
    take_text(context, &context->reader->facts.cpu_id, "cpuid");
}

/* The format's description has the two the other way round; perf writes all CPUs first. */
static void take_nrcpus(feature_context *context)
{
    const size_t begin = context->cursor->at;
    cs_perfread_facts *facts = &context->reader->facts;

    facts->cpus_available = cs_perfread_take32(context->cursor, "nrcpus available");
    facts->cpus_online = cs_perfread_take32(context->cursor, "nrcpus online");
    if (facts->cpus_online > facts->cpus_available)
        cs_perfread_wrong(context->cursor, begin, CS_ERR_FORMAT,
                          "%" PRIu32 " CPUs are online, expected at most the %" PRIu32 " available",
                          facts->cpus_online, facts->cpus_available);
}

static void take_total_mem(feature_context *context)
{
    context->reader->facts.total_mem_kib = cs_perfread_take64(context->cursor, "total_mem");
}

static void take_sample_time(feature_context *context)
{
    cs_perfread_facts *facts = &context->reader->facts;

    facts->first_sample_ns = cs_perfread_take64(context->cursor, "first sample's time");
    facts->last_sample_ns = cs_perfread_take64(context->cursor, "last sample's time");
}

static void take_stat(feature_context *context)
{
    context->reader->facts.stat = true;
}

/* ---- lists ---- */

static void take_cmdline(feature_context *context)
{
    const uint32_t count = cs_perfread_take32(context->cursor, "cmdline's number of words");
    const char **words = keep_list(context, count, 4, sizeof *words);

    for (uint32_t i = 0; words != NULL && i < count; i++)
        take_text(context, &words[i], "cmdline");
    context->reader->facts.cmdline = words;
    context->reader->facts.nr_cmdline = words != NULL ? count : 0;
}

static void take_pmu_mappings(feature_context *context)
{
    const uint32_t count = cs_perfread_take32(context->cursor, "pmu_mappings' number of PMUs");
    cs_perfread_pmu *pmus = keep_list(context, count, 8, sizeof *pmus);

    for (uint32_t i = 0; pmus != NULL && i < count; i++) {
        pmus[i].type = cs_perfread_take32(context->cursor, "pmu_type");
        take_text(context, &pmus[i].name, "pmu_name");
    }
    context->reader->facts.pmus = pmus;
    context->reader->facts.nr_pmus = pmus != NULL ? count : 0;
}

static void take_groups(feature_context *context)
{
    const uint32_t count = cs_perfread_take32(context->cursor, "group_desc's number of groups");
    cs_perfread_group *groups = keep_list(context, count, 12, sizeof *groups);

    for (uint32_t i = 0; groups != NULL && i < count; i++) {
        take_text(context, &groups[i].name, "group's name");
        groups[i].leader = cs_perfread_take32(context->cursor, "leader_idx");
        groups[i].nr_members = cs_perfread_take32(context->cursor, "nr_members");
    }
    context->reader->facts.groups = groups;
    context->reader->facts.nr_groups = groups != NULL ? count : 0;
}

/* The events once more, with their names; the ids are in the attrs' section, too. */
static void take_event_desc(feature_context *context)
{
    cs_perfread *reader = context->reader;
    cs_perfread_cursor *cursor = context->cursor;
    const size_t begin = cursor->at;
    const uint32_t count = cs_perfread_take32(cursor, "event_desc's number of events");
    const uint32_t attr_bytes = cs_perfread_take32(cursor, "event_desc's attr_size");

    if (!cursor->failed && count > reader->facts.nr_events)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "event_desc has %" PRIu32 " events, expected at most the file's %zu",
                          count, reader->facts.nr_events);
    for (uint32_t i = 0; i < count && !cursor->failed && !context->no_memory; i++) {
        cs_perfread_event *event = &reader->events[i];
        const size_t at = cursor->at;
        cs_perfread_blob attr = cs_perfread_take_blob(cursor, attr_bytes, "event_desc's attr");

        if (!cursor->failed && attr.count >= 4 &&
            cs_perfread_get32(attr.bytes, cursor->big_endian) != event->type)
            cs_perfread_wrong(cursor, at, CS_ERR_FORMAT,
                              "event_desc's event %" PRIu32 " is of PMU %" PRIu32
                              ", expected %" PRIu32 " as in the attrs",
                              i, cs_perfread_get32(attr.bytes, cursor->big_endian), event->type);
        const uint32_t nr_ids = cs_perfread_take32(cursor, "event_desc's nr_ids");
        take_text(context, &event->name, "event_string");
        cs_perfread_take_words(cursor, nr_ids, "event_desc's ids");
    }
}

/* Records in the section, each with a header of its own. */
static void take_build_ids(feature_context *context)
{
    cs_perfread *reader = context->reader;
    cs_perfread_cursor *cursor = context->cursor;
    const size_t most = cs_perfread_left(cursor) / (CS_PERFREAD_RECORD_HEADER_BYTES + 28 + 1);
    cs_perfread_build_id *list = most == 0 ? NULL : keep_list(context, most, 1, sizeof *list);
    size_t count = 0;

    while (list != NULL && count < most && cs_perfread_left(cursor) > 0 && !context->no_memory) {
        const size_t begin = cursor->at;
        cs_perfread_take32(cursor, "build id's type");
        const uint16_t misc = cs_perfread_take16(cursor, "build id's misc");
        const uint16_t size = cs_perfread_take16(cursor, "build id's size");

        if (!cursor->failed &&
            (size < CS_PERFREAD_RECORD_HEADER_BYTES || size > cursor->size - begin))
            cs_perfread_wrong(cursor, begin + 6, CS_ERR_FORMAT,
                              "size of a build id is %u, expected %u..%zu", (unsigned)size,
                              CS_PERFREAD_RECORD_HEADER_BYTES, cursor->size - begin);
        if (cursor->failed)
            break;
        cs_perfread_cursor inner =
            cs_perfread_cursor_of(cursor->bytes, begin + size, cursor->base, cursor->big_endian);
        inner.at = cursor->at;
        cs_perfread_take_build_id(&inner, misc, &list[count]);
        if (inner.failed) {
            *cursor = inner;
            break;
        }
        cursor->at = inner.at;
        list[count].file = keep(context, list[count].file);
        count++;
    }
    reader->facts.build_ids = list;
    reader->facts.nr_build_ids = count;
}

static const struct feature {
    const char *name;
    void (*take)(feature_context *context);
} features[] = {
    [CS_PERFREAD_FEAT_BUILD_ID] = {"feature BUILD_ID", take_build_ids},
    [CS_PERFREAD_FEAT_HOSTNAME] = {"feature HOSTNAME", take_hostname},
    [CS_PERFREAD_FEAT_OSRELEASE] = {"feature OSRELEASE", take_os_release},
    [CS_PERFREAD_FEAT_VERSION] = {"feature VERSION", take_version},
    [CS_PERFREAD_FEAT_ARCH] = {"feature ARCH", take_arch},
    [CS_PERFREAD_FEAT_NRCPUS] = {"feature NRCPUS", take_nrcpus},
    [CS_PERFREAD_FEAT_CPUDESC] = {"feature CPUDESC", take_cpu_desc},
    [CS_PERFREAD_FEAT_CPUID] = {"feature CPUID", take_cpu_id},
    [CS_PERFREAD_FEAT_TOTAL_MEM] = {"feature TOTAL_MEM", take_total_mem},
    [CS_PERFREAD_FEAT_CMDLINE] = {"feature CMDLINE", take_cmdline},
    [CS_PERFREAD_FEAT_EVENT_DESC] = {"feature EVENT_DESC", take_event_desc},
    [CS_PERFREAD_FEAT_PMU_MAPPINGS] = {"feature PMU_MAPPINGS", take_pmu_mappings},
    [CS_PERFREAD_FEAT_GROUP_DESC] = {"feature GROUP_DESC", take_groups},
    [CS_PERFREAD_FEAT_STAT] = {"feature STAT", take_stat},
    [CS_PERFREAD_FEAT_SAMPLE_TIME] = {"feature SAMPLE_TIME", take_sample_time},
};

cs_status cs_perfread_take_feature(cs_perfread *reader, unsigned number, cs_perfread_cursor *cursor,
                                   cs_diag *diag)
{
    feature_context context = {.reader = reader, .cursor = cursor};

    reader->facts.features[number] =
        (cs_perfread_section){.offset = cursor->base, .bytes = cursor->size};
    if (number >= sizeof features / sizeof features[0] || features[number].take == NULL)
        return CS_OK;
    features[number].take(&context);
    if (context.no_memory)
        return cs_perfread_no_memory(reader, diag);
    return cs_perfread_judge(cursor, reader->name, features[number].name, diag);
}
