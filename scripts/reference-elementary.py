#!/usr/bin/python3
"""Polynomials, tables and reference values of the elementary functions in src/math, computed with mpmath.

    reference-elementary.py polynomials    prints the coefficients that stand in src/math/*.ts, with their errors
    reference-elementary.py tables         prints the tables; those of exp and log are worked out by src/math/*-table.ts, tested to be the same
    reference-elementary.py references     writes tests/verification/references/elementary-*.json

Everything is computed with 240 bits or more and rounded to double at the end. Needs python3-mpmath (1.2 or later).
"""

import base64
import json
import math
import struct
import sys
from pathlib import Path

from mpmath import mp, mpf, matrix, lu_solve, fabs, factorial, ln, pi
import mpmath

mp.prec = 240
ROOT = Path(__file__).resolve().parent.parent


# --- Polynomials ------------------------------------------------------------------------------------------------------

def minimax(function, weight, a, b, count):
    """Coefficients p of the polynomial with `count` terms that makes max |weight (p − function)| least on [a, b].

    Remez exchange: solve for p and the levelled error E at count + 1 points with alternating sign, move the points to
    the extrema of the error, repeat. Returns p, lowest power first, and the largest weighted error.
    """
    a, b = mpf(a), mpf(b)
    points = [(a + b) / 2 - (b - a) / 2 * mpmath.cos(pi * i / count) for i in range(count + 1)]
    weights_at = lambda u: max(weight(u), mpf(2) ** -200)
    for _ in range(12):
        system = matrix(count + 1, count + 1)
        right = matrix(count + 1, 1)
        for row, u in enumerate(points):
            for power in range(count):
                system[row, power] = u ** power
            system[row, count] = (-1) ** row / weights_at(u)
            right[row] = function(u)
        solution = lu_solve(system, right)
        p = [solution[i] for i in range(count)]
        error = lambda u: weights_at(u) * (mpmath.polyval(p[::-1], u) - function(u))
        # extrema: the largest |error| between consecutive sign changes, on a fine Chebyshev grid
        grid = [(a + b) / 2 - (b - a) / 2 * mpmath.cos(pi * i / (40 * count)) for i in range(40 * count + 1)]
        values = [error(u) for u in grid]
        extrema, best = [], 0
        for i in range(1, len(grid)):
            if values[i] * values[best] < 0:
                extrema.append(best)
                best = i
            elif fabs(values[i]) > fabs(values[best]):
                best = i
        extrema.append(best)
        if len(extrema) < count + 1:
            break
        while len(extrema) > count + 1:
            extrema.pop(0 if fabs(values[extrema[0]]) < fabs(values[extrema[-1]]) else -1)
        points = [grid[i] for i in extrema]
    return p, max(fabs(v) for v in values)


def series(coefficient, terms=60):
    c = [mpf(coefficient(i)) for i in range(terms)]
    return lambda u: mpmath.polyval(c[::-1], u)


def odd_remainder(function, first):
    """(f(x)/x − 1)/x² as a function of u = x², with its value `first` at 0."""
    def remainder(u):
        if u < mpf(10) ** -20:
            return first
        x = mpmath.sqrt(u)
        return (function(x) / x - 1) / u
    return remainder


