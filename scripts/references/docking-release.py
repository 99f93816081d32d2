#!/usr/bin/python3
"""Figures of examples/docking-release in closed form, 30 digits.

Docking at gap/speed is a perfectly plastic impact: momentum and angular momentum stay. Then both turn as one rigid body about
their common centre; after the release each centre goes straight on with the speed it had, each body keeps its turning rate.
Prints: signal, time in s, value.
"""
from mpmath import cos, mp, mpf, sin

mp.dps = 30
v, gap, d, M, m, release = mpf("0.5"), mpf(1), mpf("0.3"), mpf(400), mpf(200), mpf(12)
s = mpf("0.9")
dock = gap / v
mu = M * m / (M + m)
inertia = M / 6 + m * mpf("0.8")**2 / 6  # cubes
total = inertia + mu * (s**2 + d**2)
w = -mu * d * v / total
V = m * v / (M + m)
r = (-s, d)  # from target to chaser at docking
centre = (m / (M + m) * r[0], m / (M + m) * r[1])


def place(share, t):
    """Body at centre + share * r turned"""
    held = min(t, release) - dock
    a = w * held
    arm = (share * (cos(a) * r[0] - sin(a) * r[1]), share * (sin(a) * r[0] + cos(a) * r[1]))
    x, y = centre[0] + V * held + arm[0], centre[1] + arm[1]
    vx, vy = V - w * arm[1], w * arm[0]
    free = max(0, t - release)
    return x + vx * free, y + vy * free, vx, vy


print("# docks at", dock)
for t in (10, 20):
    for name, share in (("target", -m / (M + m)), ("chaser", M / (M + m))):
        x, y, vx, vy = place(share, mpf(t))
        print(f"{name}.position.x", t, x)
        print(f"{name}.position.y", t, y)
        print(f"{name}.velocity.y", t, vy)
        print(f"{name}.angularVelocity.z", t, w)
# The latch pulls the chaser to the common centre: m w^2 times its distance
a = w * (10 - dock)
share = M / (M + m)
print("latch.force.x", 10, -m * w**2 * share * (cos(a) * r[0] - sin(a) * r[1]))
print("latch.force.y", 10, -m * w**2 * share * (sin(a) * r[0] + cos(a) * r[1]))
print("momentum.x", 20, m * v)
print("angularMomentum.z", 20, -m * d * v)
print("energy.kinetic", 1, m * v**2 / 2)
print("energy.kinetic", 20, (M + m) * V**2 / 2 + total * w**2 / 2)
xs = [place(M / (M + m), dock + k * mpf("0.1"))[0] - place(-m / (M + m), dock + k * mpf("0.1"))[0] + s for k in range(1, 200)]
print("# least distance past docking after it", min(xs))
