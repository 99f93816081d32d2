#!/usr/bin/python3
"""Figures of examples/spherical-pair: Newton and Euler for each body with the forces in the ball joints as unknowns.

Each body: quaternion and angular velocity in world axes; 12 linear equations per instant for two angular accelerations and two
joint forces. DOP853 at two tolerances, quaternions left to their own norm (drift checked).
Prints: signal, time in s, value, difference between two tolerances.
"""
import numpy as np
from scipy.integrate import solve_ivp

gravity = np.array([0, 0, -9.81])
J1, J2 = np.diag([.09, .08, .02]), np.diag([.07, .05, .03])
c1, b1, c2, tip = np.array([0, 0, -.5]), np.array([0, 0, -1.]), np.array([.1, 0, -.4]), np.array([0, 0, -1.])


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def spin(q, w):
    return 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(w, q[1:]))])


def rate(_, y):
    q1, q2, w1, w2 = y[:4], y[4:8], y[8:11], y[11:]
    R1, R2 = matrix(q1), matrix(q2)
    I1, I2, r1, p1, r2 = R1 @ J1 @ R1.T, R2 @ J2 @ R2.T, R1 @ c1, R1 @ b1, R2 @ c2
    # Unknowns: alpha1, alpha2, F1 (on body 1 at the origin), F2 (on body 2 at the elbow)
    A, f, E = np.zeros((12, 12)), np.zeros(12), np.eye(3)
    A[0:3, 0:3], A[0:3, 6:9], A[0:3, 9:12] = -cross(r1), -E, E
    f[0:3] = gravity - np.cross(w1, np.cross(w1, r1))
    A[3:6, 0:3], A[3:6, 6:9], A[3:6, 9:12] = I1, cross(r1), cross(p1 - r1)
    f[3:6] = -np.cross(w1, I1 @ w1)
    A[6:9, 0:3], A[6:9, 3:6], A[6:9, 9:12] = -cross(p1), -cross(r2), -E
    f[6:9] = gravity - np.cross(w1, np.cross(w1, p1)) - np.cross(w2, np.cross(w2, r2))
    A[9:12, 3:6], A[9:12, 9:12] = I2, cross(r2)
    f[9:12] = -np.cross(w2, I2 @ w2)
    x = np.linalg.solve(A, f)
    return np.concatenate([spin(q1, w1), spin(q2, w2), x[:6]])


def energy(y):
    R1, R2, w1, w2 = matrix(y[:4]), matrix(y[4:8]), y[8:11], y[11:]
    r1, r2 = R1 @ c1, R1 @ b1 + R2 @ c2
    v1, v2 = np.cross(w1, r1), np.cross(w1, R1 @ b1) + np.cross(w2, R2 @ c2)
    kinetic = (v1 @ v1 + v2 @ v2 + w1 @ R1 @ J1 @ R1.T @ w1 + w2 @ R2 @ J2 @ R2.T @ w2) / 2
    return kinetic - gravity @ (r1 + r2)


start_q2 = np.array([np.cos(.3), np.sin(.3), 0, 0])
w1 = np.array([1., 2, 3])
y0 = np.concatenate([[1, 0, 0, 0], start_q2, w1, w1 + matrix(start_q2) @ np.array([-2, .5, 1])])


def run(tol):
    return solve_ivp(rate, (0, 2), y0, method="DOP853", rtol=tol, atol=tol, t_eval=[1, 2]).y.T


fine, coarse = run(1e-13), run(1e-11)
for t, y, z in zip((1, 2), fine, coarse):
    p, q = (matrix(s[:4]) @ b1 + matrix(s[4:8]) @ tip for s in (y, z))
    for name, a, b in zip("xyz", p, q):
        print(f"lower.tip.position.{name}", t, repr(float(a)), abs(a - b))
    for name, a in zip("xyz", y[11:]):
        print(f"lower.angularVelocity.{name}", t, repr(float(a)))
    print("# norm", np.linalg.norm(y[:4]) - 1, "energy", energy(y) - energy(y0))
print("energy.total", 2, repr(float(energy(y0))))
