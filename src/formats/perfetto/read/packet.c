// SPDX-License-Identifier: Apache-2.0
/* What a TracePacket says beside its event: interned texts, clocks, its time. */
#include "formats/perfetto/read/impl.h"

/* ---- InternedData: four of its lists; an entry of each is a number and a text ---- */

enum { IID, TEXT, NR_ENTRY };

static const cs_protoread_spec entry_specs[NR_ENTRY] = {
    [IID] = {1, CS_PROTO_NUMBER, "iid"}, [TEXT] = {2, CS_PROTO_TEXT, "the interned text"}};

static const struct {
    uint32_t field;
    cs_pftread_key key;
} lists[] = {{1, CS_PFT_CATEGORY}, {2, CS_PFT_NAME}, {3, CS_PFT_ARGUMENT}, {29, CS_PFT_STRING}};

static cs_status keep(cs_perfettoread *reader, cs_pftread_key key, const cs_protoread *data,
                      const cs_protoread_field *field)
{
    const cs_pftread_sequence *sequence = reader->packet.sequence;
    cs_protoread_field found[NR_ENTRY];
    void *memory = NULL;

    if (field->wire != CS_PROTO_BYTES)
        return cs_pftread_bad(reader, field->offset, "InternedData: found wire type %u, expected 2",
                              field->wire);
    cs_status status =
        cs_protoread_take(cs_protoread_begin(data, field), entry_specs, NR_ENTRY, found);
    if (status != CS_OK)
        return status;
    if (found[IID].value == 0)
        return cs_pftread_bad(reader, field->offset, "found an interned text without a number");
    status = cs_pftread_make(reader, key, sequence->node.sequence, found[IID].value, &memory);
    if (status != CS_OK)
        return status;
    cs_pftread_node *node = memory;
    node->generation = sequence->generation;
    return cs_pftread_set(reader, &node->text, found[TEXT].bytes, found[TEXT].length);
}

cs_status cs_pftread_interned_data(cs_perfettoread *reader, const cs_protoread_field *field)
{
    cs_protoread data = cs_protoread_begin(&reader->packet.message, field);
    cs_protoread_field entry;
    cs_status status;

    while ((status = cs_protoread_next(&data, &entry)) == CS_OK && entry.number != 0)
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            if (lists[i].field == entry.number) {
                status = keep(reader, lists[i].key, &data, &entry);
                if (status != CS_OK)
                    return status;
            }
    return status;
}

/* ---- ClockSnapshot: what its clocks show, and in which unit ---- */

enum { CLOCK_ID, CLOCK_TIME, CLOCK_INCREMENTAL, CLOCK_UNIT, NR_CLOCK };

static const cs_protoread_spec clock_specs[NR_CLOCK] = {
    [CLOCK_ID] = {1, CS_PROTO_NUMBER, "Clock.clock_id"},
    [CLOCK_TIME] = {2, CS_PROTO_NUMBER, "Clock.timestamp"},
    [CLOCK_INCREMENTAL] = {3, CS_PROTO_NUMBER, "Clock.is_incremental"},
    [CLOCK_UNIT] = {4, CS_PROTO_NUMBER, "Clock.unit_multiplier_ns"}};

static bool is_of_sequence(uint64_t clock)
{
    return clock >= 64 && clock < 128;
}

static cs_status keep_clock(cs_perfettoread *reader, const cs_protoread *snapshot,
                            const cs_protoread_field *field)
{
    cs_protoread_field found[NR_CLOCK];
    void *memory = NULL;
    cs_status status =
        cs_protoread_take(cs_protoread_begin(snapshot, field), clock_specs, NR_CLOCK, found);

    if (status != CS_OK)
        return status;
    const uint64_t id = found[CLOCK_ID].value;
    status = is_of_sequence(id)
                 ? cs_pftread_make(reader, CS_PFT_CLOCK, reader->packet.sequence->node.sequence, id,
                                   &memory)
                 : cs_pftread_make(reader, CS_PFT_GLOBAL_CLOCK, 0, id, &memory);
    if (status != CS_OK)
        return status;
    cs_pftread_clock *clock = memory;
    clock->multiplier = found[CLOCK_UNIT].value != 0 ? found[CLOCK_UNIT].value : 1;
    clock->incremental = found[CLOCK_INCREMENTAL].value != 0;
    clock->last = found[CLOCK_TIME].value;
    return CS_OK;
}

cs_status cs_pftread_clocks(cs_perfettoread *reader, const cs_protoread_field *field)
{
    static const cs_protoread_spec clocks = {1, CS_PROTO_TEXT, "ClockSnapshot.clocks"};
    cs_protoread snapshot = cs_protoread_begin(&reader->packet.message, field);
    cs_protoread_field clock;
    cs_status status;

    while ((status = cs_protoread_find(&snapshot, &clocks, &clock)) == CS_OK && clock.number != 0) {
        status = keep_clock(reader, &snapshot, &clock);
        if (status != CS_OK)
            return status;
    }
    return status;
}

cs_status cs_pftread_time(cs_perfettoread *reader, const cs_protoread_field *timestamp,
                          const cs_protoread_field *clock_id)
{
    cs_pftread_packet *packet = &reader->packet;
    const uint64_t id = clock_id->number != 0          ? clock_id->value
                        : packet->sequence->clock != 0 ? packet->sequence->clock
                                                       : CS_PERFETTOREAD_BOOTTIME;
    cs_pftread_clock *clock =
        is_of_sequence(id)
            ? cs_pftread_find(reader, CS_PFT_CLOCK, packet->sequence->node.sequence, id)
            : cs_pftread_find(reader, CS_PFT_GLOBAL_CLOCK, 0, id);
    uint64_t time = timestamp->value;

    packet->clock = id;
    packet->has_time = timestamp->number != 0 && (clock != NULL || !is_of_sequence(id));
    if (!packet->has_time)
        return CS_OK;
    bool fits = true;
    if (clock != NULL) {
        if (clock->incremental) {
            fits = !__builtin_add_overflow(clock->last, time, &time);
            clock->last = time;
        }
        fits = fits && !__builtin_mul_overflow(time, clock->multiplier, &time);
    }
    if (!fits || time > INT64_MAX)
        return cs_pftread_bad(reader, timestamp->offset,
                              "TracePacket.timestamp: found %llu, expected less than 2^63 ns",
                              (unsigned long long)timestamp->value);
    packet->time_ns = (int64_t)time;
    return CS_OK;
}
