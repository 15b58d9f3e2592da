"""People in the style of an animated film: heads, hair, hands and clothes modeled from distance functions.

A head has its own unit (its half width is about one, chin at -1.1, crown at 1.14) and looks towards -y.
A figure is in meters and stands on z = 0. Sides are -1 (the viewer's left when it faces the camera) and 1.
"""
import math

import numpy as np
from mathutils import Euler, Matrix, Vector

from kit import *
from shapes import *

SKIN = ('#f3c9ae', '#e8b592', '#d69c74', '#b97f56', '#8f5a3c', '#6b412b', '#4c2d20')

# height, meters per head unit, shoulder half width, hip height / height, neck length, young, old
AGES = {
    'baby': (0.66, 0.110, 0.085, 0.34, 0.0, 1.0, 0.0),
    'toddler': (0.90, 0.124, 0.098, 0.36, 0.012, 0.8, 0.0),
    'child': (1.20, 0.134, 0.118, 0.42, 0.03, 0.55, 0.0),
    'grown': (1.68, 0.142, 0.172, 0.475, 0.05, 0.0, 0.0),
    'old': (1.60, 0.145, 0.168, 0.465, 0.035, 0.0, 1.0),
}


class Look:
    """The looks of a person, which are the same in all pictures."""

    def __init__(self, age='grown', skin=1, hair='short', hair_color='#3a2416', eyes='#5a3a20', female=False, top='shirt', color='#35576d', bottom='trousers', bottom_color='#3d4450', shoes='#4a3326', build=1.0, beard=None, glasses=None, pattern=None, second='#f0e8d8', scarf=None, hat=None, brow=None, freckles=False, seed=1, veil=False, short_sleeves=False, lips=None):
        self.__dict__.update({k: v for k, v in locals().items() if k != 'self'})
        self.height, self.unit, self.shoulder, self.hip, self.neck, self.young, self.old = AGES[age]
        if female and age in ('grown', 'old'):
            self.height, self.shoulder = self.height * 0.955, self.shoulder * 0.87
        self.fem = 1.0 if female else 0.0
        self.tone = np.array(srgb(SKIN[skin]) if isinstance(skin, int) else srgb(skin))


class Mood:
    """The expression of a face. smile and open 0..1; lids 1 is wide open; squint lifts the lower lid as in laughing."""

    def __init__(self, smile=0.7, open=0.0, lids=1.0, squint=0.25, brow=0.15, wry=0.0):
        self.smile, self.open, self.lids, self.squint, self.brow, self.wry = smile, open, lids, squint, brow, wry


def spaced(*points):
    at, value = zip(*points)
    return lambda q: np.interp(q, at, value)


HAIRLINE = spaced((0, 0.55), (0.42, 0.53), (0.75, 0.40), (1.02, 0.10), (1.2, -0.18), (1.32, -0.2), (1.45, -0.02), (1.75, -0.06), (2.1, -0.4), (2.5, -0.58), (math.pi, -0.62))
CROWN = np.array((0.0, 0.10, 0.24))


def ramp01(a, b, v):
    t = np.clip((v - a) / (b - a), 0, 1)
    return t * t * (3 - 2 * t)


