#!/usr/bin/python3
"""The three experiments of Oestersoetebier, Wang & Traechtler (2014), section 4, from the printed equations.

Normal force (eq. 8) per contact point, never pulling:    F = max(0, c p^n + d p^m p')
Friction (eq. 9), against the slip velocity:              mu(v) F,  mu = g1 (tanh g2 v - tanh g3 v) + g4 tanh g5 v + g6 v
  g2 = g5 = 2/v1, g3 = 3/v2, g4 = mu_k - kv v2, g6 = kv, g1 = (mu_s - g4 - 2 kv v1)/(1 - tanh(2 v1/v2)): from the authors' library of
  2014; the paper does not print them.
p' is the speed at which the material of the two bodies closes in at the contact point, which lies on the moving body.

Every run is cut where the force jumps (a corner passes the border of the plane, the generator leaves the disc) or begins, and made with
DOP853 and Radau at 1e-12. Writes tests/verification/references/oestersoetebier.json and prints how well the two agree; about six minutes. Then:
npx biome format --write tests/verification/references/oestersoetebier.json

Not printed in the paper and taken from the examples of the authors' library (Example6 and Example7, release notes up to 0.2.0): that the cylinder of
experiment 2 lies along x; position (0, 0.075, 0) of the cuboid's centre in experiment 3 and its turn of 30 degrees about y; that l lies along x and
w along z on the cuboid, l along z and w along x on the plane. The inertia of all bodies is that of homogeneous ones. g = 9.81.
"""
import json
import os
import sys
from math import cos, radians, sin, sqrt, tanh

import numpy as np
from scipy.integrate import solve_ivp

g = 9.81


class Law:
    def __init__(self, c, d, n, m, mu_s, mu_k, v1, v2, kv=0.0):
        self.parameters = dict(c=c, d=d, n=n, m=m, mu_s=mu_s, mu_k=mu_k, v1=v1, v2=v2, kv=kv)
        self.c, self.d, self.n, self.m = c, d, n, m
        self.g4 = mu_k - kv * v2
        self.g1 = (mu_s - self.g4 - 2 * kv * v1) / (1 - tanh(2 * v1 / v2))
        self.g2, self.g3, self.g6 = 2 / v1, 3 / v2, kv

    def normal(self, p, rate):
        return max(0.0, self.c * p**self.n + self.d * p**self.m * rate) if p > 0 else 0.0

    def mu(self, v):
        t = tanh(self.g2 * v)
        return self.g1 * (t - tanh(self.g3 * v)) + self.g4 * t + self.g6 * v


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def matrix(q):
    w, x, y, z = q
    s = 2 / (w * w + x * x + y * y + z * z)
    return ((1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
            (s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
            (s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)))


class Body:
    """State: position 3, quaternion w x y z 4, velocity 3, angular velocity in world axes 3."""

    def __init__(self, mass, inertia, law, points):
        self.mass, self.inertia, self.law, self.points = mass, inertia, law, points

    def forces(self, y, mode):
        """Sum of forces, of torques about the centre, and size of the sum of normal forces."""
        r, v, w = y[0:3], y[7:10], y[10:13]
        R = matrix(y[3:7])
        F, T, push = [0.0, -self.mass * g, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        for p, n, arm in self.points(r, R, mode):
            turn = cross(w, arm)
            u = (v[0] + turn[0], v[1] + turn[1], v[2] + turn[2])
            closing = -dot(u, n)
            N = self.law.normal(p, closing)
            if N == 0:
                continue
            s = [u[k] + closing * n[k] for k in range(3)]
            slip = sqrt(dot(s, s))
            f = -self.law.mu(slip) * N / slip if slip > 0 else 0.0
            force = [N * n[k] + f * s[k] for k in range(3)]
            torque = cross(arm, force)
            for k in range(3):
                F[k] += force[k]
                T[k] += torque[k]
                push[k] += N * n[k]
        return F, T, sqrt(dot(push, push))

    def rate(self, t, y, mode):
        y = [float(value) for value in y]
        F, T, _ = self.forces(y, mode)
        q, w = y[3:7], y[10:13]
        R = matrix(q)
        # Euler's equation in the body's axes
        wb = [R[0][k] * w[0] + R[1][k] * w[1] + R[2][k] * w[2] for k in range(3)]
        Tb = [R[0][k] * T[0] + R[1][k] * T[1] + R[2][k] * T[2] for k in range(3)]
        I = self.inertia
        h = cross(wb, [I[k] * wb[k] for k in range(3)])
        ab = [(Tb[k] - h[k]) / I[k] for k in range(3)]
        a = [dot(R[k], ab) for k in range(3)]
        # q' = w q / 2, with a pull back to length 1
        e = 1 - sum(x * x for x in q)
        dq = [0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]) + e * q[0],
              0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]) + e * q[1],
              0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]) + e * q[2],
              0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]) + e * q[3]]
        return [*y[7:10], *dq, *(f / self.mass for f in F), *a]

    def jacobian(self, t, y, mode):
        """Central differences; scipy's own widen their step without bound where a coordinate has no influence, as in free fall."""
        columns = []
        for k, step in enumerate([1e-9] * 3 + [1e-8] * 4 + [1e-7] * 3 + [1e-6] * 3):
            d = np.zeros(13)
            d[k] = step
            columns.append((np.array(self.rate(t, y + d, mode)) - np.array(self.rate(t, y - d, mode))) / (2 * step))
        return np.array(columns).T


