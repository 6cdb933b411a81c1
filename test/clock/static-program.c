// Starts a program that does not use the C library, such as a server in Go, with a moved wall clock: static-program PROGRAM ARGS...
//
// Such a program asks the vDSO for the time: a small library that the kernel puts into the memory of each process. A helper
// stops the program before its first instruction, replaces `clock_gettime` in that library by the code below, and is gone.
// The program keeps the process that started here, so signals and the process ID are as without it.
// run-at compiles this with the number of seconds: gcc -DOFFSET_SECONDS=86400 static-program.c -o static-program
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/** int clock_gettime(int clock, struct timespec *at), by a system call. At the marked place are the seconds to add. */
static unsigned char replacement[] = {
    0xb8, 0xe4, 0, 0, 0,            //       mov  $228, %eax     the number of clock_gettime
    0x0f, 0x05,                     //       syscall
    0x85, 0xc0,                     //       test %eax, %eax     failed?
    0x75, 0x16,                     //       jne  end
    0x85, 0xff,                     //       test %edi, %edi     CLOCK_REALTIME?
    0x74, 0x05,                     //       je   move
    0x83, 0xff, 0x05,               //       cmp  $5, %edi       CLOCK_REALTIME_COARSE?
    0x75, 0x0d,                     //       jne  end
    0x48, 0xb9,                     // move: mov  $seconds, %rcx
    0, 0, 0, 0, 0, 0, 0, 0,         //       (the seconds)
    0x48, 0x01, 0x0e,               //       add  %rcx, (%rsi)
    0xc3,                           // end:  ret
};
enum { secondsAt = 22 };

static void fail(const char *what) {
  perror(what);
  _exit(1);
}

/** How far into the vDSO its `clock_gettime` begins: it is the same library in each process of a machine. */
static uint64_t placeOfFunction(void) {
  const char *start = (const char *)getauxval(AT_SYSINFO_EHDR);
  if (!start) fail("no vDSO");
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)start;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(start + header->e_shoff);
  for (int s = 0; s < header->e_shnum; s += 1) {
    if (sections[s].sh_type != SHT_DYNSYM) continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(start + sections[s].sh_offset);
    const char *names = start + sections[sections[s].sh_link].sh_offset;
    for (uint64_t i = 0; i < sections[s].sh_size / sizeof *symbols; i += 1) {
      if (strcmp(names + symbols[i].st_name, "__vdso_clock_gettime") != 0) continue;
      if (symbols[i].st_size >= sizeof replacement) return symbols[i].st_value;
    }
  }
  fprintf(stderr, "static-program: this kernel's vDSO has no clock_gettime that can be replaced\n");
  _exit(1);
}

/** Where that library begins in a process. */
static uint64_t vdsoOf(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/auxv", process);
  FILE *values = fopen(path, "r");
  Elf64_auxv_t value;
  while (values && fread(&value, sizeof value, 1, values) == 1)
    if (value.a_type == AT_SYSINFO_EHDR) return value.a_un.a_val;
  fail(path);
  return 0;
}

/** The helper: waits until the process has become the program, and changes its library. */
static void help(pid_t process, int ready) {
  uint64_t place = placeOfFunction();
  if (ptrace(PTRACE_SEIZE, process, 0, PTRACE_O_TRACEEXEC)) fail("ptrace");
  if (write(ready, "", 1) != 1) fail("write");
  int status;
  do {
    if (waitpid(process, &status, __WALL) < 0 || WIFEXITED(status) || WIFSIGNALED(status)) _exit(1);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) break;
    ptrace(PTRACE_CONT, process, 0, WSTOPSIG(status)); // a signal that came meanwhile
  } while (1);
  int64_t seconds = OFFSET_SECONDS;
  memcpy(replacement + secondsAt, &seconds, sizeof seconds);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  int memory = open(path, O_RDWR);
  ssize_t written = pwrite(memory, replacement, sizeof replacement, (off_t)(vdsoOf(process) + place));
  if (written != sizeof replacement) {
    perror(path);
    kill(process, SIGKILL);
  }
  ptrace(PTRACE_DETACH, process, 0, 0);
  _exit(0);
}

int main(int count, char **words) {
  if (count < 2) return fprintf(stderr, "usage: static-program PROGRAM ARGS...\n"), 2;
  pid_t process = getpid();
  int ready[2];
  if (pipe2(ready, O_CLOEXEC)) fail("pipe");
  pid_t between = fork();
  if (between == 0) {
    // The program must not be left with a child that it does not know.
    if (fork() == 0) help(process, ready[1]);
    _exit(0);
  }
  close(ready[1]);
  waitpid(between, NULL, 0);
  char byte;
  if (read(ready[0], &byte, 1) != 1) return fprintf(stderr, "static-program: no helper\n"), 1;
  execv(words[1], words + 1);
  fail(words[1]);
}