class Face:
    """The field of one head, and positions on it."""

    def __init__(self, L, M):
        self.L, self.M = L, M
        Y, O, W = L.young, L.old, L.fem
        self.eye_r = 0.226 + 0.034 * Y
        self.mouth_z = -0.60 + 0.055 * Y
        self.mouth_w = 0.27 + 0.085 * M.smile - 0.05 * Y
        self.eye = (0.338, 0, -0.03 - 0.055 * Y)
        yf = self.front(self.flesh, [0.338], [self.eye[2]])[0]
        self.eye = (0.338, yf + self.eye_r * 0.74, self.eye[2])
        self.socketed = lambda x, y, z: self.with_eyes(x, y, z, self.flesh(x, y, z))
        xs = np.linspace(-1, 1, 13)
        self.lip_x = xs * self.mouth_w
        top, low = self.lip_lines(self.lip_x)
        self.lip_top = np.stack([self.lip_x, self.front(self.flesh, self.lip_x, top), top], 1)
        self.lip_low = np.stack([self.lip_x, self.front(self.flesh, self.lip_x, low), low], 1)
        self.lip_r = (0.028 + 0.016 * W) * np.sqrt(np.clip(1 - (xs * 0.94) ** 2, 0, 1)) + 0.006
        self.creases = self.make_creases()

    def lip_lines(self, x):
        """Heights of the upper and the lower edge of the mouth's opening."""
        M = self.M
        q = x / self.mouth_w
        top = self.mouth_z + 0.15 * M.smile * q * q - 0.05 * M.smile + 0.03 * M.wry * q
        return top, top - M.open * 0.36 * np.sqrt(np.clip(1 - q * q, 0, 1)) ** 1.1

    @staticmethod
    def front(field, xs, zs):
        """The y of the face's surface, seen from the front."""
        xs, zs = np.asarray(xs, float), np.asarray(zs, float)
        ys = np.linspace(-1.4, 0.2, 400)
        f = field(xs[:, None], ys[None], zs[:, None])
        return ys[np.argmax(f < 0, 1)]

    def flesh(self, x, y, z):
        L, M = self.L, self.M
        Y, O, W = L.young, L.old, L.fem
        ax = np.abs(x)
        f = egg(x, y, z, CROWN, (0.90 + 0.04 * Y, 0.96, 0.90))
        f = melt(f, egg(x, y, z, (0, -0.12, -0.36 + 0.06 * Y), (0.67 - 0.05 * W + 0.08 * Y, 0.66 + 0.02 * Y, 0.68 - 0.09 * Y)), 0.34)
        f = melt(f, ball(ax, y, z, (0.40 + 0.02 * M.smile, -0.45, -0.40 + 0.05 * M.smile + 0.02 * Y), 0.26 + 0.075 * Y + 0.02 * M.smile), 0.2)
        f = melt(f, ball(x, y, z, (0, -0.53 + 0.05 * Y, -0.86 + 0.17 * Y - 0.10 * M.open), 0.20 - 0.03 * W - 0.02 * Y), 0.34)
        f = melt(f, ball(ax, y, z, (0.40 - 0.04 * W, -0.24, -0.62 + 0.06 * Y - 0.04 * M.open), 0.17 + 0.04 * O), 0.34)
        return f

    def with_eyes(self, x, y, z, f):
        L, M = self.L, self.M
        ax = np.abs(x)
        ex, ey, ez = self.eye
        r = self.eye_r
        f = carve(f, egg(ax, y, z, (ex, ey - r - 0.06, ez + 0.03), (0.30, 0.16, 0.25)), 0.10)
        if L.young < 0.3:
            f = melt(f, egg(ax, y, z, (ex + 0.02, ey - 0.10, ez + 0.33 + 0.03 * M.brow), (0.26, 0.10, 0.07 * (1.2 - L.fem * 0.5))), 0.14)
        f = melt(f, ball(ax, y, z, (ex, ey, ez), r + 0.036), 0.075)
        if L.old:
            f = melt(f, egg(ax, y, z, (ex, ey - r * 0.7, ez - 0.27), (0.15, 0.05, 0.035)), 0.09)
        u = np.arctan2(ax - ex, -(y - ey))
        d = np.sqrt((ax - ex) ** 2 + (y - ey) ** 2 + (z - ez) ** 2) + 1e-6
        e = np.arcsin(np.clip((z - ez) / d, -1, 1))
        up, low = self.lid(u)
        g = np.maximum(np.maximum(e - up, low - e), np.abs(u - 0.03) - 0.98) * r
        g = np.maximum(g, np.maximum(d - r - 0.16, y - ey))
        return carve(f, g, 0.022)

    def lid(self, u):
        """Angles of the upper and the lower lid's edge, from the middle of the eye; u is the angle outwards."""
        M, L = self.M, self.L
        q = np.clip(1 - ((u - 0.03) / 0.98) ** 2, 0, 1)
        tilt = (0.10 * L.fem + 0.04 - 0.16 * L.old) * u
        bow = 0.32 * M.squint
        up = (0.10 + 0.52 * M.lids) * q**0.62 + tilt - 0.04
        low = -(0.54 - 0.5 * M.squint) * q**0.7 + bow * q - bow * 0.5 + tilt
        return np.maximum(up, low + 0.015), low

    def make_creases(self):
        """Wrinkles from age and laughter, as chains of points on the face."""
        L, M = self.L, self.M
        out = []

        def line(points, depth):
            p = np.array([tuple(q) for q in smooth([(x, 0, z) for x, z in points], 5)])
            for s in (-1, 1):
                q = p.copy()
                q[:, 1] = self.front(self.socketed, q[:, 0], q[:, 2])
                q[:, 0] *= s
                t = np.linspace(0, 1, len(q))
                out.append((q, depth * np.sin(math.pi * (0.12 + 0.8 * t)) + 0.002))

        w, z = self.mouth_w, self.mouth_z
        depth = 0.008 * M.smile * (1 - L.young) + 0.012 * L.old
        if depth > 0.003:
            line([(0.17, -0.30), (0.30, -0.38), (w + 0.10, z + 0.06), (w + 0.12, z - 0.08)], depth)
        if L.old:
            for i in (-1, 0, 1):
                line([(0.60, -0.02 + 0.05 * i), (0.68, -0.01 + 0.10 * i), (0.74, 0.16 * i)], 0.008)
            for h in (0.56, 0.66):
                line([(0.02, h), (0.2, h + 0.025), (0.38, h - 0.01)], 0.008)
            line([(0.20, self.eye[2] - 0.29), (0.36, self.eye[2] - 0.36), (0.5, self.eye[2] - 0.30)], 0.008)
        return out

    def field(self, neck):
        L, M = self.L, self.M
        Y, O, W = L.young, L.old, L.fem
        tip = (0, -1.0 + 0.10 * Y - 0.02 * O, -0.285 + 0.04 * Y)
        tip_r = 0.118 - 0.018 * W - 0.018 * Y + 0.018 * O
        corner = self.lip_top[[0, -1]]

        def f(x, y, z):
            ax = np.abs(x)
            f = self.with_eyes(x, y, z, self.flesh(x, y, z))
            f = melt(f, limb(x, y, z, (0, -0.80, -0.02), (0, tip[1] + 0.05, tip[2] + 0.03), 0.075 - 0.012 * W, 0.085), 0.1)
            f = melt(f, ball(x, y, z, tip, tip_r), 0.07)
            f = melt(f, ball(ax, y, z, (0.105 - 0.01 * Y, tip[1] + 0.13, tip[2] - 0.025), 0.068 - 0.01 * Y), 0.045)
            f = carve(f, ball(ax, y, z, (0.055, tip[1] + 0.06, tip[2] - 0.115), 0.028), 0.03)
            # lips, then the opening between them
            f = melt(f, chain(x, y, z, self.lip_top + (0, 0.012, 0.030), self.lip_r), 0.045)
            f = melt(f, chain(x, y, z, self.lip_low + (0, 0.004, -0.038), self.lip_r * 1.25), 0.045)
            if M.open > 0.02:
                top, low = self.lip_lines(x)
                g = np.maximum(np.maximum(z - top, low - z), np.abs(x) - self.mouth_w)
                f = carve(f, np.maximum(g * 0.8, np.maximum(y + 0.35, -1.3 - y)), 0.03)
            else:
                f = carve(f, chain(x, y, z, self.lip_top - (0, 0.03, 0.004), self.lip_r * 0.34 + 0.010), 0.014)
            for c in corner:
                f = carve(f, ball(x, y, z, (c[0] * 1.06, c[1] - 0.02, c[2] + 0.005), 0.03), 0.06)
            for p, r in self.creases:
                f = carve(f, chain(x, y, z, p, r), 0.03)
            # ears
            big = 1 + 0.16 * O - 0.02 * Y
            ear = egg(ax, y, z, (0.90, 0.06, -0.10 - 0.05 * Y), (0.075, 0.15 * big, 0.225 * big))
            ear = carve(ear, egg(ax, y, z, (0.98, 0.0, -0.08 - 0.05 * Y), (0.06, 0.095, 0.15)), 0.04)
            f = melt(f, ear, 0.05)
            f = melt(f, limb(x, y, z, (0, 0.14, -0.55), neck, 0.33 - 0.05 * W - 0.07 * Y, 0.36 - 0.06 * W - 0.07 * Y), 0.12)
            return f

        return f

    def scalp(self, p):
        """How far inside the hairline a point is, in units of height on the skull."""
        d = p - CROWN
        d = d / np.maximum(np.linalg.norm(d, axis=1, keepdims=True), 1e-6)
        return d[:, 2] - HAIRLINE(np.abs(np.arctan2(d[:, 0], -d[:, 1])))

    def tint(self, hair, bald):
        L = self.L
        tone = L.tone
        blush = np.clip(tone * np.array((1.06, 0.66, 0.60)) + np.array((0.03, 0, 0)), 0, 1)
        lip = np.array(srgb(L.lips)) if L.lips else np.clip(tone * np.array((0.98, 0.50, 0.47)) + np.array((0.05, 0.006, 0.008)), 0, 1)

        def over(c, color, w):
            return c + (color - c) * w[:, None]

        def colors(v):
            x, y, z = v.T
            ax = np.abs(x)
            c = np.tile(tone, (len(v), 1))
            g = lambda cx, cy, cz, s: np.exp(-((ax - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2) / s**2)
            c = over(c, blush, 0.62 * g(0.50, -0.66, -0.37, 0.24) + 0.42 * g(0, -1.02, -0.27, 0.16))
            c = over(c, blush, 0.5 * ramp01(0.88, 0.98, ax) * (z < 0.3) * (z > -0.5))
            c = over(c, blush * 0.93, 0.35 * g(self.eye[0], self.eye[1] - self.eye_r, self.eye[2], 0.27))
            front = np.where((y < -0.4) & (np.abs(z - self.mouth_z) < 0.6) & (ax < 0.6))[0]
            d = np.full(len(v), 9.0)
            vv = v[front]
            dist = np.full(len(front), 9.0)
            for pts, off in ((self.lip_top, (0, 0.012, 0.030)), (self.lip_low, (0, 0.004, -0.038))):
                q = pts + np.array(off)
                fine = np.stack([np.interp(np.linspace(0, 12, 60), range(13), q[:, i]) for i in range(3)], 1)
                rr = np.interp(np.linspace(0, 12, 60), range(13), self.lip_r)
                dist = np.minimum(dist, np.min(np.linalg.norm(vv[:, None] - fine[None], axis=2) - rr[None], 1))
            d[front] = dist
            c = over(c, lip, (0.62 + 0.2 * L.fem) * ramp01(0.035, 0.005, d))
            if self.M.open > 0.02:
                t, lo = self.lip_lines(x)
                inner = (z < t + 0.01) & (z > lo - 0.01) & (ax < self.mouth_w) & (y > -0.76) & (y < -0.2)
                c[inner] = (0.16, 0.025, 0.022)
            if L.freckles:
                r = np.random.RandomState(L.seed)
                for s in (-1, 1):
                    for _ in range(26):
                        fx, fz = s * abs(r.normal(0.36, 0.15)), r.normal(-0.27, 0.08)
                        w = np.exp(-((x - fx) ** 2 + (z - fz) ** 2) / r.uniform(0.008, 0.014) ** 2) * (y < -0.4)
                        c = over(c, tone * np.array((0.62, 0.44, 0.34)), 0.7 * w)
            s = self.scalp(v) * (1 if not bald else 0)
            w = ramp01(0.0, 0.10, s) * (ax < 0.93) if not bald else ramp01(0.0, 0.1, self.scalp(v)) * ramp01(0.36, 0.2, (v[:, 2] - 0.24) / 0.9) * (np.abs(np.arctan2(x, -(y - 0.1))) > 1.15) * 0.7
            return over(c, np.array(srgb(hair)) * 0.7 if hair else tone, w * (1 if hair else 0))

        return colors


# ---------------------------------------------------------------- materials


def skin_material(unit):
    m = material('skin', rough=0.46, Specular=0.32, Subsurface=0.16, Sheen=0.12)
    b = m.node_tree.nodes['Principled BSDF']
    b.inputs['Subsurface Radius'].default_value = tuple(unit * r for r in (0.22, 0.075, 0.045))
    a = node(m, 'Attribute', attribute_name='tint')
    paint(m, a.outputs['Color'])
    link(m, a.outputs['Color'], b.inputs['Subsurface Color'])
    bump(m, noise(m, coords(m), 26, 4, 0.6), 0.05, 0.01)
    return m


def hair_material(color, shine=0.36):
    m = material('hair', rough=0.42, Specular=shine, Sheen=0.25)
    g = node(m, 'NewGeometry')
    base = srgb(color)
    paint(m, ramp(m, g.outputs['Random Per Island'], [(0, tuple(c * 0.66 for c in base)), (0.55, base), (1, tuple(min(1, c * 1.32 + 0.01) for c in base))]))
    return m


def eye_material(iris):
    m = material('eye', rough=0.06, Specular=0.5, Clearcoat=1.0, Clearcoat_Roughness=0.02)
    c = node(m, 'TexCoord')
    s = node(m, 'SeparateXYZ')
    link(m, c.outputs['Object'], s.inputs[0])
    flat = node(m, 'CombineXYZ')
    link(m, s.outputs['X'], flat.inputs['X'])
    link(m, s.outputs['Z'], flat.inputs['Y'])
    length = node(m, 'VectorMath', operation='LENGTH')
    link(m, flat.outputs[0], length.inputs[0])
    base = srgb(iris)
    rings = ramp(m, length.outputs['Value'], [
        (0.0, '#0b0706'), (0.285, '#0b0706'), (0.315, tuple(v * 0.42 for v in base)), (0.45, tuple(min(1, v * 1.35 + 0.02) for v in base)),
        (0.555, tuple(v * 0.85 for v in base)), (0.60, tuple(v * 0.2 for v in base)), (0.645, '#dfd6cf'), (0.9, '#e2d3c9'),
    ])
    # The iris is brighter below, because light that enters from above leaves there.
    lower = node(m, 'MapRange')
    for i, v in enumerate((0.5, -0.6, 0.7, 1.5), 1):
        lower.inputs[i].default_value = v
    link(m, s.outputs['Z'], lower.inputs[0])
    inside = node(m, 'Math', operation='LESS_THAN')
    link(m, length.outputs['Value'], inside.inputs[0])
    inside.inputs[1].default_value = 0.61
    lit = node(m, 'MixRGB', blend_type='MULTIPLY')
    link(m, inside.outputs[0], lit.inputs['Fac'])
    link(m, rings, lit.inputs['Color1'])
    link(m, lower.outputs[0], lit.inputs['Color2'])
    paint(m, lit.outputs['Color'])
    return m


def fabric(name, color, kind='weave', second='#f0e8d8', scale=1.0):
    """Cloth for objects in meters: weave, knit, denim, or with a pattern: stripes, plaid, dots."""
    knit = kind == 'knit'
    m = material(name, color, 0.92, Sheen=0.5, Specular=0.1)
    base = srgb(color)
    slow = noise(m, coords(m), 14, 4, 0.55)
    shade = mix(m, tuple(c * 0.84 for c in base), tuple(min(1, c * 1.1) for c in base), slow)
    if kind in ('stripes', 'plaid', 'dots'):
        if kind == 'dots':
            v = node(m, 'TexVoronoi', Scale=26 * scale, Randomness=0.25)
            link(m, coords(m), v.inputs['Vector'])
            band = ramp(m, v.outputs['Distance'], [(0.26, (1, 1, 1)), (0.32, (0, 0, 0))])
        else:
            w = node(m, 'TexWave', Scale=8.5 * scale)
            w.bands_direction = 'Z'
            link(m, coords(m), w.inputs['Vector'])
            band = ramp(m, w.outputs['Fac'], [(0.46, (0, 0, 0)), (0.54, (1, 1, 1))])
            if kind == 'plaid':
                u = node(m, 'TexWave', Scale=8.5 * scale)
                u.bands_direction = 'X'
                link(m, coords(m), u.inputs['Vector'])
                band = mix(m, band, ramp(m, u.outputs['Fac'], [(0.46, (0, 0, 0)), (0.54, (1, 1, 1))]), 0.5)
        shade = mix(m, shade, second, band)
    paint(m, shade)
    if knit:
        w = node(m, 'TexWave', Scale=42 * scale, Distortion=1.2, Detail=1)
        w.bands_direction = 'X'
        link(m, coords(m), w.inputs['Vector'])
        v = node(m, 'TexWave', Scale=60 * scale, Distortion=3, Detail=1)
        v.bands_direction = 'Z'
        link(m, coords(m), v.inputs['Vector'])
        bump(m, mix(m, w.outputs['Fac'], v.outputs['Fac'], 0.5), 0.55, 0.006)
    else:
        bump(m, noise(m, coords(m), 420 * scale, 2, 0.5), 0.18, 0.002)
    return m


# ---------------------------------------------------------------- hair

# n locks, length, lift over the skull, width, gravity, how it flows; curl: radius and turns
CUTS = {
    'short': dict(n=330, length=(0.42, 0.62), lift=0.09, width=0.062, gravity=0.2, flow='side'),
    'swept': dict(n=330, length=(0.5, 0.72), lift=0.10, width=0.058, gravity=0.12, flow='back'),
    'bowl': dict(n=380, length=(0.7, 0.85), lift=0.08, width=0.06, gravity=0.9, flow='crown'),
    'bob': dict(n=430, length=(1.25, 1.5), lift=0.11, width=0.06, gravity=1.0, flow='part'),
    'long': dict(n=460, length=(2.0, 2.5), lift=0.11, width=0.06, gravity=1.0, flow='part', wave=(0.05, 2.2)),
    'bun': dict(n=460, length=(0.9, 1.5), lift=0.05, width=0.07, gravity=0.0, flow='bun'),
    'pony': dict(n=460, length=(0.9, 1.5), lift=0.05, width=0.07, gravity=0.0, flow='bun'),
    'curls': dict(n=620, length=(0.34, 0.5), lift=0.2, width=0.046, gravity=0.4, flow='out', curl=(0.075, 1.8), steps=26),
    'wavy': dict(n=420, length=(0.75, 1.0), lift=0.13, width=0.055, gravity=0.55, flow='side', wave=(0.07, 2.0)),
    'crop': dict(n=1500, length=(0.10, 0.15), lift=0.03, width=0.022, gravity=0.0, flow='out', curl=(0.025, 1.5)),
    'puffs': dict(n=430, length=(0.6, 1.2), lift=0.04, width=0.06, gravity=0.0, flow='puffs'),
    'sides': dict(n=230, length=(0.28, 0.4), lift=0.09, width=0.055, gravity=0.3, flow='back', bald=True),
    'fluff': dict(n=520, length=(0.2, 0.34), lift=0.03, width=0.03, gravity=0.2, flow='crown'),
}


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-6)


