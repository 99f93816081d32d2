#!/usr/bin/python3
"""Wave of falling dominoes of examples/dominoes by one differential equation in the angle of the foremost.

Plane motion. Domino i turns about its lower front edge, which does not slip, and leans with its upper front edge on the back of the next,
along which it slides with friction; collisions are plastic. All angles then follow from the foremost one's:

  h sin(a_i - a_{i+1}) = (s + d) cos a_{i+1} - d

  h, d, s  height, thickness, distance from face to face

With f_i the force of i across the back of i+1 and mu f_i along it, and I per mass about the edge, the equations

  I a_i'' = G_i + f_{i-1} B_{i-1} - f_i A_i
  A_i = h (cos u + mu sin u),  u = a_i - a_{i+1};   B_i = w_i - mu d,  w_i = h cos u - (s + d) sin a_{i+1}
  G_i = g (h sin a_i - d cos a_i)/2

are summed with weights l_n = 1, l_i = l_{i+1} B_i/A_i, in which the forces drop out. The same sum over impulses gives the speed after a
collision. J. M. J. van Leeuwen, The domino effect, Am. J. Phys. 78, 721 (2010), has the same assumptions.
Prints: friction, domino, time in s at which its centre has moved by 3 mm, speed of the wave there in m/s.
"""
from math import asin, cos, sin

import numpy as np
from scipy.integrate import solve_ivp

h, d, s, g, push = 0.048, 0.0075, 0.02, 9.81, 0.5
inertia = (h * h + d * d) / 3
hit = asin(s / h)


def chain(angle, n):
    """Angles from the foremost, n, back to 0, with their first and second derivatives by the foremost's"""
    a, p, q = [angle], [1.0], [0.0]
    for _ in range(n):
        t, dt, ddt = a[-1], p[-1], q[-1]
        sine = ((s + d) * cos(t) - d) / h
        u = asin(sine)
        u1 = -(s + d) / h * sin(t) / cos(u)
        u2 = (-(s + d) / h * cos(t) + sine * u1 * u1) / cos(u)
        a.append(t + u)
        p.append(dt * (1 + u1))
        q.append(ddt * (1 + u1) + dt * dt * u2)
    return np.array(a), np.array(p), np.array(q)


def weights(a, mu):
    l = [1.0]
    for i in range(1, len(a)):
        u, front = a[i] - a[i - 1], a[i - 1]
        w = h * cos(u) - (s + d) * sin(front)
        l.append(l[-1] * (w - mu * d) / (h * (cos(u) + mu * sin(u))))
    return np.array(l)


def rates(_, y, n, mu):
    a, p, q = chain(y[0], n)
    l = weights(a, mu)
    pull = g * (h * np.sin(a) - d * np.cos(a)) / 2
    return [y[1], (l @ (pull - inertia * q * y[1] ** 2)) / (inertia * (l @ p))]


def reaches(angle):
    event = lambda _, y, n, mu: y[0] - angle
    event.direction = 1
    return event


moved = solve_ivp(lambda a, x: [h / 2 * cos(a) + d / 2 * sin(a)], (0, 0.3), [0.0], events=lambda a, x: x[0] - 3e-3, rtol=1e-12, atol=1e-15).t_events[0][0]
ends = reaches(hit)
ends.terminal = True
for mu in (0.2, 0.0):
    omega, t = push / h, 0.0
    for n in range(20):
        r = solve_ivp(rates, (0, 1), [0.0, omega], args=(n, mu), events=[ends, reaches(moved)], rtol=1e-11, atol=1e-13)
        if n in (8, 10, 18):
            print(mu, n, "%.6f" % (t + r.t_events[1][0]), "%.5f" % ((s + d) / r.t_events[0][0]))
        t += r.t_events[0][0]
        _, p, _ = chain(hit, n)
        a, p1, _ = chain(0.0, n + 1)
        l = weights(a, mu)
        omega = (l[1:] @ p) * r.y_events[0][0][1] / (l @ p1)
