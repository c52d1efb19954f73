// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/filter.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/host/range.h"

/* Of this program, whose head the linker knows. */
extern const Elf64_Ehdr __ehdr_start;

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

#define MOST 200u
#define MOST_ARGS 2u
#define MOST_READ_BYTES 504u /* blocks of files have 512 */
#define PAGE_SHIFT 12u
#define PAGE_BYTES (1u << PAGE_SHIFT)

/* Calls that concern us when a descriptor of theirs is in our range, with the arguments that it may be in. */
static const struct {
    int nr;
    unsigned nr_args, args[MOST_ARGS];
} by_descriptor[] = {
    {SYS_read, 1, {0}},    {SYS_readv, 1, {0}}, {SYS_pread64, 1, {0}},
    {SYS_ioctl, 1, {0}},   {SYS_mmap, 1, {4}},  {SYS_close, 1, {0}},
    {SYS_fcntl, 1, {0}},   {SYS_dup, 1, {0}},   {SYS_dup3, 2, {0, 1}},
#ifdef SYS_dup2
    {SYS_dup2, 2, {0, 1}},
#endif
};

static const int always[] = {SYS_perf_event_open, SYS_execve, SYS_execveat, SYS_exit_group,
                             SYS_close_range};

typedef struct code {
    struct sock_filter lines[MOST];
    unsigned short nr;
} code;

static void line(code *c, uint16_t op, uint32_t k, uint8_t yes, uint8_t no)
{
    c->lines[c->nr++] = (struct sock_filter){.code = op, .jt = yes, .jf = no, .k = k};
}