def comb(face, cut, r):
    """Paths of locks over the head and the normals under them."""
    L = face.L
    roots = []
    while len(roots) < cut['n']:
        d = unit(r.normal(size=(4000, 3)))
        depth = face.scalp(CROWN + d)
        ok = depth > r.uniform(0.0, 0.05, 4000)
        az = np.abs(np.arctan2(d[:, 0], -d[:, 1]))
        if cut.get('bald'):
            ok &= (d[:, 2] < 0.36) & (az > 1.12)
        roots += list(d[ok])
    d = np.array(roots[: cut['n']])
    n = len(d)
    hull = lambda x, y, z: melt(face.flesh(x, y, z), limb(x, y, z, (0, 0.2, -0.5), (0, 0.25, -2.4), 0.42, 0.6), 0.2)
    radius = np.full(n, 0.8)
    for _ in range(14):
        p = CROWN + d * radius[:, None]
        radius -= face.flesh(*p.T) * 0.8
    p = CROWN + d * radius[:, None]
    side = np.sign(p[:, 0] - 0.0 + 1e-6)
    az = np.arctan2(d[:, 0], -d[:, 1])
    front = ramp01(1.0, 0.35, np.abs(az))
    bun = np.array((0, 0.86, 0.72))
    kind = cut['flow']
    steps = cut.get('steps', 14)
    length = r.uniform(*cut['length'], n)
    part = 0.24 if L.seed % 2 else -0.24
    if kind == 'side':
        s = np.where(p[:, 0] > part, 1.0, -1.0)
        flow = np.stack([s * (0.75 + 0.2 * front), 0.25 - 0.95 * front, 0.05 - 0.25 * (1 - front)], 1)
        length *= 1 - 0.22 * front
    elif kind == 'back':
        flow = np.stack([side * 0.25, np.full(n, 1.0), 0.25 * front - 0.2], 1)
    elif kind == 'crown':
        flow = unit(p - np.array((0.05, 0.35, 1.25)))
        length *= 1 - 0.42 * front
    elif kind == 'part':
        s = np.where(p[:, 0] > part * 0.5, 1.0, -1.0)
        flow = np.stack([s * 1.0, 0.12 + 0.5 * front, np.full(n, -0.25)], 1)
        length *= 1 - 0.1 * ramp01(0.6, 0.9, d[:, 2])
    elif kind == 'bun':
        flow = unit(bun - p)
        length = np.linalg.norm(bun - p, axis=1) * 1.12
    elif kind == 'puffs':
        target = np.stack([side * 0.82, np.full(n, 0.12), np.full(n, 0.86)], 1)
        flow = unit(target - p)
        length = np.linalg.norm(target - p, axis=1) * 1.08
    else:
        flow = d + r.normal(0, 0.45, (n, 3))
    flow = unit(flow + r.normal(0, 0.09, (n, 3)))
    lift = cut['lift'] * r.uniform(0.35, 1.2, n)
    paths, normals = np.zeros((n, steps, 3)), np.zeros((n, steps, 3))
    step_dir = flow
    for k in range(steps):
        t = k / (steps - 1)
        f, g = slope(hull, p)
        off = 0.01 + lift * math.sin(math.pi * min(1, 0.15 + t * 0.95)) if kind != 'out' else 0.005 + lift * t
        if kind in ('bun', 'puffs'):
            aim_at = bun if kind == 'bun' else target
            step_dir = unit(aim_at - p) + g * 0.05
            off = 0.02 + lift * math.sin(math.pi * t)
        push = np.maximum(0, off - f)
        if kind in ('bun', 'puffs', 'back', 'side', 'crown', 'part'):
            push = np.where(f > off, -(f - off) * (0.5 if k < 9 else 0.12), push)
        p = p + g * push[:, None]
        paths[:, k], normals[:, k] = p, g
        step_dir = unit(step_dir + np.array((0, 0, -1.0)) * cut['gravity'] * 0.30 * (0.4 + t) + flow * 0.12)
        step_dir = unit(step_dir - g * np.minimum(0, (step_dir * g).sum(1))[:, None]) if kind not in ('bun', 'puffs') else step_dir
        p = p + step_dir * (length / steps)[:, None]
    t = np.linspace(0, 1, steps)
    if 'curl' in cut:
        rad, turns = cut['curl']
        phase = r.uniform(0, math.tau, n)[:, None]
        a = phase + turns * math.tau * t
        tang = unit(np.gradient(paths, axis=1))
        b = unit(np.cross(tang, normals + 1e-3))
        c = np.cross(b, tang)
        grow = rad * np.minimum(1, t * 4)
        paths = paths + b * (np.cos(a) * grow)[..., None] + c * (np.sin(a) * grow)[..., None]
    if 'wave' in cut:
        rad, turns = cut['wave']
        phase = (paths[:, 0, 0] * 2 + r.normal(0, 0.5, n))[:, None]
        b = unit(np.cross(np.gradient(paths, axis=1), normals + 1e-3))
        paths = paths + b * (np.sin(phase + turns * math.tau * t) * rad * t)[..., None]
    return paths, normals


