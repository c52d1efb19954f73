// SPDX-License-Identifier: Apache-2.0
#include <libfdt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bus/big.h"
#include "formats/imc/catalog/parts.h"

/* "/imc-counters/mcs01@c8, property 'reg': " */
static void print_place(const cs_imc_node *node, const char *property, char *out, size_t size)
{
    char path[256];

    if (fdt_get_path(node->catalog->blob, node->offset, path, sizeof path) != 0)
        snprintf(path, sizeof path, "node at byte %d of the structure", node->offset);
    if (property != NULL)
        snprintf(out, size, "%s, property '%s': ", path, property);
    else
        snprintf(out, size, "%s: ", path);
}

cs_status cs_imc_node_error(const cs_imc_node *node, const char *property, cs_diag *diag,
                            const char *format, ...)
{
    char place[320];
    char what[256];
    va_list arguments;

    print_place(node, property, place, sizeof place);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return cs_diag_set(diag, CS_ERR_FORMAT, node->catalog->name, "%s%s", place, what);
}

void cs_imc_node_warn(const cs_imc_node *node, const char *property, const char *format, ...)
{
    cs_imc_catalog *catalog = node->catalog;
    size_t nr = catalog->nr_warnings;
    char place[320];
    char what[256];
    va_list arguments;

    if (nr >= CS_IMC_MAX_WARNINGS) {
        catalog->nr_warnings++;
        return;
    }
    print_place(node, property, place, sizeof place);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    size_t bytes = strlen(place) + strlen(what) + 1;
    char *text = cs_imc_catalog_allocate(catalog, bytes, 1);
    if (text == NULL)
        return;
    snprintf(text, bytes, "%s%s", place, what);
    catalog->warnings[nr] = text;
    catalog->nr_warnings++;
}

/* ---- properties ---- */

/* *out is NULL where the property is absent. */
static cs_status get(const cs_imc_node *node, const char *property, const uint8_t **out,
                     size_t *bytes, cs_diag *diag)
{
    int length = 0;

    *out = fdt_getprop(node->catalog->blob, node->offset, property, &length);
    *bytes = *out != NULL ? (size_t)length : 0;
    if (*out == NULL && length != -FDT_ERR_NOTFOUND)
        return cs_imc_node_error(node, property, diag, "cannot be read: %s", fdt_strerror(length));
    return CS_OK;
}

cs_status cs_imc_node_array(const cs_imc_node *node, const char *property, size_t element,
                            const uint8_t **out, size_t *count, cs_diag *diag)
{
    size_t bytes;
    cs_status status = get(node, property, out, &bytes, diag);

    *count = bytes / element;
    if (status != CS_OK || *out == NULL)
        return status;
    if (bytes == 0 || bytes % element != 0)
        return cs_imc_node_error(node, property, diag,
                                 "expected numbers of %zu bytes, found %zu bytes", element, bytes);
    return CS_OK;
}

cs_status cs_imc_node_numbers(const cs_imc_node *node, const char *property, uint32_t *out,
                              size_t count, bool *found, cs_diag *diag)
{
    const uint8_t *data;
    size_t bytes;
    cs_status status = get(node, property, &data, &bytes, diag);

    if (found != NULL)
        *found = data != NULL;
    if (status != CS_OK)
        return status;
    if (data == NULL)
        return found != NULL
                   ? CS_OK
                   : cs_imc_node_error(node, property, diag,
                                       "expected %zu bytes, found no such property", 4 * count);
    if (bytes != 4 * count)
        return cs_imc_node_error(node, property, diag, "expected %zu bytes, found %zu", 4 * count,
                                 bytes);
    for (size_t i = 0; i < count; i++)
        out[i] = cs_big_get32(data + 4 * i);
    return CS_OK;
}

static cs_status get_text(const cs_imc_node *node, const char *property, char first, char but,
                          const char **out, cs_diag *diag)
{
    const uint8_t *data;
    size_t bytes;
    cs_status status = get(node, property, &data, &bytes, diag);

    *out = NULL;
    if (status != CS_OK || data == NULL)
        return status;

    const uint8_t *end = bytes > 0 ? memchr(data, 0, bytes) : NULL;
    if (end == NULL)
        return cs_imc_node_error(node, property, diag,
                                 "expected a text with a 0 at its end, found %zu bytes without",
                                 bytes);
    if ((size_t)(end - data) + 1 != bytes)
        return cs_imc_node_error(node, property, diag,
                                 "expected one text, found %zu bytes after its end",
                                 bytes - (size_t)(end - data) - 1);
    for (const uint8_t *c = data; c < end; c++)
        if (*c < (uint8_t)first || *c > '~' || (but != '\0' && *c == (uint8_t)but))
            return cs_imc_node_error(
                node, property, diag, "character %zu: expected %s, found byte 0x%02x",
                (size_t)(c - data), but != '\0' ? "a part of a file's name" : "printable ASCII",
                *c);
    *out = (const char *)data;
    return CS_OK;
}

cs_status cs_imc_node_text(const cs_imc_node *node, const char *property, const char **out,
                           cs_diag *diag)
{
    return get_text(node, property, ' ', '\0', out, diag);
}

cs_status cs_imc_node_word(const cs_imc_node *node, const char *property, const char **out,
                           cs_diag *diag)
{
    return get_text(node, property, '!', '/', out, diag);
}
