#include "base/probe/soft.h"

#include <stdlib.h>

#include "base/room.h"

typedef struct listener {
    cs_soft_hearing hearing;
    void *ctx;
} listener;

struct cs_soft_stream {
    listener *listeners;
    size_t count, room;
};

cs_status cs_soft_stream_create(cs_soft_stream **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a stream");
}

void cs_soft_stream_destroy(cs_soft_stream *stream)
{
    if (stream == NULL)
        return;
    free(stream->listeners);
    free(stream);
}

cs_status cs_soft_stream_join(cs_soft_stream *stream, const cs_soft_hearing *hearings, void *ctx,
                              cs_diag *diag)
{
    for (; hearings != NULL && hearings->kind != NULL; hearings++) {
        listener *listeners =
            cs_room(stream->listeners, &stream->room, stream->count, sizeof *listeners);

        if (listeners == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a listener");
        stream->listeners = listeners;
        stream->listeners[stream->count++] = (listener){*hearings, ctx};
    }
    return CS_OK;
}

static void record(void *ctx, const cs_soft_record *r)
{
    const cs_soft_stream *stream = ctx;
    const listener *const end = stream->listeners + stream->count;

    for (const listener *l = stream->listeners; l != end; l++)
        if (l->hearing.kind == r->kind)
            l->hearing.hear(l->ctx, r);
}

cs_soft_sink cs_soft_stream_sink(cs_soft_stream *stream)
{
    return (cs_soft_sink){record, stream};
}
