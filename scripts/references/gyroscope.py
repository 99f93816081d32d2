#!/usr/bin/python3
"""Figures of examples/gyroscope: the heavy symmetric top in closed form (Goldstein, Classical Mechanics, 5.7), 30 digits.

Released with spin alone, u = cos theta obeys u'^2 = (u0 - u) (b (1 - u^2) - a^2 (u0 - u)), a = C w3/A, b = 2 m g l/A. With the
roots u1 < u0 < u2: u = u1 + (u0 - u1) sn^2(lambda t + K), lambda = sqrt(b (u2 - u1))/2, k^2 = (u0 - u1)/(u2 - u1), and the
azimuth is the integral of a (u0 - u)/(1 - u^2). Started with the steady rate, theta stays and the azimuth grows evenly.
Prints: signal, time in s, value.
"""
from mpmath import cos, ellipfun, ellipk, mp, mpf, pi, polyroots, quad, radians, sin, sqrt

mp.dps = 30
rho, g, w3, theta = mpf(8500), mpf("9.81"), mpf(200), radians(mpf(60))
length = mpf("0.12")


def cylinder(radius, height, z):
    m = rho * pi * radius**2 * height
    return m, z, m * (3 * radius**2 + height**2) / 12, m * radius**2 / 2


parts = [cylinder(mpf("0.05"), mpf("0.015"), mpf("0.07")), cylinder(mpf("0.003"), length, length / 2)]
ml = sum(m * z for m, z, _, _ in parts)
A = sum(I + m * z**2 for m, z, I, _ in parts)
C = sum(I for _, _, _, I in parts)

a, b, u0 = C * w3 / A, 2 * ml * g / A, cos(theta)
roots = sorted(r.real for r in polyroots([-b, a**2, b - a**2 * u0], maxsteps=200, extraprec=200))
u1, u2 = roots
K = ellipk((u0 - u1) / (u2 - u1))
lam = sqrt(b * (u2 - u1)) / 2
print("# nutation: period", 2 * K / lam, "s, angular frequency", pi * lam / K, "against C w3/A =", a, "; u1", u1)


def u(t):
    return u1 + (u0 - u1) * ellipfun("sn", lam * t + K, m=(u0 - u1) / (u2 - u1))**2


def azimuth(t):
    pieces = 2 + int(4 * t * lam / K)
    return quad(lambda s: a * (u0 - u(s)) / (1 - u(s)**2), [t * k / pieces for k in range(pieces + 1)])


mass = sum(m for m, _, _, _ in parts)
for t in (mpf("0.1"), mpf(1), mpf(2)):
    phi, c = azimuth(t), u(t)
    print("rotor.tip.position.x", t, length * sqrt(1 - c**2) * cos(phi))
    print("rotor.tip.position.y", t, length * sqrt(1 - c**2) * sin(phi))
    print("rotor.tip.position.z", t, length * c)
    print("# azimuth", phi)
print("angularMomentum.z", 2, C * w3 * u0)
print("energy.kinetic", 2, C * w3**2 / 2 + ml * g * (u0 - u(mpf(2))))
print("# steady")
Omega = 2 * ml * g / (C * w3 + sqrt((C * w3)**2 - 4 * A * ml * g * u0))
print("# rate", Omega, "fast-top estimate", ml * g / (C * w3))
for t in (1, 2):
    print("rotor.tip.position.x", t, length * sin(theta) * cos(Omega * t))
    print("rotor.tip.position.y", t, length * sin(theta) * sin(Omega * t))
    print("rotor.tip.position.z", t, length * u0)
# The point carries the weight and turns the centre of mass: m a = F - m g
R = ml / mass * sin(theta)
print("point.force.z", 1, mass * g)
print("point.force.x", 1, -mass * R * Omega**2 * cos(Omega))
