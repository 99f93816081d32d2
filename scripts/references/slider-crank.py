#!/usr/bin/python3
"""Figures of examples/slider-crank.

Kinematics in closed form: x = r cos phi + sqrt(l^2 - r^2 sin^2 phi). Dynamics of the one degree of freedom phi:
J(phi) phi'' + J'(phi) phi'^2 / 2 + V'(phi) = torque, J from the velocities of the three parts, derivatives by mpmath.
At constant speed this gives the torque of the drive. Coasting, energy gives phi'(phi) and t = integral of dphi/phi'.
Prints: signal, time in s, value.
"""
from mpmath import cos, diff, findroot, mp, mpf, pi, quad, sin, sqrt

mp.dps = 30
r, l, g, h, rho = mpf("0.05"), mpf("0.15"), mpf("9.81"), mpf("0.01"), mpf(7850)
crank = rho * pi * (mpf("1.2") * r)**2 * h  # disc of radius 1.2 r
rod = rho * l * h * mpf("0.015")
piston = rho * mpf("0.04")**2 * h
J_crank = crank * (mpf("1.2") * r)**2 / 2
J_rod = rod * (l**2 + mpf("0.015")**2) / 12


def x(phi):
    return r * cos(phi) + sqrt(l**2 - (r * sin(phi))**2)


def J(phi):
    """Twice the kinetic energy at phi' = 1"""
    dx = -r * sin(phi) - r**2 * sin(phi) * cos(phi) / sqrt(l**2 - (r * sin(phi))**2)
    turn = r * cos(phi) / sqrt(l**2 - (r * sin(phi))**2)  # of the rod, sin psi = r sin phi / l
    centre = ((-r * sin(phi) + dx) / 2)**2 + (r * cos(phi) / 2)**2  # half-way between crank pin and wrist pin
    return J_crank + rod * centre + J_rod * turn**2 + piston * dx**2


def V(phi):
    return rod * g * r * sin(phi) / 2


w = 2 * pi * 10
for t in (mpf("0.03"), mpf("0.11"), mpf("0.2")):
    phi = w * t
    print("piston.position.x", t, x(phi))
    print("piston.velocity.x", t, w * diff(x, phi))
    print("rod.angularVelocity.y", t, w * r * cos(phi) / sqrt(l**2 - (r * sin(phi))**2))
    print("crankshaft.drive", t, diff(J, phi) * w**2 / 2 + diff(V, phi))
    print("energy.kinetic", t, J(phi) * w**2 / 2)

print("# coasting")
start = mpf(20)
E = J(0) * start**2 / 2 + V(0)


def speed(phi):
    return sqrt(2 * (E - V(phi)) / J(phi))


whole = quad(lambda p: 1 / speed(p), [k * pi / 4 for k in range(9)])  # time of one turn
print("# one turn takes", whole)
for t in (mpf("0.5"), mpf(1)):
    turns = int(t / whole)
    rest = t - turns * whole
    time = lambda p: quad(lambda s: 1 / speed(s), [k * p / 8 for k in range(9)])
    p = findroot(lambda p: time(p) - rest, 2 * pi * rest / whole)
    print("crankshaft.angle", t, 2 * pi * turns + p)
    print("crankshaft.speed", t, speed(p))
    print("piston.position.x", t, x(p))
print("energy.total", 1, E)
