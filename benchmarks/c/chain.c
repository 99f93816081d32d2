/* The algorithm of src/dynamics/tree-kinematics.ts and articulated-body.ts for a chain of revolute joints, line by line.
 * Input: doubles count; axes 3 n, positions 3 n, masses n, centres 3 n, inertias 6 n (xx yy zz xy xz yz), q n, v n.
 * Prints the accelerations. Gravity 9.81 along -z. */
#include <math.h>
#include <string.h>
#include "timing.h"

typedef struct {
  int n;
  const double *axis, *position, *mass, *centre, *inertia, *q, *v;
  double *rotation, *arm, *twist, *bias, *world_axis, *world_centre, *world_inertia, *load;
  double *ia, *force, *gain, *inverse, *residual, *acceleration, *out;
} Chain;

static void kinematics(Chain *c) {
  for (int i = 0; i < c->n; i++) {
    double r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, w[3] = {0}, v[3] = {0};
    if (i > 0) {
      memcpy(r, c->rotation + 9 * (i - 1), sizeof r);
      memcpy(w, c->twist + 6 * (i - 1), sizeof w);
      memcpy(v, c->twist + 6 * (i - 1) + 3, sizeof v);
    }
    const double *o = c->position + 3 * i, *e = c->axis + 3 * i;
    double a[3], u[3], m[9];
    for (int j = 0; j < 3; j++) {
      a[j] = r[3 * j] * o[0] + r[3 * j + 1] * o[1] + r[3 * j + 2] * o[2];
      u[j] = r[3 * j] * e[0] + r[3 * j + 1] * e[1] + r[3 * j + 2] * e[2];
    }
    const double s = sin(c->q[i]), k = cos(c->q[i]), one = 1 - k, rate = c->v[i];
    for (int j = 0; j < 3; j++) {
      const double f = one * u[j], *row = r + 3 * j;
      m[3 * j] = k * row[0] + s * (row[1] * e[2] - row[2] * e[1]) + f * e[0];
      m[3 * j + 1] = k * row[1] + s * (row[2] * e[0] - row[0] * e[2]) + f * e[1];
      m[3 * j + 2] = k * row[2] + s * (row[0] * e[1] - row[1] * e[0]) + f * e[2];
    }
    memcpy(c->rotation + 9 * i, m, sizeof m);
    memcpy(c->arm + 3 * i, a, sizeof a);
    memcpy(c->world_axis + 3 * i, u, sizeof u);
    v[0] += w[1] * a[2] - w[2] * a[1];
    v[1] += w[2] * a[0] - w[0] * a[2];
    v[2] += w[0] * a[1] - w[1] * a[0];
    const double sx = rate * u[0], sy = rate * u[1], sz = rate * u[2];
    w[0] += sx;
    w[1] += sy;
    w[2] += sz;
    double *t = c->twist + 6 * i, *b = c->bias + 6 * i;
    t[0] = w[0], t[1] = w[1], t[2] = w[2], t[3] = v[0], t[4] = v[1], t[5] = v[2];
    b[0] = w[1] * sz - w[2] * sy;
    b[1] = w[2] * sx - w[0] * sz;
    b[2] = w[0] * sy - w[1] * sx;
    b[3] = v[1] * sz - v[2] * sy;
    b[4] = v[2] * sx - v[0] * sz;
    b[5] = v[0] * sy - v[1] * sx;
    const double mass = c->mass[i], *c0 = c->centre + 3 * i, *I = c->inertia + 6 * i;
    double cx = m[0] * c0[0] + m[1] * c0[1] + m[2] * c0[2], cy = m[3] * c0[0] + m[4] * c0[1] + m[5] * c0[2], cz = m[6] * c0[0] + m[7] * c0[1] + m[8] * c0[2];
    double *wc = c->world_centre + 3 * i, *wi = c->world_inertia + 6 * i;
    wc[0] = cx, wc[1] = cy, wc[2] = cz;
    double h[9];
    for (int j = 0; j < 3; j++) {
      const double *row = m + 3 * j;
      h[3 * j] = row[0] * I[0] + row[1] * I[3] + row[2] * I[4];
      h[3 * j + 1] = row[0] * I[3] + row[1] * I[1] + row[2] * I[5];
      h[3 * j + 2] = row[0] * I[4] + row[1] * I[5] + row[2] * I[2];
    }
    wi[0] = h[0] * m[0] + h[1] * m[1] + h[2] * m[2] + mass * (cy * cy + cz * cz);
    wi[1] = h[3] * m[3] + h[4] * m[4] + h[5] * m[5] + mass * (cz * cz + cx * cx);
    wi[2] = h[6] * m[6] + h[7] * m[7] + h[8] * m[8] + mass * (cx * cx + cy * cy);
    wi[3] = h[0] * m[3] + h[1] * m[4] + h[2] * m[5] - mass * cx * cy;
    wi[4] = h[0] * m[6] + h[1] * m[7] + h[2] * m[8] - mass * cx * cz;
    wi[5] = h[3] * m[6] + h[4] * m[7] + h[5] * m[8] - mass * cy * cz;
    const double fz = -9.81 * mass;
    double *l = c->load + 6 * i;
    l[0] = cy * fz, l[1] = -cx * fz, l[2] = 0, l[3] = 0, l[4] = 0, l[5] = fz;
  }
}

