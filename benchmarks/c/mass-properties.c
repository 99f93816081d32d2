/* The algorithm of src/kernels/mesh-moments.kernel.ts, line by line.
 * Input: doubles reference x y z, vertex count, triangle count; then vertices (doubles), then triangles (32-bit). */
#include <math.h>
#include <stdint.h>
#include "timing.h"

enum { BLOCK = 32 };

typedef struct {
  const double *restrict vertices;
  const int32_t *restrict triangles;
  int32_t triangle_count;
  double rx, ry, rz;
  double sums[22];
} Mesh;

static inline void add_carrying(double *sums, int k, double value) {
  double before = sums[k];
  double after = before + value;
  double added = after - before;
  sums[k] = after;
  sums[11 + k] += (before - (after - added)) + (value - added);
}

static __attribute__((noinline)) void mesh_moments(void *argument) {
  Mesh *mesh = argument;
  const double *restrict vertices = mesh->vertices;
  const int32_t *restrict triangles = mesh->triangles;
  const int32_t count = mesh->triangle_count;
  const double rx = mesh->rx, ry = mesh->ry, rz = mesh->rz;
  double sums[22] = {0};
  for (int32_t first = 0; first < count; first += BLOCK) {
    const int32_t end = first + BLOCK < count ? first + BLOCK : count;
    double volume = 0, x = 0, y = 0, z = 0, xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0, area = 0;
    for (int32_t t = 3 * first; t < 3 * end; t += 3) {
      const double *a = vertices + 3 * triangles[t], *b = vertices + 3 * triangles[t + 1], *c = vertices + 3 * triangles[t + 2];
      const double ax = a[0] - rx, ay = a[1] - ry, az = a[2] - rz;
      const double bx = b[0] - rx, by = b[1] - ry, bz = b[2] - rz;
      const double cx = c[0] - rx, cy = c[1] - ry, cz = c[2] - rz;
      const double ux = bx - ax, uy = by - ay, uz = bz - az, vx = cx - ax, vy = cy - ay, vz = cz - az;
      const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      const double d = ax * nx + ay * ny + az * nz;
      area += sqrt(nx * nx + ny * ny + nz * nz);
      volume += d;
      const double sx = ax + bx + cx, sy = ay + by + cy, sz = az + bz + cz;
      x += d * sx;
      y += d * sy;
      z += d * sz;
      xx += d * (sx * sx + ax * ax + bx * bx + cx * cx);
      yy += d * (sy * sy + ay * ay + by * by + cy * cy);
      zz += d * (sz * sz + az * az + bz * bz + cz * cz);
      xy += d * (sx * sy + ax * ay + bx * by + cx * cy);
      yz += d * (sy * sz + ay * az + by * bz + cy * cz);
      zx += d * (sz * sx + az * ax + bz * bx + cz * cx);
    }
    const double block[11] = {volume, x, y, z, xx, yy, zz, xy, yz, zx, area};
    for (int k = 0; k < 11; k++) add_carrying(sums, k, block[k]);
  }
  static const double divisor[11] = {6, 24, 24, 24, 120, 120, 120, 120, 120, 120, 2};
  for (int k = 0; k < 11; k++) mesh->sums[k] = (sums[k] + sums[11 + k]) / divisor[k];
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t size;
  const unsigned char *bytes = read_input(argv[1], &size);
  const double *header = (const double *)bytes;
  Mesh mesh = {.rx = header[0], .ry = header[1], .rz = header[2]};
  const size_t vertex_count = (size_t)header[3];
  mesh.triangle_count = (int32_t)header[4];
  mesh.vertices = header + 5;
  mesh.triangles = (const int32_t *)(mesh.vertices + 3 * vertex_count);
  const double seconds = repeat(mesh_moments, &mesh, atof(argv[2]));
  print_results(seconds, mesh.sums, 11);
  return 0;
}
