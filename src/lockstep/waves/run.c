// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <unistd.h>

#include "bus/system.h"
#include "drivers/environment.h"
#include "lockstep/rtl_system.h"
#include "lockstep/waves/waves.h"

typedef struct side {
    cs_waves_view *view;
    bool rtl;
    cs_probe_sink sink;
    cs_environment *environment;
    cs_system *system;
} side;

static void record(void *ctx, const cs_probe_record *record)
{
    cs_waves_view_record(((const side *)ctx)->view, ((const side *)ctx)->rtl, record);
}

static void data(void *ctx, uint64_t hash, const uint8_t *bytes, unsigned nr)
{
    cs_waves_view_data(((const side *)ctx)->view, ((const side *)ctx)->rtl, hash, bytes, nr);
}

static cs_status create_environment(side *s, const cs_scenario *scenario, cs_diag *diag)
{
    s->sink = (cs_probe_sink){.record = record, .ctx = s, .data = data};
    return cs_environment_create(scenario, &s->sink, &s->environment, diag);
}

static void destroy(side *s)
{
    if (s->system != NULL)
        s->system->ops->destroy(s->system);
    cs_environment_destroy(s->environment);
}

static cs_status check_end(const side *s, cs_diag *diag)
{
    if (s->environment->status != CS_OK || cs_waves_view_status(s->view) != CS_OK)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "the simulation ran out of memory");
    return CS_OK;
}

/* The model first: `view` has signals for who has told something until then. */
static cs_status run_both(side *model, side *rtl, const cs_waves_request *request, cs_diag *diag)
{
    cs_cycle finished;
    cs_status status;

    model->system->ops->run(model->system, request->to);
    status = check_end(model, diag);
    if (status != CS_OK)
        return status;
    finished = rtl->system->ops->run(rtl->system, request->to);
    status = check_end(rtl, diag);
    if (status == CS_OK && finished <= request->from)
        status = cs_diag_set(diag, CS_ERR_RANGE, NULL,
                             "there are no waves from cycle %" PRIu64 " on: the run ends in cycle "
                             "%" PRIu64,
                             request->from, finished);
    if (status == CS_OK && access(request->path, F_OK) != 0)
        status = cs_diag_set(diag, CS_ERR_IO, request->path, "waves cannot be written");
    return status;
}

cs_status cs_waves_run(const cs_scenario *scenario, const cs_die_options *die,
                       const cs_waves_request *request, cs_diag *diag)
{
    cs_die_options options = *die;
    side model = {0};
    side rtl = {.rtl = true};
    cs_status status = cs_waves_view_create(request, &model.view, diag);

    rtl.view = model.view;
    options.waves = true;
    if (status == CS_OK)
        status = create_environment(&rtl, scenario, diag);
    if (status == CS_OK)
        status = cs_rtl_system_create(rtl.environment, &options, &rtl.system, diag);
    if (status == CS_OK)
        status = cs_rtl_system_set_waves(rtl.system, model.view, diag);
    if (status == CS_OK)
        status = create_environment(&model, scenario, diag);
    if (status == CS_OK)
        status = cs_model_system_create(model.environment, &model.system, diag);
    if (status == CS_OK)
        status = run_both(&model, &rtl, request, diag);
    destroy(&rtl); /* closes the file */
    destroy(&model);
    if (status == CS_OK)
        status = cs_waves_view_save(model.view, diag);
    cs_waves_view_destroy(model.view);
    return status;
}
