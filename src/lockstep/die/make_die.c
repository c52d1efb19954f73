// SPDX-License-Identifier: Apache-2.0
/* cs_make_die: the build's and the lint's way to a die of a shape.
 *
 *   cs_make_die --top ROOT SHAPE...         prints die.sv
 *   cs_make_die ROOT OUTPUT.so SHAPE...     verilates and compiles it */
#include <stdio.h>
#include <string.h>

#include "base/files/ending.h"
#include "lockstep/die/build.h"
#include "lockstep/die/top.h"

static cs_status print_top(const cs_rtl_tree *tree, const cs_die_shape *shape, cs_diag *diag)
{
    cs_die_source source;
    cs_status status = cs_die_source_make(tree, shape, &source, diag);

    if (status == CS_OK)
        fputs(source.top, stdout);
    cs_die_source_free(&source);
    return status;
}

int main(int argc, char **argv)
{
    const bool top = argc > 1 && strcmp(argv[1], "--top") == 0;
    char words[CS_DIE_SHAPE_TEXT] = "";
    char text[1024];
    cs_rtl_tree tree = {0};
    cs_die_shape shape;
    cs_diag diag = {0};
    cs_status status;

    cs_ending_catch();
    if (argc < 4) {
        fprintf(stderr, "usage: cs_make_die (--top ROOT | ROOT OUTPUT) SHAPE...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", argv[i]);
    status = cs_die_shape_parse(words, &shape, &diag);
    if (status == CS_OK)
        status = cs_rtl_tree_open(argv[top ? 2 : 1], NULL, &tree, &diag);
    if (status == CS_OK)
        status = top ? print_top(&tree, &shape, &diag)
                     : cs_die_build(&tree, &shape, argv[2], false, &diag);
    cs_rtl_tree_close(&tree);
    if (status != CS_OK)
        fprintf(stderr, "cs_make_die: %s\n", cs_diag_print(&diag, text, sizeof text));
    return status != CS_OK;
}
