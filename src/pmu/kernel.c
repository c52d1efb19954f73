// SPDX-License-Identifier: Apache-2.0
/* Events that only the kernel can count or sample. Most are the program's own affair: its call goes on to the kernel.
 * One that samples may have to share a ring with events of ours. It is opened here, and what the program has is an
 * event of ours whose ring gets the kernel's records: of a tracepoint one that counts nothing; of page faults one that
 * counts them, and can be in groups of ours, and the kernel's follows it on and off. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmu/door.h"
#include "software/perf/abi.h"

#define FLAG_NO_GROUP 1u
#define FLAG_OUTPUT 2u
#define FLAG_PID_CGROUP 4u
#define RECORD_MOST_BYTES 65536u
#define FILTER_MOST_BYTES 4096u

/* ---- which ---- */

static bool is_of_faults(const cs_perf_attr *attr)
{
    return attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
           attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
           attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
}

bool cs_kernel_counts(const cs_door *door, const cs_perf_attr *attr, const cs_handle *group)
{
    if (attr->type != CS_PERF_TYPE_SOFTWARE)
        return !cs_pmu_machine_has(door->machine, attr->type);
    if (group != NULL && group->stand_in)
        return true;
    /* The kernel counts them better; but what is read as a group may be joined by events of ours. */
    return is_of_faults(attr) && (attr->sample_period != 0 ||
                                  (group == NULL && (attr->read_format & PERF_FORMAT_GROUP) == 0));
}

/* We must not do what the program itself may not. */
static bool may_open(const cs_notice *notice)
{
    return geteuid() != 0 || cs_door_privileged(notice);
}

/* Page faults are few. Tracepoints may be so many that the kernel's ring is better for them, as long as nothing
 * of ours could want it. */
static bool may_share(const cs_door *door, const cs_perf_attr *attr)
{
    return attr->sample_period != 0 &&
           (attr->type == CS_PERF_TYPE_SOFTWARE ||
            (attr->type == PERF_TYPE_TRACEPOINT && cs_perf_nr_events(door->perf) != 0));
}

bool cs_kernel_is_relayed(const cs_door *door, const cs_notice *notice, const cs_perf_attr *attr,
                          const cs_handle *group)
{
    if (group != NULL && group->stand_in)
        return true;
    return may_share(door, attr) && door->options->step_ns == 0 &&
           (notice->args[4] & FLAG_PID_CGROUP) == 0 && may_open(notice);
}

/* ---- opening ---- */

static bool has_values(const cs_perf_attr *attr)
{
    return (attr->sample_type & PERF_SAMPLE_READ) != 0 &&
           (attr->read_format & PERF_FORMAT_GROUP) != 0;
}

bool cs_kernel_has_groups_values(const cs_handle *handle)
{
    return handle->relay.fd >= 0 && has_values(cs_perf_attr_of(handle->event));
}

/* What only makes records is the kernel's. */
static cs_perf_attr ring_of(const cs_perf_attr *attr, bool stand_in)
{
    cs_perf_attr ring = *attr;

    ring.sample_period = 0;
    ring.flags &= CS_PERF_ATTR_DISABLED | CS_PERF_ATTR_INHERIT | CS_PERF_ATTR_EXCLUDES |
                  CS_PERF_ATTR_ENABLE_ON_EXEC | CS_PERF_ATTR_PINNED | CS_PERF_ATTR_SAMPLE_ID_ALL |
                  CS_PERF_ATTR_WATERMARK | CS_PERF_ATTR_USE_CLOCKID | CS_PERF_ATTR_WRITE_BACKWARD;
    if (stand_in) {
        ring.type = CS_PERF_TYPE_SOFTWARE;
        ring.config = PERF_COUNT_SW_DUMMY;
        ring.config1 = ring.config2 = 0;
    }
    return ring;
}

static int fetch_attr(const cs_notice *notice, uint32_t size, struct perf_event_attr *out)
{
    const size_t bytes = (size_t)cs_perf_attr_bytes(size);

    memset(out, 0, sizeof *out);
    return cs_notice_fetch(notice, notice->args[0], out, bytes < sizeof *out ? bytes : sizeof *out)
               ? 0
               : -EFAULT;
}

/* `leader`: NULL, or one of ours, before whom it does not count. */
static void wait_for_leader(struct perf_event_attr *attr, const cs_handle *leader)
{
    if (leader == NULL || leader->stand_in || cs_perf_is_on(leader->event))
        return;
    attr->enable_on_exec = !attr->disabled && (cs_perf_attr_of(leader->event)->flags &
                                               CS_PERF_ATTR_ENABLE_ON_EXEC) != 0;
    attr->disabled = 1;
}

static int open_relay(const cs_notice *notice, const cs_perf_attr *attr, const cs_handle *leader,
                      cs_relay *out)
{
    const pid_t pid = (pid_t)notice->args[1];
    struct perf_event_attr own;

    if (fetch_attr(notice, attr->size, &own) != 0)
        return -EFAULT;
    wait_for_leader(&own, leader);
    return cs_relay_open(&own, pid == 0 ? notice->tid : pid, (int)notice->args[2],
                         leader != NULL && leader->stand_in ? leader->relay.fd : -1, out);
}

/* FD_OUTPUT: its records have a ring at once. */
static int map_at_once(const cs_notice *notice, const cs_handle *group, cs_relay *relay)
{
    size_t bytes;

    return (notice->args[4] & FLAG_OUTPUT) != 0 && group != NULL &&
                   cs_perf_memory(group->event, &bytes) != NULL
               ? cs_relay_map(relay)
               : 0;
}

