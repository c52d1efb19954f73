// SPDX-License-Identifier: Apache-2.0
/* cs_make_die: the build's and the lint's way to a die of a shape.
 *
 *   cs_make_die --top ROOT SHAPE...                         prints die.sv
 *   cs_make_die [--kept FOLDER] ROOT OUTPUT.so SHAPE...     verilates and compiles it, or takes it from FOLDER,
 *                                                           where it is kept; a folder is of one Verilator */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/files/ending.h"
#include "lockstep/die/build.h"
#include "lockstep/die/find.h"
#include "lockstep/die/kept.h"
#include "lockstep/die/tool.h"
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

/* A folder that cannot be used, as it is somebody else's, is as none. */
static cs_status make(const cs_rtl_tree *tree, const cs_die_shape *shape, const char *kept,
                      const char *output, cs_diag *diag)
{
    char path[CS_DIE_PATH];
    bool usable = false;
    uint64_t hash;

    if (kept == NULL || cs_tool_make_folder(kept, diag) != CS_OK ||
        cs_die_hash(tree, shape, false, &hash, diag) != CS_OK)
        return cs_die_build(tree, shape, output, false, diag);
    snprintf(path, sizeof path, "%.3900s/die-%016" PRIx64 ".so", kept, hash);
    if (cs_kept_is_usable(kept, path, &usable, diag) != CS_OK)
        return cs_die_build(tree, shape, output, false, diag);
    if (!usable) {
        const cs_status status = cs_die_build(tree, shape, path, false, diag);

        if (status != CS_OK)
            return status;
    }
    return cs_kept_put(path, output, diag);
}

int main(int argc, char **argv)
{
    const char *kept = NULL;
    bool top = false;
    char words[CS_DIE_SHAPE_TEXT] = "";
    char text[1024];
    cs_rtl_tree tree = {0};
    cs_die_shape shape;
    cs_diag diag = {0};
    cs_status status;

    cs_ending_catch();
    if (argc > 1 && strcmp(argv[1], "--top") == 0) {
        top = true;
        argc--, argv++;
    } else if (argc > 2 && strcmp(argv[1], "--kept") == 0) {
        kept = argv[2];
        argc -= 2, argv += 2;
    }
    if (argc < 3 + !top) {
        fprintf(stderr, "usage: cs_make_die (--top ROOT | [--kept FOLDER] ROOT OUTPUT) SHAPE...\n");
        return 2;
    }
    for (int i = 3 - top; i < argc; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", argv[i]);
    status = cs_die_shape_parse(words, &shape, &diag);
    if (status == CS_OK)
        status = cs_rtl_tree_open(argv[1], NULL, &tree, &diag);
    if (status == CS_OK)
        status = top ? print_top(&tree, &shape, &diag) : make(&tree, &shape, kept, argv[2], &diag);
    cs_rtl_tree_close(&tree);
    if (status != CS_OK)
        fprintf(stderr, "cs_make_die: %s\n", cs_diag_print(&diag, text, sizeof text));
    return status != CS_OK;
}