def polynomials():
    """Name: function of u, weight that turns its error into relative error of the result, interval, terms."""
    r = ln(2) / 256 * mpf('1.01')
    l = mpf(2) ** -7 * mpf('1.01')
    q = (pi / 4 * mpf('1.0001')) ** 2
    t = (mpf(7) / 32 * mpf('1.001')) ** 2
    one = mpf(1)
    return {
        'exp(r) = 1 + r + r² p(r)': (series(lambda i: 1 / factorial(i + 2)), lambda u: u * u, -r, r, 4),
        'log(1 + r) = r − r²/2 + r³ p(r)': (series(lambda i: mpf((-1) ** i) / (i + 3)), lambda u: u * u, -l, l, 7),
        'expm1(x) = x + x²/2 + x³ p(x)': (series(lambda i: 1 / factorial(i + 3)), lambda u: u * u, -0.25, 0.25, 9),
        'sin(x) = x + x³ p(x²)': (series(lambda i: mpf((-1) ** (i + 1)) / factorial(2 * i + 3)), lambda u: u, 0, q, 6),
        'cos(x) = 1 − x²/2 + x⁴ p(x²)': (series(lambda i: mpf((-1) ** i) / factorial(2 * i + 4)), lambda u: u * u, 0, q, 6),
        'sinh(x) = x + x³ p(x²)': (series(lambda i: 1 / factorial(2 * i + 3)), lambda u: u, 0, 1, 7),
        'cosh(x) = 1 + x²/2 + x⁴ p(x²)': (series(lambda i: 1 / factorial(2 * i + 4)), lambda u: u * u, 0, 0.25, 5),
        'tanh(x) = x + x³ p(x²)': (odd_remainder(mpmath.tanh, -one / 3), lambda u: u, 0, 0.25, 11),
        'asin(x) = x + x³ p(x²)': (odd_remainder(mpmath.asin, one / 6), lambda u: u, 0, 0.25, 14),
        'atan(x) = x + x³ p(x²)': (odd_remainder(mpmath.atan, -one / 3), lambda u: u, 0, t, 8),
        'cbrt(x) = p(x)': (lambda u: mpmath.cbrt(u), lambda u: one, 1, 2, 3),
    }


def print_polynomials():
    for name, (function, weight, a, b, count) in polynomials().items():
        p, error = minimax(function, weight, a, b, count)
        print(f'{name}   error 2^{float(mpmath.log(error, 2)):.1f}')
        print('   ', ', '.join(repr(float(c)) for c in p))


# --- Tables -----------------------------------------------------------------------------------------------------------

def split(value):
    """value = high + low, both doubles, high the nearest."""
    high = float(value)
    return high, float(value - mpf(high))


def chopped(value, bits_after_point):
    """Nearest multiple of 2^-bits, and the rest as a double."""
    high = mpmath.nint(value * mpf(2) ** bits_after_point) / mpf(2) ** bits_after_point
    return float(high), float(value - high)


def reciprocal(index):
    """c ≈ 1/m at the middle of interval `index` of m in [0.6875, 1.375), a multiple of 2^-10; 1 on both sides of m = 1."""
    start = mpf('0.6875') + mpf(index) / 256 if index < 80 else 1 + mpf(index - 80) / 128
    width = mpf(1) / 256 if index < 80 else mpf(1) / 128
    if index in (79, 80):
        return mpf(1), start, width
    return mpmath.nint(1024 / (start + width / 2)) / 1024, start, width


def print_tables():
    print('2^(i/128):', [split(mpf(2) ** (mpf(i) / 128)) for i in range(128)])
    logarithms, largest = [], mpf(0)
    for i in range(128):
        c, start, width = reciprocal(i)
        largest = max(largest, fabs(start * c - 1), fabs((start + width) * c - 1))
        logarithms.append((float(c), *chopped(-ln(c), 42)))
    print('c, −log c:', logarithms)
    print('largest |c m − 1| = 2^%.3f' % float(mpmath.log(largest, 2)))
    print('ln 2 / 128:', chopped(ln(2) / 128, 42), ' 128 / ln 2:', float(128 / ln(2)))
    print('ln 2:', chopped(ln(2), 42))
    print('π/2:', split(pi / 2), ' π:', split(pi), ' π/4:', split(pi / 4))
    p1, _ = chopped(pi / 2, 32)
    p2, _ = chopped(pi / 2 - mpf(p1), 65)
    print('π/2 in three parts:', p1, p2, float(pi / 2 - mpf(p1) - mpf(p2)), ' 2/π:', float(2 / pi))
    print('atan(k/16):', [split(mpmath.atan(mpf(k) / 16)) for k in range(17)])
    with mpmath.workprec(1400):
        digits = int(mpmath.floor(2 / mpmath.pi * mpf(2) ** (24 * 49)))
    print('2/π in digits of 24 bits:', [(digits >> (24 * (48 - j))) & 0xFFFFFF for j in range(49)])
    print('2^(1/3), 2^(2/3):', split(mpmath.cbrt(2)), split(mpmath.cbrt(4)))