def run(body, y, mode, borders, method, times, tol=1e-12):
    """Integrates in pieces that end at the times and where the mode, the signs of `borders`, changes. No state is taken from dense output,
    which is less exact than the steps: it only tells when. Returns states, changes of the mode and peaks of the force."""
    options = dict(method=method, args=(mode,), rtol=tol, atol=tol / 10, max_step=2e-3, first_step=1e-6)
    if method == "Radau":
        options["jac"] = body.jacobian
    t, states, changes, peaks, last, rising = 0.0, [], [], [], 0.0, False
    for end in times:
        while t < end:
            options["args"], options["first_step"] = (mode,), min(1e-6, end - t)
            out = solve_ivp(body.rate, (t, end), y, events=[sign_change(borders, k, on) for k, on in enumerate(mode)], dense_output=True,
                            **options)
            for i in range(1, len(out.t)):
                force = body.forces([float(x) for x in out.y[:, i]], mode)[2]
                if rising and force < last:
                    fine = np.linspace(out.t[max(0, i - 2)], out.t[i], 2001)
                    values = [body.forces([float(x) for x in z], mode)[2] for z in out.sol(fine).T]
                    peaks.append((float(fine[int(np.argmax(values))]), max(values)))
                rising, last = force > last, force
            if out.status == 1:
                before, t = out.t[-2], out.t[-1]
                options["first_step"] = min(1e-6, t - before)
                y = solve_ivp(body.rate, (before, t), out.y[:, -2], **options).y[:, -1]
                mode = tuple((not on) if len(hits) else on for on, hits in zip(mode, out.t_events))
                changes.append((float(t), list(mode)))
            else:
                t, y = end, out.y[:, -1]
        states.append(y.copy())
    return np.array(states), changes, peaks


def sign_change(borders, k, on):
    def event(_, y, _mode):
        return borders(y[0:3], matrix(y[3:7]))[k]
    event.terminal, event.direction = True, -1 if on else 1
    return event


def start(position, turn=(1.0, 0.0, 0.0, 0.0)):
    return np.array([*position, *turn, 0, 0, 0, 0, 0, 0], dtype=float)