def hair(face, style, color, parent, fine=1.0):
    cut = dict(CUTS[style])
    r = np.random.RandomState(face.L.seed + 5)
    m = hair_material(color, 0.5 if face.L.old < 0.5 else 0.35)
    paths, normals = comb(face, cut, r)
    steps = paths.shape[1]
    t = np.linspace(0, 1, steps)
    sets = [(paths, normals, cut['width'])]
    if style in ('bun', 'pony', 'puffs'):
        balls = {'bun': [((0, 1.0, 0.82), 0.36)], 'pony': [((0, 0.95, 0.72), 0.12)], 'puffs': [((s * 0.95, 0.14, 1.0), 0.40) for s in (-1, 1)]}[style]
        for c, rad in balls:
            c = np.array(c)
            if style == 'puffs':
                n = 330
                d = unit(r.normal(size=(n, 3)))
                p = c + d[:, None] * np.linspace(rad * 0.35, rad * 0.95, steps)[None, :, None]
                a = r.uniform(0, math.tau, n)[:, None] + t * math.tau * 2.2
                b = unit(np.cross(d, (0.3, 0.2, 0.9)))[:, None]
                e = np.cross(b, d[:, None])
                p = p + 0.07 * (b * np.cos(a)[..., None] + e * np.sin(a)[..., None])
                sets.append((p, np.broadcast_to(d[:, None], p.shape).copy(), 0.034))
            elif style == 'bun':
                n = 90
                axis, lat = r.uniform(0, math.tau, n), r.uniform(-1.1, 1.1, n)
                a = axis[:, None] + t * 2.4
                lat = lat[:, None] + 0.5 * (t - 0.5)
                d = np.stack([np.cos(a) * np.cos(lat), np.sin(lat) * 0.8, np.sin(a) * np.cos(lat)], -1)
                sets.append((c + d * rad * r.uniform(0.88, 1.0, n)[:, None, None], d, 0.06))
            else:
                n = 70
                s = r.normal(0, 0.09, (n, 3))
                y = 0.95 + 0.42 * np.sin(t * 2.0)
                z = 0.72 - 1.5 * t**1.3
                p = np.stack([s[:, :1] * (1 + 2 * t * (1 - t)), y + s[:, 1:2], z + s[:, 2:3] * (1 + t)], -1)
                sets.append((p, np.broadcast_to(np.array((0, 1.0, 0)), p.shape).copy(), 0.055))
            if style != 'puffs':
                sphere('knot', rad * 0.86, m, tuple(c), parent=parent)
            else:
                sphere('knot', rad * 0.72, m, tuple(c), parent=parent)
    for paths, normals, width in sets:
        n = len(paths)
        taper = np.clip(np.minimum(0.55 + t * 2.2, 1) * np.sqrt(np.clip(1.04 - t, 0, 1)), 0.06, 1)
        radii = width * taper * r.uniform(0.65, 1.25, (n, 1))
        strands('locks', paths, radii, m, parent, 6, 0.5, normals)
        if fine and 'curl' not in cut:
            k = int(5 * fine)
            many = np.repeat(paths, k, 0)
            nn = np.repeat(normals, k, 0)
            b = unit(np.cross(np.gradient(many, axis=1), nn + 1e-3))
            spread = np.repeat(radii, k, 0)
            u = r.uniform(-1.05, 1.05, (len(many), 1))
            many = many + b * (u * spread)[..., None] + unit(nn) * (np.sqrt(np.clip(1.2 - u * u, 0, 1)) * 0.5 * spread + 0.004)[..., None]
            many += r.normal(0, 0.012, (len(many), 1, 3)) * t[None, :, None]
            strands('strands', many, np.full(many.shape[:2], 0.0075) * np.clip(1.15 - t, 0.25, 1), m, parent, 3)
    return m


def beard(face, style, color, parent):
    L = face.L
    r = np.random.RandomState(L.seed + 9)
    m = hair_material(color, 0.3)
    xs, zs = [], []
    n = 900 if style == 'full' else 240
    while len(xs) < n:
        x, z = r.uniform(-0.78, 0.78), r.uniform(-1.12, -0.36)
        w = face.mouth_w
        lip = abs(x) < w + 0.05 and face.mouth_z - 0.14 - 0.36 * face.M.open < z < face.mouth_z + 0.05
        under_nose = abs(x) < w + 0.03 and face.mouth_z + 0.07 < z < face.mouth_z + 0.2 and z < -0.40
        jaw = z < -0.40 - 0.42 * max(0, 1 - (abs(x) / 0.62) ** 3) if style == 'full' else False
        if (under_nose or jaw) and not (lip and not under_nose):
            xs.append(x)
            zs.append(z)
    y = face.front(face.flesh, xs, zs)
    ok = y > -1.39
    p = np.stack([xs, y, zs], 1)[ok]
    steps = 7
    t = np.linspace(0, 1, steps)
    tash = p[:, 2] > face.mouth_z + 0.06
    d = np.stack([np.where(tash, np.sign(p[:, 0]) * 1.0, p[:, 0] * 0.5), np.full(len(p), -0.25), np.where(tash, -0.5, -1.0)], 1)
    d = unit(d + r.normal(0, 0.22, d.shape))
    length = np.where(tash, 0.15, r.uniform(0.16, 0.26, len(p)))
    paths = p[:, None] + d[:, None] * (length[:, None] * t)[..., None]
    for k in range(steps):
        f, g = slope(face.flesh, paths[:, k])
        paths[:, k] += g * np.maximum(0, 0.02 + 0.05 * t[k] - f)[:, None]
    strands('beard', paths, 0.024 * np.clip(1.1 - t, 0.15, 1) * np.ones((len(p), 1)), m, parent, 5)


# ---------------------------------------------------------------- the head


