#!/usr/bin/python3
"""Figures of examples/double-pendulum: Lagrange's equations in absolute angles, DOP853 at two tolerances.

Bars of length 1 m and mass 1 kg, angles a, b from hanging down, c = a - b:
  4/3 a'' + 1/2 b'' cos c + 1/2 b'^2 sin c + 3/2 g sin a = 0
  1/3 b'' + 1/2 a'' cos c - 1/2 a'^2 sin c + 1/2 g sin b = 0
Prints: signal, time in s, value, difference between the two tolerances; then how much a change of 1e-8 rad grows.
"""
import numpy as np
from scipy.integrate import solve_ivp

g = 9.81


def rate(_, y):
    a, b, u, v = y
    c = a - b
    M = np.array([[4 / 3, np.cos(c) / 2], [np.cos(c) / 2, 1 / 3]])
    f = np.array([-v * v * np.sin(c) / 2 - 1.5 * g * np.sin(a), u * u * np.sin(c) / 2 - 0.5 * g * np.sin(b)])
    return [u, v, *np.linalg.solve(M, f)]


def run(tol, shift=0.0):
    y0 = [np.radians(120) + shift, np.radians(90), 0, 0]
    s = solve_ivp(rate, (0, 10), y0, method="DOP853", rtol=tol, atol=tol, t_eval=[1, 2, 5, 10])
    a, b = s.y[0], s.y[1]
    return np.sin(a) + np.sin(b), -np.cos(a) - np.cos(b), s.y


fine, coarse, moved = run(3e-14), run(1e-12), run(3e-14, 1e-8)
for i, t in enumerate((1, 2, 5, 10)):
    for k, axis in ((0, "x"), (1, "z")):
        print(f"lower.tip.position.{axis}", t, repr(float(fine[k][i])), abs(fine[k][i] - coarse[k][i]))
    print("# growth", t, abs(moved[0][i] - fine[0][i]) / 1e-8)
    print("elbow.angle", t, repr(float(fine[2][1][i] - fine[2][0][i])))
print("energy.total", 10, repr(float(g * (-1.5 * np.cos(np.radians(120)) - 0.5 * np.cos(np.radians(90))))))
