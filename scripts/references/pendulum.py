#!/usr/bin/python3
"""Figures of examples/pendulum in closed form: Jacobi's elliptic functions, 30 digits.

sin(phi/2) = k sn(K - w t, k), k = sin(start/2), w = sqrt(g/l), phi from hanging; released at rest at phi = start.
Prints: signal, time in s, value.
"""
from mpmath import asin, cos, ellipfun, ellipk, mp, mpf, pi, sin, sqrt

mp.dps = 30
g, l, m, start = mpf("9.81"), mpf(1), mpf(1), pi / 2
k, w = sin(start / 2), sqrt(g / l)
K = ellipk(k**2)


def state(t):
    u = K - w * t
    phi = 2 * asin(k * ellipfun("sn", u, m=k**2))
    rate = -2 * k * w * ellipfun("cn", u, m=k**2)  # phi'
    return phi, rate


print("# period", 4 * K / w)
for t in (1, 5, 10):
    phi, rate = state(mpf(t))
    # Positive angles turn the bob to -x
    print("bob.position.x", t, -l * sin(phi))
    print("bob.position.z", t, -l * cos(phi))
    print("pivot.speed", t, rate)
    tension = m * (g * cos(phi) + l * rate**2)  # along the bar, from bob to pivot
    print("pivot.force.x", t, tension * sin(phi))
    print("pivot.force.z", t, tension * cos(phi))
print("energy.total", 10, -m * g * l * cos(start))
