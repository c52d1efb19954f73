// SPDX-License-Identifier: Apache-2.0
/* Records in the words of their unit's page: registers and states by their names. */
#ifndef CS_LOCKSTEP_PAGE_DESCRIBE_H
#define CS_LOCKSTEP_PAGE_DESCRIBE_H

#include "lockstep/pages/page.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PAGE_NAME 64u

/* What is the same for all that is told of a comparison. */
typedef struct cs_page_words {
    const cs_pages *pages;
    const struct cs_scenario *scenario;
} cs_page_words;

/* "4990 core 3 read PMEVTYPER2 = 0x11": a line without its newline, in buffer. */
const char *cs_page_describe(const cs_page_words *words, const cs_probe_record *record,
                             char *buffer, size_t size);

/* The register of an access; false: it is none, or has no name. */
bool cs_page_place_of(const cs_page_words *words, const cs_probe_record *record,
                      const cs_page **page, cs_page_place *place);

/* NULL: no page says anything of it. */
const cs_page_section *cs_page_section_of(const cs_page_words *words,
                                          const cs_probe_record *record);

/* A field of a register that an access reached. */
typedef struct cs_page_part {
    const char *name;
    unsigned msb, lsb; /* from the bottom */
    uint64_t model, rtl;
    const char *model_name, *rtl_name; /* of the values; NULL: they have none */
} cs_page_part;

/* The nr'th field, of two accesses to the same register; false: there is none. */
bool cs_page_part_at(const cs_page *page, const cs_page_place *place, const cs_probe_record *model,
                     const cs_probe_record *rtl, size_t nr, cs_page_part *out);

#ifdef __cplusplus
}
#endif

#endif
