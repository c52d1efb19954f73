// SPDX-License-Identifier: Apache-2.0
/* Fields, as timelines have them. */
#include "program.h"

#define MOST_FIELDS 8u
#define MOST_LABELS 4u
#define TOO_MANY 33u

static const char *const good_names[] = {"value", "ip",     "event",     "_",     "id", "ts",
                                         "v0",    "Name_9", "timestamp", "align", "x",  "dur",
                                         "args",  "a",      "b",         "c"};

static const char *name_of(cs_fuzz_program *p, bool wrong)
{
    return wrong && cs_fuzz_byte(p) >= 0xf0 ? cs_fuzz_text_or_null(p)
                                            : CS_FUZZ_ONE_OF(p, good_names);
}

/* No value twice, but where they may be wrong. */
static cs_field_label *labels_of(cs_fuzz_program *p, bool wrong, size_t *nr)
{
    cs_field_label *labels;

    *nr = wrong ? cs_fuzz_byte(p) % MOST_LABELS : 1 + cs_fuzz_byte(p) % MOST_LABELS;
    labels = cs_fuzz_room(p, *nr * sizeof *labels);
    for (size_t i = 0; i < *nr; i++) {
        labels[i].value = wrong ? cs_fuzz_number(p) : cs_fuzz_byte(p) * MOST_LABELS + i;
        labels[i].name = wrong ? cs_fuzz_text_or_null(p) : cs_fuzz_text(p);
    }
    return labels;
}

cs_field *cs_fuzz_fields(cs_fuzz_program *p, bool wrong, size_t *nr)
{
    static const unsigned bits[] = {64, 32, 16, 8, 64, 32, 7, 0};
    const uint8_t first = cs_fuzz_byte(p);
    cs_field *fields;

    *nr = wrong && first == 0xff ? TOO_MANY : first % (MOST_FIELDS + 1);
    fields = cs_fuzz_room(p, *nr * sizeof *fields);
    for (size_t i = 0; i < *nr; i++) {
        fields[i].name = name_of(p, wrong);
        fields[i].kind = (cs_field_kind)(cs_fuzz_byte(p) % (CS_FIELD_TEXT + 1));
        fields[i].bits = bits[cs_fuzz_byte(p) % (wrong ? 8 : 6)];
        if (fields[i].kind == CS_FIELD_ENUM)
            fields[i].labels = labels_of(p, wrong, &fields[i].nr_labels);
    }
    return fields;
}

cs_field_value *cs_fuzz_values(cs_fuzz_program *p, const cs_field *fields, size_t nr, bool wrong)
{
    cs_field_value *values = cs_fuzz_room(p, nr * sizeof *values);

    for (size_t i = 0; i < nr; i++) {
        if (fields[i].kind != CS_FIELD_TEXT)
            values[i].number = cs_fuzz_number(p);
        else
            values[i].text = wrong ? cs_fuzz_text_or_null(p) : cs_fuzz_text(p);
    }
    return values;
}
