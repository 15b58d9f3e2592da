"""Objects around a frame: vases, branches, cups, books, lamps, a sofa, parcels, prints, a phone."""
import math
import random

from mathutils import Matrix

from kit import *

CUP = [(0.001, 0.012), (0.2, 0.012), (0.235, 0.02), (0.262, 0.06), (0.28, 0.25), (0.283, 0.48), (0.28, 0.495), (0.272, 0.495), (0.265, 0.48), (0.255, 0.25), (0.24, 0.09), (0.001, 0.07)]
VASES = {
    'bottle': [(0.001, 0), (0.19, 0), (0.24, 0.03), (0.32, 0.2), (0.335, 0.36), (0.29, 0.52), (0.18, 0.66), (0.115, 0.76), (0.11, 0.84), (0.145, 0.89), (0.135, 0.895), (0.095, 0.84), (0.09, 0.76), (0.001, 0.5)],
    'round': [(0.001, 0), (0.2, 0), (0.27, 0.03), (0.42, 0.22), (0.46, 0.42), (0.4, 0.62), (0.25, 0.75), (0.17, 0.8), (0.165, 0.85), (0.19, 0.875), (0.175, 0.88), (0.145, 0.84), (0.001, 0.6)],
    'tall': [(0.001, 0), (0.2, 0), (0.23, 0.03), (0.25, 0.3), (0.27, 0.8), (0.24, 1.1), (0.17, 1.25), (0.165, 1.32), (0.2, 1.38), (0.185, 1.385), (0.145, 1.3), (0.001, 1.0)],
    'pot': [(0.001, 0), (0.26, 0), (0.29, 0.03), (0.36, 0.55), (0.365, 0.6), (0.345, 0.6), (0.34, 0.55), (0.33, 0.5), (0.001, 0.48)],
}


def stoneware(name, color, rough=0.42):
    m = material(name, color, rough, Clearcoat=0.3, Clearcoat_Roughness=0.3)
    base = srgb(color)
    speckle = noise(m, coords(m), 60, 3, 0.7)
    paint(m, ramp(m, speckle, [(0.30, tuple(c * 0.6 for c in base)), (0.36, base), (0.7, base)]))
    bump(m, noise(m, coords(m), 9, 3), 0.06, 0.02)
    return m


def vase(kind, color, loc, scale=1.0):
    return lathe('vase', VASES[kind], stoneware('vase', color), loc, scale=(scale,) * 3)


def cup(loc, color='#e9e1d3', yaw=0.1, drink='#3a1a0c'):
    m = stoneware('cup', color)
    e = empty('cup', loc, (0, 0, yaw))
    lathe('cup', CUP, m, parent=e)
    lathe('drink', [(0.001, 0.425), (0.262, 0.425)], material('drink', drink, 0.08), parent=e, soft=False)
    arc = [(0.265 + 0.15 * math.sin(math.pi * i / 20), 0, 0.25 + 0.15 * math.cos(math.pi * i / 20)) for i in range(21)]
    tube('handle', arc, 0.027, m, e)
    return e


def book(size, color, loc, yaw=0.0, upright=False, lean=0.0):
    w, d, t = size
    e = empty('book', loc, (0, 0, yaw))
    if upright:  # the spine faces the camera: w is the depth, d is the height
        e.rotation_euler = (Matrix.Rotation(lean, 3, 'Y') @ Matrix(((0, 0, 1), (1, 0, 0), (0, 1, 0)))).to_euler()
    cover = cloth('cloth', color, 150, 0.2)
    pages = material('pages', '#e8ddc8', 0.95)
    lines = noise(pages, coords(pages, (0.5, 0.5, 160)), 1, 1)
    paint(pages, ramp(pages, lines, [(0.35, '#d8cbb2'), (0.65, '#efe6d4')]))
    box('pages', (w - 0.05, d - 0.05, t - 0.03), pages, (0.012, 0, 0), bevel=0.004, parent=e)
    for s in (-1, 1):
        box('cover', (w, d, 0.022), cover, (0, 0, s * (t / 2 - 0.011)), bevel=0.008, parent=e)
    spine = [(-w / 2 + 0.01 - 0.028 * math.cos(a), s, (t / 2) * math.sin(a)) for s in (-d / 2, d / 2) for a in [math.pi * (i / 12 - 0.5) for i in range(13)]]
    mesh('spine', spine, [(i, i + 1, 14 + i, 13 + i) for i in range(12)], cover, parent=e, smooth=True)
    if upright:
        gilt = material('gilt', '#c8a263', 0.35, Metallic=0.8)
        for y in (0.34, 0.29, -0.36):
            box('gilt', (0.004, 0.02, t * 0.82), gilt, (-w / 2 - 0.018, d * y, 0), bevel=0, parent=e)
    return e


