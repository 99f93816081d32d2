/* What the C programs of the benchmarks share: read the input, repeat the work, print time and results.
 * Called as: program <input file> <minimum seconds> */
#ifndef TIMING_H
#define TIMING_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The whole file; ends the program if it cannot be read. */
static unsigned char *read_input(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc((size_t)length + 64);
  if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) { fprintf(stderr, "cannot read %s\n", path); exit(1); }
  fclose(file);
  *size = (size_t)length;
  return bytes;
}

/* Calls `work` once to warm up, then in doubling groups until `minimum` seconds have passed; returns the seconds of one. */
static double repeat(void (*work)(void *), void *argument, double minimum) {
  work(argument);
  double elapsed = 0, runs = 0;
  long group = 1;
  while (runs == 0 || elapsed < minimum) {
    double start = now();
    for (long i = 0; i < group; i++) work(argument);
    double seconds = now() - start;
    elapsed += seconds;
    runs += (double)group;
    if (seconds < 1e-4 && group < 1000000) group *= 2;
  }
  return elapsed / runs;
}

static void print_results(double seconds, const double *results, int count) {
  printf("%.17g\n", seconds);
  for (int i = 0; i < count; i++) printf("%.17g\n", results[i]);
}
#endif
