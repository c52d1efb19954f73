// SPDX-License-Identifier: Apache-2.0
#include "formats/formats.h"

#include <stdio.h>
#include <string.h>

#define CS_FORMAT(id) extern const cs_format cs_format_##id;
#include "formats/formats.def"
#undef CS_FORMAT

static const cs_format *const formats[] = {
#define CS_FORMAT(id) &cs_format_##id,
#include "formats/formats.def"
#undef CS_FORMAT
};

#define NR_FORMATS (sizeof formats / sizeof formats[0])

const cs_format *cs_format_at(size_t nr)
{
    return nr < NR_FORMATS ? formats[nr] : NULL;
}

bool cs_format_is(const cs_format *format, const char *name)
{
    if (strcmp(format->name, name) == 0)
        return true;
    for (size_t i = 0; format->aliases != NULL && format->aliases[i] != NULL; i++)
        if (strcmp(format->aliases[i], name) == 0)
            return true;
    return false;
}

const cs_format *cs_format_named(const char *name)
{
    for (size_t i = 0; i < NR_FORMATS; i++)
        if (cs_format_is(formats[i], name))
            return formats[i];
    return NULL;
}

const cs_format *cs_format_guess(const uint8_t *look, size_t bytes)
{
    if (bytes > CS_INPUT_LOOK_BYTES)
        bytes = CS_INPUT_LOOK_BYTES;
    for (size_t i = 0; i < NR_FORMATS; i++)
        if (formats[i]->looks_so != NULL && formats[i]->looks_so(look, bytes))
            return formats[i];
    return NULL;
}

const cs_format *cs_format_guess_folder(const char *path)
{
    for (size_t i = 0; i < NR_FORMATS; i++)
        if (formats[i]->folder_looks_so != NULL && formats[i]->folder_looks_so(path))
            return formats[i];
    return NULL;
}

const cs_format *cs_format_otherwise(void)
{
    for (size_t i = 0; i < NR_FORMATS; i++)
        if (formats[i]->otherwise)
            return formats[i];
    return formats[0];
}

static size_t count_options(const cs_format *format)
{
    size_t nr = 0;

    while (format->options != NULL && format->options[nr] != NULL)
        nr++;
    return nr;
}

const cs_format_option *cs_format_option_at(const cs_format *format, size_t nr)
{
    size_t own = count_options(format);

    if (nr < own)
        return format->options[nr];
    nr -= own;
    for (size_t i = 0; format->carries_aux && i < NR_FORMATS; i++) {
        if (formats[i]->aux_pmu == NULL)
            continue;
        own = count_options(formats[i]);
        if (nr < own)
            return formats[i]->options[nr];
        nr -= own;
    }
    return NULL;
}

bool cs_format_takes(const cs_format *format, const cs_format_option *option)
{
    const cs_format_option *one;

    for (size_t i = 0; (one = cs_format_option_at(format, i)) != NULL; i++)
        if (one == option)
            return true;
    return false;
}

const char *cs_format_names(char out[CS_FORMAT_NAMES_BYTES], const char *last,
                            bool (*has)(const cs_format *format, const void *ctx), const void *ctx)
{
    size_t there = 0, used = 0, nr = 0;

    for (size_t i = 0; i < NR_FORMATS; i++)
        there += has == NULL || has(formats[i], ctx);
    out[0] = '\0';
    for (size_t i = 0; i < NR_FORMATS && used < CS_FORMAT_NAMES_BYTES; i++) {
        if (has != NULL && !has(formats[i], ctx))
            continue;
        used += (size_t)snprintf(out + used, CS_FORMAT_NAMES_BYTES - used, "%s%s",
                                 nr == 0           ? ""
                                 : nr + 1 == there ? last
                                                   : ", ",
                                 formats[i]->name);
        nr++;
    }
    return out;
}