def _leaf(name, m, length=0.2, width=0.17, cup_=0.03, pointed=1.0):
    v, f, rings, k = [], [], 4, 28
    for i in range(rings + 1):
        for j in range(k):
            r, a = i / rings, TAU * j / k
            x, y = r * math.cos(a), r * math.sin(a)
            squeeze = 1 - pointed * 0.35 * max(0, x) ** 2
            v.append((length / 2 * x, width / 2 * y * squeeze, cup_ * (y * y) - cup_ * 0.8 * x * x))
    for i in range(rings):
        f += [(i * k + j, i * k + (j + 1) % k, (i + 1) * k + (j + 1) % k, (i + 1) * k + j) for j in range(k)]
    me = D.meshes.new(name)
    me.from_pydata(v, [], f)
    me.materials.append(m)
    me.polygons.foreach_set('use_smooth', [True] * len(me.polygons))
    return me


def leaf_material(name, color):
    m = material(name, color, 0.5, Specular=0.35)
    base = srgb(color)
    paint(m, mix(m, tuple(c * 0.75 for c in base), tuple(min(1, c * 1.3) for c in base), noise(m, coords(m), 14, 4)))
    m.node_tree.nodes['Principled BSDF'].inputs['Transmission'].default_value = 0
    return m


def branches(loc, count=9, height=1.5, spread=0.6, leaves=16, size=1.0, colors=('#5d7a63', '#6e8a6d', '#4d6a58', '#86a07f'), leaf=(0.2, 0.17), twig='#6b5b3c', pointed=0.2, droop=0.3):
    """Stems from one point with leaves on alternate sides. The leaf makes them eucalyptus, olive or grasses."""
    meshes = [_leaf(f'leaf{i}', leaf_material(f'leaf{i}', c), leaf[0], leaf[1], pointed=pointed) for i, c in enumerate(colors)]
    stem = material('stem', twig, 0.8)
    for s in range(count):
        angle = s / count * TAU + random.uniform(-0.3, 0.3)
        lean, tall = spread * random.uniform(0.5, 1.25), height * random.uniform(0.72, 1.2)

        def at(t):
            out = lean * t * t
            return Vector(loc) + Vector((math.cos(angle) * out, math.sin(angle) * out * 0.7, tall * t - droop * lean * t * t))

        tube('stem', [at(i / 18) for i in range(19)], 0.009, stem, taper=lambda t: 1.2 - 0.8 * t)
        for k in range(leaves):
            t = 0.2 + 0.82 * k / leaves
            turn = angle + (1 if k % 2 else -1) * random.uniform(0.8, 1.7)
            way = Vector((math.cos(turn), math.sin(turn), random.uniform(-0.1, 0.6))).normalized()
            q = size * random.uniform(0.75, 1.2) * (1.15 - 0.5 * t)
            o = add('leaf', random.choice(meshes), None, at(min(t, 1)) + way * leaf[0] * 0.5 * q, scale=q)
            o.rotation_mode = 'QUATERNION'
            o.rotation_quaternion = way.to_track_quat('X', 'Z') @ Euler((random.uniform(-1, 1), 0, 0)).to_quaternion()


