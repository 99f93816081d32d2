#!/usr/bin/python3
"""Figures of examples/pool-table, afloat without obstacles: sixteen equal balls in a plane, Hertz force between them, DOP853.

Prints: signal, time in s, value (and difference between two tolerances).
"""
import numpy as np
from scipy.integrate import solve_ivp

r, rho, E, nu = 0.028575, 1750, 5e9, 0.35
m = rho * 4 / 3 * np.pi * r**3
k = 4 / 3 * E / (2 * (1 - nu**2)) * np.sqrt(r / 2)
first, second = np.triu_indices(16, 1)
times = [0.25, 0.5]


def start(speed):
    places = [(-0.3, 0.0)]
    for line in range(5):
        places += [(line * 2 * r * np.sqrt(0.75), (place - line / 2) * 2 * r) for place in range(line + 1)]
    velocities = np.zeros((16, 2))
    velocities[0, 0] = speed
    return np.concatenate([np.array(places).ravel(), velocities.ravel()])


def rate(_, y):
    x, v = y[:32].reshape(16, 2), y[32:]
    between = x[second] - x[first]
    distance = np.sqrt((between**2).sum(axis=1))
    touching = np.nonzero(distance < 2 * r)[0]
    a = np.zeros((16, 2))
    for p in touching:
        f = k * (2 * r - distance[p])**1.5 * between[p] / distance[p] / m
        a[second[p]] += f
        a[first[p]] -= f
    return np.concatenate([v, a.ravel()])


def run(tol):
    # Places in units of an impact's depth, 2e-5 m; the longest step, 0.2 mm at 2 m/s, sees every impact.
    atol = np.concatenate([np.full(32, 1e-3 * tol), np.full(32, tol)])
    return solve_ivp(rate, (0, times[-1]), start(2.0), method="DOP853", rtol=tol, atol=atol, max_step=1e-4, t_eval=times).y.T


print("# mass", repr(float(m)), "kg, momentum", repr(float(2 * m)), "kg m/s, energy", repr(float(2 * m)), "J")
for t, y, other in zip(times, run(1e-12), run(1e-10)):
    for ball in (0, 1, 11, 13, 15):
        name = "cue" if ball == 0 else f"rack[{ball - 1}]"
        for axis in (0, 1):
            i = 32 + 2 * ball + axis
            print(f"{name}.velocity.{'xy'[axis]} {t} {float(y[i])!r} {abs(y[i] - other[i]):.1e}")
    v = y[32:].reshape(16, 2)
    print("# momentum", m * v.sum(axis=0), "energy", m / 2 * (v**2).sum())
