// SPDX-License-Identifier: Apache-2.0
/* Internal: what a CTF trace says of itself. */
#ifndef CS_FORMATS_CTF_WRITE_METADATA_H
#define CS_FORMATS_CTF_WRITE_METADATA_H

#include <stdio.h>

#include "formats/ctf/write/ctf.h"

/* The fields of a packet's header and context in order; all integers follow each other without
 * gaps. The bytes are those of ctf.c. */
#define CS_CTF_MAGIC 0xC1FC1FC1u

/* CS_ERR_RANGE, with what is wrong, unless the tables are as ctf.h says. */
cs_status cs_ctf_check(const cs_ctf_config *config, cs_diag *diag);

/* CS_ERR_RANGE: the text of `where` is longer than CS_CTF_TEXT_BYTES. */
cs_status cs_ctf_check_text(const char *where, const char *text, cs_diag *diag);

/* Names of streams' numbers. */
typedef struct cs_ctf_labels {
    cs_field_label *list; /* no value twice */
    size_t nr, room;
} cs_ctf_labels;

/* The whole text of the file `metadata`. `labels` has an entry a class; NULL: no number has a name. */
void cs_ctf_describe(const cs_ctf_config *config, const cs_ctf_labels *labels, FILE *file);

#endif