def head(L, M, parent, neck=(0, 0.16, -1.5), gaze=None, step=0.02, world_unit=None):
    """Everything above the neck, under an empty whose scale is the head's unit. gaze is a point in head units."""
    face = Face(L, M)
    skin = skin_material(world_unit or L.unit)
    hue = L.hair_color
    bald = L.hair == 'sides'
    low = min(neck[2] - 0.1, -1.35)
    tint = face.tint(hue if L.hair and L.hair != 'fluff' else None, bald)
    clay('head', face.field(neck), (-1.2, -1.3, low), (1.2, 1.3, 1.35), step, skin, parent, tint)
    eye_m = eye_material(L.eyes)
    shine = glow('shine', '#ffffff', 2.2)
    lash_m = material('lash', '#1c1210' if L.old < 0.5 else '#5a4a40', 0.6)
    r = face.eye_r
    gaze = Vector(gaze) if gaze is not None else Vector((0, -30, 0))
    for s in (-1, 1):
        c = Vector((s * face.eye[0], face.eye[1], face.eye[2]))
        look = (gaze - c).normalized()
        e = empty('eye', c, look.to_track_quat('-Y', 'Z').to_euler(), parent, r)
        sphere('ball', 1.0, eye_m, (0, 0, 0), parent=e, n=28)
        for x, z, q in ((-0.24, 0.30, 0.105), (0.22, -0.24, 0.045)):
            y = -math.sqrt(1 - x * x - z * z)
            sphere('shine', q, shine, (x, y, z), (1, 0.35, 1), e, n=10)
        u = np.linspace(-0.93, 1.0, 16)
        up, _ = face.lid(u)
        R = r + 0.038
        pts = np.stack([s * (R * np.cos(up) * np.sin(u)), -R * np.cos(up) * np.cos(u), R * np.sin(up)], 1) + np.array(c)
        t = np.linspace(0, 1, 16)
        thick = (0.011 + 0.008 * L.fem) * (0.45 + 0.75 * t) * (1 - 0.35 * L.old)
        strands('lash', pts[None], thick[None] * np.where(t > 0.97, 0.4, 1), lash_m, parent, 6)
        if L.fem or L.young > 0.4:
            k = 11
            uu = np.linspace(-0.35, 1.0, k)
            uq, _ = face.lid(uu)
            root = np.stack([s * np.cos(uq) * np.sin(uu), -np.cos(uq) * np.cos(uu), np.sin(uq)], 1)
            out = unit(root * 1.0 + np.stack([s * 0.5 * uu, 0 * uu, np.full(k, 0.55)], 1))
            tt = np.linspace(0, 1, 5)
            ln = (0.07 + 0.05 * ramp01(-0.3, 1, uu)) * (0.6 + 0.4 * L.fem)
            path = np.array(c) + root[:, None] * R + out[:, None] * (ln[:, None] * tt)[..., None] + np.array((0, 0, 0.03)) * (tt**2)[None, :, None]
            strands('lashes', path, 0.008 * np.clip(1.05 - tt, 0.1, 1) * np.ones((k, 1)), lash_m, parent, 4)
    # brows
    n = 46
    rr = np.random.RandomState(L.seed)
    brow_m = hair_material(L.brow or hue or '#5b3a22', 0.2)
    for s in (-1, 1):
        q = np.sort(rr.uniform(0, 1, n))
        x = 0.13 + 0.47 * q
        lift = face.eye[2] + 0.345 + 0.03 * L.young + 0.055 * M.brow + 0.03 * M.wry * s
        z = lift + 0.085 * np.sin(math.pi * (0.12 + 0.72 * q)) + rr.normal(0, 0.013, n)
        tt = np.linspace(0, 1, 5)
        dx = 0.13 * np.ones(n)
        dz = 0.05 - 0.13 * q
        px = x[:, None] + dx[:, None] * tt
        pz = z[:, None] + dz[:, None] * tt
        py = face.front(face.socketed, px.ravel(), pz.ravel()).reshape(px.shape) - 0.012
        width = (0.026 - 0.009 * L.fem - 0.012 * L.young * (1 - 0.2)) * (1.15 - 0.5 * q)
        strands('brow', np.stack([s * px, py, pz], -1), width[:, None] * np.sin(math.pi * (0.15 + 0.8 * tt)), brow_m, parent, 5)
    # mouth
    if M.open > 0.02:
        w = face.mouth_w
        white = material('teeth', '#efe7dc', 0.25, Specular=0.5, Subsurface=0.0)

        def teeth(x, y, z):
            top, low_ = face.lip_lines(x)
            arch = np.sqrt((x / (w * 0.99)) ** 2 + ((y + 0.34) / 0.44) ** 2) - 1
            return np.maximum(arch * 0.3, np.maximum(z - top - 0.05, np.maximum(top - 0.035 - 0.075 * min(1, M.open * 2) - z, y + 0.3)))

        clay('teeth', teeth, (-w, -0.95, face.mouth_z - 0.4), (w, -0.25, face.mouth_z + 0.3), 0.016, white, parent)
        _, lo = face.lip_lines(np.array(0.0))
        tongue = material('tongue', '#b8544e', 0.4, Specular=0.4)
        if M.open > 0.3:
            sphere('tongue', 1, tongue, (0, -0.52, float(lo) + 0.05), (0.17, 0.2, 0.075), parent, n=16)
    if L.hair:
        hair(face, L.hair, hue, parent)
    if L.beard:
        beard(face, L.beard, hue, parent)
    if L.glasses:
        gm = material('frames', L.glasses, 0.3, Specular=0.5)
        rim = [(math.copysign(abs(math.cos(a)) ** 0.8, math.cos(a)) * 0.285, math.copysign(abs(math.sin(a)) ** 0.8, math.sin(a)) * 0.235) for a in [TAU * i / 40 for i in range(40)]]
        gy = face.eye[1] - r - 0.15
        for s in (-1, 1):
            tube('rim', [(s * 0.345 + x, gy + 0.22 * (abs(s * 0.345 + x) - 0.1) ** 2, face.eye[2] - 0.03 + z) for x, z in rim], 0.02, gm, parent, cyclic=True)
            tube('temple', smooth([(s * 0.625, gy + 0.06, face.eye[2] + 0.05), (s * 0.87, gy + 0.4, face.eye[2] + 0.05), (s * 0.95, 0.05, face.eye[2] + 0.06)], 6), 0.018, gm, parent)
        tube('bridge', smooth([(-0.075, gy, face.eye[2] + 0.03), (0, gy - 0.02, face.eye[2] + 0.075), (0.075, gy, face.eye[2] + 0.03)], 6), 0.018, gm, parent)
    return face


# ---------------------------------------------------------------- the body


def _v(*p):
    return np.array(p, float)


def bend(a, b, l1, l2, pole):
    """Returns the position of the elbow or knee between a and b, and b, moved closer to a if it is out of reach."""
    d = b - a
    n = float(np.linalg.norm(d))
    reach = min(max(n, abs(l1 - l2) * 1.05 + 1e-4), (l1 + l2) * 0.998)
    u = d / max(n, 1e-6)
    end = a + u * reach
    x = (l1 * l1 - l2 * l2 + reach * reach) / (2 * reach)
    h = math.sqrt(max(0, l1 * l1 - x * x))
    p = np.asarray(pole, float)
    p = p - u * (p @ u)
    return a + u * x + p / max(np.linalg.norm(p), 1e-6) * h, end


def folds(x, y, z, size, seed=0.0):
    """Soft creases of cloth, -1..1."""
    q = 1 / size
    return np.sin(q * (z + 0.35 * x) + 1.8 * np.sin(q * 0.43 * x + seed) + 1.5 * np.sin(q * 0.37 * y + 2 * seed)) * (0.55 + 0.45 * np.sin(q * 0.31 * x + q * 0.27 * z + seed))


def hand(wrist, along, palm, size, thumb, curl=0.5, spread=1.0):
    """A field: palm, three fingers and a thumb. palm and thumb are the directions that they point to."""
    a = unit(np.asarray(along, float))
    n = np.asarray(palm, float)
    n = unit(n - a * (n @ a))
    s = np.asarray(thumb, float)
    s = unit(s - a * (s @ a) - n * (s @ n))
    k = size
    bones = []
    for i, reach in ((1, 0.94), (0, 1.04), (-1, 0.88)):
        base = wrist + a * 0.080 * k + s * i * 0.0235 * k
        bones.append((wrist + a * 0.012 * k + s * i * 0.010 * k, base, 0.021 * k, 0.0195 * k))
        d, p = unit(a + s * i * 0.12 * spread), base
        for length in (0.036, 0.030):
            d = unit(d + n * curl * 0.9)
            q = p + d * length * reach * k
            bones.append((p, q, 0.0165 * k, 0.0145 * k))
            p = q
    base = wrist + a * 0.028 * k + s * 0.022 * k
    tip = base + unit(a * 0.7 + s * 0.8 * spread + n * 0.35) * 0.042 * k
    bones.append((base, tip, 0.019 * k, 0.0165 * k))
    bones.append((tip, tip + unit(a + s * 0.25 * spread + n * (0.2 + 0.4 * curl)) * 0.026 * k, 0.0165 * k, 0.014 * k))

    def f(x, y, z):
        total = None
        for p, q, ra, rb in bones:
            g = limb(x, y, z, p, q, ra, rb)
            total = g if total is None else melt(total, g, 0.008 * k)
        return total

    return f, np.concatenate([[b[0], b[1]] for b in bones])