long cs_kernel_open(cs_door *door, const cs_notice *notice, const cs_perf_attr *attr,
                    cs_handle *group)
{
    cs_handle *const leader = (notice->args[4] & FLAG_NO_GROUP) == 0 ? group : NULL, *handle;
    const bool stand_in = !is_of_faults(attr) || (leader != NULL && leader->stand_in);
    const cs_perf_attr ring = ring_of(attr, stand_in);
    cs_perf_asked asked = {.attr = &ring, .group = group != NULL ? group->event : NULL};
    cs_relay relay;
    long result;

    if (leader != NULL && (leader->stand_in != stand_in || (!stand_in && has_values(attr))))
        return -EINVAL;
    result = open_relay(notice, attr, leader, &relay);
    if (result < 0)
        return result;
    ioctl(relay.fd, PERF_EVENT_IOC_ID, &asked.id);
    result = map_at_once(notice, group, &relay);
    if (result == 0)
        result = cs_door_open(door, notice, &asked);
    if (result < 0) {
        cs_relay_end(&relay);
        return result;
    }
    handle = cs_door_handle(door, notice, (uint64_t)result);
    handle->relay = relay;
    handle->stand_in = stand_in;
    handle->relay_on = cs_perf_is_on(handle->event);
    door->nr_relays++;
    return result;
}

void cs_kernel_follow(cs_door *door)
{
    if (door->nr_relays == 0)
        return;
    for (cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next) {
        const bool on = h->relay.fd >= 0 && !h->stand_in && cs_perf_is_on(h->event);

        if (on != h->relay_on && h->relay.fd >= 0 && !h->stand_in)
            ioctl(h->relay.fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
        h->relay_on = on;
    }
}

/* ---- records ---- */

int cs_kernel_map(cs_handle *handle)
{
    size_t bytes;

    return handle->relay.fd >= 0 && cs_perf_memory(handle->event, &bytes) != NULL
               ? cs_relay_map(&handle->relay)
               : 0;
}

void cs_kernel_pass_records(cs_door *door)
{
    static unsigned char record[RECORD_MOST_BYTES];
    size_t bytes;

    if (door->nr_relays == 0)
        return;
    for (cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next)
        while ((bytes = cs_ring_take(h->relay.ring, record, sizeof record)) != 0)
            cs_perf_write(h->event, record, bytes);
}

/* ---- calls ---- */

bool cs_kernel_has_counts(const cs_handle *handle)
{
    return handle->relay.fd >= 0 &&
           (handle->stand_in ||
            (cs_perf_attr_of(handle->event)->read_format & PERF_FORMAT_GROUP) == 0);
}

long cs_kernel_read(const cs_handle *handle, void *bytes, size_t size)
{
    const ssize_t got = read(handle->relay.fd, bytes, size);

    return got < 0 ? -errno : got;
}

/* A string of the program's, of whatever length: not further than the page in which it ends. */
static int fetch_filter(const cs_notice *notice, uint64_t at, char text[FILTER_MOST_BYTES])
{
    size_t n = 0;

    while (n < FILTER_MOST_BYTES) {
        const size_t page = CS_PERF_PAGE_BYTES - (at + n) % CS_PERF_PAGE_BYTES;
        const size_t part = page < FILTER_MOST_BYTES - n ? page : FILTER_MOST_BYTES - n;

        if (!cs_notice_fetch(notice, at + n, text + n, part))
            return -EFAULT;
        if (memchr(text + n, '\0', part) != NULL)
            return 0;
        n += part;
    }
    return -EINVAL;
}

static int ask(int fd, unsigned long request, void *arg)
{
    return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

static int set_bpf(const cs_notice *notice, int fd, uint64_t number)
{
    const int program = cs_proc_borrow(notice->tid, (unsigned)number);
    int result = program;

    if (program >= 0) {
        result = ask(fd, PERF_EVENT_IOC_SET_BPF, (void *)(uintptr_t)(unsigned)program);
        close(program);
    }
    return result;
}

int cs_kernel_ioctl(const cs_notice *notice, const cs_handle *handle, cs_perf_ioctl *call)
{
    const int fd = handle->relay.fd;
    char filter[FILTER_MOST_BYTES];
    int result;

    switch (call->request) {
    case PERF_EVENT_IOC_RESET:
        if (!handle->stand_in)
            cs_perf_do_ioctl(handle->event, call);
        return ask(fd, call->request, (void *)(uintptr_t)call->arg);
    case PERF_EVENT_IOC_ENABLE:
    case PERF_EVENT_IOC_DISABLE:
        if (!handle->stand_in)
            return cs_perf_do_ioctl(handle->event, call);
        return ask(fd, call->request, (void *)(uintptr_t)call->arg);
    case PERF_EVENT_IOC_REFRESH:
        return ask(fd, call->request, (void *)(uintptr_t)call->arg);
    case PERF_EVENT_IOC_PERIOD:
        return ask(fd, call->request, &call->period);
    case PERF_EVENT_IOC_SET_FILTER:
        result = fetch_filter(notice, call->arg, filter);
        return result == 0 ? ask(fd, call->request, filter) : result;
    case PERF_EVENT_IOC_SET_BPF:
        return set_bpf(notice, fd, call->arg);
    case PERF_EVENT_IOC_ID:
    case PERF_EVENT_IOC_SET_OUTPUT:
    case PERF_EVENT_IOC_PAUSE_OUTPUT:
        return cs_perf_do_ioctl(handle->event, call);
    default:
        return -ENOTTY;
    }
}
