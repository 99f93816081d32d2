#!/usr/bin/python3
"""Figures of examples/andrews-squeezer, and the check that its drawing closes.

The equations of motion (Hairer & Wanner, Solving ODEs II, VII.7) in the seven angles, multipliers eliminated, DOP853 with the
position and velocity constraints projected back every 1e-4 s. Published: q1(0.03) = 15.810771195153707 and so on.
Prints: signal, time in s, value, difference between two tolerances.
"""
import numpy as np
from numpy import cos, sin
from scipy.integrate import solve_ivp

m = [0, .04325, .00365, .02373, .00706, .0705, .00706, .05498]
I = [0, 2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
xa, ya, xb, yb, xc, yc = -.06934, -.00227, -.03635, .03273, .014, .072
d, da, e, ea, rr, ra, ss, sa, sb, sc, sd = .028, .0115, .02, .01421, .007, .00092, .035, .01874, .01043, .018, .02
ta, tb, u, ua, ub, zf, zt, fa, c0, l0, mom = .02308, .00916, .04, .01228, .00449, .02, .04, .01421, 4530, .07785, .033
q0 = np.array([-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
               0.487364979543842550225598953530, -0.222668390165885884674473185609, 1.23054744454982119249735015568])


def g(q):
    b, T, ga, P, de, Om, ep = q
    return np.array([
        rr * cos(b) - d * cos(b + T) - ss * sin(ga) - xb, rr * sin(b) - d * sin(b + T) + ss * cos(ga) - yb,
        rr * cos(b) - d * cos(b + T) - e * sin(P + de) - zt * cos(de) - xa,
        rr * sin(b) - d * sin(b + T) + e * cos(P + de) - zt * sin(de) - ya,
        rr * cos(b) - d * cos(b + T) - zf * cos(Om + ep) - u * sin(ep) - xa,
        rr * sin(b) - d * sin(b + T) - zf * sin(Om + ep) + u * cos(ep) - ya])


def G_and_gamma(q, v):
    """Jacobian G, and G' v"""
    b, T, ga, P, de, Om, ep = q
    G, h = np.zeros((6, 7)), np.zeros(6)
    for r in (0, 2, 4):
        G[r, 0], G[r, 1] = -rr * sin(b) + d * sin(b + T), d * sin(b + T)
        G[r + 1, 0], G[r + 1, 1] = rr * cos(b) - d * cos(b + T), -d * cos(b + T)
        w = (v[0] + v[1])**2
        h[r] = -rr * cos(b) * v[0]**2 + d * cos(b + T) * w
        h[r + 1] = -rr * sin(b) * v[0]**2 + d * sin(b + T) * w
    G[0, 2], G[1, 2] = -ss * cos(ga), -ss * sin(ga)
    h[0] += ss * sin(ga) * v[2]**2
    h[1] -= ss * cos(ga) * v[2]**2
    w = (v[3] + v[4])**2
    G[2, 3], G[2, 4] = -e * cos(P + de), -e * cos(P + de) + zt * sin(de)
    G[3, 3], G[3, 4] = -e * sin(P + de), -e * sin(P + de) - zt * cos(de)
    h[2] += e * sin(P + de) * w + zt * cos(de) * v[4]**2
    h[3] += -e * cos(P + de) * w + zt * sin(de) * v[4]**2
    w = (v[5] + v[6])**2
    G[4, 5], G[4, 6] = zf * sin(Om + ep), zf * sin(Om + ep) - u * cos(ep)
    G[5, 5], G[5, 6] = -zf * cos(Om + ep), -zf * cos(Om + ep) - u * sin(ep)
    h[4] += zf * cos(Om + ep) * w + u * sin(ep) * v[6]**2
    h[5] += zf * sin(Om + ep) * w - u * cos(ep) * v[6]**2
    return G, h


def mass(q):
    M = np.zeros((7, 7))
    c2, s4, s6 = cos(q[1]), sin(q[3]), sin(q[5])
    M[0, 0] = m[1] * ra**2 + m[2] * (rr**2 - 2 * da * rr * c2 + da**2) + I[1] + I[2]
    M[1, 0] = M[0, 1] = m[2] * (da**2 - da * rr * c2) + I[2]
    M[1, 1] = m[2] * da**2 + I[2]
    M[2, 2] = m[3] * (sa**2 + sb**2) + I[3]
    M[3, 3] = m[4] * (e - ea)**2 + I[4]
    M[4, 3] = M[3, 4] = m[4] * ((e - ea)**2 + zt * (e - ea) * s4) + I[4]
    M[4, 4] = m[4] * (zt**2 + 2 * zt * (e - ea) * s4 + (e - ea)**2) + m[5] * (ta**2 + tb**2) + I[4] + I[5]
    M[5, 5] = m[6] * (zf - fa)**2 + I[6]
    M[6, 5] = M[5, 6] = m[6] * ((zf - fa)**2 - u * (zf - fa) * s6) + I[6]
    M[6, 6] = m[6] * ((zf - fa)**2 - 2 * u * (zf - fa) * s6 + u**2) + m[7] * (ua**2 + ub**2) + I[6] + I[7]
    return M


def spring(q):
    D = np.array([sd * cos(q[2]) + sc * sin(q[2]) + xb, sd * sin(q[2]) - sc * cos(q[2]) + yb])
    r = D - [xc, yc]
    return np.hypot(*r), r


def force(q, v):
    L, r = spring(q)
    Fx, Fy = -c0 * (L - l0) / L * r
    return np.array([
        mom - m[2] * da * rr * v[1] * (v[1] + 2 * v[0]) * sin(q[1]), m[2] * da * rr * v[0]**2 * sin(q[1]),
        Fx * (sc * cos(q[2]) - sd * sin(q[2])) + Fy * (sd * cos(q[2]) + sc * sin(q[2])),
        m[4] * zt * (e - ea) * v[4]**2 * cos(q[3]), -m[4] * zt * (e - ea) * v[3] * (v[3] + 2 * v[4]) * cos(q[3]),
        -m[6] * u * (zf - fa) * v[6]**2 * cos(q[5]), m[6] * u * (zf - fa) * v[5] * (v[5] + 2 * v[6]) * cos(q[5])])


def saddle(q, v):
    G, h = G_and_gamma(q, v)
    A = np.zeros((13, 13))
    A[:7, :7], A[:7, 7:], A[7:, :7] = mass(q), G.T, G
    return A, h


def rate(_, y):
    q, v = y[:7], y[7:]
    A, h = saddle(q, v)
    return np.concatenate([v, np.linalg.solve(A, np.concatenate([force(q, v), -h]))[:7]])


def project(y):
    q, v = y[:7].copy(), y[7:].copy()
    for _ in range(3):
        A, _h = saddle(q, v)
        q += np.linalg.solve(A, np.concatenate([np.zeros(7), -g(q)]))[:7]
    A, _h = saddle(q, v)
    v += np.linalg.solve(A, np.concatenate([np.zeros(7), -A[7:, :7] @ v]))[:7]
    return np.concatenate([q, v])


def run(tol, times):
    y, out = np.concatenate([q0, np.zeros(7)]), {}
    for i in range(300):
        y = project(solve_ivp(rate, (0, 1e-4), y, method="DOP853", rtol=tol, atol=tol).y[:, -1])
        t = round((i + 1) * 1e-4, 4)
        if t in times:
            out[t] = y
    return out


print("# drawing closes to", np.abs(g(q0)).max(), "m")
times = (0.01, 0.02, 0.03)
fine, coarse = run(1e-13, times), run(1e-11, times)
names = ["drive", "crankJoint", "plateBearing", "innerJoint", "innerBearing", "outerJoint", "outerBearing"]
for t in times:
    q, v = fine[t][:7], fine[t][7:]
    for i, name in enumerate(names):
        print(f"{name}.angle", t, repr(float(q[i] - q0[i])), abs(fine[t][i] - coarse[t][i]), f"q = {q[i]!r}")
        print(f"{name}.speed", t, repr(float(v[i])), abs(fine[t][7 + i] - coarse[t][7 + i]))
    kinetic, (L, _r) = v @ mass(q) @ v / 2, spring(q)
    print("energy.kinetic", t, repr(float(kinetic)))
    print("energy.elastic", t, repr(float(c0 * (L - l0)**2 / 2)))
    print("energy.supplied", t, repr(float(mom * (q[0] - q0[0]))))
    print("spring.length", t, repr(float(L)))
    print("# invariant", t, kinetic + c0 * (L - l0)**2 / 2 - mom * (q[0] - q0[0]))
