#!/usr/bin/python3
"""Figures of examples/flyball-governor: Lagrange's equations of the symmetric motion, DOP853 at two tolerances.

Coordinates: angle of the arms th from hanging, height s of the sleeve, turning rate n of the shaft (cyclic: J(th) n is constant).
  T = J n^2/2 + B th'^2 + M s'^2/2,   J = J0 + 2 (B sin^2 th + A cos^2 th),   two spring-dampers from sleeve to arms
Prints: signal, time in s, value, difference between two tolerances.
"""
import numpy as np
from scipy.integrate import solve_ivp

rho, g, k, c, L, b, a, R = 7850, 9.81, 8e5, 4e4, .5, .25, .012, .05
bar, ball = rho * a * a * L, rho * 4 / 3 * np.pi * R**3
B = bar * (a * a + L * L) / 12 + bar * L * L / 4 + .4 * ball * R * R + ball * L * L  # about the hinge
A = bar * a * a / 6 + .4 * ball * R * R  # along the arm
ml = bar * L / 2 + ball * L
M, sleeve = 3, .004
shaft = rho * np.pi * .015**2 * .8 * .015**2 / 2
J0 = shaft + sleeve
th0, n0 = np.radians(30), 2 * np.pi
s0 = -2 * b * np.cos(th0)


def J(th):
    return J0 + 2 * (B * np.sin(th)**2 + A * np.cos(th)**2)


momentum = J(th0) * n0


def rate(_, y):
    th, s, w, v = y
    dx, dz = b * np.sin(th), -b * np.cos(th) - s  # from sleeve to arm
    l = np.hypot(dx, dz)
    l_th, l_s = (dx * b * np.cos(th) + dz * b * np.sin(th)) / l, -dz / l
    f = -2 * (k * (l - b) + c * (l_th * w + l_s * v))
    n = momentum / J(th)
    dJ = 4 * (B - A) * np.sin(th) * np.cos(th)
    return [w, v, (dJ * n * n / 2 - 2 * ml * g * np.sin(th) + f * l_th) / (2 * B), f * l_s / M - g]


def run(tol):
    return solve_ivp(rate, (0, 5), [th0, s0, 0, 0], method="DOP853", rtol=tol, atol=tol, t_eval=[1, 2, 5]).y.T


print("# masses: bar", bar, "ball", ball)
for t, y, o in zip((1, 2, 5), run(1e-12), run(1e-10)):
    print("slide.position", t, repr(float(y[1] - s0)), abs(y[1] - o[1]))
    print("rightHinge.angle", t, repr(float(y[0] - th0)), abs(y[0] - o[0]))
    print("bearing.speed", t, repr(float(momentum / J(y[0]))))
print("angularMomentum.z", 5, repr(float(momentum)))