def experiment1():
    """Sphere on a fixed cylinder along x. One contact point; the mode says whether the surfaces overlap."""
    r, mass, R, length = 0.015, 0.11, 0.0075, 0.05
    law = Law(1e5, 10, 1.5, 1.5, 0.03, 0.02, 0.01, 0.1)

    def points(c, _, mode):
        if not mode[0]:
            return []
        rho = sqrt(c[1]**2 + c[2]**2)
        n = (0.0, c[1] / rho, c[2] / rho)
        return [(r + R - rho, n, tuple(-r * x for x in n))]

    def borders(c, _):
        return [r + R - sqrt(c[1]**2 + c[2]**2)]

    I = 0.4 * mass * r * r
    return Body(mass, (I, I, I), law, points), start((0, 0.05, 0.002)), (False,), borders, 0.5, dict(
        sphere=dict(radius=r, mass=mass, position=[0, 0.05, 0.002]), cylinder=dict(radius=R, length=length, axis=[1, 0, 0]),
        thickness=5e-3, law=law.parameters)


def experiment1_axes():
    """The same with the law along y and z, one contact each: at the sphere's centre less r along the axis."""
    body, y, mode, borders, stop, given = experiment1()
    r, R = 0.015, 0.0075

    def points(at, _, mode):
        if not mode[0]:
            return []
        rho = sqrt(at[1]**2 + at[2]**2)
        rows = []
        for k in (1, 2):
            s = 1.0 if at[k] > 0 else -1.0
            axis = [0.0, 0.0, 0.0]
            axis[k] = s
            rows.append(((r + R - rho) * abs(at[k]) / rho, tuple(axis), tuple(-r * x for x in axis)))
        return rows

    body.points = points
    return body, y, mode, borders, stop, given


def experiment2():
    """Cylinder along x on a disc turned by 5 degrees about x: normal (0, cos, sin). Two points of equal depth, so the ends stay level.
    Modes: overlap; nearest generator over the disc."""
    r, length, mass, R, angle = 0.0075, 0.03, 0.04, 0.04, radians(5)
    law = Law(5e3, 5e2, 1, 0, 0.12, 0.12, 0.01, 0.01)
    n, downhill = (0.0, cos(angle), sin(angle)), (0.0, -sin(angle), cos(angle))

    def points(c, axes, mode):
        if not all(mode):
            return []
        along = dot(c, downhill)
        # ends of the generator, moved inwards to the border of the disc
        half = min(length / 2, sqrt(max(0.0, R * R - along * along)))
        p = r - dot(c, n)
        return [(p, n, (s * half, -r * n[1], -r * n[2])) for s in (-1, 1)]

    def borders(c, _):
        return [r - dot(c, n), R - abs(dot(c, downhill))]

    across, along = mass * (3 * r * r + length**2) / 12, mass * r * r / 2
    return Body(mass, (along, across, across), law, points), start((0, 0.02, 0)), (False, True), borders, 1.0, dict(
        cylinder=dict(radius=r, length=length, mass=mass, axis=[1, 0, 0], position=[0, 0.02, 0], inertia=[along, across, across]),
        disc=dict(radius=R, normal=list(n)), thickness=3e-3, law=law.parameters)