static void load(code *c, size_t offset)
{
    line(c, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void load_arg(code *c, unsigned arg)
{
    size_t low = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    low += sizeof(uint32_t);
#endif
    load(c, low);
}

static void end(code *c, uint32_t action)
{
    line(c, BPF_RET | BPF_K, action, 0, 0);
}

#define JUMP(test) (BPF_JMP | (test) | BPF_K)

/* As the kernel names the architecture that this program is of. */
static uint32_t own_arch(void)
{
    uint32_t arch = __ehdr_start.e_machine | __AUDIT_ARCH_64BIT;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    arch |= __AUDIT_ARCH_LE;
#endif
    return arch;
}

/* Ends with ALLOW for calls of another architecture: their numbers mean something else. */
static void put_arch(code *c)
{
    load(c, offsetof(struct seccomp_data, arch));
    line(c, JUMP(BPF_JEQ), own_arch(), 1, 0);
    end(c, SECCOMP_RET_ALLOW);
}

/* The number of the call is loaded. */
static void put_always(code *c, int nr)
{
    line(c, JUMP(BPF_JEQ), (uint32_t)nr, 0, 1);
    end(c, SECCOMP_RET_USER_NOTIF);
}

#define RANGE_LINES 6u

/* Goes on behind these lines when the argument is not in our range. */
static void put_range(code *c, unsigned arg)
{
    load_arg(c, arg);
    line(c, JUMP(BPF_JGE), CS_RANGE_FIRST, 0, 4);
    line(c, JUMP(BPF_JGE), CS_RANGE_FIRST_END, 0, 2);
    line(c, JUMP(BPF_JGE), CS_RANGE_SECOND, 0, 2);
    line(c, JUMP(BPF_JGE), CS_RANGE_SECOND_END, 1, 0);
    end(c, SECCOMP_RET_USER_NOTIF);
}

/* The same; the descriptors decide. */
static void put_descriptor(code *c, int nr, const unsigned *args, unsigned nr_args)
{
    line(c, JUMP(BPF_JEQ), (uint32_t)nr, 0, (uint8_t)(nr_args * RANGE_LINES + 1));
    for (unsigned i = 0; i < nr_args; i++)
        put_range(c, args[i]);
    end(c, SECCOMP_RET_ALLOW);
}

#define PERF_REQUEST 0x2400u /* '$' << 8: _IOC_TYPE */

/* Whatever the descriptor: it may have come through a socket. */
static void put_ioctl(code *c)
{
    line(c, JUMP(BPF_JEQ), SYS_ioctl, 0, 6);
    load_arg(c, 1);
    line(c, JUMP(BPF_JEQ), FIOASYNC, 2, 0);
    line(c, BPF_ALU | BPF_AND | BPF_K, 0xff00, 0, 0);
    line(c, JUMP(BPF_JEQ), PERF_REQUEST, 0, 1);
    end(c, SECCOMP_RET_USER_NOTIF);
    load(c, offsetof(struct seccomp_data, nr));
}

/* The same: shared, of 1 + 2^n pages from the first on. Hardly any other file is mapped so. */
static void put_mmap(code *c)
{
    line(c, JUMP(BPF_JEQ), SYS_mmap, 0, 15);
    load_arg(c, 3);
    line(c, JUMP(BPF_JEQ), MAP_SHARED, 0, 12);
    load_arg(c, 5);
    line(c, JUMP(BPF_JEQ), 0, 0, 10);
    load_arg(c, 1);
    line(c, JUMP(BPF_JSET), PAGE_BYTES - 1, 8, 0);
    line(c, BPF_ALU | BPF_RSH | BPF_K, PAGE_SHIFT, 0, 0);
    line(c, JUMP(BPF_JGT), 1, 0, 6);
    line(c, BPF_ALU | BPF_SUB | BPF_K, 1, 0, 0);
    line(c, BPF_MISC | BPF_TAX, 0, 0, 0);
    line(c, BPF_ALU | BPF_SUB | BPF_K, 1, 0, 0);
    line(c, BPF_ALU | BPF_AND | BPF_X, 0, 0, 0);
    line(c, JUMP(BPF_JEQ), 0, 0, 1);
    end(c, SECCOMP_RET_USER_NOTIF);
    load(c, offsetof(struct seccomp_data, nr));
}

/* The same: into a few whole words, as events are read and hardly any other file. */
static void put_read(code *c)
{
    line(c, JUMP(BPF_JEQ), SYS_read, 0, 5);
    load_arg(c, 2);
    line(c, JUMP(BPF_JGT), MOST_READ_BYTES, 2, 0);
    line(c, JUMP(BPF_JSET), sizeof(uint64_t) - 1, 1, 0);
    end(c, SECCOMP_RET_USER_NOTIF);
    load(c, offsetof(struct seccomp_data, nr));
}

/* The same: SIGIO is wanted. */
static void put_fcntl(code *c)
{
    line(c, JUMP(BPF_JEQ), SYS_fcntl, 0, 6);
    load_arg(c, 1);
    line(c, JUMP(BPF_JEQ), F_SETFL, 0, 3);
    load_arg(c, 2);
    line(c, JUMP(BPF_JSET), O_ASYNC, 0, 1);
    end(c, SECCOMP_RET_USER_NOTIF);
    load(c, offsetof(struct seccomp_data, nr));
}

static void put_prctl(code *c)
{
    line(c, JUMP(BPF_JEQ), SYS_prctl, 0, 5);
    load_arg(c, 0);
    line(c, JUMP(BPF_JEQ), PR_TASK_PERF_EVENTS_DISABLE, 1, 0);
    line(c, JUMP(BPF_JEQ), PR_TASK_PERF_EVENTS_ENABLE, 0, 1);
    end(c, SECCOMP_RET_USER_NOTIF);
    end(c, SECCOMP_RET_ALLOW);
}

static void write_code(code *c)
{
    put_arch(c);
    load(c, offsetof(struct seccomp_data, nr));
    put_ioctl(c);
    put_mmap(c);
    put_read(c);
    put_fcntl(c);
    for (size_t i = 0; i < sizeof by_descriptor / sizeof by_descriptor[0]; i++)
        put_descriptor(c, by_descriptor[i].nr, by_descriptor[i].args, by_descriptor[i].nr_args);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        put_always(c, always[i]);
    put_prctl(c);
    end(c, SECCOMP_RET_ALLOW);
}

static int put(const struct sock_fprog *program, unsigned long more)
{
    const long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                            SECCOMP_FILTER_FLAG_NEW_LISTENER | more, program);

    return fd < 0 ? -errno : (int)fd;
}

/* A signal that comes while we answer would let the call begin anew, with its effects done twice; kernels
 * before 5.19 cannot wait through signals. */
static int put_waiting(const struct sock_fprog *program, bool *steady)
{
    const int fd = put(program, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);

    *steady = fd != -EINVAL;
    return *steady ? fd : put(program, 0);
}

int cs_filter_install(bool *steady)
{
    code c = {.nr = 0};
    const struct sock_fprog program = {.len = 0, .filter = c.lines};
    struct sock_fprog whole = program;
    int fd;

    write_code(&c);
    whole.len = c.nr;
    fd = put_waiting(&whole, steady);
    if (fd != -EACCES)
        return fd;
    /* Without privilege: no program that this one starts gets any by being set-user-id. */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return put_waiting(&whole, steady);
}
