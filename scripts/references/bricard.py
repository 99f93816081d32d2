#!/usr/bin/python3
"""Figures of examples/bricard by reduction to one coordinate.

The six hinge angles of the orthogonal ring of equal rods alternate between two values a and b (threefold symmetry), which close
the ring if (1 + cos a)(1 + cos b) = 1 (Chen, You & Tarnai 2005, with twists of 90 degrees). The curve is followed by its polar angle s;
corner positions, and with them T = M(s) s'^2/2 (rod: m/6 (u.u + u.v + v.v) for the end velocities u, v) and V(s), are periodic
functions of s, resolved to rounding by a trigonometric interpolation. Then M s'' + M' s'^2/2 + V' = 0 by DOP853.
Prints: signal, time in s, value, difference between two tolerances.
"""
import itertools

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

g, N = 9.81, 512
drawn = np.array([[0, 0, 0], [1, 0, 0], [1, 0, -1], [1, -1, -1], [0, -1, -1], [0, -1, 0]], float)
axes = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], float)


def turn(axis, angle):
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def corners(q):
    """Corners of the open chain that hangs on hinge 0, and the axis of hinge 5, for turns q[0..4] away from the drawing"""
    R, p, out = np.eye(3), drawn[0], [drawn[0]]
    for i in range(5):
        R = R @ turn(axes[i], q[i])
        p = p + R @ (drawn[i + 1] - drawn[i])
        out.append(p)
    return np.array(out), R @ axes[5]


def pair(s):
    """Angles a, b of the ring at the polar angle s"""
    f = lambda r: (1 + np.cos(r * np.cos(s))) * (1 + np.cos(r * np.sin(s))) - 1
    r = brentq(f, 0.1, 2.6, xtol=1e-16, rtol=9e-16)
    return r * np.cos(s), r * np.sin(s)


# Signs of the turns: the one pattern that keeps the ring closed. As drawn a = b = 90 degrees, s = 45 degrees.
def turns(s, signs):
    a, b = pair(s)
    return [sign * (angle - np.pi / 2) for sign, angle in zip(signs, itertools.cycle((a, b)))]


def gap(signs, s):
    p, axis = corners(turns(s, signs))
    return np.abs(p[5] - drawn[5]).max() + np.abs(np.cross(axis, axes[5])).max()


patterns = [signs for signs in itertools.product((1, -1), repeat=5) if gap(signs, 0.6) < 1e-12]
signs = patterns[0]
print("# sign patterns that close:", patterns)
assert len(patterns) == 1
grid = 2 * np.pi * np.arange(N) / N
print("# ring closes along the whole curve to", max(gap(signs, s) for s in grid[::8]))

P = np.array([corners(turns(s, signs))[0] for s in grid])  # N x 6 x 3
k = np.fft.fftfreq(N, 1 / N)
dP = np.fft.ifft(np.fft.fft(P, axis=0) * (1j * k)[:, None, None], axis=0).real
u, v = dP[:, :-1], dP[:, 1:]
M = ((u * u + u * v + v * v).sum((1, 2))) / 3
V = g * (P[:, :-1, 2] + P[:, 1:, 2]).sum(1) / 2
spectrum = np.abs(np.fft.fft(M)) / N
print("# highest harmonics of M", spectrum[N // 2 - 20:N // 2].max(), "of", spectrum[0])
cM, cV, cP = np.fft.fft(M) / N, np.fft.fft(V) / N, np.fft.fft(P, axis=0) / N


def at(c, s, order=0):
    return np.tensordot(np.exp(1j * k * s) * (1j * k)**order, c, axes=(0, 0)).real


def rate(_, y):
    return [y[1], -(at(cM, y[0], 1) * y[1]**2 / 2 + at(cV, y[0], 1)) / at(cM, y[0])]


def run(tol):
    return solve_ivp(rate, (0, 10), [np.pi / 4, 0], method="DOP853", rtol=tol, atol=tol, t_eval=[1, 4, 9])


fine, coarse = run(1e-13), run(1e-11)
for i, t in enumerate((1, 4, 9)):
    p, q = at(cP, fine.y[0][i]), at(cP, coarse.y[0][i])
    for name, x, y in zip("xyz", p[3], q[3]):
        print(f"rod[2].end.position.{name}", t, repr(float(x)), abs(x - y))
    print("hinge[0].angle", t, repr(float(turns(fine.y[0][i], signs)[0])))
    print("# energy", at(cM, fine.y[0][i]) * fine.y[1][i]**2 / 2 + at(cV, fine.y[0][i]), "s", fine.y[0][i])
print("energy.total", 10, repr(float(at(cV, np.pi / 4))))
