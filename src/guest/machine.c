// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/files/child.h"
#include "base/wall.h"
#include "guest/imc/kinds.h"
#include "guest/imc/parts.h"
#include "guest/log.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"

#define MOST_WORDS 64
#define WORD_BYTES (CS_GUEST_PATH + 128)
#define SECOND_NS UINT64_C(1000000000)
#define LOOK_NS 100000000
#define GRACE_S 20u /* for a QEMU that is told to end: its plugin writes what it knows */
#define TAIL_BYTES 800
#define HELP_BYTES (256u << 10)
#define TAIL_LINES 6
#define LEAST_ROOM 65536u /* bytes: less is none */

typedef struct words {
    char *at[MOST_WORDS + 1];
    size_t nr;
    bool failed;
} words;

__attribute__((format(printf, 2, 3))) static void add(words *w, const char *format, ...)
{
    char word[WORD_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(word, sizeof word, format, args);
    va_end(args);
    w->at[w->nr] = w->nr < MOST_WORDS ? strdup(word) : NULL;
    w->failed |= w->at[w->nr] == NULL;
    w->nr += w->at[w->nr] != NULL;
}

static void drop(words *w)
{
    for (size_t i = 0; i < w->nr; i++)
        free(w->at[i]);
}

/* QEMU is of another release of Debian than the machine's: it runs by a loader of its own. */
static void add_qemu(words *w, const cs_guest_place *place)
{
    add(w, "%s/usr/lib64/ld-linux-x86-64.so.2", place->qemu);
    add(w, "--preload");
    add(w, "%s", place->plugin);
    add(w, "--library-path");
    add(w, "%s/usr/lib/x86_64-linux-gnu", place->qemu);
    add(w, "%s/usr/bin/%s", place->qemu, place->machine->qemu);
    add(w, "-L");
    add(w, "%s/usr/share/qemu", place->qemu);
}

/* As long as the longest instruction: QEMU's own timers come in time (plugin/clock.h). */
static unsigned shift(const cs_scenario *s)
{
    unsigned log2 = 0;

    for (unsigned kind = 0; kind < CS_POWER_KINDS; kind++)
        while (1u << log2 < cs_power_cycles(s, kind))
            log2++;
    return log2;
}

static void add_machine(words *w, const cs_scenario *s, const cs_guest_place *place,
                        const cs_guest_files *files, bool shell)
{
    static const char *const plain[] = {"-display", "none", "-monitor",  "none",
                                        "-seed",    "1",    "-no-reboot"};

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        add(w, "%s", plain[i]);
    add(w, "-m");
    add(w, "%uM", s->guest->memory_mib);
    /* Who types lives in another time: the guest waits for them. */
    add(w, "-icount");
    add(w, "shift=%u,sleep=%s", shift(s), shell ? "on" : "off");
    if (shell) {
        add(w, "-chardev");
        add(w, "stdio,id=console,signal=off,logfile=%s", files->console);
    }
    add(w, "-serial");
    add(w, shell ? "chardev:console" : "file:%s", files->console);
    if (!cs_guest_has_firmware(s))
        return;
    add(w, "-kernel");
    add(w, "%s", place->kernel);
    if (s->guest->elf[0] != '\0')
        return;
    add(w, "-initrd");
    add(w, "%s", files->initrd);
}

static void add_power(words *w, const cs_scenario *s, const cs_guest_files *files)
{
    add(w, "-smp");
    add(w, "%u,sockets=1,cores=%u,threads=%u", s->imc->cores * s->guest->threads, s->imc->cores,
        s->guest->threads);
    add(w, "-drive");
    add(w, "file=%s,format=raw,if=mtd", files->flash);
}

static void become(const words *w, const cs_guest_files *files, bool shell)
{
    const int nothing = open("/dev/null", O_RDONLY);
    const int said = open(files->qemu_said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    /* Whoever kills us means the guest, too. */
    const bool ends = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    const bool own = shell || (dup2(nothing, 0) >= 0 && dup2(said, 1) >= 0);

    if (ends && nothing >= 0 && said >= 0 && own && dup2(said, 2) >= 0)
        execv(w->at[0], w->at);
    _exit(127);
}

/* ---- what it says ---- */

/* The file's last bytes, a string; its lines that are not empty from some place on. */
static const char *tail_of(const char *path, char tail[TAIL_BYTES], unsigned lines)
{
    FILE *file = fopen(path, "rb");
    size_t bytes = 0;
    char *from;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);

        if (fseek(file, size > TAIL_BYTES - 1 ? size - (TAIL_BYTES - 1) : 0, SEEK_SET) == 0)
            bytes = fread(tail, 1, TAIL_BYTES - 1, file);
    }
    if (file != NULL)
        fclose(file);
    while (bytes > 0 && (tail[bytes - 1] == '\n' || tail[bytes - 1] == '\r'))
        bytes--;
    tail[bytes] = '\0';
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)tail[i] < ' ' && tail[i] != '\n')
            tail[i] = ' ';
    for (from = tail + bytes; from > tail; from--)
        if (from[-1] == '\n' && lines-- <= 1)
            break;
    return from;
}