def figure(L, loc=(0, 0, 0), yaw=0.0, parent=None, scale=1.0, mood=None, sit=None, legs='down', lean=0.0, side=0.0, hands=(None, None), palms=(None, None), curl=0.5, feet=None, turn=(0.0, 0.0, 0.0), gaze=None, fine=1.0, step=0.011, lift=0.0, outside=False):
    """A person who stands, or sits if sit, the height of the seat, is given.

    hands: positions of the wrists, viewer's left then right, in the figure's own meters; an arm with None hangs down.
    turn: the head's yaw, pitch and roll (yaw > 0 looks to the viewer's right, pitch > 0 down).
    gaze: a point in the figure's own meters.
    fine: detail of face and hair, 1 for a close-up, 0.4 far away. lift raises a person who is carried.
    outside: hands and gaze are given in the parent's coordinates, so that they can point at other figures.
    """
    if outside:
        own = lambda p: None if p is None else (Matrix.Rotation(-yaw, 3, 'Z') @ (Vector(p) - Vector(loc))) / scale
        hands, gaze = tuple(own(p) for p in hands), own(gaze)
    M = mood or Mood()
    e = empty('figure', loc, (0, 0, yaw), parent, scale)
    b = L.shoulder / 0.172
    H, unit_ = L.height, L.unit
    head_h = 2.24 * unit_
    chin = H - head_h
    hip_z = L.hip * H if sit is None else sit + 0.105 * b * L.build
    hip_z += lift
    drop = hip_z - L.hip * H
    P = _v(0, 0, hip_z)
    T = Matrix.Rotation(lean, 3, 'X') @ Matrix.Rotation(side, 3, 'Y')
    up = lambda x, y, z: P + np.array(T @ Vector((x, y, z - L.hip * H)))
    shoulder_z = chin - L.neck - 0.035 * b
    neck_b = up(0, 0.012, shoulder_z + 0.03 * b)
    chest = up(0, 0.0, shoulder_z - 0.10 * b)
    waist = up(0, 0.0, L.hip * H + 0.10 * b)
    arm1, arm2 = 0.185 * H * (1 - 0.22 * L.young), 0.165 * H * (1 - 0.2 * L.young)
    leg1 = (L.hip * H - 0.05) * 0.52
    leg2 = (L.hip * H - 0.05) * 0.50
    fat = L.build * (1 + 0.16 * L.young)
    hand_k = unit_ / 0.142 * (1.16 - 0.2 * L.young)
    joints = []
    for i, s in enumerate((-1, 1)):
        sh = up(s * L.shoulder * 0.94, 0.005, shoulder_z - 0.012 * b)
        target = hands[i]
        target = up(s * (L.shoulder + 0.05 * b), -0.03, shoulder_z - (arm1 + arm2) * 0.985) if target is None else np.asarray(target, float)
        el, wr = bend(sh, target, arm1, arm2, (s * 0.75, 0.55, -0.5))
        joints.append((s, sh, el, wr))
    knees = []
    for i, s in enumerate((-1, 1)):
        hj = P + _v(s * 0.078 * b, 0, -0.02 * b)
        if feet is not None:
            foot, way = np.asarray(feet[i], float), (s * 0.25, -1, 0.2)
        elif sit is None:
            foot, way = _v(s * 0.085 * b, 0.0, 0.05), (0, -1, 0)
        else:
            foot, way = _v(s * 0.095 * b, -leg1 * 0.98 - 0.02, max(0.05, hip_z - leg2 * 0.98)), (0, -1, 0.6)
            if legs == 'out':
                foot, way = _v(s * 0.12 * b, -(leg1 + leg2) * 0.93, hip_z - 0.05), (0, -0.2, 1)
        kn, an = bend(hj, foot, leg1, leg2, way)
        knees.append((s, hj, kn, an))
    box_of = lambda pts, r: (np.min(pts, 0) - r, np.max(pts, 0) + r)
    coarse = step

    # clothes of the upper body
    dress = L.top in ('dress', 'gown')
    coat = L.top == 'coat'
    thick = {'sweater': 0.012, 'coat': 0.016, 'shirt': 0.005, 'suit': 0.010, 'dress': 0.004, 'gown': 0.002, 'romper': 0.006}.get(L.top, 0.006)
    bust = 0.02 * L.fem * (1 - L.young) * (L.age in ('grown', 'old'))

    def torso(x, y, z, t):
        f = None
        for s in (-1, 1):
            c = up(s * L.shoulder * 0.44, -0.006, shoulder_z - 0.10 * b)
            w = up(s * L.shoulder * (0.40 - 0.08 * L.fem), -0.012 * fat, L.hip * H + 0.11 * b)
            h = P + _v(s * 0.075 * b, 0, 0.0)
            g = melt(limb(x, y, z, c, w, 0.098 * b + t, (0.088 + 0.012 * L.old + 0.02 * L.young) * b * fat + t), limb(x, y, z, w, h, (0.09 + 0.012 * L.old + 0.02 * L.young) * b * fat + t, 0.098 * b * fat + t), 0.05 * b)
            if bust:
                g = melt(g, ball(x, y, z, up(s * 0.068, -0.075, shoulder_z - 0.155), 0.052 + t), 0.05)
            f = g if f is None else melt(f, g, 0.06 * b)
        for s, sh, el, wr in joints:
            f = melt(f, limb(x, y, z, neck_b + _v(0, 0, -0.03 * b), sh + _v(0, 0, -0.015 * b), 0.062 * b + t, 0.060 * b + t), 0.045 * b)
        if L.old or fat > 1.1:
            f = melt(f, ball(x, y, z, up(0, -0.05 * b, L.hip * H + 0.09 * b), 0.09 * b * fat + t), 0.08)
        return f

    def sleeves(x, y, z, t, whole=True):
        f = None
        for s, sh, el, wr in joints:
            g = limb(x, y, z, sh, el, 0.056 * b * fat + t, 0.047 * b * fat + t)
            if whole:
                g = melt(g, limb(x, y, z, el, el + (wr - el) * 0.96, 0.047 * b * fat + t, 0.040 * b * fat + t), 0.015)
            else:
                cut = el + (sh - el) * 0.35
                g = limb(x, y, z, sh, cut, 0.058 * b * fat + t, 0.056 * b * fat + t)
            f = g if f is None else np.minimum(f, g)
        return f

    hem = P[2] - (0.075 if not coat else 0.30) * b

    def top(x, y, z):
        f = melt(torso(x, y, z, thick), sleeves(x, y, z, thick, not L.short_sleeves), 0.03 * b)
        f = f - (0.0035 + 0.003 * (L.top in ('shirt', 'coat', 'suit', 'dress'))) * b**0.5 * folds(x, y, z, 0.018 * b**0.5, L.seed)
        if dress or (coat and sit is None):
            end = 0.16 * H if dress else hem - 0.06
            if L.top == 'gown':
                end = 0.03
            if sit is None:
                r1 = (0.225 if dress else 0.175) * b * (1.5 if L.top == 'gown' else 1)
                wave = 1 + 0.06 * np.sin(9 * np.arctan2(x, y) + L.seed)
                u, v = (x - P[0]) / wave, (y - P[1]) / wave
                f = melt(f, melt(limb(u, v, z, moved(waist, -0.02), _v(0, 0, P[2] - 0.02), 0.105 * b * fat, 0.158 * b * fat), limb(u, v, z, _v(0, 0, P[2] - 0.02), _v(0, 0, end), 0.158 * b * fat, r1), 0.05), 0.05)
                f = np.maximum(f, end - z)
            else:
                for s, hj, kn, an in knees:
                    f = melt(f, limb(x, y, z, hj, kn, 0.115 * b, 0.10 * b), 0.09 * b)
                    f = melt(f, limb(x, y, z, kn, kn + (an - kn) * 0.45, 0.095 * b, 0.11 * b), 0.06 * b)
        elif sit is None or not coat:
            f = np.maximum(f, hem - z)
        # the neckline
        if L.top not in ('coat',):
            wide = 0.115 if dress or L.top == 'gown' else 0.070 if L.top in ('sweater', 'romper') else 0.085
            f = carve(f, ball(x, y, z, neck_b + np.array(T @ Vector((0, -0.035 * b, 0.055 * b))), wide * b * (1 if not L.young else 0.95)), 0.012)
        return f

    moved = lambda p, dz: _v(p[0], p[1], p[2] + dz)
    cloth_m = fabric('top', L.color, L.pattern or ('knit' if L.top == 'sweater' else 'weave'), L.second, 1 / max(0.55, b))
    pts = np.array([p for j in joints for p in j[1:]] + [P, chest, neck_b] + ([_v(x, y, 0.02 if L.top == 'gown' else 0.1) for x in (-0.36 * b, 0.36 * b) for y in (-0.36 * b, 0.36 * b)] if (dress or coat) and sit is None else []) + ([k for kk in knees for k in kk[1:]] if (dress or coat) and sit is not None else []))
    lo, hi = box_of(pts, 0.15 * b * fat + 0.03)
    if not dress and not coat:
        lo[2] = max(lo[2], min(P[2] - 0.10 * b, lo[2] + 9))
        lo[2] = min(lo[2], min(j[3][2] for j in joints) - 0.07)
    clay('top', top, lo, hi, coarse, cloth_m, e)
    # collar
    ring = lambda r, dz, dy=0.0: [tuple(neck_b + np.array(T @ Vector((r * math.cos(a) * b, (dy + r * 0.92 * math.sin(a)) * b, dz * b)))) for a in [TAU * i / 28 for i in range(28)]]
    neck_r = 0.070 if not L.young else 0.078
    if L.top in ('sweater', 'coat', 'romper') and not L.scarf:
        tube('collar', ring(neck_r, 0.030, -0.008), 0.017 * b, cloth_m, e, cyclic=True)
    if L.top in ('shirt', 'suit'):
        shirt_m = fabric('collar', '#f2ede4') if L.top == 'suit' else cloth_m
        for s in (-1, 1):
            a, q = neck_b + np.array(T @ Vector((s * 0.006 * b, -0.094 * b, -0.006 * b))), neck_b + np.array(T @ Vector((s * 0.076 * b, 0.02 * b, 0.05 * b)))
            m_ = neck_b + np.array(T @ Vector((s * 0.066 * b, -0.058 * b, 0.032 * b)))
            c = np.array([tuple(p) for p in smooth([a, m_, q], 8)])
            strands('collar', c[None], np.linspace(0.021, 0.016, len(c))[None] * b, shirt_m, e, 8, 0.5, np.broadcast_to(_v(s * 0.3, -0.6, 0.7), c[None].shape))
        if L.top == 'suit':
            front = neck_b + np.array(T @ Vector((0, -0.108 * b, -0.055 * b)))
            sphere('inset', 0.07 * b, shirt_m, front, (0.62, 0.45, 1.25), e)
            bow = fabric('bow', '#2a2326')
            for s in (-1, 1):
                sphere('bow', 0.024 * b, bow, front + _v(s * 0.026 * b, -0.028 * b, 0.052 * b), (1.2, 0.6, 0.85), e, n=14)
            sphere('bow', 0.011 * b, bow, front + _v(0, -0.036 * b, 0.052 * b), parent=e, n=12)
    if L.top in ('shirt', 'coat', 'suit') and not L.scarf:
        button = material('button', '#e9e0d0' if L.top == 'shirt' else '#2a211c', 0.35)
        xs, zs = [0.0] * 4, [shoulder_z - 0.11 * b - k * 0.075 * b for k in range(4)]
        for k, zz in enumerate(zs):
            p = up(0, 0, zz)
            ys = np.linspace(p[1] - 0.32, p[1], 120)
            f = top(np.zeros(120), ys, np.full(120, p[2]))
            if (f < 0).any():
                sphere('button', 0.0085 * b, button, (0, ys[np.argmax(f < 0)], p[2]), (1, 0.6, 1), e, n=10)
    # skin: hands, forearms, neck
    skin = skin_material(L.unit * scale)
    for i, (s, sh, el, wr) in enumerate(joints):
        a = unit(wr - el)
        look_ = palms[i] if palms[i] is not None else (-s, 0.2, 0)
        thumb = _v(0, -1, 0.35) if palms[i] is None else np.cross(a, np.asarray(look_, float)) * s
        if palms[i] is not None and thumb[2] < 0:
            thumb = -thumb
        f, m_ = hand(wr, a, look_, hand_k, thumb, curl)
        start = sh + (el - sh) * 0.5 if L.short_sleeves or L.top == 'gown' else el + (wr - el) * 0.6
        arm = (lambda el, wr, start: lambda x, y, z: melt(limb(x, y, z, start, el, 0.043 * b * fat, 0.039 * b * fat), limb(x, y, z, el, wr, 0.039 * b * fat, 0.026 * hand_k), 0.02))(el, wr, start) if L.short_sleeves or L.top == 'gown' else (lambda wr, start: lambda x, y, z: limb(x, y, z, start, wr, 0.028 * hand_k, 0.026 * hand_k))(wr, start)
        both = (lambda f, arm: lambda x, y, z: melt(f(x, y, z), arm(x, y, z), 0.02 * hand_k))(f, arm)
        lo, hi = box_of(np.concatenate([m_, [start, el if L.short_sleeves or L.top == 'gown' else wr, wr]]), 0.06)
        clay('hand', both, lo, hi, max(0.004, step * 0.45) * max(0.8, hand_k), skin, e, lambda v: np.tile(np.clip(L.tone * (1.02, 0.93, 0.90), 0, 1), (len(v), 1)))
    if L.short_sleeves or dress or L.top in ('shirt', 'suit', 'romper', 'sweater'):
        clay('chest', lambda x, y, z: torso(x, y, z, -0.004), *box_of(np.array([neck_b, joints[0][1], joints[1][1], chest]), 0.12 * b), coarse, skin, e, lambda v: np.tile(L.tone, (len(v), 1)))
    # clothes of the lower body
    low_m = fabric('bottom', L.bottom_color, scale=0.9)
    bare = L.bottom in ('shorts', 'skirt') or dress
    if not dress or sit is not None or L.top != 'gown':
        def trousers(x, y, z):
            f = None
            for s, hj, kn, an in knees:
                end = kn + (an - kn) * 0.93
                g = limb(x, y, z, hj, kn, 0.084 * b * fat, 0.064 * b * fat)
                if L.bottom == 'shorts':
                    g = limb(x, y, z, hj, hj + (kn - hj) * 0.85, 0.088 * b * fat, 0.084 * b * fat)
                else:
                    g = melt(g, limb(x, y, z, kn, end, 0.064 * b * fat, 0.056 * b * fat), 0.03)
                f = g if f is None else melt(f, g, 0.02)
            f = melt(f, limb(x, y, z, P + _v(-0.05 * b, 0, 0.01), P + _v(0.05 * b, 0, 0.01), 0.098 * b * fat), 0.04)
            return f - 0.004 * folds(x, y, z, 0.02 * b, L.seed + 3)
        pts = np.array([p for k in knees for p in k[1:]])
        if not dress:
            clay('bottom', trousers, *box_of(pts, 0.14 * b * fat), coarse, low_m, e)
        if bare or L.bottom == 'shorts':
            for s, hj, kn, an in knees:
                leg = (lambda hj, kn, an: lambda x, y, z: melt(limb(x, y, z, hj, kn, 0.062 * b * fat, 0.045 * b * fat), limb(x, y, z, kn, an, 0.045 * b * fat, 0.032 * b * fat), 0.03))(hj, kn, an)
                clay('leg', leg, *box_of(np.array([hj, kn, an]), 0.09 * b), coarse, skin, e, lambda v: np.tile(L.tone, (len(v), 1)))
        shoe_m = material('shoe', L.shoes, 0.45, Specular=0.4)
        sole_m = material('sole', '#e6ddcd', 0.7)
        for s, hj, kn, an in knees:
            sh_ = unit(_v(s * 0.22, -1, 0)) if abs((an - kn)[2]) > 0.5 * np.linalg.norm(an - kn) else unit(_v(s * 0.2, -0.25, 1))
            heel = an + _v(0, 0.015, -0.012) * b
            toe = heel + sh_ * 0.125 * b * (1 + 0.25 * L.young)
            toe[2] -= 0.012 * b
            shoe = (lambda heel, toe, an, kn: lambda x, y, z: melt(limb(x, y, z, heel, toe, 0.045 * b * fat, 0.050 * b * fat), limb(x, y, z, an, an + (kn - an) * 0.12, 0.047 * b * fat), 0.03))(heel, toe, an, kn)
            clay('shoe', shoe, *box_of(np.array([heel, toe, an]), 0.09 * b), coarse, shoe_m, e)
    # the head
    yw, pt, rl = turn
    R = Matrix.Rotation(yw, 3, 'Z') @ Matrix.Rotation(pt, 3, 'X') @ Matrix.Rotation(rl, 3, 'Y')
    base = T @ R
    pivot = Vector((0, 0.10, -0.62))
    nape = Vector(up(0, 0.008, chin + 0.48 * unit_))
    centre = nape - base @ pivot * unit_
    h = empty('head', centre, base.to_euler(), e, unit_)
    local = lambda p: (base.inverted() @ (Vector(p) - centre)) / unit_
    hats(L, h)
    head(L, M, h, tuple(local(neck_b - _v(0, 0, 0.03 * b))), local(gaze) if gaze is not None else None, 0.02 / max(0.3, fine), L.unit * scale)
    if L.scarf:
        sm = fabric('scarf', L.scarf, 'knit', scale=0.8)
        for dz, r, q in ((0.03, 0.084, 0.034), (0.062, 0.080, 0.030)):
            tube('scarf', ring(r + 0.012, dz, -0.01), q * b, sm, e, cyclic=True)
        pts = smooth([neck_b + np.array(T @ Vector(p)) * 1.0 for p in ((0.05 * b, -0.10 * b, 0.03 * b), (0.06 * b, -0.135 * b, -0.04 * b), (0.07 * b, -0.125 * b, -0.16 * b), (0.075 * b, -0.115 * b, -0.24 * b))], 6)
        c = np.array([tuple(p) for p in pts])
        strands('tail', c[None], np.full((1, len(c)), 0.036 * b), sm, e, 10, 0.42, np.broadcast_to(_v(0, -1, 0.1), c[None].shape))
    bpy.context.view_layer.update()
    return e, {'head': h, 'hands': [j[3] for j in joints], 'neck': neck_b, 'chest': chest}


