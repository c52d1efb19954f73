// SPDX-License-Identifier: Apache-2.0
/* What the plugin tells of a guest: lines of a text file, each a letter and numbers in hexadecimal.
 *
 * An event is perf's, by its id; 0: of none, or not known.
 *
 *   S session cycle address cpu event   LDBAR was written with TRACE: a session begins
 *   R number session cycle tb ip pid mode address cpu image event    the engine has written a record
 *   D number process event              the driver has read it, and taken it, in that process
 *   A number cycle address value..      an engine has posted: added those values to memory from there
 *   B domain address number             a table of counters is there (cs_imc_domain), of that core, or
 *                                       of that CPU
 *   W address bytes word                it has written there: that word, and zeros behind it
 *   M role cycle address count event    the driver has read (bridge_role); count: what a counter
 *                                       would have said there that had always counted
 *   N name                              what the guest puts out begins
 *   I image process cycle from name     an image begins, by a fork from another, or an exec (from 0)
 *   F image address bytes page file     it maps a file's pages from that one on, to be executed
 *   C image pc count mode cpu kind by event    so often was this instruction executed; its kind
 *                                       (kinds.h), and what counted then (bridge_counting); of RISC-V
 *                                       kinds after those are misses (caches.h)
 *   O number cycle ip mode cpu image counter excess event takes    a RISC-V counter has overflowed; what
 *                                       it has counted since; the hart takes an interrupt there at once
 *   T number skid cause                 the kernel has taken a trap after that overflow, whose mode had
 *                                       executed so many instructions; the cause register
 *   L number                            its counter was stopped before it was handed to perf
 *   K number                            that record is of no overflow: its counter had begun with OF set
 *   P event cpu count                   a RISC-V counter of perf's event has counted that, and ended
 *   Q event cpu count                   the driver has read it, before its end
 *   V event process type config period flags    perf has opened it, there (perf_event_attr)
 *   G event process harts               perf reads it, there; those where its counter counts
 *   U                                   the guest has put some of what it puts out
 *   H cpu pc mode                       where the CPU was at the end, a block of code
 *   X text                              something went wrong
 *   E instructions cycles idle          the end
 *
 * What the guest puts out is in files beside it, "out-NAME". */
#ifndef CS_GUEST_LOG_H
#define CS_GUEST_LOG_H

#include "scenario/guest/guest_spec.h"

/* Who counts a RISC-V hart, beside bridge_counting: perf's events. */
#define CS_GUEST_BY_EVENT 6u

#define CS_GUEST_LOG "log"
#define CS_GUEST_SETTINGS "settings"
#define CS_GUEST_OUT "out-"

/* `ori 0,0,..`: a program of ours asks for something, r3 says for what. */
#define CS_GUEST_CALL 0x60005ca1u
#define CS_GUEST_CALL_PUT 1u  /* r4: bytes, r5: how many */
#define CS_GUEST_CALL_NAME 2u /* r4: name of what is put from here on */

/* Of HOMER (guest_spec.h); and a word in it by which it is known, with its complement behind it. */
#define CS_GUEST_HOMER_BYTES UINT64_C(0x400000)
#define CS_GUEST_HOMER_MARK_AT 0x1bff00u
#define CS_GUEST_HOMER_MARK UINT64_C(0x6b6e697372656b63)

/* The nest's window in it. */
#define CS_GUEST_NEST (CS_GUEST_HOMER + 0x180000)

#endif
