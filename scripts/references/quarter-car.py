#!/usr/bin/python3
"""Figures of examples/quarter-car: Newton for body and wheel in absolute heights above rest, DOP853 at two tolerances.

The right side has kinks (stops, lift-off, end of the bump); the step control finds them, and the two runs say how well.
Prints: signal, time in s, value, difference between two tolerances.
"""
import numpy as np
from scipy.integrate import solve_ivp

M, m, k, c, kt, up, down, ks, H, L, v, g = 300, 40, 20e3, 1500, 180e3, .06, .08, 200e3, .08, .6, 5, 9.81


def road(t):
    s = v * t
    return H * np.sin(np.pi * s / L)**2 if 0 < s < L else 0.0


def forces(t, z, w, vz, vw):
    """Suspension on the wheel, tyre on the wheel; heights above rest"""
    x = w - z
    suspension = -M * g - k * x - c * (vw - vz) - ks * max(0, x - up) + ks * max(0, -down - x)
    return suspension, max(0, (M + m) * g - kt * (w - road(t)))


def rate(t, y):
    z, w, vz, vw = y
    f, tyre = forces(t, *y)
    return [vz, vw, -f / M - g, (f + tyre) / m - g]


times = [0.05, 0.1, 0.2, 0.3, 1, 3]


def run(tol):
    first = solve_ivp(rate, (0, L / v), [0, 0, 0, 0], method="DOP853", rtol=tol, atol=tol / 100, max_step=1e-3, dense_output=True)
    second = solve_ivp(rate, (L / v, 3), first.y[:, -1], method="DOP853", rtol=tol, atol=tol / 100, max_step=1e-3, dense_output=True)
    return lambda t: first.sol(t) if t <= L / v else second.sol(t)


fine, coarse = run(1e-13), run(1e-11)
for t in times:
    y, o = fine(t), coarse(t)
    print("heave.position", t, repr(float(y[0])), abs(y[0] - o[0]))
    print("suspension.position", t, repr(float(y[1] - y[0])), abs((y - o)[1]))
    print("heave.speed", t, repr(float(y[2])), abs(y[2] - o[2]))
    print("tyre.force", t, repr(float(forces(t, *y)[1])))
grid = np.linspace(0, 3, 60001)
Y = np.array([fine(t) for t in grid])
x, tyre = Y[:, 1] - Y[:, 0], np.array([forces(t, *y)[1] for t, y in zip(grid, Y)])
print("# travel", x.min(), x.max(), "on the stops during", (x > up).sum() * 5e-5, (x < -down).sum() * 5e-5, "s; airborne", (tyre == 0).sum() * 5e-5, "s")
print("suspension.position max", repr(float(x.max())), "at", grid[x.argmax()])
print("heave.position max", repr(float(Y[:, 0].max())), "at", grid[Y[:, 0].argmax()])
