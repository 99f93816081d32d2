#!/usr/bin/python3
"""Figures of examples/rolling-coin: steady rolling in closed form; with a wobble, Newton and Euler about the point of contact.

The state is the disc's axis e, its angular velocity w and its centre, world axes. u = unit vector from contact to centre, in the disc:
  I w' + w x I w = -r u x m (w' x r u + w x r u' + g z),   e' = w x e,   centre' = w x r u
Prints: signal, time in s, value (and difference between two tolerances).
"""
import numpy as np
from scipy.integrate import solve_ivp

r, h, g, R, rho = 0.1, 0.008, 9.81, 0.3, 8500
theta = np.radians(90 - 25)
m = rho * np.pi * r * r * h
A, C = m * (3 * r * r + h * h) / 12, m * r * r / 2
s, c = np.sin(theta), np.cos(theta)
turn = np.sqrt(m * r * r * g * c / (s * (R * (C + m * r * r) + r * A * c)))
spin = -turn * R / r
z = np.array([0, 0, 1.])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def upward(e):
    across = z - (z @ e) * e
    return across / np.linalg.norm(across)


def rate(_, y):
    e, w = y[:3], y[3:6]
    e = e / np.linalg.norm(e)
    de = np.cross(w, e)
    length = np.sqrt(1 - e[2]**2)
    u = (z - e[2] * e) / length
    du = -(de[2] * e + e[2] * de) / length + (z - e[2] * e) * e[2] * de[2] / length**3
    I = A * np.eye(3) + (C - A) * np.outer(e, e)
    U = cross(r * u)
    # -r u x m (w' x r u) = m U U w'
    M = I - m * U @ U
    f = -np.cross(w, I @ w) - U @ (m * (np.cross(w, r * du) + g * z))
    return np.concatenate([de, np.linalg.solve(M, f), np.cross(w, r * u)])


def start(wobble):
    e = np.array([s, 0, c])
    w = spin * e + turn * s * upward(e) + np.array([0, wobble, 0])
    return np.concatenate([e, w, [R, 0, r * s]])


def energy(y):
    e, w = y[:3], y[3:6]
    v = np.cross(w, r * upward(e))
    return m * v @ v / 2 + (A * w @ w + (C - A) * (w @ e)**2) / 2 + m * g * y[8]


def run(wobble, tol):
    return solve_ivp(rate, (0, 10), start(wobble), method="DOP853", rtol=tol, atol=tol, t_eval=[1, 2, 5, 10]).y.T


print("# steady: turning rate", turn, "rad/s, time of a circle", 2 * np.pi / turn, "s")
for t, y in zip((1, 2, 5, 10), run(0, 1e-12)):
    print("coin.position.x", t, repr(float(R * np.cos(turn * t))), "integrated", y[6])
    print("coin.position.y", t, repr(float(R * np.sin(turn * t))), "integrated", y[7])
    print("coin.position.z", t, repr(float(r * s)), "integrated", y[8])
    print("coin.angularVelocity.z", t, repr(float(spin * c + turn * s * s)))
print("energy.total", 10, repr(float(energy(start(0)))))
print("# wobble 1 rad/s")
for t, y, other in zip((1, 2, 5, 10), run(1, 1e-13), run(1, 1e-11)):
    for k, name in enumerate("xyz"):
        print(f"coin.position.{name}", t, repr(float(y[6 + k])), abs(y[6 + k] - other[6 + k]))
    print("# energy", energy(y) - energy(start(1)))
print("energy.total", 10, repr(float(energy(start(1)))))
