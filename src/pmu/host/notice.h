// SPDX-License-Identifier: Apache-2.0
/* A system call that waits for our answer, and what may be done about it. What a program's memory holds
 * counts only as long as the call waits: each fetch and store is made sure of (cs_notice_waits), but a store
 * for a steady call, which nothing but the end of its thread interrupts. */
#ifndef CS_PMU_HOST_NOTICE_H
#define CS_PMU_HOST_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct cs_notice {
    int listener;
    uint64_t id;
    pid_t tid; /* who calls */
    int nr;
    uint64_t args[6];
    bool steady;   /* cs_filter_install */
    bool answered; /* it is known with what: */
    bool passed;
    long result;
    bool sent;
} cs_notice;

/* For the listener, once: whoever answers wakes the caller on its own CPU. Older kernels do not. */
void cs_notice_hurry(int listener);
/* 0; -EAGAIN: there was none after all; -ENOENT and others: there will be none. */
int cs_notice_receive(int listener, bool steady, cs_notice *out);
/* The call is there still: its thread has neither been killed nor interrupted. */
bool cs_notice_waits(const cs_notice *notice);

/* What cs_notice_send will answer; a second one has no effect. The result as the call returns it, or -errno. */
void cs_notice_answer(cs_notice *notice, long result);
/* The kernel is to do the call itself, as it was made. */
void cs_notice_pass(cs_notice *notice);
/* The caller goes on; once. */
void cs_notice_send(cs_notice *notice);
/* Gives the program a copy of descriptor `fd`, at `number`, and there closes what it had; `flags`
 * O_CLOEXEC or 0. 0 or -errno. */
int cs_notice_place(const cs_notice *notice, int fd, unsigned number, unsigned flags);

/* From and to the memory of the program: false when it is not all there, or the call is gone. */
bool cs_notice_fetch(const cs_notice *notice, uint64_t address, void *bytes, size_t size);
bool cs_notice_store(const cs_notice *notice, uint64_t address, const void *bytes, size_t size);

#endif
