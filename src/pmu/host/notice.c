// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/notice.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, uint64_t)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

void cs_notice_hurry(int listener)
{
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
}

int cs_notice_receive(int listener, bool steady, cs_notice *out)
{
    struct seccomp_notif got;

    memset(&got, 0, sizeof got);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &got) != 0)
        /* ENOENT: the caller was killed while we asked. */
        return errno == EINTR || errno == ENOENT ? -EAGAIN : -errno;
    *out = (cs_notice){.listener = listener,
                       .steady = steady,
                       .id = got.id,
                       .tid = (pid_t)got.pid,
                       .nr = got.data.nr};
    for (unsigned i = 0; i < 6; i++)
        out->args[i] = got.data.args[i];
    return 0;
}

bool cs_notice_waits(const cs_notice *notice)
{
    uint64_t id = notice->id;

    return ioctl(notice->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void cs_notice_answer(cs_notice *notice, long result)
{
    if (notice->answered)
        return;
    notice->answered = true;
    notice->result = result;
}

void cs_notice_pass(cs_notice *notice)
{
    if (notice->answered)
        return;
    notice->answered = true;
    notice->passed = true;
}

void cs_notice_send(cs_notice *notice)
{
    struct seccomp_notif_resp response = {.id = notice->id};

    notice->sent = true;
    if (notice->passed)
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else if (notice->result < 0)
        response.error = (int32_t)notice->result;
    else
        response.val = notice->result;
    ioctl(notice->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int cs_notice_place(const cs_notice *notice, int fd, unsigned number, unsigned flags)
{
    struct seccomp_notif_addfd add = {.id = notice->id,
                                      .flags = SECCOMP_ADDFD_FLAG_SETFD,
                                      .srcfd = (uint32_t)fd,
                                      .newfd = number,
                                      .newfd_flags = flags};

    return ioctl(notice->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0 ? -errno : 0;
}

bool cs_notice_fetch(const cs_notice *notice, uint64_t address, void *bytes, size_t size)
{
    const struct iovec here = {bytes, size}, there = {(void *)(uintptr_t)address, size};

    return process_vm_readv(notice->tid, &here, 1, &there, 1, 0) == (ssize_t)size &&
           cs_notice_waits(notice);
}

bool cs_notice_store(const cs_notice *notice, uint64_t address, const void *bytes, size_t size)
{
    const struct iovec here = {(void *)bytes, size}, there = {(void *)(uintptr_t)address, size};

    return (notice->steady || cs_notice_waits(notice)) &&
           process_vm_writev(notice->tid, &here, 1, &there, 1, 0) == (ssize_t)size;
}
