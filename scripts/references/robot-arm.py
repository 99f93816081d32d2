#!/usr/bin/python3
"""Figures of examples/robot-arm: Kane's equations with body Jacobians in world axes, DOP853 at two tolerances.

M = sum m Jv'Jv + Jw' I Jw, bias by the accelerations at q'' = 0, motors kp (target - q) + kd (speed - q') within limits. Taking hold
of the resting part is a plastic impact: (M + M_part) q'+ = M q'-; the part then moves with the hand as it was taken.
Prints: signal, time in s, value, difference between two tolerances.
"""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

g = np.array([0, 0, -9.81])
alu = 2700
H, L1, L2, L3, size, part = .4, .5, .45, .12, .06, 1.7


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def box(x, y, z):
    m = alu * x * y * z
    return m, m / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])


def column():
    m, r, h = alu * np.pi * .08**2 * H, .08, H
    return m, m * np.diag([(3 * r * r + h * h) / 12, (3 * r * r + h * h) / 12, r * r / 2])


# Joint points, axes and centres as drawn
points = np.array([[0, 0, 0], [0, 0, H], [0, 0, H + L1], [L2, 0, H + L1]])
axes = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0]], float)
bodies = [column(), box(.06, .06, L1), box(L2, .05, .05), box(.04, .04, L3)]
centres = np.array([[0, 0, H / 2], [0, 0, H + L1 / 2], [L2 / 2, 0, H + L1], [L2, 0, H + L1 - L3 / 2]])
gripper = np.array([L2, 0, H + L1 - L3])
limits = np.array([30, 120, 60, 10.])
kp = 4000 * np.array([.5, 1, .5, .02])
kd = .05 * kp


def posture(x, y, z):
    r, h = np.hypot(x, y), z + L3 - H
    reach = np.hypot(r, h)
    shoulder = np.arctan2(r, h) - np.arccos((L1**2 + reach**2 - L2**2) / (2 * L1 * reach))
    elbow = np.pi / 2 - np.arccos((L1**2 + L2**2 - reach**2) / (2 * L1 * L2))
    return np.array([np.arctan2(y, x), shoulder, elbow, -shoulder - elbow])


pick, place, hover, home = (.5, -.35), (.35, .45), .15, np.zeros(4)
path = [(.2, home), (.9, posture(*pick, size + hover)), (1.3, posture(*pick, size)), (1.6, posture(*pick, size)),
        (2., posture(*pick, size + hover)), (2.7, posture(*place, size + hover)), (3.1, posture(*place, size)),
        (3.4, posture(*place, size)), (3.8, posture(*place, size + hover)), (4.5, home)]


def target(t):
    for (t0, a), (t1, b) in zip(path, path[1:]):
        if t0 <= t < t1:
            s = (t - t0) / (t1 - t0)
            return a + (b - a) * (10 * s**3 - 15 * s**4 + 6 * s**5), (b - a) / (t1 - t0) * 30 * s**2 * (1 - s)**2
    return (path[0][1], np.zeros(4)) if t < path[0][0] else (path[-1][1], np.zeros(4))


def turn(axis, angle):
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def frames(q):
    """Rotation of each link, its joint point and its joint axis, world"""
    R, p, out = np.eye(3), np.zeros(3), []
    for i in range(4):
        p = p + R @ (points[i] - (points[i - 1] if i else np.zeros(3)))
        axis = R @ axes[i]
        R = R @ turn(axes[i], q[i])
        out.append((R, p, axis))
    return out


