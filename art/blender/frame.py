"""The Kinframe itself: a 10.1 inch panel (1280x800) behind a cream mat in a slim oak frame, on an oak easel leg."""
import math

from kit import *

SCREEN = (2.168, 1.355)
MAT = 0.165
RAIL = 0.15
DEPTH = 0.21
OUTER = (SCREEN[0] + 2 * (MAT + RAIL), SCREEN[1] + 2 * (MAT + RAIL))


def _profile(rail, depth, r):
    """Section of a rail from its outer back edge to its inner back edge: (inward, depth) with rounded shoulders."""
    arc = lambda cx, cy, radius, a0, a1, n=6: [
        (cx + radius * math.cos(math.radians(a0 + (a1 - a0) * i / n)), cy + radius * math.sin(math.radians(a0 + (a1 - a0) * i / n)))
        for i in range(n + 1)
    ]
    front, inner = -depth / 2, r * 0.8
    return (
        [(r * 0.5, depth / 2)]
        + arc(r * 0.5, depth / 2 - r * 0.5, r * 0.5, 90, 180, 4)
        + arc(r, front + r, r, 180, 270)
        + arc(rail - inner, front + 0.012 + inner, inner, 270, 360)
        + [(rail, front + 0.13)]
    )


def _rail(name, length, profile, m, parent, angle, half, gap=0.0012):
    """One mitered rail: the profile swept between two 45 degree cuts, with the grain along its own x axis."""
    v, k = [], len(profile)
    for side in (-1, 1):
        v += [(side * (length / 2 - u - gap), y, -u) for u, y in profile]
    f = [(i, i + 1, k + i + 1, k + i)[::-1] for i in range(k - 1)]
    f += [tuple(range(k)), tuple(range(2 * k - 1, k - 1, -1))]
    e = empty(name, rot=(0, angle, 0), parent=parent)
    return mesh(name, v, f, m, (0, 0, half), parent=e, smooth=True, angle=0.5)


def frame(loc=(0, 0, 0), yaw=0.0, tilt=9.0, finish='oak', screen=None, stand=True, lift=0.0, lying=False, mat_width=MAT, rail=RAIL, shell=None):
    """Returns (place, screen plane). place is the empty at loc, the point on the table under the frame's middle."""
    w, h = SCREEN[0] + 2 * (mat_width + rail), SCREEN[1] + 2 * (mat_width + rail)
    t = math.radians(-tilt)
    place = empty('frame-place', loc, (0, 0, math.radians(yaw)))
    root = empty('frame', (0, 0, h / 2 * math.cos(t) + DEPTH / 2 * abs(math.sin(t)) + lift), (t, 0, 0), place)
    if lying:
        root.location, root.rotation_euler = (0, 0, DEPTH / 2 + lift), (-math.pi / 2, 0, 0)
    shape = _profile(rail, DEPTH, 0.034 if finish == 'oak' else 0.014)
    for i, (length, half) in enumerate(((w, h / 2), (h, w / 2), (w, h / 2), (h, w / 2))):
        if finish == 'oak':
            m = oak(f'oak-{i}', '#bd8d58' if i % 2 else '#b78650', '#855a30', scale=1.15)
        else:
            m = material(f'shell-{i}', shell or '#1b1a19', 0.32 if finish == 'black' else 0.4, Clearcoat=0.2)
        r = _rail(f'rail-{i}', length, shape, m, root, i * math.pi / 2, half)
        r.location.x = 0
    paper = material('mat', '#eae2d3', 0.92, Specular=0.15)
    bump(paper, noise(paper, coords(paper), 90, 4, 0.6), 0.1, 0.006)
    top = -DEPTH / 2 + 0.06
    sw, sh = SCREEN
    if mat_width > 0:
        _window(sw + 0.03, sh + 0.03, w - 2 * rail + 0.02, h - 2 * rail + 0.02, top, 0.028, paper, root)
    black = material('bezel', '#0b0b0b', 0.3)
    plane('bezel', sw + 0.1, sh + 0.1, black, (0, top + 0.031, 0), parent=root)
    glass = picture('screen', screen, 1.0) if screen else material('screen', '#020202', 0.14, Specular=0.22)
    panel = plane('screen', sw, sh, glass, (0, top + 0.029, 0), parent=root)
    back = material('back', '#3a332d', 0.75)
    bump(back, noise(back, coords(back), 140, 3), 0.15, 0.004)
    box('back', (w - 0.1, 0.05, h - 0.1), back, (0, DEPTH / 2 - 0.02, 0), bevel=0.012, parent=root)
    rounded_slab('hub', 0.9, 0.62, 0.07, 0.08, back, (0.42, DEPTH / 2 + 0.035, -0.28), parent=root, bevel=0.02)
    if stand:
        _leg(root, h, t, finish)
    return place, panel


def _window(iw, ih, ow, oh, y, depth, m, parent):
    """The mat: a board with a bevel-cut opening."""
    cut = 0.022
    ring = lambda x, z, d: [(-x / 2, d, -z / 2), (x / 2, d, -z / 2), (x / 2, d, z / 2), (-x / 2, d, z / 2)]
    v = ring(ow, oh, y) + ring(iw + 2 * cut, ih + 2 * cut, y) + ring(iw, ih, y + depth)
    f = [(a + i, a + (i + 1) % 4, a + 4 + (i + 1) % 4, a + 4 + i) for a in (0, 4) for i in range(4)]
    mesh('mat', v, f, m, parent=parent)


def _leg(root, h, tilt, finish):
    """An easel leg hinged on the back, long enough to reach the table."""
    m = oak('leg', '#b78650', '#855a30', axis=2, scale=1.15) if finish == 'oak' else material('leg', '#1b1a19', 0.45)
    brass = material('brass', '#c8a263', 0.3, Metallic=1)
    top_z, lean = h * 0.16, math.radians(29)
    hinge = empty('hinge', (-0.5, DEPTH / 2 + 0.03, top_z), (lean, 0, 0), root)
    length = (h / 2 + top_z) * math.cos(tilt) / math.cos(lean + tilt) - 0.03
    box('leg', (0.42, 0.055, length), m, (0, 0, -length / 2), bevel=0.018, parent=hinge)
    cylinder('pin', 0.028, 0.5, brass, (-0.25, 0.0, -0.02), (0, math.pi / 2, 0), hinge)