/* What a kernel, or the firmware, says when it gives up, ": Kernel panic - .."; "": it has not. */
static void find_panic(const char *path, char panic[], size_t bytes)
{
    static const char *const words[] = {"Kernel panic", "Fatal TRAP", "Fatal MCE",
                                        "Fatal Exception"};
    FILE *file = fopen(path, "rb");
    char line[512];

    panic[0] = '\0';
    while (file != NULL && panic[0] == '\0' && fgets(line, sizeof line, file) != NULL)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            const char *at = strstr(line, words[i]);

            if (at != NULL)
                snprintf(panic, bytes, ": %.*s", (int)strcspn(at, "\r\n"), at);
        }
    if (file != NULL)
        fclose(file);
}

/* Then neither QEMU nor the plugin can say what is wrong. */
static bool is_full(const char *folder)
{
    struct statvfs room;

    return statvfs(folder, &room) == 0 && room.f_bavail * room.f_frsize < LEAST_ROOM;
}

cs_status cs_guest_fail(const cs_guest_files *files, const char *text, cs_diag *diag)
{
    char console[TAIL_BYTES], said[TAIL_BYTES], panic[160];

    if (is_full(files->folder))
        return cs_diag_set(diag, CS_ERR_IO, files->folder,
                           "no space is left on its disk; the guest %s", text);

    const char *last = tail_of(files->console, console, TAIL_LINES);
    const char *qemu = tail_of(files->qemu_said, said, 2);

    if (last[0] == '\0')
        return cs_diag_set(diag, CS_ERR_IO, "the guest", "%s; its console is empty. QEMU said:\n%s",
                           text, qemu);
    find_panic(files->console, panic, sizeof panic);
    return cs_diag_set(diag, CS_ERR_IO, "the guest", "%s%s. The last lines of its console:\n%s",
                       text, panic, last);
}

/* ---- running ---- */

static bool has_ended(pid_t child)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static void look_later(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
}

/* Asks it to, first. */
static void end(pid_t child)
{
    const uint64_t begun = cs_wall_ns();

    kill(child, SIGTERM);
    while (!has_ended(child) && cs_wall_ns() - begun < GRACE_S * SECOND_NS)
        look_later();
    kill(child, SIGKILL);
}

/* Until it has ended; false: the time was over, and it was ended. */
static bool wait_for(pid_t child, unsigned limit_s, const cs_guest_files *files,
                     const cs_guest_options *options, int *status)
{
    const uint64_t begun = cs_wall_ns();
    bool in_time = true;

    while (!has_ended(child)) {
        const unsigned seconds = (unsigned)((cs_wall_ns() - begun) / SECOND_NS);

        if (seconds >= limit_s) {
            in_time = false;
            end(child);
            break;
        }
        if (options != NULL && options->progress != NULL) {
            char tail[TAIL_BYTES];

            options->progress(options->ctx, tail_of(files->console, tail, 1), seconds);
        }
        look_later();
    }
    *status = cs_child_wait(child);
    return in_time;
}