def hats(L, h):
    """Hats and bows."""
    if not L.hat:
        return
    kind, color = L.hat
    if kind == 'beanie':
        m = fabric('hat', color, 'knit', scale=0.12)
        lathe('hat', [(1.02, 0.30), (1.06, 0.34), (1.06, 0.56), (1.02, 0.60), (0.98, 0.72), (0.86, 0.98), (0.6, 1.22), (0.3, 1.34), (0.001, 1.37)], m, (0, 0.14, 0.0), (0.18, 0, 0), parent=h)
        sphere('bobble', 0.25, m, (0, 0.42, 1.48), parent=h)
    elif kind == 'boater':
        m = material('straw', color, 0.8)
        lathe('hat', [(1.55, 0.0), (1.57, 0.04), (0.95, 0.06), (0.93, 0.52), (0.001, 0.54)], m, (0, 0.1, 0.72), (0.1, 0, 0), parent=h, soft=False)
        lathe('band', [(0.965, 0.07), (0.95, 0.25)], material('band', '#2a211c', 0.7), (0, 0.1, 0.72), (0.1, 0, 0), parent=h, soft=False)
    elif kind == 'cloche':
        m = fabric('hat', color, scale=0.1)
        lathe('hat', [(1.32, 0.02), (1.30, 0.06), (1.06, 0.20), (1.0, 0.5), (0.8, 0.86), (0.45, 1.05), (0.001, 1.1)], m, (0, 0.12, 0.28), (0.16, 0, 0), parent=h)
        lathe('band', [(1.08, 0.19), (1.05, 0.36)], material('band', '#6b5344', 0.7), (0, 0.12, 0.28), (0.16, 0, 0), parent=h, soft=False)
    elif kind == 'bow':
        m = fabric('bow', color, scale=0.1)
        for s in (-1, 1):
            sphere('bow', 0.2, m, (0.55 + s * 0.17, -0.1, 1.05), (1.0, 0.5, 0.75), h, n=14)
        sphere('bow', 0.085, m, (0.55, -0.14, 1.05), parent=h, n=12)


def seen(e, p):
    """Converts a point in the figure's own meters to world coordinates."""
    bpy.context.view_layer.update()
    return e.matrix_world @ Vector(tuple(p))


# ---------------------------------------------------------------- a dog