static void start(Chain *c) {
  memset(c->ia, 0, sizeof(double) * 21 * c->n);
  for (int i = 0; i < c->n; i++) {
    const double m = c->mass[i], *r = c->world_centre + 3 * i, *J = c->world_inertia + 6 * i, *t = c->twist + 6 * i, *l = c->load + 6 * i;
    const double hx = m * r[0], hy = m * r[1], hz = m * r[2];
    double *ia = c->ia + 21 * i, *f = c->force + 6 * i;
    memcpy(ia, J, 6 * sizeof(double));
    ia[7] = -hz, ia[8] = hy, ia[9] = hz, ia[11] = -hx, ia[12] = -hy, ia[13] = hx, ia[15] = ia[16] = ia[17] = m;
    const double wx = t[0], wy = t[1], wz = t[2], vx = t[3], vy = t[4], vz = t[5];
    const double lx = J[0] * wx + J[3] * wy + J[4] * wz + hy * vz - hz * vy, ly = J[3] * wx + J[1] * wy + J[5] * wz + hz * vx - hx * vz,
                 lz = J[4] * wx + J[5] * wy + J[2] * wz + hx * vy - hy * vx;
    const double px = m * vx + wy * hz - wz * hy, py = m * vy + wz * hx - wx * hz, pz = m * vz + wx * hy - wy * hx;
    f[0] = wy * lz - wz * ly + vy * pz - vz * py - l[0];
    f[1] = wz * lx - wx * lz + vz * px - vx * pz - l[1];
    f[2] = wx * ly - wy * lx + vx * py - vy * px - l[2];
    f[3] = wy * pz - wz * py - l[3];
    f[4] = wz * px - wx * pz - l[4];
    f[5] = wx * py - wy * px - l[5];
  }
}