def experiment3(laid=False):
    """Cuboid on a rectangle turned by 15 degrees about z: normal (-sin, cos, 0), downhill along -(cos, sin, 0). The corners of the
    bottom face are the contact points; one beyond the lower edge of the plane is replaced by the points in which its two edges cross that edge.
    Modes: corner i is above the edge.
    The cuboid clatters and forgets where it came from: differences grow by 1e8 between 0.1 s and 0.3 s. `laid` puts it on the plane from the
    start, just touching, so that sliding over the edge can be compared closely."""
    l, w, h, mass, angle, yaw = 0.07, 0.1, 0.05, 2.75, radians(15), radians(30)
    width, length = 0.25, 0.2
    law = Law(1e7, 1e7, 1.1, 1, 0.12, 0.08, 1e-4, 1e-2)
    n, uphill = (-sin(angle), cos(angle), 0.0), (cos(angle), sin(angle), 0.0)
    local = [(-l / 2, -h / 2, -w / 2), (l / 2, -h / 2, -w / 2), (l / 2, -h / 2, w / 2), (-l / 2, -h / 2, w / 2)]

    def corners(R):
        return [tuple(dot(R[k], c) for k in range(3)) for c in local]

    def points(c, R, mode):
        arms = corners(R)
        height = [dot(c, uphill) + dot(a, uphill) + width / 2 for a in arms]
        found = []
        for i in range(4):
            j = (i + 1) % 4
            if mode[i]:
                found.append(arms[i])
            if mode[i] != mode[j]:
                s = height[i] / (height[i] - height[j])
                found.append(tuple(arms[i][k] + s * (arms[j][k] - arms[i][k]) for k in range(3)))
        level = dot(c, n)
        return [(-(level + dot(a, n)), n, a) for a in found]

    def borders(c, R):
        assert all(abs(c[2] + a[2]) < length / 2 for a in corners(R)) or dot(c, n) < -0.01
        return [dot(c, uphill) + dot(a, uphill) + width / 2 for a in corners(R)]

    I = (mass * (h * h + w * w) / 12, mass * (l * l + w * w) / 12, mass * (l * l + h * h) / 12)
    turn, position = (cos(yaw / 2), 0.0, sin(yaw / 2), 0.0), (0.0, 0.075, 0.0)
    if laid:
        # about y by the yaw, then about z by the angle of the plane
        c, s = cos(angle / 2), sin(angle / 2)
        turn = (c * turn[0], -s * turn[2], c * turn[2], s * turn[0])
        position = tuple(h / 2 * x for x in n)
    return Body(mass, I, law, points), start(position, turn), (True,) * 4, borders, 0.6 if laid else 0.8, dict(
        cuboid=dict(size=[l, h, w], mass=mass, position=list(position), orientation=list(turn), inertia=list(I)),
        plane=dict(width=width, length=length, normal=list(n)), thickness=5e-3, law=law.parameters)


if __name__ == "__main__":
    only = sys.argv[1:]
    result = {}
    for name, make, count in (("experiment1", experiment1, 25), ("experiment1AlongAxes", experiment1_axes, 25),
                              ("experiment2", experiment2, 40), ("experiment3", experiment3, 40),
                              ("experiment3Laid", lambda: experiment3(True), 40)):
        if only and name not in only:
            continue
        body, y, mode, borders, stop, given = make()
        times = [stop * (i + 1) / count for i in range(count)]
        a, changes, peaks = run(body, y, mode, borders, "DOP853", times)
        b, changes_b, _ = run(body, y, mode, borders, "Radau", times)
        apart = np.abs(a - b)
        agree = apart.max(axis=0)
        print(name, "largest differences of the two integrators: position", agree[0:3].max(), "quaternion", agree[3:7].max(), "velocity",
              agree[7:10].max(), "angular velocity", agree[10:13].max())
        print("  by time", " ".join(f"{x:.0e}" for x in apart.max(axis=1)))
        print("  changes", len(changes), changes[:4], "  difference in time", max((abs(p[0] - q[0]) for p, q in zip(changes, changes_b)), default=0))
        print("  peaks", [(round(t, 6), round(F, 6)) for t, F in peaks][:8])
        result[name] = dict(given=given, agreement=[float(f"{x:.1e}") for x in apart.max(axis=1)], changes=changes,
                            peaks=[[float(t), float(F)] for t, F in sorted(peaks, key=lambda peak: -peak[1])[:2]],
                            columns=["t", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"],
                            samples=[[float(f"{x:.13g}") for x in (t, *row)] for t, row in zip(times, a)])
    here = os.path.dirname(os.path.abspath(__file__))
    if not only:
        with open(os.path.join(here, "../../tests/verification/references/oestersoetebier.json"), "w") as out:
            out.write(json.dumps(result))
            out.write("\n")
