// SPDX-License-Identifier: Apache-2.0
#include "results/common/memory_images.h"

#include "results/parts.h"

bool cs_image_of(const cs_image_source *source, const cs_scenario *s, unsigned i, cs_image *out)
{
    const unsigned count = source->count(s);

    for (unsigned n = 0; n < count; n++)
        if (source->place(s, n, out) && i-- == 0)
            return true;
    return false;
}

static const cs_image_source *source_of(cs_image_kind kind)
{
    for (unsigned part = 0; part < CS_NR_PARTS; part++)
        for (const cs_image_source *const *source = cs_parts[part]->images;
             source != NULL && *source != NULL; source++)
            if (kind-- == 0)
                return *source;
    return NULL;
}

const char *cs_image_format(cs_image_kind kind)
{
    const cs_image_source *source = source_of(kind);

    return source != NULL ? source->format : NULL;
}

const char *cs_image_needs(cs_image_kind kind)
{
    return source_of(kind)->needs;
}

bool cs_image_get(const cs_scenario *s, cs_image_kind kind, unsigned i, cs_image *out)
{
    return cs_image_of(source_of(kind), s, i, out);
}