static void backward(Chain *c) {
  for (int i = c->n - 1; i >= 0; i--) {
    const double *I = c->ia + 21 * i, *u = c->world_axis + 3 * i, *p = c->force + 6 * i, *b = c->bias + 6 * i, *r = c->arm + 3 * i;
    double g[6], y[6], t[6];
    g[0] = I[0] * u[0] + I[3] * u[1] + I[4] * u[2];
    g[1] = I[3] * u[0] + I[1] * u[1] + I[5] * u[2];
    g[2] = I[4] * u[0] + I[5] * u[1] + I[2] * u[2];
    g[3] = I[6] * u[0] + I[9] * u[1] + I[12] * u[2];
    g[4] = I[7] * u[0] + I[10] * u[1] + I[13] * u[2];
    g[5] = I[8] * u[0] + I[11] * u[1] + I[14] * u[2];
    const double d = u[0] * g[0] + u[1] * g[1] + u[2] * g[2], inverse = 1 / d;
    const double e = -(u[0] * p[0] + u[1] * p[1] + u[2] * p[2]);
    memcpy(c->gain + 6 * i, g, sizeof g);
    c->inverse[i] = inverse;
    c->residual[i] = e;
    if (i == 0) continue;
    for (int j = 0; j < 6; j++) y[j] = g[j] * inverse;
    const double jxx = I[0] - g[0] * y[0], jyy = I[1] - g[1] * y[1], jzz = I[2] - g[2] * y[2], jxy = I[3] - g[0] * y[1],
                 jxz = I[4] - g[0] * y[2], jyz = I[5] - g[1] * y[2];
    double h[9];
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < 3; k++) h[3 * a + k] = I[6 + 3 * a + k] - g[a] * y[3 + k];
    const double mxx = I[15] - g[3] * y[3], myy = I[16] - g[4] * y[4], mzz = I[17] - g[5] * y[5], mxy = I[18] - g[3] * y[4],
                 mxz = I[19] - g[3] * y[5], myz = I[20] - g[4] * y[5];
    for (int j = 0; j < 6; j++) t[j] = p[j] + y[j] * e;
    t[0] += jxx * b[0] + jxy * b[1] + jxz * b[2] + h[0] * b[3] + h[1] * b[4] + h[2] * b[5];
    t[1] += jxy * b[0] + jyy * b[1] + jyz * b[2] + h[3] * b[3] + h[4] * b[4] + h[5] * b[5];
    t[2] += jxz * b[0] + jyz * b[1] + jzz * b[2] + h[6] * b[3] + h[7] * b[4] + h[8] * b[5];
    t[3] += h[0] * b[0] + h[3] * b[1] + h[6] * b[2] + mxx * b[3] + mxy * b[4] + mxz * b[5];
    t[4] += h[1] * b[0] + h[4] * b[1] + h[7] * b[2] + mxy * b[3] + myy * b[4] + myz * b[5];
    t[5] += h[2] * b[0] + h[5] * b[1] + h[8] * b[2] + mxz * b[3] + myz * b[4] + mzz * b[5];
    const double rx = r[0], ry = r[1], rz = r[2];
    const double n00 = h[0] + ry * mxz - rz * mxy, n01 = h[1] + ry * myz - rz * myy, n02 = h[2] + ry * mzz - rz * myz;
    const double n10 = h[3] + rz * mxx - rx * mxz, n11 = h[4] + rz * mxy - rx * myz, n12 = h[5] + rz * mxz - rx * mzz;
    const double n20 = h[6] + rx * mxy - ry * mxx, n21 = h[7] + rx * myy - ry * mxy, n22 = h[8] + rx * myz - ry * mxz;
    double *P = c->ia + 21 * (i - 1), *f = c->force + 6 * (i - 1);
    P[0] += jxx - (h[1] * rz - h[2] * ry) + ry * n02 - rz * n01;
    P[1] += jyy - (h[5] * rx - h[3] * rz) + rz * n10 - rx * n12;
    P[2] += jzz - (h[6] * ry - h[7] * rx) + rx * n21 - ry * n20;
    P[3] += jxy - (h[2] * rx - h[0] * rz) + ry * n12 - rz * n11;
    P[4] += jxz - (h[0] * ry - h[1] * rx) + ry * n22 - rz * n21;
    P[5] += jyz - (h[3] * ry - h[4] * rx) + rz * n20 - rx * n22;
    P[6] += n00, P[7] += n01, P[8] += n02, P[9] += n10, P[10] += n11, P[11] += n12, P[12] += n20, P[13] += n21, P[14] += n22;
    P[15] += mxx, P[16] += myy, P[17] += mzz, P[18] += mxy, P[19] += mxz, P[20] += myz;
    f[0] += t[0] + ry * t[5] - rz * t[4];
    f[1] += t[1] + rz * t[3] - rx * t[5];
    f[2] += t[2] + rx * t[4] - ry * t[3];
    f[3] += t[3], f[4] += t[4], f[5] += t[5];
  }
}

static void forward(Chain *c) {
  double a[6] = {0};
  for (int i = 0; i < c->n; i++) {
    const double *r = c->arm + 3 * i, *b = c->bias + 6 * i, *g = c->gain + 6 * i, *u = c->world_axis + 3 * i;
    if (i > 0) {
      a[3] += a[1] * r[2] - a[2] * r[1];
      a[4] += a[2] * r[0] - a[0] * r[2];
      a[5] += a[0] * r[1] - a[1] * r[0];
    }
    for (int j = 0; j < 6; j++) a[j] += b[j];
    const double x = (c->residual[i] - (g[0] * a[0] + g[1] * a[1] + g[2] * a[2] + g[3] * a[3] + g[4] * a[4] + g[5] * a[5])) * c->inverse[i];
    c->out[i] = x;
    for (int j = 0; j < 3; j++) a[j] += u[j] * x;
    memcpy(c->acceleration + 6 * i, a, sizeof a);
  }
}

static __attribute__((noinline)) void evaluate(void *argument) {
  Chain *c = argument;
  kinematics(c);
  start(c);
  backward(c);
  forward(c);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t size;
  const double *input = (const double *)read_input(argv[1], &size);
  const int n = (int)input[0];
  Chain c = {.n = n};
  const double *at = input + 1;
  c.axis = at, at += 3 * n;
  c.position = at, at += 3 * n;
  c.mass = at, at += n;
  c.centre = at, at += 3 * n;
  c.inertia = at, at += 6 * n;
  c.q = at, at += n;
  c.v = at;
  double *room = calloc(130 * (size_t)n, sizeof(double));
  double **parts[] = {&c.rotation, &c.arm, &c.twist, &c.bias, &c.world_axis, &c.world_centre, &c.world_inertia, &c.load, &c.ia,
                      &c.force, &c.gain, &c.inverse, &c.residual, &c.acceleration, &c.out};
  const int widths[] = {9, 3, 6, 6, 3, 3, 6, 6, 21, 6, 6, 1, 1, 6, 1};
  for (int i = 0; i < 15; i++) *parts[i] = room, room += (size_t)widths[i] * n;
  const double seconds = repeat(evaluate, &c, atof(argv[2]));
  print_results(seconds, c.out, n);
  return 0;
}
