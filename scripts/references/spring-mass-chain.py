#!/usr/bin/python3
"""Figures of examples/spring-mass-chain in closed form: sum over the normal modes, 30 digits.

w_r = 2 sqrt(k/m) sin(r pi/(2 (n + 1))), first mass pulled by A:
x_j(t) = A 2/(n + 1) sum_r sin(r pi/(n + 1)) sin(j r pi/(n + 1)) cos(w_r t)
Prints: signal, time in s, value.
"""
from mpmath import cos, mp, mpf, pi, sin, sqrt

mp.dps = 30
n, m, k, A = 10, mpf(1), mpf(100), mpf("0.05")


def w(r):
    return 2 * sqrt(k / m) * sin(r * pi / (2 * (n + 1)))


def x(j, t):
    return A * 2 / (n + 1) * sum(sin(r * pi / (n + 1)) * sin(j * r * pi / (n + 1)) * cos(w(r) * t) for r in range(1, n + 1))


for j, t in ((1, 5), (5, 5), (10, 5), (1, 10), (5, 10), (10, 10)):
    print(f"rail[{j - 1}].position", t, x(j, mpf(t)))
print("energy.total", 10, k * A**2)
print("# mode 3: frequency", w(3))
for j, t in ((2, 10), (6, 10)):
    print(f"rail[{j - 1}].position", t, A * sin(j * 3 * pi / (n + 1)) * cos(w(3) * t))
print("energy.total", 10, m * w(3)**2 * sum((A * sin(j * 3 * pi / (n + 1)))**2 for j in range(1, n + 1)) / 2)
