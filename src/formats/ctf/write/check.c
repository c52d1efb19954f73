// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "formats/ctf/write/metadata.h"

#define LEAST_PACKET 256u
#define MOST_PACKET (1u << 26)

static bool is_identifier(const char *name)
{
    if (name == NULL || (!isalpha((unsigned char)*name) && *name != '_') ||
        strlen(name) > CS_CTF_IDENTIFIER_BYTES)
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

/* Words of TSDL that a name may not be where it stands without an underscore in front. */
static bool is_word(const char *name)
{
    static const char *const words[] = {
        "align",   "callsite", "char",    "clock",          "const",  "double",   "enum",
        "env",     "event",    "float",   "floating_point", "int",    "integer",  "long",
        "short",   "signed",   "stream",  "string",         "struct", "trace",    "typealias",
        "typedef", "unsigned", "variant", "void",           "_Bool",  "_Complex", "_Imaginary",
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static bool is_plain(const char *name)
{
    return is_identifier(name) && !is_word(name);
}

static cs_status wrong(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_RANGE, where, "%s", what);
}

cs_status cs_ctf_check_text(const char *where, const char *text, cs_diag *diag)
{
    const size_t bytes = strlen(text);

    return bytes <= CS_CTF_TEXT_BYTES
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_RANGE, where, "a text of %zu bytes, expected at most %u",
                             bytes, CS_CTF_TEXT_BYTES);
}

/* Readers would take the stream's number for that of the packet. An underscore in front they take off. */
static bool is_of_packet(const char *name)
{
    static const char *const names[] = {"timestamp_begin", "timestamp_end", "content_size",
                                        "packet_size", "packet_seq_num"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name + (*name == '_')) == 0)
            return true;
    return false;
}

static cs_status check_labels(const cs_field *f, cs_diag *diag)
{
    if (f->nr_labels == 0)
        return wrong(diag, f->name, "an enumeration without a name for any value");
    for (size_t i = 0; i < f->nr_labels; i++) {
        if (f->labels[i].name == NULL)
            return wrong(diag, f->name, "a value of an enumeration without a name");
        if (cs_ctf_check_text(f->name, f->labels[i].name, diag) != CS_OK)
            return CS_ERR_RANGE;
        if (f->bits < 64 && f->labels[i].value >> f->bits != 0)
            return cs_diag_set(diag, CS_ERR_RANGE, f->name, "%s does not fit into %u bits",
                               f->labels[i].name, f->bits);
        for (size_t j = 0; j < i; j++)
            if (f->labels[j].value == f->labels[i].value)
                return cs_diag_set(diag, CS_ERR_RANGE, f->name, "%s and %s are one value",
                                   f->labels[j].name, f->labels[i].name);
    }
    return CS_OK;
}

static cs_status check_field(const cs_ctf_event_class *e, size_t i, cs_diag *diag)
{
    const cs_field *f = &e->fields[i];

    if (!is_identifier(f->name))
        return wrong(diag, e->name,
                     "the name of a field is not an identifier of at most 255 bytes");
    for (size_t j = 0; j < i; j++)
        if (strcmp(e->fields[j].name, f->name) == 0)
            return cs_diag_set(diag, CS_ERR_RANGE, e->name, "two fields are called %s", f->name);
    if (f->kind == CS_FIELD_TEXT)
        return CS_OK;
    if (f->bits != 8 && f->bits != 16 && f->bits != 32 && f->bits != 64)
        return cs_diag_set(diag, CS_ERR_RANGE, f->name, "%u bits, expected 8, 16, 32 or 64",
                           f->bits);
    return f->kind == CS_FIELD_ENUM ? check_labels(f, diag) : CS_OK;
}

static cs_status check_event(const cs_ctf_event_class *e, cs_diag *diag)
{
    cs_status status = CS_OK;

    if (e->name == NULL)
        return wrong(diag, NULL, "an event without a name");
    if (cs_ctf_check_text("name of an event", e->name, diag) != CS_OK)
        return CS_ERR_RANGE;
    if (e->nr_fields == 0 || e->nr_fields > CS_CTF_MAX_FIELDS)
        return cs_diag_set(diag, CS_ERR_RANGE, e->name, "%zu fields, expected 1..%u", e->nr_fields,
                           CS_CTF_MAX_FIELDS);
    for (size_t i = 0; i < e->nr_fields && status == CS_OK; i++)
        status = check_field(e, i, diag);
    return status;
}

static cs_status check_class(const cs_ctf_stream_class *c, cs_diag *diag)
{
    cs_status status = CS_OK;

    if (!is_plain(c->instance))
        return wrong(diag, NULL,
                     "the name of a stream's number is not an identifier, or a word of TSDL");
    if (is_of_packet(c->instance))
        return wrong(diag, c->instance, "a stream's number is called as a field of the packet");
    if (c->nr_events == 0 || c->nr_events > UINT16_MAX)
        return cs_diag_set(diag, CS_ERR_RANGE, c->instance, "%zu events, expected 1..65535",
                           c->nr_events);
    for (size_t i = 0; i < c->nr_events && status == CS_OK; i++)
        status = check_event(&c->events[i], diag);
    return status;
}

static cs_status check_fact(const cs_ctf_fact *fact, cs_diag *diag)
{
    if (!is_plain(fact->name))
        return wrong(diag, NULL, "the name of a fact is not an identifier, or a word of TSDL");
    return fact->text != NULL ? cs_ctf_check_text(fact->name, fact->text, diag) : CS_OK;
}

cs_status cs_ctf_check(const cs_ctf_config *config, cs_diag *diag)
{
    cs_status status = CS_OK;

    if (config->clock_hz == 0)
        return wrong(diag, NULL, "a clock of 0 Hz");
    if (!is_plain(config->clock_name))
        return wrong(diag, NULL, "the clock's name is not an identifier, or a word of TSDL");
    if (config->packet_bytes != 0 &&
        (config->packet_bytes < LEAST_PACKET || config->packet_bytes > MOST_PACKET))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "packets of %zu bytes, expected %u..%u",
                           config->packet_bytes, LEAST_PACKET, MOST_PACKET);
    for (size_t i = 0; i < config->nr_facts && status == CS_OK; i++)
        status = check_fact(&config->facts[i], diag);
    if (status != CS_OK)
        return status;
    if (config->nr_classes == 0)
        return wrong(diag, NULL, "no kind of streams");
    for (size_t i = 0; i < config->nr_classes && status == CS_OK; i++)
        status = check_class(&config->classes[i], diag);
    return status;
}