def dog(loc, yaw=0.0, coat='#c8924f', chest='#ecd9b8', scale=1.0, turn=(0.0, 0.0, 0.0), gaze=None, step=0.012):
    """A young retriever with fur that sits and is about 55 centimeters tall."""
    e = empty('dog', loc, (0, 0, yaw), scale=scale)
    base, light = np.array(srgb(coat)), np.array(srgb(chest))
    yw, pt, rl = turn
    h = empty('head', (0, -0.09, 0.47), Euler((pt, rl, yw)), e)

    def body(x, y, z):
        ax = np.abs(x)
        f = melt(egg(x, y, z, (0, 0.12, 0.13), (0.125, 0.15, 0.135)), egg(x, y, z, (0, -0.03, 0.27), (0.105, 0.11, 0.16)), 0.08)
        f = melt(f, limb(x, y, z, (0, -0.05, 0.34), (0, -0.09, 0.46), 0.085, 0.075), 0.05)
        f = melt(f, limb(ax, y, z, (0.075, -0.09, 0.26), (0.07, -0.115, 0.03), 0.042, 0.032), 0.03)
        f = melt(f, egg(ax, y, z, (0.07, -0.145, 0.022), (0.036, 0.055, 0.026)), 0.02)
        f = melt(f, egg(ax, y, z, (0.125, 0.10, 0.10), (0.055, 0.115, 0.10)), 0.04)
        return melt(f, egg(ax, y, z, (0.135, -0.02, 0.024), (0.04, 0.085, 0.028)), 0.02)

    def skull(x, y, z):
        ax = np.abs(x)
        f = egg(x, y, z, (0, 0.0, 0.03), (0.098, 0.10, 0.090))
        f = melt(f, ball(ax, y, z, (0.055, -0.05, 0.0), 0.045), 0.04)
        f = melt(f, limb(x, y, z, (0, -0.06, -0.005), (0, -0.145, -0.022), 0.050, 0.040), 0.035)
        f = melt(f, limb(x, y, z, (0, -0.05, -0.045), (0, -0.12, -0.062), 0.034, 0.022), 0.018)
        f = carve(f, np.maximum(np.abs(z + 0.050 - 0.35 * np.abs(x)) - 0.005, np.maximum(y + 0.07, -0.2 - y)), 0.008)
        f = carve(f, ball(ax, y, z, (0.043, -0.093, 0.040), 0.024), 0.010)
        return melt(f, egg(ax, y, z, (0.043, -0.085, 0.075), (0.024, 0.015, 0.010)), 0.015)

    def colors(v, head_):
        x, y, z = v.T
        w = np.exp(-(x / 0.07) ** 2) * ramp01(0.02, -0.12, y) * (ramp01(0.50, 0.30, z) if not head_ else 0)
        if head_:
            w = 0.75 * ramp01(-0.06, -0.13, y) * ramp01(0.02, -0.05, z) + 0.35 * np.exp(-(x / 0.02) ** 2) * (y < -0.05)
        return base + (light - base) * np.clip(w, 0, 1)[:, None]

    skin = material('dogskin', rough=0.8)
    paint(skin, node(skin, 'Attribute', attribute_name='tint').outputs['Color'])
    fur_m = material('fur', rough=0.6, Specular=0.2, Sheen=0.4)
    g = node(fur_m, 'NewGeometry')
    a = node(fur_m, 'Attribute', attribute_name='tint')
    paint(fur_m, mix(fur_m, a.outputs['Color'], ramp(fur_m, g.outputs['Random Per Island'], [(0, (0.62, 0.6, 0.56)), (0.6, (1, 1, 1)), (1, (1.25, 1.22, 1.15))]), 1.0, 'MULTIPLY'))
    r = np.random.RandomState(3)

    def fur(field, low, high, parent, length, n, flow, head_, bare=None):
        clay('skin', field, low, high, step, skin, parent, lambda v: colors(v, head_))
        verts, faces = contour(field, low, high, 0.012)
        tri = verts[faces[:, :3]]
        area_ = np.linalg.norm(np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0]), axis=1)
        pick = r.choice(len(faces), n, p=area_ / area_.sum())
        w = r.dirichlet((1, 1, 1, 1), n)
        p = (verts[faces[pick]] * w[..., None]).sum(1)
        f, nrm = slope(field, p, 0.004)
        p = p - nrm * f[:, None]
        if bare is not None:
            keep = ~bare(p)
            p, nrm = p[keep], nrm[keep]
        steps = 5
        t = np.linspace(0, 1, steps)
        d = unit(flow(p) + r.normal(0, 0.28, p.shape))
        d = unit(d - nrm * (d * nrm).sum(1)[:, None] + nrm * 0.42)
        ln = length(p) * r.uniform(0.6, 1.2, len(p))
        paths = p[:, None] + d[:, None] * (ln[:, None] * t)[..., None] - nrm[:, None] * (0.35 * ln[:, None] * t**2)[..., None]
        o = strands('fur', paths, 0.0022 * np.clip(1.1 - t, 0.15, 1) * np.ones((len(p), 1)), fur_m, parent, 3)
        c = np.repeat(colors(p, head_), steps * 3, 0)
        layer = o.data.color_attributes.new('tint', 'FLOAT_COLOR', 'POINT')
        layer.data.foreach_set('color', np.concatenate([c, np.ones((len(c), 1))], 1).astype(F).ravel())

    down = lambda p: np.stack([p[:, 0] * 1.5, 0.1 + 0 * p[:, 0], -np.ones(len(p))], 1)
    fur(body, (-0.25, -0.25, -0.02), (0.25, 0.34, 0.56), e, lambda p: 0.022 + 0.03 * ramp01(0.0, -0.1, p[:, 1]) * ramp01(0.12, 0.3, p[:, 2]), 15000, down, False)
    back = lambda p: np.stack([p[:, 0] * 3, np.ones(len(p)), 0.35 - 8 * np.maximum(0, -p[:, 2])], 1)
    bare = lambda p: (np.linalg.norm(np.abs(p) * (1, 0, 0) + p * (0, 1, 1) - (0.043, -0.095, 0.040), axis=1) < 0.030) | ((np.abs(p[:, 0]) < 0.03) & (p[:, 1] < -0.155))
    fur(skull, (-0.16, -0.24, -0.14), (0.16, 0.14, 0.16), h, lambda p: 0.008 + 0.014 * ramp01(-0.10, 0.03, p[:, 1]), 11000, back, True, bare)
    for s in (-1, 1):
        ear = (lambda s: lambda x, y, z: melt(egg(x, y, z, (s * 0.098, 0.0, 0.055), (0.028, 0.05, 0.035)), egg(x, y, z, (s * 0.122, -0.012, -0.02), (0.018, 0.05, 0.082)), 0.03))(s)
        fur(ear, (-0.2, -0.09, -0.13), (0.2, 0.08, 0.12), h, lambda p: np.full(len(p), 0.02), 3600, lambda p: np.stack([0 * p[:, 0], -0.15 + 0 * p[:, 0], -np.ones(len(p))], 1), True)
    black = material('nose', '#17110f', 0.28, Specular=0.6)
    clay('nose', lambda x, y, z: melt(egg(x, y, z, (0, -0.182, -0.002), (0.026, 0.016, 0.018)), egg(x, y, z, (0, -0.180, -0.016), (0.012, 0.012, 0.014)), 0.008), (-0.05, -0.22, -0.05), (0.05, -0.14, 0.04), 0.003, black, h)
    clay('tongue', lambda x, y, z: melt(egg(x, y, z, (0, -0.142, -0.062), (0.019, 0.028, 0.008)), egg(x, y, z, (0, -0.166, -0.083), (0.018, 0.008, 0.024)), 0.012), (-0.04, -0.2, -0.12), (0.04, -0.1, -0.04), 0.003, material('tongue', '#c96a6a', 0.35, Specular=0.5), h)
    eye_m, shine = material('eye', '#22110a', 0.05, Clearcoat=1.0), glow('shine', '#ffffff', 2.2)
    for s in (-1, 1):
        c = Vector((s * 0.043, -0.089, 0.040))
        look = ((Vector(gaze) - c) if gaze is not None else Vector((0, -9, 0))).normalized()
        eye = empty('eye', c, look.to_track_quat('-Y', 'Z').to_euler(), h, 0.0228)
        sphere('ball', 1, eye_m, parent=eye, n=24)
        sphere('shine', 0.17, shine, (-0.30, -0.86, 0.38), (1, 0.4, 1), eye, n=10)
        sphere('shine', 0.07, shine, (0.26, -0.92, -0.25), (1, 0.4, 1), eye, n=10)
        u = np.linspace(-1.2, 1.2, 12)
        el = 0.62 * np.cos(u * 0.9)
        R = 0.0240
        pts = np.stack([s * R * np.cos(el) * np.sin(u), -R * np.cos(el) * np.cos(u), R * np.sin(el)], 1) + np.array(c)
        strands('rim', pts[None], np.full((1, 12), 0.0028), black, h, 6)
        pts[:, 2] = 2 * c[2] - pts[:, 2]
        strands('rim', pts[None], np.full((1, 12), 0.0026), black, h, 6)
    collar = fabric('collar', '#a8402a', scale=1)
    tube('collar', [(0.088 * math.cos(q), -0.072 + 0.085 * math.sin(q), 0.385 + 0.022 * math.sin(q)) for q in [TAU * i / 30 for i in range(30)]], 0.013, collar, e, cyclic=True)
    sphere('tag', 0.017, material('brass', '#c8a263', 0.25, Metallic=1), (0, -0.172, 0.345), (1, 0.3, 1), e, n=14)
    return e
