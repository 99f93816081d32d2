#!/usr/bin/python3
"""Figures of examples/newtons-cradle: Newton's equations in one angle or place per ball, Hertz force between neighbours, DOP853.

The row does not depend on size, stiffness or speed: with lengths in (m v^2 / k)^(2/5) and speeds in v it is x'' = sum of d^1.5.
Prints: signal, time in s, value (and difference between two tolerances).
"""
import numpy as np
from scipy.integrate import solve_ivp

n = 5


def row(tol):
    def rate(_, y):
        force = np.maximum(0, y[:n - 1] - y[1:n])**1.5
        return np.concatenate([y[n:], np.append(-force, 0) + np.append(0, force)])

    y = np.zeros(2 * n)
    y[n] = 1
    return solve_ivp(rate, (0, 40), y, method="DOP853", rtol=tol, atol=tol, max_step=0.01).y[n:, -1]


r, l, g = 0.015, 0.15, 9.81
E, nu, rho = 210e9, 0.3, 7850
m = rho * 4 / 3 * np.pi * r**3
J = 0.4 * m * r * r + m * l * l
k = 4 / 3 * E / (2 * (1 - nu**2)) * np.sqrt(r / 2)
times = [0.5, 1, 2, 3, 4, 5]


def hanging(tol, gap=0.0, lifted=1):
    """Angles are turns about +y: the centre of ball i is at (i p - l sin a, -l cos a)."""
    p = 2 * r + gap

    def rate(_, y):
        a, w = y[:n], y[n:]
        s, c = np.sin(a), np.cos(a)
        torque = -m * g * l * s
        # from ball i to i + 1
        dx = p - l * (s[1:] - s[:-1])
        dz = -l * (c[1:] - c[:-1])
        distance = np.sqrt(dx * dx + dz * dz)
        force = k * np.maximum(0, 2 * r - distance)**1.5
        for i in np.nonzero(force)[0]:
            fx, fz = force[i] * dx[i] / distance[i], force[i] * dz[i] / distance[i]
            # virtual work: x = -l sin a, z = -l cos a
            torque[i + 1] += -fx * l * c[i + 1] + fz * l * s[i + 1]
            torque[i] -= -fx * l * c[i] + fz * l * s[i]
        return np.concatenate([w, torque / J])

    y = np.zeros(2 * n)
    y[:lifted] = np.pi / 6
    # A step that jumps into a neighbour by 0.4 mm is refused by its error: impacts are 5 um deep.
    return solve_ivp(rate, (0, times[-1]), y, method="DOP853", rtol=tol, atol=tol * 1e-3, max_step=5e-4, t_eval=times)


if __name__ == "__main__":
    print("# free balls in a row, speed 1 m/s")
    for i, (v, other) in enumerate(zip(row(1e-13), row(1e-11))):
        print(f"ball[{i}].velocity.x end {float(v)!r} {abs(v - other):.1e}")
    print("# each restitution e once, gaps between them: ((1 + e)/2)^4 =", ((1 + 0.9) / 2)**4, "at e = 0.9")
    print("# hanging: energy above rest", m * g * l * (1 - np.cos(np.pi / 6)), "J, total", -m * g * l * (n - 1 + np.cos(np.pi / 6)))
    for lifted in (1, 2):
        a, b = hanging(1e-12, lifted=lifted), hanging(1e-10, lifted=lifted)
        print("# lifted", lifted)
        for j, t in enumerate(times):
            for i in range(n):
                print(f"wires[{i}].angle {t} {float(a.y[i, j])!r} {abs(a.y[i, j] - b.y[i, j]):.1e}")