def big_leaves(loc, count=11, size=1.0, colors=('#3f6a45', '#4f7d4e', '#315a3d')):
    """A rubber plant: long stems, broad leaves."""
    meshes = [_leaf(f'broad{i}', leaf_material(f'broad{i}', c), 0.9, 0.42, 0.09, 0.6) for i, c in enumerate(colors)]
    stem = material('stem', '#5c6a3c', 0.7)
    for s in range(count):
        angle, up = s * 2.4 + random.uniform(-0.3, 0.3), random.uniform(0.2, 1.0)
        base = Vector(loc) + Vector((0, 0, up * 1.3 * size))
        way = Vector((math.cos(angle), math.sin(angle), 0.35 + 0.7 * up)).normalized()
        tip = base + way * 0.5 * size
        tube('stem', [Vector(loc), Vector(loc).lerp(base, 0.6), base, tip], 0.02 * size, stem)
        o = add('leaf', random.choice(meshes), None, tip + way * 0.38 * size, scale=size * random.uniform(0.9, 1.15))
        o.rotation_mode = 'QUATERNION'
        o.rotation_quaternion = way.to_track_quat('X', 'Z') @ Euler((random.uniform(-0.5, 0.5), 0.08, 0)).to_quaternion()


def lamp(loc, height=2.6, shade='#f0e2c8', energy=26, base='#b4532a'):
    lathe('lamp', [(0.001, 0), (0.26, 0), (0.3, 0.02), (0.34, 0.2), (0.33, 0.5), (0.22, 0.8), (0.07, 0.95), (0.05, 1.0), (0.001, 1.0)], stoneware('lamp', base, 0.5), loc, scale=(height / 2.6,) * 3)
    brass = material('brass', '#c8a263', 0.3, Metallic=1)
    x, y, z = loc
    cylinder('neck', 0.02, height * 0.5, brass, (x, y, z + height * 0.35))
    m = cloth('shade', shade, 90, 0.15)
    b = m.node_tree.nodes['Principled BSDF']
    b.inputs['Emission'].default_value = (*srgb('#ffcf8a'), 1)
    b.inputs['Emission Strength'].default_value = energy * 0.028
    z0, z1 = z + height * 0.56, z + height
    lathe('shade', [(0.62, z0), (0.42, z1), (0.41, z1), (0.61, z0)], m, (x, y, 0), soft=False)
    point((x, y, z1 + 0.05), energy, (1, 0.72, 0.42), 0.15)
    point((x, y, z0 - 0.1), energy, (1, 0.72, 0.42), 0.15)


def candle(loc, height=0.5, r=0.13, color='#f3ead8', flame=True):
    wax = material('wax', color, 0.4, Subsurface=0.15)
    cylinder('candle', r, height, wax, loc, edge=0.25)
    x, y, z = loc
    tube('wick', [(x, y, z + height), (x + 0.005, y, z + height + 0.07)], 0.008, material('wick', '#2a211c', 0.9))
    if flame:
        prof = [(0.001, 0), (0.026, 0.03), (0.034, 0.07), (0.024, 0.13), (0.008, 0.19), (0.001, 0.215)]
        lathe('flame', prof, glow('flame', '#ffc46a', 14), (x + 0.004, y, z + height + 0.035))
        point((x, y, z + height + 0.16), 0.9, (1, 0.62, 0.28), 0.05)


def parcel(size, loc, yaw=0.0, paper='#b58857', ribbon='#84371a', lid=False, bow=True):
    """A wrapped box with a ribbon and a bow."""
    w, d, h = size
    m = material('kraft', paper, 0.85, Specular=0.2)
    base = srgb(paper)
    fibres = noise(m, coords(m, (6, 60, 6)), 3, 6, 0.7)
    paint(m, mix(m, tuple(c * 0.84 for c in base), tuple(min(1, c * 1.12) for c in base), fibres))
    bump(m, mix(m, fibres, noise(m, coords(m), 3.5, 3), 0.6), 0.16, 0.03)
    e = empty('parcel', loc, (0, 0, yaw))
    box('body', (w, d, h), m, (0, 0, h / 2), bevel=0.025, parent=e)
    silk = material('ribbon', ribbon, 0.38, Sheen=0.6, Specular=0.4)
    bump(silk, noise(silk, coords(silk, (90, 90, 90)), 1, 1), 0.08, 0.004)
    rw = 0.17
    box('band', (rw, d + 0.024, h + 0.024), silk, (-w * 0.12, 0, h / 2), bevel=0.006, parent=e)
    box('band', (w + 0.026, rw, h + 0.026), silk, (0, 0, h / 2), bevel=0.006, parent=e)
    if bow:
        knot = empty('bow', (-w * 0.12, 0, h + 0.02), (0.3, 0, 0.5), e)
        for s in (-1, 1):
            loop, across = [], []
            for i in range(29):
                t = i / 28
                a = t * TAU
                r = 0.47 * math.sin(math.pi * t) ** 0.8
                loop.append((s * (0.03 + r * math.cos((t - 0.5) * 0.5)), 0.1 * math.sin(a), 0.06 + 0.2 * math.sin(math.pi * t) - 0.18 * math.sin(a)))
                across.append((0, 1, 0.12 * math.cos(a)))
            strip('loop', loop, across, lambda t: rw * (0.8 + 0.9 * math.sin(math.pi * t)), silk, knot)
            tail = [(s * 0.75 * t, -0.35 * t, 0.06 + 0.09 * math.sin(t * 5) * (1 - t) - 0.04 * t) for t in [i / 14 for i in range(15)]]
            strip('tail', tail, [(0.35 * s, 1, 0.05)] * 15, lambda t: rw * (0.6 + 0.4 * t), silk, knot)
        cushion('knot', (0.17, 0.16, 0.13), silk, (0, 0, 0.075), parent=knot)
    return e