def equations(q, v, held):
    """Mass matrix, and the generalised force of gravity less the bias; held: part's centre and rotation in the hand's frame"""
    F = frames(q)
    loads = [(m, I, centres[i] - points[i], i) for i, (m, I) in enumerate(bodies)]
    if held is not None:
        loads.append((part, part * size**2 / 6 * np.eye(3), held, 3))  # a cube: its inertia has no direction
    M, Q = np.zeros((4, 4)), np.zeros(4)
    # Angular velocity, and accelerations at q'' = 0, of each link and joint point
    w, alpha, acc, previous = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    state = []
    for i, (R, p, axis) in enumerate(F):
        d = p - previous
        acc = acc + cross(alpha, d) + cross(w, cross(w, d))
        alpha = alpha + cross(w, axis * v[i])
        w = w + axis * v[i]
        state.append((w, alpha, acc))
        previous = p
    for m, I, r, i in loads:
        R, p, _ = F[i]
        w, alpha, acc = state[i]
        d = R @ r
        x = p + d
        Jw = np.array([F[j][2] if j <= i else np.zeros(3) for j in range(4)]).T
        Jv = np.array([cross(F[j][2], x - F[j][1]) if j <= i else np.zeros(3) for j in range(4)]).T
        Iw = R @ I @ R.T
        a = acc + cross(alpha, d) + cross(w, cross(w, d))
        M += m * Jv.T @ Jv + Jw.T @ Iw @ Jw
        Q += Jv.T @ (m * (g - a)) - Jw.T @ (Iw @ alpha + cross(w, Iw @ w))
    return M, Q


def torque(t, q, v):
    to, speed = target(t)
    return np.clip(kp * (to - q) + kd * (speed - v), -limits, limits)


def rate(t, y, held):
    q, v = y[:4], y[4:]
    M, Q = equations(q, v, held)
    return np.concatenate([v, np.linalg.solve(M, Q + torque(t, q, v))])


def place_of(q, local, link=3):
    R, p, _ = frames(q)[link]
    return p + R @ local


knots = sorted({t for t, _ in path} | {1.5, 3.3, 5.0})
times = [1.0, 1.5, 2.4, 3.0, 3.3, 5.0]


def run(tol):
    y, t0, held, out, most = np.zeros(8), 0.0, None, {}, np.zeros(4)
    spot = np.array([*pick, size / 2])
    for t1 in knots:
        inner = sorted({t for t in times if t0 < t <= t1} | {t1} | set(np.linspace(t0, t1, 60)))
        s = solve_ivp(rate, (t0, t1), y, method="DOP853", rtol=tol, atol=tol / 10, args=(held,), t_eval=inner)
        for t, state in zip(s.t, s.y.T):
            centre = spot if held is None else place_of(state[:4], held)
            out[round(float(t), 9)] = (state.copy(), centre)
            most = np.maximum(most, np.abs(torque(t, state[:4], state[4:])))
        y, t0 = s.y[:, -1].copy(), t1
        if t1 == 1.5:  # take hold
            R, p, _ = frames(y[:4])[3]
            held = R.T @ (spot - p)
            M0, _q = equations(y[:4], y[4:], None)
            M1, _q = equations(y[:4], y[4:], held)
            y[4:] = np.linalg.solve(M1, M0 @ y[4:])
        if t1 == 3.3:  # let go; the tray keeps the part
            spot, held = place_of(y[:4], held), None
    print("# greatest torques", most)
    return out


fine, coarse = run(1e-12), run(1e-10)
tip = gripper - points[3]
for t in times:
    (y, centre), (o, _c) = fine[t], coarse[t]
    for name, a, b in zip(("yaw", "shoulder", "elbow", "wrist"), y[:4], o[:4]):
        print(f"{name}.angle", t, repr(float(a)), abs(a - b))
    for name, a in zip("xyz", place_of(y[:4], tip)):
        print(f"hand.gripper.position.{name}", t, repr(float(a)))
    for name, a in zip("xyz", centre):
        print(f"part.position.{name}", t, repr(float(a)))
    print("# torque", torque(t, y[:4], y[4:]), "speeds", y[4:])

# At rest the motors carry the weight: kp (target - q) + gravity(q) = 0
rest = fsolve(lambda q: kp * (home - q) + equations(q, np.zeros(4), None)[1], np.zeros(4), xtol=1e-14)
print("# at rest in the end", [repr(float(x)) for x in rest])