# --- Reference values -------------------------------------------------------------------------------------------------
#
# Arguments are given as recipes that the test follows with the same generator, so that only the values are stored:
#   uniform    from + (to − from) u
#   binades    random sign, biased exponent `from` … `to` (0: subnormal), 52 random bits; `positive` drops the sign
#   near       centres in turn, each moved by up to ±`steps` representable numbers
#   list       the named list as it is
# Of each value the nearest double is stored, and what is missing from it to the true value in 1/250 ulp.

class Xorshift:
    """Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8 (2003): 128 bits of state, 32 bits a call."""

    def __init__(self, seed):
        self.state = [seed, 0x9E3779B9, 0x243F6A88, 0xB7E15162]
        for _ in range(20):
            self.next()

    def next(self):
        x, y, z, w = self.state
        t = (x ^ (x << 11)) & 0xFFFFFFFF
        t ^= t >> 8
        w2 = w ^ (w >> 19) ^ t
        self.state = [y, z, w, w2]
        return w2

    def uniform(self):
        high = self.next()
        return (high * 2097152 + (self.next() >> 11)) / 9007199254740992


def from_bits(bits):
    return struct.unpack('<d', struct.pack('<Q', bits & 0xFFFFFFFFFFFFFFFF))[0]


def to_bits(x):
    return struct.unpack('<Q', struct.pack('<d', x))[0]


def produce(recipe, generator, lists):
    kind = recipe['kind']
    if kind == 'list':
        return list(lists[recipe['name']])
    result = []
    for i in range(recipe['count']):
        if kind == 'uniform':
            result.append(recipe['from'] + (recipe['to'] - recipe['from']) * generator.uniform())
        elif kind == 'binades':
            sign = generator.next() & 1
            exponent = recipe['from'] + generator.next() % (recipe['to'] - recipe['from'] + 1)
            fraction = (generator.next() >> 12) * 4294967296 + generator.next()
            x = from_bits((exponent << 52) | fraction)
            result.append(-x if sign and not recipe.get('positive') else x)
        elif kind == 'near':
            centre = recipe['centres'][i % len(recipe['centres'])]
            move = generator.next() % (2 * recipe['steps'] + 1) - recipe['steps']
            result.append(from_bits(to_bits(float(centre)) + move))
    return result


def uniform(a, b, count): return {'kind': 'uniform', 'from': a, 'to': b, 'count': count}
def binades(a, b, count, positive=False):
    recipe = {'kind': 'binades', 'from': a + 1023, 'to': b + 1023, 'count': count}
    return {**recipe, 'positive': True} if positive else recipe
def near(centres, count, steps=1000): return {'kind': 'near', 'centres': centres, 'steps': steps, 'count': count}
def named(name): return {'kind': 'list', 'name': name}


def hard_angles(step):
    """For every `step`-th binade, and all up to 2^21, the double m 2^e that comes nearest to a multiple of π/2 (convergents of 2^e · 2/π)."""
    with mpmath.workprec(2600):
        # the worst of all, and the one that needs most of the three-part π/2
        angles = [math.ldexp(6381956970095103, 797), 413441.44719405076]
        for e in [*range(-52, -32), *range(-32, 971, step)]:
            x = mpf(2) ** e * 2 / mpmath.pi
            rest, q0, q1 = x - mpmath.floor(x), 0, 1
            while True:
                rest = 1 / rest
                a = int(mpmath.floor(rest))
                rest -= a
                q0, q1 = q1, a * q1 + q0
                if q1 >= 2 ** 53:
                    break
            m = q0
            while m < 2 ** 52:
                m += q0
            if m < 2 ** 53:
                angles.append(math.ldexp(m, e))
    return angles


