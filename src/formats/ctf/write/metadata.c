// SPDX-License-Identifier: Apache-2.0
/* The description of a trace in TSDL (CTF 1.8, section 7 and appendix C). */
#include "formats/ctf/write/metadata.h"

#include <inttypes.h>

/* Names of fields get an underscore in front, which readers take off again: so none of them is
 * taken for a word of TSDL. */
#define MARK "_"

/* A quoted text with what C would escape. */
static void quote(const char *text, FILE *file)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(file, "\\%03o", *c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

static void describe_uuid(const uint8_t uuid[CS_CTF_UUID_BYTES], FILE *file)
{
    fputc('"', file);
    for (unsigned i = 0; i < CS_CTF_UUID_BYTES; i++)
        fprintf(file, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
    fputc('"', file);
}

static void describe_integer(unsigned bits, const char *more, FILE *file)
{
    fprintf(file, "integer { size = %u; align = 8; %s }", bits, more);
}

static void describe_labels(unsigned bits, const cs_field_label *labels, size_t nr, FILE *file)
{
    fputs("enum : ", file);
    describe_integer(bits, "signed = false;", file);
    fputs(" { ", file);
    for (size_t i = 0; i < nr; i++) {
        if (i != 0)
            fputs(", ", file);
        quote(labels[i].name, file);
        fprintf(file, " = %" PRIu64, labels[i].value);
    }
    fputs(" }", file);
}

static void describe_field(const cs_field *f, FILE *file)
{
    static const char *const integers[] = {
        [CS_FIELD_DECIMAL] = "signed = false;",
        [CS_FIELD_HEX] = "signed = false; base = 16;",
        [CS_FIELD_SIGNED] = "signed = true;",
    };

    fputs("\t\t", file);
    if (f->kind == CS_FIELD_TEXT)
        fputs("string { encoding = UTF8; }", file);
    else if (f->kind == CS_FIELD_ENUM)
        describe_labels(f->bits, f->labels, f->nr_labels, file);
    else
        describe_integer(f->bits, integers[f->kind], file);
    fprintf(file, " " MARK "%s;\n", f->name);
}

static void describe_events(const cs_ctf_stream_class *c, size_t class_index, FILE *file)
{
    for (size_t i = 0; i < c->nr_events; i++) {
        const cs_ctf_event_class *e = &c->events[i];

        fputs("\nevent {\n\tname = ", file);
        quote(e->name, file);
        fprintf(file, ";\n\tid = %zu;\n\tstream_id = %zu;\n\tfields := struct {\n", i, class_index);
        for (size_t j = 0; j < e->nr_fields; j++)
            describe_field(&e->fields[j], file);
        fputs("\t};\n};\n", file);
    }
}

static void describe_clock(const cs_ctf_config *config, FILE *file)
{
    fprintf(file,
            "\nclock {\n\tname = %s;\n\tdescription = \"Cycles from reset\";\n"
            "\tfreq = %" PRIu64 ";\n\toffset = 0;\n};\n\n"
            "typealias integer { size = 64; align = 8; signed = false; map = clock.%s.value; } "
            ":= cycle_t;\n",
            config->clock_name, config->clock_hz, config->clock_name);
}

static void describe_stream(const cs_ctf_stream_class *c, size_t class_index,
                            const cs_ctf_labels *labels, FILE *file)
{
    fprintf(file,
            "\nstream {\n"
            "\tid = %zu;\n"
            "\tpacket.context := struct {\n"
            "\t\tcycle_t timestamp_begin;\n"
            "\t\tcycle_t timestamp_end;\n"
            "\t\tuint64_t content_size;\n"
            "\t\tuint64_t packet_size;\n"
            "\t\tuint64_t packet_seq_num;\n"
            "\t\t",
            class_index);
    if (labels != NULL && labels->nr != 0)
        describe_labels(32, labels->list, labels->nr, file);
    else
        fputs("uint32_t", file);
    fprintf(file,
            " %s;\n"
            "\t};\n"
            "\tevent.header := struct {\n"
            "\t\tuint16_t id;\n"
            "\t\tcycle_t timestamp;\n"
            "\t};\n"
            "};\n",
            c->instance);
}

static void describe_facts(const cs_ctf_config *config, FILE *file)
{
    fputs("\nenv {\n", file);
    for (size_t i = 0; i < config->nr_facts; i++) {
        const cs_ctf_fact *fact = &config->facts[i];

        fprintf(file, "\t%s = ", fact->name);
        if (fact->text != NULL)
            quote(fact->text, file);
        else
            fprintf(file, "%" PRId64, fact->number);
        fputs(";\n", file);
    }
    fputs("};\n", file);
}

void cs_ctf_describe(const cs_ctf_config *config, const cs_ctf_labels *labels, FILE *file)
{
    fputs("/* CTF 1.8 */\n\n"
          "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
          "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
          "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
          "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n\n"
          "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = ",
          file);
    describe_uuid(config->uuid, file);
    fputs(";\n\tbyte_order = le;\n"
          "\tpacket.header := struct {\n"
          "\t\tuint32_t magic;\n"
          "\t\tuint8_t uuid[16];\n"
          "\t\tuint32_t stream_id;\n"
          "\t\tuint64_t stream_instance_id;\n"
          "\t};\n};\n",
          file);
    describe_facts(config, file);
    describe_clock(config, file);
    for (size_t i = 0; i < config->nr_classes; i++) {
        describe_stream(&config->classes[i], i, labels != NULL ? &labels[i] : NULL, file);
        describe_events(&config->classes[i], i, file);
    }
}
