// SPDX-License-Identifier: Apache-2.0
/* Whose PMUs a driver's section has, and how it takes a command of section perf. */
#ifndef CS_SCENARIO_PERF_PERF_OWNER_H
#define CS_SCENARIO_PERF_PERF_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/fill.h"
#include "scenario/perf/asked_event.h"
#include "scenario/perf/perf_spec.h"
#include "scenario/scenario.h"

/* A key that Linux refuses for such PMUs. */
typedef struct cs_perf_refusal {
    const char *key;   /* NULL after the last */
    const char *error; /* "EOPNOTSUPP" */
    const char *why;
} cs_perf_refusal;

/* The events of a command that one PMU, or PMUs that its name fits, are asked for. */
typedef struct cs_asked_part {
    cs_fill *fill;
    const cs_scenario *scenario;
    size_t number; /* of the command: perf.<number> */
    const cs_perf_command_spec *command;
    const cs_yaml_node *from; /* the command in the document */
    const struct cs_perf_owner *owner;
    const char *section; /* the owner's name in the scenario */
    cs_asked_event *events;
    size_t nr_events;
    cs_yaml_node *to;         /* where the driver's keys go */
    const cs_yaml_node *node; /* what is at hand, for places */
    char path[64];            /* its path */
    cs_status status;
} cs_asked_part;

typedef struct cs_perf_owner {
    const char *of;   /* "an X unit" */
    const char *keys; /* of a command that it takes, beside start and stop; with blanks between */
    const char *modifiers; /* of events that it takes */
    bool core;             /* its events may name no PMU: they are of the CPUs' own */
    const cs_perf_refusal *refusals;
    /* The PMUs of the die by name; NULL after the last. The first may be what all are called. */
    const char *(*pmu)(const cs_scenario *s, size_t nr);
    /* The events of that PMU by name; NULL after the last. Valid until the next call. */
    const char *(*event)(const cs_scenario *s, size_t pmu, size_t nr);
    const char *terms; /* that an event may have beside or in place of a name, as "event=N" */
    /* Its section is one command, of which these keys are the former way to say it, with blanks
     * between; NULL: it has a list of commands, <section>.perf. */
    const char *single;
    bool ends; /* a command ends by itself, without stop */
    /* Events of two PMUs are one driver command; NULL: they are two. */
    bool (*joins)(const char *pmu, const char *other);
    void (*write)(cs_asked_part *part); /* the part as keys of the driver's section, at `to` */
} cs_perf_owner;

/* Does a PMU's name fit what an event says: the same, or with * and ?. */
bool cs_perf_pmu_fits(const char *pattern, const char *name);

/* ---- for `write`; after an error nothing more is written ---- */

/* What follows is made from this event, or from this key of the command. */
void cs_asked_at_event(cs_asked_part *part, const cs_asked_event *event);
void cs_asked_at_key(cs_asked_part *part, const char *key);

/* A child of a map by its key, or of a list without one. NULL: there was an error. */
cs_yaml_node *cs_asked_put(cs_asked_part *part, cs_yaml_node *parent, const char *key,
                           cs_yaml_kind kind);
void cs_asked_put_text(cs_asked_part *part, cs_yaml_node *parent, const char *key,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* start_us, stop_us and interval_us, of those that are given. */
void cs_asked_put_times(cs_asked_part *part);
/* A key of the command as it is written, under the driver's name for it; nothing where it is not given. */
void cs_asked_put_key(cs_asked_part *part, const char *key, const char *of_driver);
/* The PMUs that the events' one fits, as a list; nothing where it is the owner's first, which is all. */
void cs_asked_put_fitting(cs_asked_part *part, const char *key);
/* group and pinned, as the event has them. */
void cs_asked_put_group(cs_asked_part *part, cs_yaml_node *event_keys, const cs_asked_event *event);

void cs_asked_fail(cs_asked_part *part, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