def powers_at(targets, bases):
    """Exponents y with y log x near each target, where errors of the logarithm weigh most."""
    return [float(mpf(t) / ln(mpf(x))) for t, x in zip(targets, bases)]


def plans():
    angles = [uniform(-10, 10, 500), uniform(-0.8, 0.8, 200), binades(-30, 20, 300), binades(-1023, 1023, 400),
              near([float(pi / 2 * n) for n in range(1, 41)], 200),
              near([float(pi / 2 * n) for n in (123456, 314159, 555555, 1000003)], 100, 50000), named('hardAngles')]
    arcs = [uniform(-1, 1, 1000), binades(-1023, -1, 300), binades(-28, -1, 300),
            near([0.5, -0.5, 1 - 2.0 ** -20, -1 + 2.0 ** -30, 1 - 2.0 ** -40, 1 - 2.0 ** -43], 400)]
    tangents = [uniform(-2, 2, 700), uniform(-20, 20, 300), binades(-1023, 1023, 300), binades(-28, 60, 300),
                near([7 / 32, 1, 32 / 7] + [(2 * k + 1) / 32 for k in range(4, 16)], 400)]
    hyper = [uniform(-710, 710, 500), uniform(-2, 2, 600), uniform(-25, 25, 300), binades(-1023, 9, 300),
             near([0.5, 1, 22, 710], 300)]
    draw = Xorshift(4)
    bases = ([from_bits(((draw.next() % 2046 + 1) << 52) | (draw.next() << 20)) for _ in range(300)]
             + [1 + (draw.uniform() - 0.5) * 2.0 ** -(draw.next() % 45) for _ in range(300)]
             + [1 + draw.uniform() / 128 for _ in range(100)])
    lists = {'hardAngles': hard_angles(2), 'powBases': bases,
             'powExponents': powers_at([-745 + 1454 * draw.uniform() for _ in bases], bases)}
    return lists, {
        'trigonometric': {
            'sin': [angles], 'cos': [angles], 'tan': [angles], 'asin': [arcs], 'acos': [arcs], 'atan': [tangents],
            'atan2': [[uniform(-1, 1, 800), binades(-1023, 1023, 300), binades(-20, 20, 500), binades(-1023, -1022, 200),
                       near([1, 2 / 3, 7 / 32, 9 / 32], 200)],
                      [uniform(-1, 1, 800), binades(-1023, 1023, 300), binades(-20, 20, 500), binades(-1023, -1022, 200),
                       near([1, -1], 200)]],
        },
        'exponential': {
            'exp': [[uniform(-745, 709, 700), uniform(-20, 20, 600), binades(-60, 9, 300), uniform(-745.2, -708, 300),
                     near([float(ln(2) / 256 * (2 * k + 1)) for k in range(-20, 20)], 100)]],
            'expm1': [[uniform(-50, 709, 400), uniform(-1, 1, 700), uniform(-5, 5, 400), binades(-1023, 9, 300),
                       near([0.25, -0.25], 200)]],
            'log': [[uniform(0.3, 4, 700), binades(-1023, 1023, 500, True), binades(-1023, -1023, 200, True),
                     uniform(0, 1000, 300), near([1], 300, 1000000)]],
            'log1p': [[uniform(-1, 2, 700), binades(-1023, -1, 400), binades(0, 1023, 300, True), uniform(-0.1, 0.1, 400),
                       near([-1 + 2.0 ** -20, -1 + 2.0 ** -40], 200)]],
            'sinh': [hyper], 'cosh': [hyper], 'tanh': [[uniform(-22, 22, 500), uniform(-1.5, 1.5, 800),
                                                        binades(-1023, 9, 400), near([0.5, 1, 22], 300)]],
        },
        'power': {
            'pow': [[uniform(0, 10, 500), binades(-1023, 1023, 300, True), uniform(0, 1000, 300), near([1], 300), named('powBases')],
                    [uniform(-10, 10, 500), binades(-60, 1, 300), near([0.5, -0.5, 1.5, 2.5, 1 / 3, -1.0, 3.0], 300, 0),
                     binades(40, 58, 300), named('powExponents')]],
            'cbrt': [[binades(-1023, 1023, 1000), uniform(-8, 8, 700), binades(-1023, -1023, 300)]],
            'hypot': [[uniform(-1, 1, 700), binades(-1023, 1023, 300), binades(-14, 14, 500), binades(-1023, -1022, 250),
                       binades(1020, 1022, 250)],
                      [uniform(-1, 1, 700), binades(-1023, 1023, 300), binades(-14, 14, 500), binades(-1023, -1022, 250),
                       binades(1020, 1022, 250)]],
        },
    }


