#!/usr/bin/python3
"""Figures of examples/cylinder-tests in closed form: the cylinder of Buse et al. (2023), table 1, as a rigid body with Coulomb friction.

Prints: test, signal, time in s, value.
"""
import numpy as np
from scipy.optimize import brentq

m, R, I, E, nu, e, mu, g = 1.0, 0.5, 0.25, 4.5e5, 0.40, 0.60, 0.40, 9.81
share = I / (I + m * R * R)  # of a sliding speed: what friction takes until the wheel rolls


def impact(vx, vz, mu, e):
    stick = m * vx * share
    J = min(stick, mu * (1 + e) * m * vz)
    return vx - J / m, e * vz, J * R / I


for friction in (mu, 0.1, 0):
    print("impact, friction", friction, "vx', vz', spin:", impact(1, 1, friction, e))

# N = k d^1.5 (1 + x v/v0), x = 8/5 (1 - z)/z: v dv/(1 + x v/v0) = -k/m d^1.5 dd, over the way in and the way out
x = 8 / 5 * (1 - e) / e
print("impact with the paper's law, vz':", brentq(lambda r: x * (1 + r) - np.log((1 + x) / (1 - r * x)), 0.1, 0.9))

v = 5
print("sliding: way", v * v / (2 * mu * g), "m, time", v / (mu * g), "s, speed at 1 s", v - mu * g)

v = np.sqrt(8)
print("rolling from", v, "m/s or", np.sqrt(8 / I), "rad/s: slips until", v * share / (mu * g), "s, then", v * (1 - share), "m/s, energy", m * (v / 2)**2, "J; both:", np.sqrt(4 / m))
print("  speed at 0.2 s: moving", v - mu * g * 0.2, "turning", mu * g * 0.2)

for degrees in (15, 30):
    i = np.radians(degrees)
    print("slope of", degrees, "degrees: slides with", max(0, g * (np.sin(i) - mu * np.cos(i))), "m/s2, rolls with", g * np.sin(i) * (1 - share), "m/s2 if tan <", mu / share)
    print("  rolling, 2 s: velocity.x", 2 * g * np.sin(i) * (1 - share) * np.cos(i), "spin", 2 * g * np.sin(i) * (1 - share) / R)
i = np.radians(15)
print("slope of 15 degrees with the paper's law: creeps with", 1e-3 * np.arctanh(np.tan(i) / mu), "m/s, v_d = 1e-3 m/s")

torque = 2 / 3 * mu * m * g * R
print("spinning 10 rad/s: torque", torque, "N m, stops after", 10 * I / torque, "s (friction at the rim only:", 10 * I / (mu * m * g * R), "s); at 1 s", 10 - torque / I, "at 1.9 s", 10 - 1.9 * torque / I)

# Two flat faces of area A: V = A d, F = E* k sqrt(V 2V/A), k = 4/(3 sqrt(pi))
modulus = E / (2 * (1 - nu**2))
stiffness = 4 * np.sqrt(2) / (3 * np.sqrt(np.pi)) * modulus * 1.0
sunk = 0
for level in range(5):
    sunk += (5 - level) * m * g / stiffness
    print(f"stacking: stack[{level}].position.z", repr(float(0.5 + level - sunk)))
