// SPDX-License-Identifier: Apache-2.0
/* What qemu-plugin.h and the plugin need of GLib, which QEMU has loaded: two types, two functions. */
#ifndef CS_GUEST_GLIB_H
#define CS_GUEST_GLIB_H

typedef struct _GArray {
    char *data;
    unsigned len;
} GArray;

typedef struct _GByteArray {
    unsigned char *data;
    unsigned len;
} GByteArray;

GByteArray *g_byte_array_new(void);
GByteArray *g_byte_array_set_size(GByteArray *array, unsigned length);

#endif