EXACT = {name: getattr(mpmath, name) for name in
         'sin cos tan asin acos atan atan2 exp expm1 log log1p sinh cosh tanh cbrt hypot'.split()}
EXACT['pow'] = mpmath.power
EXACT['cbrt'] = lambda x: mpmath.sign(x) * mpmath.cbrt(fabs(x))


def rounded(value):
    """Nearest double, ties to even, and (value − double)/ulp."""
    if value == 0:
        return 0.0, 0.0
    exponent = max(int(mpmath.floor(mpmath.log(fabs(value), 2))), -1022)
    if fabs(value) >= mpf(2) ** (exponent + 1):
        exponent += 1
    quotient = value / mpf(2) ** (exponent - 52)
    units = int(mpmath.nint(quotient))
    if exponent > 1023 or (exponent == 1023 and abs(units) >= 2 ** 53):
        return math.inf if value > 0 else -math.inf, 0.0
    return math.ldexp(units, exponent - 52), float(quotient - units)


def evaluate(function, arguments):
    """The value, computed with 300 and with 700 bits, which must agree to 100 bits."""
    exact = [mpf(a) for a in arguments]
    with mpmath.workprec(300):
        value = function(*exact)
    with mpmath.workprec(700):
        again = function(*exact)
        assert again == value or fabs(value - again) < fabs(again) * mpf(2) ** -100, arguments
        return rounded(again)


def write_references():
    lists, groups = plans()
    folder = ROOT / 'tests/verification/references'
    folder.mkdir(parents=True, exist_ok=True)
    for group, functions in groups.items():
        used = {}
        document = {'source': 'scripts/reference-elementary.py with mpmath ' + mpmath.__version__, 'lists': used, 'functions': {}}
        for seed, (name, plan) in enumerate(functions.items(), start=1):
            for recipe in (r for recipes in plan for r in recipes if r['kind'] == 'list'):
                used[recipe['name']] = lists[recipe['name']]
            columns = []
            for column, recipes in enumerate(plan):
                generator = Xorshift(100 * seed + column)
                columns.append([x for recipe in recipes for x in produce(recipe, generator, lists)])
            values = [evaluate(EXACT[name], arguments) for arguments in zip(*columns)]
            packed = struct.pack(f'<{len(values)}d', *(v for v, _ in values))
            packed += struct.pack(f'{len(values)}b', *(round(250 * r) for _, r in values))
            document['functions'][name] = {
                'arguments': [{'seed': 100 * seed + column, 'recipes': recipes} for column, recipes in enumerate(plan)],
                'count': len(values), 'values': base64.b64encode(packed).decode()}
            print(name, len(values))
        path = folder / f'elementary-{group}.json'
        path.write_text(json.dumps(document, indent=2) + '\n')
        print(path.name, path.stat().st_size, 'bytes')


if __name__ == '__main__':
    tasks = {'polynomials': print_polynomials, 'tables': print_tables, 'references': write_references}
    if len(sys.argv) != 2 or sys.argv[1] not in tasks:
        sys.exit(__doc__)
    tasks[sys.argv[1]]()