def envelope(loc, yaw=0.0, color='#d9b88c', size=(1.15, 0.78)):
    w, d = size
    m = material('envelope', color, 0.9)
    bump(m, noise(m, coords(m), 40, 5), 0.08, 0.01)
    e = empty('envelope', loc, (0, 0, yaw))
    box('envelope', (w, d, 0.02), m, (0, 0, 0.01), bevel=0.005, parent=e)
    mesh('flap', [(-w / 2, d / 2, 0.022), (w / 2, d / 2, 0.022), (0, -d * 0.12, 0.034)], [(0, 2, 1)], m, parent=e)
    cylinder('seal', 0.085, 0.03, material('seal', '#7d3018', 0.35), (0, -d * 0.08, 0.03), parent=e, edge=0.5)
    return e


def print_photo(path, w, loc, rot, border=0.06, ratio=1.6, bend=0.03, parent=None):
    """A printed photograph with a white border."""
    h = w / ratio
    e = empty('print', loc, rot, parent)
    paper = material('print', '#f7f4ee', 0.4, Specular=0.35)
    plane('paper', w + 2 * border, h + 2 * border, paper, (0, 0.004, 0), parent=e, bend=bend, n=16)
    plane('photo', w, h, picture('photo', path), (0, -0.003, 0), parent=e, bend=bend * (w / (w + 2 * border)) ** 2, n=16)
    return e


def phone(loc, rot, screen=None, color='#2a2723', size=(0.72, 1.5), strength=0.9):
    w, h = size
    e = empty('phone', loc, rot)
    body = material('phone', color, 0.28, Metallic=0.7)
    rounded_slab('body', w, h, 0.08, 0.12, body, parent=e, bevel=0.025)
    rounded_slab('face', w - 0.03, h - 0.03, 0.004, 0.11, material('glass', '#050505', 0.08), (0, -0.041, 0), parent=e, bevel=0)
    m = picture('phone-screen', screen, strength) if screen else material('phone-screen', '#050505', 0.08)
    face = plane('display', w - 0.08, h - 0.1, m, (0, -0.0445, 0), parent=e)
    return e, face


def room(wall_color='#cbb9a2', table=(30, 9), wall_y=2.6, wood=None, edge_y=None):
    """A table and the wall behind it."""
    top = wood or oak('table', '#b98d5e', '#8a6038', scale=0.55, rough=0.36)
    w, d = table
    box('table', (w, d, 0.3), top, (0, wall_y - d / 2 + 0.1 if edge_y is None else edge_y, -0.15), bevel=0.03)
    box('wall', (60, 0.2, 30), plaster('wall', wall_color), (0, wall_y + 0.1, 6), bevel=0)


def sofa(loc, color='#b9a58c', length=9, parent=None):
    e = empty('sofa', loc)
    m = cloth('sofa', color, 60, 0.35)
    cushion('seat', (length, 4, 1.3), m, (0, 0, 0.9), parent=e, roundness=0.25)
    cushion('back', (length, 1.2, 2.6), m, (0, 1.7, 2.2), (math.radians(-8), 0, 0), e, 0.3)
    for s in (-1, 1):
        cushion('arm', (1.0, 4, 2.2), m, (s * length / 2, 0, 1.2), parent=e, roundness=0.3)
    return e
