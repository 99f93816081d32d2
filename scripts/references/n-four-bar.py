#!/usr/bin/python3
"""Figures of examples/n-four-bar in closed form: one degree of freedom, Jacobi's elliptic functions, 30 digits.

theta'' = (W/J) sin theta with J = (n + 1)/3 + n, W = g ((n + 1)/2 + n): a pendulum that starts upright with 1 rad/s and goes
over the top. With x = theta - pi: x'^2 = w^2 - 4 (W/J) sin^2(x/2), w its speed at the bottom, so x/2 = am(w t/2 - K, 4 W/(J w^2)).
Prints: signal, time in s, value.
"""
from mpmath import ellipfun, ellipk, mp, mpf, sqrt

mp.dps = 30
g = mpf("9.81")
for n in (2, 10):
    J, W = mpf(n + 1) / 3 + n, g * (mpf(n + 1) / 2 + n)
    w = sqrt(1 + 4 * W / J)
    m = 4 * W / (J * w**2)
    K = ellipk(m)
    print(f"# n = {n}, period", 4 * K / w)
    for t in (1, 5, 10):
        s, c = (ellipfun(name, w * mpf(t) / 2 - K, m=m) for name in ("sn", "cn"))  # sine and cosine of x/2
        print("crank[0].top.position.x", t, -2 * s * c)
        print("crank[0].top.position.z", t, s**2 - c**2)
    print("energy.total", 10, J / 2 + W)
