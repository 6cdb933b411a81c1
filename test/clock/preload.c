// Moves the wall clock of a program that uses the C library, such as Node: what it reads, the times that it sees on files, and
// the times that it sets on files. The age of a file stays true. Monotonic clocks, and so timers, stay as they are.
// run-at compiles this with the number of seconds: gcc -shared -fPIC -DOFFSET_SECONDS=86400 preload.c -o preload.so
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/** The function of that name which this one takes the place of. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Reading the time.

int clock_gettime(clockid_t clock, struct timespec *at) {
  static __typeof__(&clock_gettime) real;
  if (!real) real = REAL(clock_gettime);
  int result = real(clock, at);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += OFFSET_SECONDS;
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

// Reading the times of a file. The kernel writes them by the machine's clock.

static int moved(int result, struct stat *file) {
  if (result != 0) return result;
  file->st_atim.tv_sec += OFFSET_SECONDS;
  file->st_mtim.tv_sec += OFFSET_SECONDS;
  file->st_ctim.tv_sec += OFFSET_SECONDS;
  return result;
}

int stat(const char *restrict path, struct stat *restrict file) { return moved(REAL(stat)(path, file), file); }
int lstat(const char *restrict path, struct stat *restrict file) { return moved(REAL(lstat)(path, file), file); }
int fstat(int opened, struct stat *file) { return moved(REAL(fstat)(opened, file), file); }
int fstatat(int folder, const char *restrict path, struct stat *restrict file, int flags) {
  return moved(REAL(fstatat)(folder, path, file, flags), file);
}

int stat64(const char *restrict, struct stat64 *restrict) __attribute__((alias("stat")));
int lstat64(const char *restrict, struct stat64 *restrict) __attribute__((alias("lstat")));
int fstat64(int, struct stat64 *) __attribute__((alias("fstat")));
int fstatat64(int, const char *restrict, struct stat64 *restrict, int) __attribute__((alias("fstatat")));

static int movedx(int result, struct statx *file) {
  if (result != 0) return result;
  file->stx_atime.tv_sec += OFFSET_SECONDS;
  file->stx_mtime.tv_sec += OFFSET_SECONDS;
  file->stx_ctime.tv_sec += OFFSET_SECONDS;
  file->stx_btime.tv_sec += OFFSET_SECONDS;
  return result;
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict file) {
  return movedx(REAL(statx)(folder, path, flags, mask, file), file);
}

/** Node calls statx in this way, past the function above. */
long syscall(long number, ...) {
  static __typeof__(&syscall) real;
  if (!real) real = REAL(syscall);
  va_list words;
  va_start(words, number);
  long a = va_arg(words, long), b = va_arg(words, long), c = va_arg(words, long);
  long d = va_arg(words, long), e = va_arg(words, long), f = va_arg(words, long);
  va_end(words);
  long result = real(number, a, b, c, d, e, f);
  return number == SYS_statx ? movedx((int)result, (struct statx *)e) : result;
}

// Setting the times of a file: they are moved back, so that they are read as they were set.

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  if (!times) return REAL(utimensat)(folder, path, times, flags);
  struct timespec back[2] = {times[0], times[1]};
  for (int one = 0; one < 2; one += 1)
    if (back[one].tv_nsec != UTIME_NOW && back[one].tv_nsec != UTIME_OMIT) back[one].tv_sec -= OFFSET_SECONDS;
  return REAL(utimensat)(folder, path, back, flags);
}

int futimens(int opened, const struct timespec times[2]) {
  if (!times) return REAL(futimens)(opened, times);
  struct timespec back[2] = {times[0], times[1]};
  for (int one = 0; one < 2; one += 1)
    if (back[one].tv_nsec != UTIME_NOW && back[one].tv_nsec != UTIME_OMIT) back[one].tv_sec -= OFFSET_SECONDS;
  return REAL(futimens)(opened, back);
}