static cs_status run(words *w, const cs_guest_files *files, unsigned limit_s,
                     const cs_guest_options *options, cs_diag *diag)
{
    const bool shell = options != NULL && options->shell;
    struct termios terminal;
    const bool is_terminal = shell && tcgetattr(0, &terminal) == 0;
    char text[96];
    bool in_time;
    int status = 0;
    pid_t child = -1;

    if (w->failed)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for QEMU's output");
    child = cs_child_start(false);
    if (child == 0)
        become(w, files, shell);
    if (child < 0)
        return cs_diag_set(diag, CS_ERR_IO, w->at[0], "cannot start: %s", strerror(errno));
    in_time = wait_for(child, shell ? UINT_MAX : limit_s, files, options, &status);
    if (is_terminal) /* QEMU may have had no time to give it back */
        tcsetattr(0, TCSANOW, &terminal);
    if (!in_time) {
        snprintf(text, sizeof text, "has not ended within %u s (guest.limit_s)", limit_s);
        return cs_guest_fail(files, text, diag);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        snprintf(text, sizeof text, "QEMU ended with %s %d",
                 WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        return cs_guest_fail(files, text, diag);
    }
    return CS_OK;
}

/* ---- which QEMU ---- */

/* The memory of HOMER, the device tree, and what a plugin may ask for are those of this one. */
#define QEMU_MAJOR 10u
#define QEMU_MINOR 0u

static cs_status look_at_help(const char *help, const cs_guest_place *place, cs_diag *diag)
{
    const char *at = strstr(help, " version ");
    unsigned major, minor;

    if (at == NULL || sscanf(at, " version %u.%u", &major, &minor) != 2)
        return cs_diag_set(diag, CS_ERR_IO, place->qemu,
                           "QEMU does not print its version: \"%.60s\"", help);
    at += strlen(" version ");
    if (major != QEMU_MAJOR || minor != QEMU_MINOR)
        return cs_diag_set(diag, CS_ERR_IO, place->qemu,
                           "is QEMU %.*s; guests need %u.%u, which `tools/setup.sh %s` fetches",
                           (int)strspn(at, "0123456789."), at, QEMU_MAJOR, QEMU_MINOR,
                           place->machine->set);
    if (strstr(help, "\n-plugin ") == NULL)
        return cs_diag_set(diag, CS_ERR_IO, place->qemu,
                           "is a QEMU without plugins (--help has no -plugin); `tools/setup.sh "
                           "%s` fetches one that has them",
                           place->machine->set);
    return CS_OK;
}

cs_status cs_guest_look_at_qemu(const cs_scenario *scenario, const cs_guest_place *place,
                                const cs_guest_files *files, cs_diag *diag)
{
    words w = {.nr = 0};
    char *help = calloc(1, HELP_BYTES);
    cs_status status = CS_OK;

    add_qemu(&w, place);
    add(&w, "--help");
    if (help == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "what QEMU says");
    if (status == CS_OK)
        status = run(&w, files, scenario->guest->limit_s, NULL, diag);
    drop(&w);
    if (status == CS_OK) {
        FILE *said = fopen(files->qemu_said, "r");

        if (said != NULL) {
            help[fread(help, 1, HELP_BYTES - 1, said)] = '\0';
            fclose(said);
        }
        status = look_at_help(help, place, diag);
    }
    free(help);
    return status;
}

/* Words in HOMER: one by which it is known, and its complement; and the nest's control block. */
static void add_homer(words *w, const cs_nest_spec *nest)
{
    cs_nest_word block[CS_NEST_WORDS];

    cs_nest_block(nest, block);
    for (unsigned i = 0; i < CS_NEST_WORDS; i++) {
        if (block[i].value == 0)
            continue;
        add(w, "-device");
        add(w, "loader,addr=0x%llx,data=0x%llx,data-len=8,data-be=on",
            (unsigned long long)(CS_GUEST_NEST + block[i].offset),
            (unsigned long long)block[i].value);
    }
    for (unsigned i = 0; i < 2; i++) {
        add(w, "-device");
        add(w, "loader,addr=0x%llx,data=0x%llx,data-len=8",
            (unsigned long long)(CS_GUEST_HOMER + CS_GUEST_HOMER_MARK_AT + 8 * i),
            (unsigned long long)(i == 0 ? CS_GUEST_HOMER_MARK : ~CS_GUEST_HOMER_MARK));
    }
}

static void add_riscv(words *w, const cs_scenario *s, const cs_guest_place *place)
{
    char firmware[CS_GUEST_PATH];

    add(w, "-smp");
    add(w, "%u", s->harts->count);
    add(w, "-cpu");
    add(w, "rv64,sscofpmf=true,h=%s", cs_guest_has_hypervisor(s) ? "true" : "false");
    add(w, "-bios");
    if (!cs_guest_has_firmware(s)) {
        add(w, "%s", place->kernel);
    } else if (s->guest->firmware[0] != '\0') {
        cs_guest_beside(s, s->guest->firmware, firmware, sizeof firmware);
        add(w, "%s", firmware);
    } else {
        add(w, "%s/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin", place->qemu);
    }
    if (s->guest->elf[0] == '\0') {
        add(w, "-append");
        add(w, "%s", place->machine->boot_words);
    }
    add(w, "-rtc"); /* not the day's clock */
    add(w, "base=2026-01-01T00:00:00,clock=vm");
}

cs_status cs_guest_dump_tree(const cs_scenario *scenario, const cs_guest_place *place,
                             const cs_guest_files *files, cs_diag *diag)
{
    const bool power = scenario->guest->kind == CS_GUEST_POWER9;
    words w = {.nr = 0};

    add_qemu(&w, place);
    add(&w, "-M");
    add(&w, "%s,dumpdtb=%s", power ? "powernv9" : "virt", files->tree);
    if (power) {
        add(&w, "-append");
        add(&w, "%s", place->machine->boot_words);
        add_power(&w, scenario, files);
    } else {
        add_riscv(&w, scenario, place);
    }
    add_machine(&w, scenario, place, files, false);

    const cs_status status = run(&w, files, scenario->guest->limit_s, NULL, diag);

    drop(&w);
    return status;
}

static void add_power_machine(words *w, const cs_scenario *scenario, const cs_guest_files *files)
{
    add(w, "-M");
    add(w, "powernv9,memory-backend=ram");
    add_homer(w, scenario->nest);
    add_power(w, scenario, files);
}

cs_status cs_guest_run_qemu(const cs_scenario *scenario, const cs_guest_place *place,
                            const cs_guest_files *files, const cs_guest_options *options,
                            cs_diag *diag)
{
    words w = {.nr = 0};

    add_qemu(&w, place);
    add(&w, "-object");
    add(&w, "memory-backend-memfd,id=ram,size=%uM,share=on", scenario->guest->memory_mib);
    if (scenario->guest->kind == CS_GUEST_POWER9) {
        add_power_machine(&w, scenario, files);
    } else {
        add(&w, "-M");
        add(&w, "virt,memory-backend=ram");
        add_riscv(&w, scenario, place);
    }
    if (cs_guest_has_firmware(scenario)) {
        add(&w, "-dtb");
        add(&w, "%s", files->tree);
    }
    add(&w, "-plugin");
    add(&w, "%s,dir=%s", place->plugin, files->folder);
    add_machine(&w, scenario, place, files, options->shell);

    const cs_status status = run(&w, files, scenario->guest->limit_s, options, diag);

    drop(&w);
    return status;
}
