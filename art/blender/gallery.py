"""The scenes of the gallery pictures. The sky is transparent here; art/gallery/ paints it."""
import math
import random

from kit import *
from people import Look, Mood, figure, seen
from portraits import PORTRAITS, boy, girl, grandma, grandpa, toddler
from props import branches, candle, cup, parcel, stoneware
from world import *

SIZE = (1280, 800)
SAMPLES = 32
DRAFT = False
SCREEN_IMAGE = None
SPRITES_ONLY = False


def shoot(name, out, note=None, samples=SAMPLES):
    if SPRITES_ONLY:
        return
    scene().cycles.max_bounces, scene().cycles.diffuse_bounces = 4, 2
    render(name, out, SIZE, samples, extra=('IndexOB',), draft=DRAFT, transparent=True, note=note)


def sprite(name, out, roots, samples=SAMPLES):
    render(name, out, SIZE, samples, only=roots, draft=DRAFT)


def grassy(count, where, height):
    places = []
    while len(places) < count:
        x, y = where()
        places.append((x, y, height(x, y)))
    return places


def kite(out):
    """A grandfather and a child on a hill by a lake, with a kite in the afternoon sky."""
    scene().view_settings.exposure = 0.15
    gradient_sky([(0.0, '#f6d3a4'), (0.12, '#e9c9b0'), (0.4, '#8fb4d6'), (1.0, '#4f86bd')], 0.9)
    sun((-0.58, -0.4, -0.42), 5.0, (1, 0.78, 0.5), 1.0)
    area((-6, -12, 6), (-2, 0, 1), 8, 500, (0.75, 0.85, 1))
    hill = lambda x, y: 1.35 * math.exp(-(((x + 2.4) / 4.2) ** 2) - ((y - 0.6) / 3.6) ** 2) + 0.07 * fractal(x * 0.5, y * 0.5, 3) - 0.055 * max(0, y - 2.5) ** 1.4 + 0.05
    ground('hill', -11, 11, -7, 6.5, hill, earth('hill', '#4c5f2a', '#76853c', 0.8))
    blade, dry = foliage('blade', '#6f8c3a', 0.45), foliage('dry', '#b3a254', 0.4)
    area_of = lambda: (random.uniform(-9, 9), random.uniform(-6.2, 4.2))
    grass('grass', blade, grassy(46000, area_of, hill), (0.08, 0.2))
    grass('dry', dry, grassy(9000, area_of, hill), (0.12, 0.3), 0.009)
    flowers(grassy(620, lambda: (random.gauss(-1, 4), random.uniform(-5.6, 3)), lambda x, y: hill(x, y) + 0.14), ('#f2e7d0', '#d9643a', '#e8b13c', '#b98bb8'), 0.034)
    water((220, 120), '#2c5877', (0, 64, -0.5), 0.05, (0.35, 1.3, 1), 0.22, 0.08)
    far = lambda x, y: -0.6 + 21 * max(0, math.exp(-((y - 150) / 40) ** 2)) * (0.75 + 0.6 * fractal(x / 45, y / 60, 8)) * (0.7 + 0.5 * math.exp(-((x - 40) / 55) ** 2))
    ground('mountains', -170, 170, 95, 200, far, slopes('mountains', '#66775c', '#7a7a80', scale=0.05, distance=3), 260, 80)
    shore = lambda x, y: -0.7 + 3.4 * math.exp(-((y - 92) / 9) ** 2) * (0.8 + 0.5 * fractal(x / 22, 1, 4))
    ground('shore', -110, 110, 78, 104, shore, earth('shore', '#46582f', '#667339', 0.1), 160, 24)
    firs = [pine_mesh(f'fir{i}', foliage(f'fir{i}', c, 0.4, 0.1), height=4) for i, c in enumerate(('#35502f', '#466038'))]
    scatter(firs, grassy(420, lambda: (random.uniform(-90, 90), random.uniform(82, 97)), lambda x, y: shore(x, y) - 0.2), (0.6, 1.35), 0)
    grandfather, joints = figure(grandpa(), (-2.5, -2.6, hill(-2.5, -2.6) - 0.03), 0.75, scale=1.12, mood=Mood(0.9, 0.35, 0.9, 0.4), hands=((-0.02, -0.40, 1.22), (0.26, -0.34, 1.34)), palms=((0, -0.3, 1), (-1, 0, 0.4)), curl=1.1, turn=(0.45, -0.30, 0), gaze=(3.5, -2, 4.2), fine=0.75)
    figure(girl(), (-1.62, -3.0, hill(-1.62, -3.0) - 0.03), 0.55, scale=1.12, mood=Mood(1, 0.6, 1.05, 0.2, 0.5), hands=((-0.30, -0.12, 1.02), (0.34, -0.16, 1.16)), curl=0.2, turn=(0.55, -0.34, 0), gaze=(3.5, -2, 4.2), fine=0.75)
    area((-1, -9, 4.5), (-2, -2.6, 1.8), 4, 260, (1, 0.9, 0.78))
    haze('#dfc3ae', 40, 330, 0.62)
    camera((0.1, -9.6, 2.15), (0.1, 6, 2.35), 38, (-2.2, -2.7, 2.0), 1.6)
    toy = empty('kite', (1.75, 2.4, 4.45), (0.5, 0.35, 0.15), scale=1.0)
    a, b = material('sail-a', '#b5402a', 0.6), material('sail-b', '#e3a83a', 0.6)
    top, left, right, low, mid = (0, 0, 0.62), (-0.46, 0, 0.12), (0.46, 0, 0.12), (0, 0, -0.72), (0, -0.07, 0.12)
    mesh('sail', [top, left, mid, low, right], [(0, 1, 2), (2, 4, 3)], a, parent=toy)
    mesh('sail', [top, left, mid, low, right], [(0, 2, 4), (1, 3, 2)], b, parent=toy)
    tube('spar', [top, mid, low], 0.012, material('spar', '#5a3c22'), toy)
    tube('spar', [left, mid, right], 0.012, material('spar2', '#5a3c22'), toy)
    hands = spots([seen(grandfather, joints['hands'][1]), (1.75, 2.4, 4.5), (1.72, 2.4, 3.8)])
    toy.hide_render = True
    for c in family(toy):
        c.hide_render = True
    shoot('kite', out, {'hand': hands[0], 'kite': hands[1], 'tail': hands[2]})
    for c in family(toy):
        c.hide_render = False
    sprite('kite-toy', out, [toy])


def hidden(roots, state):
    for o in roots:
        for c in family(o):
            c.hide_render = state


def boat(loc, scale=1.0, yaw=0.0, hull='#f1e9da', sail='#f6efe2', stripe='#84371a', jib='#b5472a'):
    e = empty('boat', loc, (0, 0, yaw), scale=scale)
    v, f, n = [], [], 16
    for i in range(n + 1):
        t = i / n
        w = 0.42 * math.sin(math.pi * (0.12 + 0.88 * t)) ** 0.7 if t < 1 else 0.0
        x = -1.5 + 3.0 * t
        lift = 0.10 * (2 * t - 1) ** 2
        v += [(x, -w, 0.34 + lift), (x, -w * 0.8, 0.05), (x, 0, -0.22), (x, w * 0.8, 0.05), (x, w, 0.34 + lift)]
        if i:
            f += [(5 * i - 5 + j, 5 * i - 4 + j, 5 * i + 1 + j, 5 * i + j) for j in range(4)]
    f.append((0, 1, 2, 3, 4))
    mesh('hull', v, f, material('hull', hull, 0.25), parent=e, smooth=True)
    deck = [(v[5 * i][0], s * v[5 * i + 4][1] * 0.96, v[5 * i][2] - 0.03) for i in range(n + 1) for s in (-1, 1)]
    mesh('deck', deck, [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(n)], oak('deck', '#b98a58', '#8a6038'), parent=e)
    for s in (0, 4):
        tube('rail', [(v[5 * i + s][0], v[5 * i + s][1], v[5 * i + s][2]) for i in range(n + 1)], 0.03, material('rail', stripe, 0.4), e)
    tube('mast', [(0.15, 0, 0.2), (0.15, 0, 3.5)], 0.035, oak('mast', axis=2), e)
    tube('boom', [(0.15, 0, 0.75), (-1.45, 0.12, 0.72)], 0.03, oak('boom'), e)
    for name, a, b, c, color in (('main', (0.13, 0, 3.4), (0.13, 0, 0.82), (-1.42, 0.12, 0.78), sail), ('jib', (0.2, 0, 3.1), (1.45, 0, 0.48), (0.3, 0.1, 0.8), jib)):
        a, b, c = Vector(a), Vector(b), Vector(c)
        k, pts, faces = 12, [], []
        for i in range(k + 1):
            for j in range(k + 1):
                p = a.lerp(b.lerp(c, j / k), i / k)
                p.y += 0.3 * math.sin(math.pi * j / k) * (i / k)
                pts.append(p)
        for i in range(k):
            faces += [(i * (k + 1) + j, i * (k + 1) + j + 1, (i + 1) * (k + 1) + j + 1, (i + 1) * (k + 1) + j) for j in range(k)]
        mesh(name, pts, faces, cloth(name, color, 30, 0.1), parent=e, smooth=True)
    small = dict(parent=e, sit=0.22, fine=0.35, step=0.03)
    figure(Look(skin=2, hair='short', top='sweater', color='#35576d', seed=2), (-0.75, 0, 0.08), 0.5, scale=0.58, hands=((-0.2, -0.4, 0.5), (0.2, -0.4, 0.5)), **small)
    figure(Look('child', skin=2, female=True, hair='pony', hair_color='#5b3a22', top='sweater', color='#d9a441'), (-0.2, 0.02, 0.08), 0.3, scale=0.62, mood=Mood(1, 0.5), hands=((-0.36, -0.1, 0.95), None), **small)
    return e


def sailboat(out):
    """A bright bay: three boats, a lighthouse on the headland."""
    scene().view_settings.exposure = 0.05
    gradient_sky([(0.0, '#e8e6d8'), (0.15, '#c5dbe6'), (0.45, '#79afd6'), (1.0, '#3f7fbe')], 1.0)
    sun((0.55, 0.6, -0.62), 4.4, (1, 0.9, 0.74), 1.0)
    sea = water((500, 300), '#0f6f83', (0, 120, 0), 0.06, (0.5, 1.6, 1), 0.4, 0.12, 0.5)
    m = sea.data.materials[0]
    paint(m, ramp(m, noise(m, coords(m, (0.06, 0.16, 1)), 1.2, 5), [(0.35, '#0c5f7d'), (0.62, '#2b98a0')]))
    head = lambda x, y: -1.5 + 10.5 * math.exp(-(((x + 34) / 19) ** 2) ** 1.5 - (((y - 62) / 13) ** 2) ** 1.2) * (0.85 + 0.35 * fractal(x / 9, y / 9, 5)) + 0.25 * fractal(x, y, 2, 4)
    ground('headland', -75, -6, 42, 90, head, slopes('headland', '#6c8344', '#b59d80', (0.62, 0.8), 0.4, distance=0.6), 220, 150)
    far = lambda x, y: -1 + 11 * math.exp(-((y - 200) / 22) ** 2) * (0.6 + 0.6 * fractal(x / 40, 2, 3)) * (1 / (1 + math.exp(-(x - 5) / 12)))
    ground('far', -60, 190, 165, 235, far, slopes('far', '#7d8f6a', '#a79a8a', scale=0.1, distance=1), 200, 40)
    bush = [leafy_mesh(f'bush{i}', foliage(f'bush{i}', c, 0.4, 0.15), 1.5, 0.9, 500, 0.13, 9, 0.1) for i, c in enumerate(('#4c6b36', '#5d7a3c'))]
    scatter(bush, [(x, y, z) for x, y, z in grassy(150, lambda: (random.uniform(-60, -16), random.uniform(52, 75)), lambda x, y: head(x, y) - 0.1) if z > 3], (0.7, 1.6), 0)
    x, y = -25, 58
    z = head(x, y)
    tower = empty('tower', (x, y, z - 0.2))
    white, red = material('white', '#efe8da', 0.7), material('red', '#9c3d22', 0.6)
    for i in range(5):
        r = 1.05 - 0.09 * i
        cylinder('drum', r, 1.35, white if i % 2 == 0 else red, (0, 0, 1.35 * i), parent=tower, top=r - 0.09, edge=0)
    cylinder('gallery', 0.85, 0.14, material('iron', '#2c2a2a'), (0, 0, 6.75), parent=tower)
    cylinder('lantern', 0.42, 0.85, glow('lantern', '#ffe2a0', 2.2), (0, 0, 6.85), parent=tower, edge=0)
    lathe('dome', [(0.56, 7.7), (0.4, 8.05), (0.05, 8.35), (0.001, 8.6)], red, parent=tower)
    box('cottage', (2.6, 1.8, 1.4), white, (2.6, 0.6, 0.3), bevel=0.03, parent=tower)
    mesh('roof', [(1.2, -0.5, 1), (4.0, -0.5, 1), (4.0, 1.7, 1), (1.2, 1.7, 1), (1.2, 0.6, 1.95), (4.0, 0.6, 1.95)], [(0, 1, 5, 4), (3, 4, 5, 2), (0, 4, 3), (1, 2, 5)], red, parent=tower)
    sand = lambda x, y: -0.9 + 1.15 / (1 + math.exp((y - 2.6 - 0.12 * (x - 4) + 0.5 * math.sin(x * 0.4)) / 0.9)) + 0.03 * fractal(x * 2, y * 2, 2)
    ground('beach', -16, 16, -11, 8, sand, earth('beach', '#cdb085', '#e3cda4', 1.5, bumpy=0.4, distance=0.05))
    haze('#dbe6e6', 60, 330, 0.8)
    boats = [boat((2.6, 9, 0.02), 1.25, 0.35), boat((-6.2, 21, 0.02), 1.2, 0.2, '#35576d', '#f3ead8', '#f1e9da', '#e3a83a'), boat((14.5, 36, 0.02), 1.25, 2.9, '#84371a', '#f6efe2', '#f1e9da', '#f6efe2')]
    camera((0, -11, 3.3), (0, 20, 3.1), 36, (2.6, 9, 1.5), 2.8)
    hidden(boats, True)
    shoot('sailboat', out, {'water': spots([(b.location.x, b.location.y, 0.02) for b in boats])})
    hidden(boats, False)
    for i, b in enumerate(boats):
        for other in boats:
            hidden([other], other is not b)
        sprite(f'sailboat-{i + 1}', out, [b])
        for o in scene().objects:
            o.visible_camera = True


def snowman(loc, scale=1.0, yaw=0.0):
    e = empty('snowman', loc, (0, 0, yaw), scale=scale)
    m = snow_material('snowman')
    for r, z in ((0.42, 0.36), (0.31, 0.95), (0.21, 1.38)):
        sphere('ball', r, m, (0, 0, z), parent=e)
    coal = material('coal', '#151312', 0.6)
    for x in (-0.07, 0.07):
        sphere('eye', 0.025, coal, (x, -0.19, 1.44), parent=e, n=10)
    for z in (0.85, 1.0):
        sphere('button', 0.03, coal, (0, -0.3, z), parent=e, n=10)
    lathe('nose', [(0.04, 0), (0.001, 0.24)], material('carrot', '#c9662a', 0.6), (0, -0.19, 1.38), (math.pi / 2, 0, 0), parent=e, soft=False)
    tube('scarf', [(0.21 * math.cos(TAU * i / 24), 0.21 * math.sin(TAU * i / 24), 1.2) for i in range(24)], 0.055, cloth('scarf', '#8f2f22', 40, 0.4), e, cyclic=True)
    lathe('hat', [(0.27, 0), (0.27, 0.03), (0.17, 0.035), (0.165, 0.3), (0.001, 0.3)], material('hat', '#22201f', 0.7), (0, 0, 1.53), parent=e, soft=False)
    for s in (-1, 1):
        tube('arm', [(s * 0.28, 0, 1.0), (s * 0.6, -0.05, 1.22), (s * 0.72, -0.1, 1.38)], 0.018, material('twig', '#4a3524'), e)
    return e


def snow_material(name):
    m = material(name, '#e9eef5', 0.7, Specular=0.25, Subsurface=0.0)
    bump(m, mix(m, noise(m, coords(m), 3, 7, 0.6), noise(m, coords(m), 90, 2), 0.3), 0.25, 0.06)
    return m


def cabin(out):
    """A cabin in the snow at dusk, with lit windows."""
    scene().view_settings.exposure = 0.35
    gradient_sky([(0.0, '#e7a98c'), (0.1, '#b79bb3'), (0.35, '#5f78ab'), (1.0, '#24386b')], 0.75)
    sun((-0.7, 0.5, -0.22), 0.9, (1, 0.62, 0.5), 3)
    land = lambda x, y: 0.5 * fractal(x * 0.13, y * 0.13, 4, 4) + 0.04 * fractal(x, y, 2) + 0.012 * max(0, y - 4) ** 1.6 - 0.25 * math.exp(-((x + 0.9 + 0.35 * y * 0.4) / 0.8) ** 2) * (y < 5)
    snow = snow_material('snow')
    ground('snow', -26, 26, -9, 48, land, snow, 220, 220)
    x, y = 1.9, 4.6
    z = land(x, y) + 0.1
    e = empty('cabin', (x, y, z), (0, 0, -0.32))
    log = oak('log', '#7a5334', '#4c311e', scale=0.5, rough=0.7)
    logy = oak('logy', '#7a5334', '#4c311e', axis=1, scale=0.5, rough=0.7)
    w, d, h = 4.2, 3.2, 2.3
    for i in range(8):
        zz = 0.14 + 0.28 * i
        for s in (-1, 1):
            for m, rot, at in ((log, (0, math.pi / 2, 0), (-w / 2 - 0.25, s * d / 2, zz)),):
                o = cylinder('log', 0.15, w + 0.5, m, at, rot, e, edge=0.2, n=18)
            cylinder('log', 0.15, d + 0.5, logy, (s * w / 2, d / 2 + 0.25, zz), (math.pi / 2, 0, 0), e, edge=0.2, n=18)
    box('inside', (w - 0.1, d - 0.1, h), material('dark', '#2a1b12'), (0, 0, h / 2), bevel=0, parent=e)
    ridge, over = 2.0, 0.6
    for sgn in (-1, 1):
        run = math.hypot(w / 2 + over, ridge * (w / 2 + over) / (w / 2))
        slope = math.atan2(ridge, w / 2)
        o = box('roof', (run, d + 1.3, 0.1), logy, (sgn * (w / 2 + over) / 2, 0, h + ridge - ridge * (w / 2 + over) / w), (0, sgn * slope, 0), 0.01, e)
        cushion('roofsnow', (run + 0.12, d + 1.4, 0.34), snow, (sgn * ((w / 2 + over) / 2 + 0.04), 0, h + ridge - ridge * (w / 2 + over) / w + 0.22), (0, sgn * slope, 0), e, 0.4)
    for s in (-1, 1):
        mesh('gable', [(-w / 2, s * (d / 2 - 0.02), h), (w / 2, s * (d / 2 - 0.02), h), (0, s * (d / 2 - 0.02), h + ridge)], [(0, 1, 2)], log, parent=e)
    warm = glow('warm', '#ff9a3a', 2.0)
    white = material('trim', '#d9cdbb', 0.7)

    def pane(xx, zz, ww, hh):
        box('glow', (ww, 0.02, hh), warm, (xx, -d / 2 - 0.17, zz), bevel=0, parent=e)
        for a, b, c, f in ((xx, zz + hh / 2, ww + 0.14, 0.09), (xx, zz - hh / 2, ww + 0.2, 0.09), (xx, zz, ww, 0.045)):
            box('trim', (c, 0.07, f), white, (a, -d / 2 - 0.2, b), bevel=0.008, parent=e)
        for a in (xx - ww / 2, xx + ww / 2, xx):
            box('trim', (0.045 if a == xx else 0.09, 0.07, hh), white, (a, -d / 2 - 0.2, zz), bevel=0.008, parent=e)

    pane(-1.15, 1.3, 0.95, 0.9)
    pane(1.2, 1.3, 0.95, 0.9)
    pane(0, h + 0.85, 0.6, 0.55)
    box('door', (0.85, 0.08, 1.75), oak('door', '#8f4526', '#5e2a15', axis=2, scale=0.6), (0.03, -d / 2 - 0.18, 0.88), bevel=0.02, parent=e)
    wreath = _leaf_ring(0.22)
    wreath.parent, wreath.location = e, (0.03, -d / 2 - 0.28, 1.25)
    box('chimney', (0.5, 0.5, 1.7), plaster('stone', '#6d645c', 8, 0.6), (1.15, 0.5, h + 1.55), bevel=0.03, parent=e)
    cushion('cap', (0.6, 0.6, 0.2), snow, (1.15, 0.5, h + 2.45), parent=e)
    for xx in (-1.15, 1.2, 0.03):
        p = point((0, 0, 0), 55, (1, 0.6, 0.28), 0.3)
        p.parent, p.location = e, (xx, -d / 2 - 0.75, 1.2)
    firs = [pine_mesh(f'fir{i}', foliage(f'fir{i}', c, 0.3, 0.05), snow, 4.4) for i, c in enumerate(('#2c4636', '#35503d', '#27402f'))]
    places = [(-5.6, 5.4), (-7.4, 8), (-4.3, 9.5), (-9.5, 6.2), (6.3, 6.6), (8.2, 8.2), (5.2, 10.5), (9.8, 5.4), (-2.6, 12), (-6.8, 13), (11.8, 10), (-11.5, 11)]
    scatter(firs, [(a, b, land(a, b) - 0.1) for a, b in places], (0.95, 1.5), 0)
    back = grassy(230, lambda: (random.uniform(-25, 25), random.uniform(15, 44)), lambda a, b: land(a, b) - 0.1)
    scatter(firs, back, (0.8, 1.6), 0)
    snowman((-2.45, -1.2, land(-2.45, -1.2) - 0.04), 0.9, 0.25)
    figure(girl(top='coat', color='#a5452a', hair='bob', hat=('beanie', '#e3d9c6'), scarf='#35576d', bottom_color='#35405a'), (-1.62, -1.75, land(-1.62, -1.75) - 0.03), -0.22, mood=Mood(1, 0.5, 1, 0.3), hands=((-0.33, -0.14, 0.95), (0.2, -0.2, 0.62)), turn=(-0.1, 0.0, 0.08), fine=0.75)
    figure(toddler(skin=2, top='coat', color='#35576d', hat=('beanie', '#b5472a'), scarf='#e3a83a'), (-3.22, -1.8, land(-3.22, -1.8) - 0.03), 0.25, mood=Mood(1, 0.5, 1, 0.2), hands=((-0.2, -0.16, 0.5), (0.28, -0.12, 0.78)), turn=(0.1, 0.0, -0.08), fine=0.75)
    area((-3.5, -8, 3), (-2.4, -1.7, 0.9), 3, 150, (1, 0.86, 0.72))
    haze('#8f8fb4', 14, 70, 0.7)
    camera((-0.5, -9.2, 2.5), (-0.25, 5, 2.35), 36, (-2.2, -1.7, 1.0), 2.4)
    bpy.context.view_layer.update()
    top = e.matrix_world @ Vector((1.15, 0.5, h + 2.5))
    panes = [e.matrix_world @ Vector((xx, -d / 2 - 0.2, zz)) for xx, zz in ((-1.15, 1.3), (1.2, 1.3), (0, h + 0.85))]
    shoot('cabin', out, {'chimney': spots([top])[0], 'windows': spots(panes)}, 30)


def _leaf_ring(r):
    points = [Vector((r * math.cos(a), random.gauss(0, 0.02), r * math.sin(a))) for a in [random.uniform(0, TAU) for _ in range(260)]]
    v, f = _cards_near(points, 0.05)
    return mesh('wreath', v, f, foliage('wreath', '#3d5a3a', 0.5))


def _cards_near(points, size):
    from world import _cards

    return _cards([p + Vector((random.gauss(0, 0.025), random.gauss(0, 0.02), random.gauss(0, 0.025))) for p in points], size)


def birthday(out):
    """A cake with candles on a table, in front of a blurred room."""
    scene().view_settings.exposure = 0.55
    room_dark = plaster('wall', '#8d7065')
    box('wall', (60, 0.2, 30), room_dark, (0, 7.1, 6), bevel=0)
    linen = cloth('linen', '#e6d9c4', 60, 0.4)
    box('table', (30, 9, 0.3), linen, (0, 1, -0.15), bevel=0.05)
    brass = material('brass', '#c8a263', 0.3, Metallic=1)
    lathe('stand', [(0.001, 0), (0.62, 0), (0.6, 0.06), (0.2, 0.12), (0.14, 0.4), (0.3, 0.5), (1.38, 0.52), (1.42, 0.6), (1.38, 0.58), (0.001, 0.58)], stoneware('stand', '#e9e2d6'))
    cream = material('cream', '#f3dfc6', 0.55, Subsurface=0.0, Specular=0.3)
    bump(cream, noise(cream, coords(cream, (1, 1, 7)), 3, 5), 0.25, 0.03)
    lathe('cake', [(0.001, 0), (1.12, 0), (1.15, 0.04), (1.15, 0.7), (1.1, 0.78), (0.001, 0.8)], cream, (0, 0, 0.58), soft=False)
    lathe('tier', [(0.001, 0), (0.7, 0), (0.72, 0.04), (0.72, 0.52), (0.68, 0.58), (0.001, 0.6)], cream, (0, 0, 1.36), soft=False)
    rose = material('rose', '#d99a86', 0.5, Specular=0.35)
    for r, z, n, q in ((1.12, 0.64, 30, 0.1), (0.7, 1.40, 20, 0.085), (0.64, 1.95, 16, 0.08), (1.04, 1.37, 28, 0.075)):
        for i in range(n):
            a = TAU * i / n
            lathe('piping', [(0.001, -q * 0.5), (q, -q * 0.3), (q * 1.05, 0), (q * 0.7, q * 0.7), (q * 0.25, q * 1.15), (0.001, q * 1.35)], rose if z > 1.8 or z < 1 else cream, (r * math.cos(a), r * math.sin(a), z), (0, 0, a), n=10, soft=False)
    berry, dark = material('berry', '#a3212a', 0.22, Clearcoat=0.6), material('blueberry', '#2f3352', 0.4)
    for i in range(26):
        a = random.uniform(0, TAU)
        r = random.uniform(0.82, 0.98)
        sphere('berry', random.uniform(0.06, 0.1), random.choice((berry, berry, dark)), (r * math.cos(a), r * math.sin(a), 1.44), n=12)
    mint = foliage('mint', '#5f8a4a', 0.3)
    pts = [Vector((random.uniform(0.8, 1.0) * math.cos(a), random.uniform(0.8, 1.0) * math.sin(a), 1.48)) for a in [random.uniform(0, TAU) for _ in range(40)]]
    from world import _cards

    v, f = _cards(pts, 0.06, 0.5)
    mesh('mint', v, f, mint)
    flames = []
    for i in range(7):
        a = TAU * i / 7 + 0.2
        p = (0.42 * math.cos(a), 0.42 * math.sin(a), 1.95)
        m = material('wax', ('#e9dcc3', '#c9664a', '#e0b25a')[i % 3], 0.45)
        cylinder('candle', 0.035, 0.5, m, p, edge=0.2, n=16)
        tube('wick', [(p[0], p[1], 2.45), (p[0] + 0.005, p[1], 2.5)], 0.006, material('wick', '#221a15'))
        flames.append((p[0], p[1], 2.5))
        point((p[0], p[1], 2.6), 7, (1, 0.6, 0.26), 0.05)
    for i, (x, y, c) in enumerate(((-2.6, -0.6, '#d99a86'), (-3.5, 0.9, '#e0b25a'), (2.75, -0.7, '#a9b5a6'))):
        lathe('cup', [(0.001, 0), (0.24, 0), (0.33, 0.62), (0.31, 0.62), (0.23, 0.03), (0.001, 0.03)], material('papercup', c, 0.7), (x, y, 0), soft=False)
    parcel((1.2, 1.0, 0.7), (3.35, 1.4, 0), 0.4, '#a9b5a6', '#e9dcc3')
    parcel((0.9, 0.8, 0.5), (-2.75, 1.9, 0), -0.3, '#b58857', '#84371a')
    for i in range(90):
        x, y = random.uniform(-4, 4), random.uniform(-2.6, 1.5)
        if math.hypot(x, y) > 0.8:
            o = cylinder('confetti', 0.055, 0.006, material('confetti', random.choice(('#c9664a', '#e0b25a', '#a9b5a6', '#d99a86', '#35576d')), 0.7), (x, y, 0.004), n=14)
    balloons = []
    for x, y, z, c, s in ((-3.9, 4.6, 3.05, '#b5472a', 1.0), (-2.6, 5.2, 3.4, '#e0b25a', 0.9), (3.8, 4.8, 3.2, '#a9b5a6', 1.05), (4.75, 5.4, 2.5, '#d99a86', 0.92)):
        e = empty('balloon', (x, y, z), scale=s)
        m = material('balloon', c, 0.18, Clearcoat=0.5, Specular=0.5)
        lathe('skin', [(0.001, -0.78), (0.05, -0.76), (0.09, -0.7), (0.3, -0.45), (0.5, -0.12), (0.6, 0.22), (0.57, 0.5), (0.4, 0.74), (0.18, 0.84), (0.001, 0.86)], m, parent=e)
        lathe('knot', [(0.001, -0.84), (0.07, -0.86), (0.03, -0.78), (0.001, -0.77)], m, parent=e)
        tube('string', smooth([(0, 0, -0.84), (0.06, 0, -1.6), (-0.05, 0, -2.4), (0.03, 0, -3.4), (0, 0, -4.6)]), 0.008, material('string', '#e6d9c4'), e)
        balloons.append(e)
    area((-6, -5, 6), (0, 0, 1), 4, 620, (1, 0.84, 0.66))
    area((6, -2, 5), (0, 0, 1), 4, 260, (0.8, 0.82, 1))
    area((0, 3, 7), (0, 7, 3), 6, 260, (1, 0.72, 0.48), 1)
    ambient('#8d7a83', 0.5)
    camera((0, -10.2, 3.1), (0, 0.4, 1.8), 56, (0, -0.5, 1.8), 0.7)
    random.seed(5)
    lights = [(-5.2 + i * 0.85, 6.6, 4.6 - 0.75 * math.sin(math.pi * ((i % 4) / 4 + 0.02))) for i in range(13)]
    hidden(balloons, True)
    shoot('birthday', out, {'flames': spots(flames), 'lights': spots(lights)}, 30)
    hidden(balloons, False)
    for i, b in enumerate(balloons):
        for other in balloons:
            hidden([other], other is not b)
        sprite(f'birthday-{i + 1}', out, [b])


def garden(out):
    """The grandparents' garden: a small house, an apple tree, a clothesline, and two people on a bench."""
    scene().view_settings.exposure = 0.1
    gradient_sky([(0.0, '#f3e6c8'), (0.15, '#d5e0dc'), (0.45, '#8fbbdb'), (1.0, '#5292c6')], 0.95)
    sun((0.62, 0.5, -0.55), 4.6, (1, 0.85, 0.62), 1.2)
    lawn = lambda x, y: 0.10 * fractal(x * 0.25, y * 0.25, 6, 4) + 0.02 * max(0, y - 6) ** 1.3
    ground('lawn', -22, 22, -9, 40, lawn, earth('lawn', '#55702c', '#7f9a45', 0.7), 200, 200)
    blade = foliage('blade', '#7d9c42', 0.4)
    grass('grass', blade, grassy(52000, lambda: (random.uniform(-9, 9), random.uniform(-8.5, 7)), lawn), (0.05, 0.13), 0.011)
    e = empty('house', (3.6, 7.2, lawn(3.6, 7)), (0, 0, -0.22))
    lime = plaster('lime', '#efe2cb', 6, 0.35)
    w, d, h = 5.6, 3.6, 2.5
    box('walls', (w, d, h), lime, (0, 0, h / 2), bevel=0.02, parent=e)
    for s in (-1, 1):
        mesh('gable', [(s * w / 2, -d / 2, h), (s * w / 2, d / 2, h), (s * w / 2, 0, h + 1.75)], [(0, 1, 2)], lime, parent=e)
    tiles = material('tiles', '#a4502f', 0.8)
    wave = node(tiles, 'TexWave', Scale=2.6, Distortion=1.2, Detail=2)
    wave.bands_direction = 'Y'
    link(tiles, coords(tiles, (1, 1, 1)), wave.inputs['Vector'])
    field = noise(tiles, coords(tiles, (9, 5, 5)), 1.0, 3)
    paint(tiles, ramp(tiles, field, [(0.35, '#7d3a22'), (0.55, '#a8532f'), (0.7, '#bf7350')]))
    bump(tiles, wave.outputs['Fac'], 0.6, 0.08)
    slope = math.atan2(1.75, d / 2)
    run = math.hypot(d / 2 + 0.4, 1.75 * (d / 2 + 0.4) / (d / 2))
    for s in (-1, 1):
        box('roof', (w + 0.7, run, 0.1), tiles, (0, s * (d / 2 + 0.4) / 2, h + 1.75 - 1.75 * (d / 2 + 0.4) / d + 0.04), (-s * slope, 0, 0), 0.02, e)
    box('chimney', (0.5, 0.5, 1.2), plaster('brick', '#9a5a42', 12, 0.5), (1.5, 0.5, h + 1.6), bevel=0.02, parent=e)
    trim, blue = material('trim', '#f5efe2', 0.6), material('shutter', '#5b7f86', 0.6)
    pane = material('pane', '#263038', 0.06)
    for x in (-1.75, 1.75):
        box('pane', (0.9, 0.06, 1.05), pane, (x, -d / 2 - 0.01, 1.45), bevel=0, parent=e)
        for dx, dz, a, b in ((0, 0.54, 1.0, 0.08), (0, -0.54, 1.1, 0.1), (0, 0, 0.9, 0.05), (-0.46, 0, 0.08, 1.1), (0.46, 0, 0.08, 1.1), (0, 0, 0.05, 1.05)):
            box('trim', (a, 0.1, b), trim, (x + dx, -d / 2 - 0.03, 1.45 + dz), bevel=0.01, parent=e)
        for s in (-1, 1):
            box('shutter', (0.5, 0.06, 1.12), blue, (x + s * 0.76, -d / 2 - 0.05, 1.45), bevel=0.015, parent=e)
        box('flowerbox', (1.1, 0.25, 0.2), oak('fb', '#8a6038', '#5d3d20'), (x, -d / 2 - 0.16, 0.82), bevel=0.015, parent=e)
        pts = [Vector((x + random.uniform(-0.5, 0.5), -d / 2 - 0.2 + random.gauss(0, 0.08), 0.98 + random.gauss(0, 0.07))) for _ in range(170)]
        for c, part in (('#5d7f3c', pts[:90]), ('#c9412f', pts[90:140]), ('#f0d9d0', pts[140:])):
            v, f = _cards_near(part, 0.055)
            mark(mesh('box', v, f, foliage('box', c, 0.3), parent=e), 0)
    box('door', (1.0, 0.08, 1.95), material('door', '#5b7f86', 0.5), (0, -d / 2 - 0.03, 0.98), bevel=0.02, parent=e)
    box('step', (1.5, 0.6, 0.15), plaster('step', '#b3a791'), (0, -d / 2 - 0.35, 0.07), bevel=0.03, parent=e)
    bark = earth('bark', '#5a4532', '#7d6449', 3, bumpy=0.6)
    leaves = leafy_mesh('apple', foliage('apple', '#6c9440', 0.45, 0.4), 4.6, 1.9, 6500, 0.1, 26, 0.36)
    t = tree((-4.0, 2.6, lawn(-4, 2.6)), leaves, bark, 4.4, 0.4, 1.08, 0.17)
    fruit = material('fruit', '#b3302a', 0.3, Clearcoat=0.3)
    for _ in range(46):
        a, b = random.uniform(0, TAU), random.uniform(0.9, 1.55)
        sphere('fruit', 0.08, fruit, (b * math.cos(a), b * math.sin(a), random.uniform(2.2, 3.7)), parent=t, n=10)
    back = [leafy_mesh(f'back{i}', foliage(f'back{i}', c, 0.4, 0.25), 6, 2.6, 3600, 0.19, 22, 0.15) for i, c in enumerate(('#5b7f3a', '#79974a', '#496d38'))]
    scatter(back, [(x, y, z - 0.3) for x, y, z in grassy(42, lambda: (random.uniform(-20, 20), random.uniform(13, 26)), lawn)], (0.8, 1.35))
    hedge = [leafy_mesh('hedge', foliage('hedge', '#5d8240', 0.4, 0.2), 1.3, 0.8, 900, 0.09, 10, 0.05)]
    scatter(hedge, [(x, 10.6 + random.gauss(0, 0.3), lawn(x, 10.6)) for x in [i * 0.75 - 12 for i in range(20)]], (0.8, 1.2))
    path = [(0.7 + 0.35 * math.sin(i * 0.5) + i * 0.12, -7 + i * 0.62) for i in range(20)]
    slab = plaster('slab', '#c7bba5', 5, 0.4)
    for x, y in path:
        cylinder('slab', random.uniform(0.32, 0.42), 0.1, slab, (x, y, lawn(x, y) - 0.03), (0, 0, random.random() * 3), n=9)
    beds = [(x + s * random.uniform(0.75, 1.5), y + random.uniform(-0.3, 0.3)) for x, y in path for s in (-1, 1) for _ in range(26) if y < 4.4]
    places = [(x, y, lawn(x, y) + random.uniform(0.12, 0.42)) for x, y in beds]
    grass('stalks', foliage('stalk', '#5f8438', 0.35), [(x, y, lawn(x, y)) for x, y in beds for _ in range(7)], (0.2, 0.46), 0.014, 0.5)
    flowers(places, ('#d9466a', '#f2c53d', '#f4ecdf', '#9a6bb5', '#d9643a', '#e58fa8'), 0.065)
    line = [(-3.1, 4.9), (0.75, 5.5)]
    for x, y in line:
        cylinder('post', 0.06, 2.15, oak('post', axis=2), (x, y, lawn(x, y) - 0.1))
    tube('line', smooth([(line[0][0], line[0][1], 2.0), (-1.2, 5.2, 1.88), (line[1][0], line[1][1], 2.0)]), 0.012, material('line', '#e9e2d2'))
    for i, (x, w, h, c) in enumerate(((-2.3, 0.62, 0.75, '#c9664a'), (-1.35, 0.95, 1.1, '#f3ede0'), (-0.4, 0.55, 0.9, '#e0c27a'), (0.25, 0.4, 0.6, '#7fa0a8'))):
        y = 4.9 + (x + 3.1) * 0.156
        o = plane('wash', w, h, cloth('wash', c, 30, 0.1), (x, y, 1.9 - h / 2), (0, 0, 0.15), bend=0.06, n=10)
        mark(o, CLOTH)
    bench = empty('bench', (-2.1, -2.5, lawn(-2.1, -2.5)), (0, 0, 0.12))
    plank = oak('plank', '#a9794a', '#7a5230')
    for y, z, r in ((-0.2, 0.42, 0), (0.0, 0.42, 0), (0.2, 0.42, 0), (0.3, 0.66, -1.35), (0.34, 0.86, -1.35)):
        box('plank', (1.9, 0.16, 0.05), plank, (0, y, z), (r, 0, 0), 0.01, bench)
    for x in (-0.8, 0.8):
        box('leg', (0.08, 0.5, 0.4), plank, (x, 0, 0.2), bevel=0.01, parent=bench)
    figure(grandpa(skin=3, hair='sides', beard='tash', top='shirt', color='#6d8f86'), (-0.34, 0, 0), 0.15, bench, mood=Mood(0.9, 0, 0.9, 0.4), sit=0.42, hands=((-0.16, -0.30, 0.63), (0.18, -0.30, 0.63)), palms=((0, 0.2, -1), (0, 0.2, -1)), turn=(0.45, 0.05, 0), gaze=(1.5, -1.0, 0.9), fine=0.75)
    figure(grandma(skin=3), (0.34, 0, 0), 0.1, bench, mood=Mood(1, 0.5, 0.85, 0.5), sit=0.42, hands=((-0.14, -0.30, 0.62), (0.30, -0.42, 0.82)), palms=((0, 0.2, -1), (-0.3, 0, 1)), turn=(0.40, 0.08, 0), gaze=(1.0, -1.0, 0.9), fine=0.75)
    figure(toddler(skin=2), (-0.72, -3.3, lawn(-0.72, -3.3)), -0.45, mood=Mood(1, 0.6, 1.05, 0.2, 0.4), hands=((-0.30, -0.14, 0.70), (0.32, -0.16, 0.62)), curl=0.2, turn=(-0.15, 0.0, 0.08), fine=0.75)
    area((-3, -9.5, 4), (-1.8, -3.4, 1.0), 4, 230, (1, 0.92, 0.82))
    haze('#dfe4d6', 14, 60, 0.45)
    camera((-0.4, -10.4, 2.35), (0.1, 3, 1.75), 38, (-1.9, -2.7, 1), 2.0)
    shoot('garden', out, {'chimney': spots([e.matrix_world @ Vector((1.5, 0.5, h + 2.2))])[0]})


def promenade(out):
    """The seaside long ago: beach huts, a railing, parasols. art/gallery/ colors it sepia."""
    scene().view_settings.exposure = 0.2
    gradient_sky([(0.0, '#f2e9d8'), (0.3, '#c9d6dd'), (1.0, '#7fa5c4')], 1.0)
    sun((0.6, 0.55, -0.6), 4.0, (1, 0.92, 0.8), 1.5)
    water((500, 300), '#3c6c7c', (0, 160, -0.6), 0.08, (0.4, 1.6, 1), 0.5, 0.15)
    sand = lambda x, y: -1.4 + 1.5 / (1 + math.exp((y - 12 + 0.25 * (x + 4) + 0.6 * math.sin(x * 0.35)) / 1.6)) + 0.05 * fractal(x, y, 2, 4)
    ground('sand', -40, 40, 1, 30, sand, earth('sand', '#bda67d', '#d8c49c', 1.0), 240, 120)
    walk = oak('walk', '#b39873', '#86704f', axis=0, scale=0.5, rough=0.7)
    for i in range(30):
        box('board', (40, 0.28, 0.12), walk, (random.uniform(-1, 1), -6.5 + i * 0.3, 0.28), bevel=0.012)
    rail = material('rail', '#e9e4d8', 0.5)
    for z in (0.95, 1.3):
        tube('rail', [(-20, 2.4, z + 0.05), (20, 2.4, z + 0.05)], 0.04, rail)
    for i in range(27):
        x = -19.5 + i * 1.5
        cylinder('post', 0.055, 1.12, rail, (x, 2.4, 0.3), n=16)
        sphere('knob', 0.08, rail, (x, 2.4, 1.45), n=12)
    for i in range(5):
        e = empty('hut', (-9.6 + i * 2.15, 6.4 + i * 0.75, 0.1), (0, 0, -0.12))
        stripe = material(f'stripe{i}', '#ffffff', 0.7)
        wv = node(stripe, 'TexWave', Scale=1.05)
        wv.bands_direction = 'X'
        link(stripe, coords(stripe), wv.inputs['Vector'])
        paint(stripe, ramp(stripe, wv.outputs['Fac'], [(0.48, ('#3f6b86', '#a8452f', '#48705a', '#c9973f', '#5c5f86')[i]), (0.52, '#f0e8d8')]))
        box('body', (1.6, 1.6, 2.0), stripe, (0, 0, 1.0), bevel=0.02, parent=e)
        mesh('gable', [(-0.8, -0.8, 2), (0.8, -0.8, 2), (0, -0.8, 2.75), (-0.8, 0.8, 2), (0.8, 0.8, 2), (0, 0.8, 2.75)], [(0, 1, 2), (3, 5, 4)], stripe, parent=e)
        for s in (-1, 1):
            box('roof', (1.25, 1.9, 0.07), material('roof', '#6b6259', 0.8), (s * 0.45, 0, 2.38), (0, s * 0.755, 0), 0.01, e)
        box('door', (0.7, 0.06, 1.5), material('hutdoor', '#efe7d7', 0.6), (0, -0.82, 0.76), bevel=0.01, parent=e)
    for x, y, c in ((4.4, 8.2, '#a8452f'), (8.2, 9.6, '#3f6b86'), (1.6, 10.2, '#c9973f')):
        m = material('parasol', '#ffffff', 0.8)
        g = node(m, 'TexGradient', gradient_type='RADIAL')
        link(m, coords(m), g.inputs['Vector'])
        k = node(m, 'Math', operation='PINGPONG')
        k.inputs[1].default_value = 0.0625
        link(m, g.outputs['Fac'], k.inputs[0])
        mul = node(m, 'Math', operation='MULTIPLY')
        mul.inputs[1].default_value = 16
        link(m, k.outputs[0], mul.inputs[0])
        paint(m, ramp(m, mul.outputs[0], [(0.48, c), (0.52, '#f0e8d8')]))
        e = empty('shade', (x, y, sand(x, y)), (0.14, 0.1, 0))
        lathe('top', [(1.35, 1.75), (1.05, 2.05), (0.55, 2.3), (0.001, 2.42)], m, parent=e)
        cylinder('pole', 0.035, 2.4, rail, parent=e, n=12)
        box('chair', (0.7, 0.9, 0.06), cloth('chair', c), (0.9, -0.3, 0.4), (-0.5, 0, 0.3), 0.01, e)
    day = dict(hair_color='#2b2019', eyes='#4a3020')
    figure(Look(skin=1, hair='short', top='suit', color='#3c4656', bottom_color='#4a4d55', hat=('boater', '#d9c08a'), beard='tash', **day), (-0.98, -3.2, 0.34), 0.12, mood=Mood(0.7), hands=(None, (0.33, -0.22, 0.98)), palms=(None, (0, 0.2, -1)), fine=0.9)
    figure(Look(skin=1, female=True, hair='bob', top='dress', color='#d9cdbd', hat=('cloche', '#a98a72'), seed=3, **day), (-0.08, -3.15, 0.34), -0.1, mood=Mood(0.9, 0.25), hands=((-0.10, -0.21, 1.04), (0.10, -0.20, 1.02)), palms=((0.3, 0.6, 0.2), (-0.3, 0.6, 0.2)), fine=0.9)
    figure(Look('child', skin=1, hair='bowl', top='shirt', pattern='stripes', color='#3f5a74', bottom='shorts', seed=4, **day), (-0.56, -3.75, 0.34), 0.05, mood=Mood(0.9, 0.3, 1.05), hands=((-0.22, -0.15, 0.50), (0.22, -0.15, 0.5)), fine=0.9)
    figure(Look('toddler', skin=1, female=True, hair='curls', top='dress', color='#f0e6d6', short_sleeves=True, hat=('bow', '#f0e6d6'), seed=5, **day), (0.42, -3.7, 0.34), -0.15, mood=Mood(0.8), hands=((-0.16, -0.16, 0.40), (0.17, -0.15, 0.42)), fine=0.9)
    area((2, -9, 4), (-0.4, -3, 1.3), 4, 200, (1, 0.94, 0.86))
    for x in (4.6, -6.4):
        iron = material('iron', '#2f3331', 0.5)
        cylinder('lamppost', 0.07, 3.6, iron, (x, 2.0, 0.3), top=0.05, n=20)
        lathe('base', [(0.22, 0), (0.2, 0.2), (0.09, 0.5), (0.001, 0.5)], iron, (x, 2.0, 0.3))
        sphere('globe', 0.24, material('globe', '#f4efe2', 0.3), (x, 2.0, 4.15))
        lathe('crown', [(0.16, 0), (0.08, 0.1), (0.001, 0.2)], iron, (x, 2.0, 4.36), soft=False)
    boats = [boat((9, 46, -0.6), 1.5, 0.2), boat((-3, 66, -0.6), 1.5, 2.9)]
    haze('#e9e6dd', 30, 260, 0.6)
    camera((0.75, -8.6, 1.85), (0.2, 6, 1.75), 36, (-0.3, -3.4, 1.4), 2.2)
    shoot('promenade', out, {'boats': spots([b.location for b in boats]), 'lamps': spots([(4.6, 2, 4.15), (-6.4, 2, 4.15)])})


def cat(out):
    """A cat on a windowsill beside a cup of tea. art/gallery/ paints the view outside."""
    scene().view_settings.exposure = 0.35
    gradient_sky([(0.0, '#e8c9a2'), (0.3, '#dfe3e0'), (1.0, '#9dc0d8')], 1.2)
    sun((-0.45, -0.75, -0.42), 3.6, (1, 0.8, 0.55), 1.2)
    wall = plaster('wall', '#d9c7ae')
    paintwork = material('paint', '#efe8da', 0.45, Specular=0.4)
    sill = oak('sill', '#b98a58', '#8a6038', scale=0.55)
    box('sill', (14, 2.6, 0.22), sill, (0, -0.2, -0.11), bevel=0.04)
    box('apron', (14, 0.1, 3), wall, (0, 0.9, -1.7), bevel=0)
    for s in (-1, 1):
        box('wall', (6, 0.6, 12), wall, (s * 6.55, 1.2, 4), bevel=0.03)
        box('jamb', (0.28, 0.34, 8), paintwork, (s * 3.4, 1.0, 3.6), bevel=0.03)
    box('rail', (7, 0.3, 0.3), paintwork, (0, 1.0, 0.15), bevel=0.03)
    box('mullion', (0.26, 0.26, 8), paintwork, (0.55, 1.0, 3.6), bevel=0.03)
    box('bar', (7, 0.16, 0.13), paintwork, (0, 1.0, 3.55), bevel=0.02)
    linen = cloth('curtain', '#ece2d0', 40, 0.2)
    t = node(linen, 'BsdfTranslucent')
    t.inputs['Color'].default_value = (*srgb('#f0e2c8'), 1)
    mixer = node(linen, 'MixShader', Fac=0.45)
    out_ = linen.node_tree.nodes['Material Output']
    link(linen, linen.node_tree.nodes['Principled BSDF'].outputs[0], mixer.inputs[1])
    link(linen, t.outputs[0], mixer.inputs[2])
    link(linen, mixer.outputs[0], out_.inputs['Surface'])
    for s in (-1, 1):
        v, f, nx, nz = [], [], 90, 30
        for j in range(nz + 1):
            for i in range(nx + 1):
                u, z = i / nx, j / nz
                gather = 0.75 + 0.25 * math.cos(z * math.pi)
                x = s * (4.5 - u * (1.9 - 0.5 * (1 - z)) * gather)
                v.append((x, 0.55 + 0.13 * math.sin(u * 38 + 1.4 * math.sin(z * 2.2)), 0.02 + z * 8))
        for j in range(nz):
            f += [(j * (nx + 1) + i, j * (nx + 1) + i + 1, (j + 1) * (nx + 1) + i + 1, (j + 1) * (nx + 1) + i) for i in range(nx)]
        mark(mesh('curtain', v, f, linen, smooth=True), CLOTH)
    fur = material('fur', '#b8743a', 0.85, Sheen=0.5)
    band = noise(fur, coords(fur, (1.2, 1.2, 5.5)), 1.6, 4, 0.5, 0.8)
    paint(fur, ramp(fur, band, [(0.36, '#a0622f'), (0.5, '#b8743a'), (0.7, '#c68a4c')]))
    bump(fur, noise(fur, coords(fur, (60, 60, 14)), 1, 3), 0.5, 0.02)
    white = material('bib', '#efe6d8', 0.85)
    c = empty('cat', (-1.15, 0.05, 0), (0, 0, 0.35), scale=1.12)
    lathe('body', [(0.001, 0), (0.55, 0.0), (0.72, 0.1), (0.79, 0.36), (0.75, 0.72), (0.63, 1.08), (0.5, 1.35), (0.4, 1.52), (0.28, 1.65), (0.001, 1.7)], fur, (0, 0, 0), parent=c, scale=(1, 0.86, 1))
    for s in (-1, 1):
        sphere('haunch', 0.42, fur, (s * 0.46, -0.12, 0.36), (0.72, 1.05, 0.92), c)
        sphere('paw', 0.16, fur, (s * 0.5, -0.46, 0.1), (0.9, 1.4, 0.7), c)
    head = empty('head', (0, 0.1, 1.84), (0, 0, -0.5), c)
    sphere('skull', 0.43, fur, (0, 0, 0), (1.08, 0.95, 0.9), head)
    sphere('muzzle', 0.17, white, (0, 0.36, -0.1), (1.2, 0.7, 0.8), head)
    for s in (-1, 1):
        ear = lathe('ear', [(0.19, 0), (0.15, 0.14), (0.06, 0.31), (0.001, 0.36)], fur, (s * 0.26, 0, 0.28), (0.05, s * 0.3, 0), n=24, parent=head, scale=(1, 0.5, 1))
        for a in (-0.25, 0, 0.25):
            tube('whisker', [(s * 0.14, 0.42, -0.1), (s * 0.55, 0.44, -0.1 + a * 0.5)], 0.006, white, head)
    tail_path = smooth([(0.62, -0.56, 0.17), (0.95, -0.72, 0.15), (1.3, -0.72, 0.15), (1.6, -0.66, 0.22), (1.8, -0.6, 0.45), (1.86, -0.58, 0.78), (1.76, -0.58, 1.05)], 8)
    tail = empty('tail', parent=c)
    tube('tail', tail_path, 0.13, fur, tail, taper=lambda t: 1.0 - 0.3 * t**3)
    sphere('root', 0.13, fur, tail_path[0], parent=tail)
    sphere('tip', 0.093, white, tail_path[-1], parent=tail)
    cup((1.75, -0.45, 0), '#84371a', 0.4)
    lathe('saucer', [(0.001, 0), (0.25, 0), (0.46, 0.06), (0.44, 0.07), (0.25, 0.02), (0.001, 0.02)], stoneware('saucer', '#e9e1d3'), (1.75, -0.45, 0))
    from props import book, vase
    book((1.4, 1.0, 0.15), '#35463b', (2.9, 0.05, 0.075), 0.3)
    book((1.25, 0.9, 0.13), '#e3d3b4', (2.95, 0.05, 0.215), 0.05)
    vase('bottle', '#a9b5a6', (-3.0, 0.0, 0), 1.25)
    branches((-3.0, 0.0, 1.0), 7, 1.6, 0.7, 15, 1.05)
    area((0, -8, 6), (0, 0, 1), 6, 210, (1, 0.92, 0.82))
    camera((0.15, -10.2, 1.75), (0.15, 0.5, 1.55), 50, (-1.1, 0, 1.2), 0.9)
    marks = {'cup': spots([(1.75, -0.45, 0.55)])[0]}
    bpy.context.view_layer.update()
    marks['tail'] = spots([c.matrix_world @ Vector(p) for p in (tail_path[0], tail_path[-1])])
    hidden([tail], True)
    shoot('cat', out, marks, 26)
    hidden([tail], False)
    sprite('cat-tail', out, [tail])


def autumn(out):
    """A park avenue in October with a bench. art/gallery/ adds falling leaves."""
    scene().view_settings.exposure = 0.25
    gradient_sky([(0.0, '#f6dfb2'), (0.2, '#e6dcc6'), (0.5, '#b9cbd3'), (1.0, '#7aa0bd')], 0.95)
    sun((-0.55, -0.55, -0.5), 5.2, (1, 0.78, 0.48), 1.0)
    land = lambda x, y: 0.05 * fractal(x * 0.6, y * 0.6, 3, 4) + 0.03 * abs(x) ** 1.1 - 0.05
    ground('park', -24, 24, -9, 60, land, earth('park', '#6d6b2c', '#8f7a38', 0.6), 200, 220)
    path = earth('path', '#b59a78', '#cdb594', 2.5, bumpy=0.3, distance=0.03)
    ground('path', -1.7, 1.7, -9, 60, lambda x, y: land(x + 0.5, y) + 0.06 - 0.02 * x * x, path, 12, 200)
    litter = []
    for _ in range(15000):
        x, y = random.gauss(0, 4.4), random.uniform(-8, 26)
        litter.append(Vector((x, y, land(x, y) + 0.05 + 0.03 * random.random() + (0.03 if abs(x) < 1.7 else 0))))
    colors = ('#c9652a', '#d99a36', '#a8402a', '#e0b656')
    from world import _cards

    for i, c in enumerate(colors):
        v, f = _cards(litter[i::4], 0.075, 0.75)
        mesh('litter', v, f, foliage('litter', c, 0.35, 0.15))
    blade = foliage('blade', '#8a8a3c', 0.4)
    grass('grass', blade, [p for p in grassy(24000, lambda: (random.uniform(-9, 9), random.uniform(-8.5, 10)), land) if abs(p[0] + 0.1) > 1.65], (0.05, 0.14), 0.01)
    bark = earth('bark', '#4a3a2c', '#6d5844', 3, bumpy=0.6)
    crowns = [leafy_mesh(f'crown{i}', foliage(f'crown{i}', c, 0.4, 0.5), 6.2, 2.5, 6800, 0.12, 30, 0.38) for i, c in enumerate(('#d0762c', '#dca23a', '#b54f2a', '#d98a30'))]
    for i in range(9):
        for s in (-1, 1):
            y = -2.5 + i * 5.2 + random.uniform(-0.5, 0.5)
            x = s * (4.3 + random.uniform(-0.3, 0.5))
            tree((x, y, land(x, y)), crowns[(i * 2 + (s > 0)) % 4], bark, 5.6, random.uniform(0, TAU), random.uniform(0.95, 1.2), 0.2)
    far = [leafy_mesh(f'far{i}', foliage(f'far{i}', c, 0.35, 0.3), 7, 3, 2600, 0.25, 22, 0.1) for i, c in enumerate(('#b9863f', '#a86a3a', '#8f8a4a'))]
    scatter(far, [(x, y, z - 0.4) for x, y, z in grassy(46, lambda: (random.uniform(-24, 24), random.uniform(28, 58)), land) if abs(x) > 3.5], (0.9, 1.5))
    bench = empty('bench', (1.62, -1.9, land(1.62, -1.9) + 0.02), (0, 0, -0.42))
    plank = oak('plank', '#8f6138', '#5f3d20')
    iron = material('iron', '#23272a', 0.5)
    for y, z, r in ((-0.24, 0.44, 0), (-0.07, 0.44, 0), (0.1, 0.44, 0), (0.25, 0.62, -1.3), (0.29, 0.78, -1.3), (0.33, 0.94, -1.3)):
        box('plank', (1.9, 0.14, 0.045), plank, (0, y, z), (r, 0, 0), 0.01, bench)
    for x in (-0.8, 0.8):
        tube('iron', smooth([(x, -0.28, 0), (x, -0.24, 0.42), (x, 0.15, 0.42), (x, 0.34, 1.0)]), 0.03, iron, bench)
        tube('iron', smooth([(x, 0.32, 0), (x, 0.16, 0.42)]), 0.03, iron, bench)
        tube('iron', smooth([(x, -0.3, 0.44), (x, -0.3, 0.68), (x, 0.22, 0.7)]), 0.025, iron, bench)
    figure(grandma(top='coat', color='#4b6a58', scarf='#b5472a', seed=2), (-0.24, -0.02, 0), 0.1, bench, mood=Mood(1, 0.35, 0.85, 0.5), sit=0.44, hands=((-0.16, -0.30, 0.66), (0.33, -0.16, 0.86)), palms=((0, 0.2, -1), (0, 0.2, -1)), turn=(-0.25, 0.06, -0.05), gaze=(-2.4, -1.6, 1.2), fine=0.8)
    figure(toddler(top='coat', color='#c9643a', hat=('beanie', '#e3d3b4'), hair='bowl', scarf='#e0b256', skin=1), (0.36, -0.04, 0), -0.1, bench, mood=Mood(1, 0.45, 1, 0.2), sit=0.44, hands=((-0.14, -0.26, 0.60), (0.26, -0.22, 0.74)), turn=(-0.30, 0.0, 0.1), gaze=(-2.4, -1.6, 1.1), fine=0.8)
    figure(boy(top='sweater', color='#35576d', hat=('beanie', '#a8402a')), (-0.62, -2.35, land(-0.62, -2.35) + 0.06), 0.18, mood=Mood(1, 0.75, 0.95, 0.35, 0.5), hands=((-0.36, -0.10, 1.16), (0.36, -0.12, 1.12)), palms=((0.4, -0.4, 1), (-0.4, -0.4, 1)), curl=0.2, turn=(0.05, -0.16, 0.06), gaze=(0.3, -6, 2.6), fine=0.8)
    thrown = [Vector((-0.62 + random.gauss(0, 0.42), -2.4 + random.gauss(0, 0.25), 1.55 + random.gauss(0, 0.28))) for _ in range(54)]
    for i, c in enumerate(colors):
        v, f = _cards(thrown[i::4], 0.045, 0.2)
        mesh('thrown', v, f, foliage('thrown', c, 0.3, 0.3))
    area((-2.5, -9, 3.6), (0.6, -2.8, 1.0), 4, 260, (1, 0.9, 0.78))
    haze('#f0d9ae', 12, 62, 0.66)
    camera((-0.5, -8.8, 1.6), (0.25, 4, 1.85), 38, (0.4, -2.9, 1), 1.6)
    shoot('autumn', out)


def balloons(out):
    """Hot-air balloons over misty hills at sunrise."""
    scene().view_settings.exposure = 0.15
    gradient_sky([(0.0, '#f7cfa0'), (0.12, '#efc4ac'), (0.4, '#b6b9d3'), (1.0, '#6f95c4')], 0.95)
    sun((-0.75, -0.3, -0.26), 4.6, (1, 0.74, 0.48), 1.0)
    rolling = lambda x, y: 2.4 * fractal(x / 26, y / 26, 5, 5, 0.42) - 0.9 - 0.02 * y + 3.2 * math.exp(-((x + 26) / 16) ** 2) + 2.4 * math.exp(-((x - 34) / 15) ** 2) + 0.085 * max(0, y - 60)
    fields = material('fields', '#7d9448', 0.95, Specular=0.1)
    cell = node(fields, 'TexVoronoi', Scale=0.12, Randomness=0.9)
    link(fields, coords(fields, (1, 0.7, 1)), cell.inputs['Vector'])
    sep = node(fields, 'SeparateXYZ')
    link(fields, cell.outputs['Color'], sep.inputs[0])
    plots = ramp(fields, sep.outputs[0], [(0.1, '#6f8c3f'), (0.35, '#93a352'), (0.55, '#c9b566'), (0.75, '#5d8043'), (0.95, '#a9a95c')])
    paint(fields, mix(fields, plots, ramp(fields, noise(fields, coords(fields), 2.5, 6), [(0.3, '#5f7a38'), (0.7, '#b3ae64')]), 0.35))
    bump(fields, noise(fields, coords(fields), 5, 5), 0.4, 0.2)
    ground('fields', -75, 75, -6, 170, rolling, fields, 260, 280)
    wood = [leafy_mesh(f'wood{i}', foliage(f'wood{i}', c, 0.4, 0.25), 2.6, 1.2, 620, 0.2, 12, 0.1) for i, c in enumerate(('#4f6d35', '#64803d', '#7f8a45'))]
    lines = []
    for _ in range(34):
        x0, y0, a = random.uniform(-55, 55), random.uniform(8, 120), random.uniform(0, TAU)
        lines += [(x0 + math.cos(a) * i * 1.3 + random.gauss(0, 0.3), y0 + math.sin(a) * i * 1.3 + random.gauss(0, 0.3)) for i in range(random.randint(6, 22))]
    scatter(wood, [(x, y, rolling(x, y) - 0.15) for x, y in lines if y > 6], (0.5, 1.15), 0)
    wall, roof = material('farm', '#efe3cd', 0.8), material('farmroof', '#a4502f', 0.8)
    for x, y, a in ((-5.5, 22, 0.4), (-3.6, 23.5, 1.2), (9, 34, 0.2), (-14, 40, 0.9), (2.5, 55, 0.5), (16, 62, 0)):
        e = empty('farm', (x, y, rolling(x, y) - 0.1), (0, 0, a))
        box('walls', (2.2, 1.4, 1.1), wall, (0, 0, 0.5), bevel=0.02, parent=e)
        mesh('roof', [(-1.2, -0.85, 1), (1.2, -0.85, 1), (1.2, 0.85, 1), (-1.2, 0.85, 1), (-1.2, 0, 1.8), (1.2, 0, 1.8)], [(0, 1, 5, 4), (3, 4, 5, 2), (0, 4, 3), (1, 2, 5)], roof, parent=e)
    haze('#efcdb4', 24, 150, 0.8)
    camera((0, -8, 6.2), (0, 30, 7.2), 36)

    def air_balloon(loc, s, colors, seed):
        skin = int(seed * 10) % 5
        e = empty('air', loc, (0, 0, seed), scale=s)
        n, prof = 24, [(0.32, -1.55), (0.5, -1.25), (0.95, -0.55), (1.3, 0.05), (1.45, 0.6), (1.4, 1.1), (1.12, 1.55), (0.62, 1.85), (0.001, 1.94)]
        smooth_prof = smooth([(r, 0, z) for r, z in prof], 4)
        for g in range(n // 2):
            v, f, k = [], [], 5
            for p in smooth_prof:
                for i in range(k + 1):
                    a = TAU * (g + i / k) / (n // 2)
                    bulge = 1 + 0.035 * math.sin(math.pi * i / k)
                    v.append((p.x * bulge * math.cos(a), p.x * bulge * math.sin(a), p.z))
            rows = len(smooth_prof)
            f = [(j * (k + 1) + i, j * (k + 1) + i + 1, (j + 1) * (k + 1) + i + 1, (j + 1) * (k + 1) + i) for j in range(rows - 1) for i in range(k)]
            mesh('gore', v, f, material('silk', colors[g % len(colors)], 0.55, Sheen=0.3), parent=e, smooth=True)
        wicker = oak('wicker', '#8a5f35', '#5c3a1d')
        cushion('basket', (0.42, 0.42, 0.36), wicker, (0, 0, -2.25), parent=e, roundness=0.15)
        for a in (0.8, 2.4, 3.9, 5.5):
            tube('rope', [(0.3 * math.cos(a), 0.3 * math.sin(a), -1.5), (0.2 * math.cos(a), 0.2 * math.sin(a), -2.1)], 0.012, material('rope', '#3d2c1e'), e)
        small = dict(parent=e, fine=0.35, step=0.03)
        figure(Look(skin=skin, hair='short', top='sweater', color='#35576d', seed=3), (-0.09, 0, -2.43), 0.2 - seed, scale=0.35, **small)
        figure(Look('child', skin=skin, hair='wavy', hair_color='#5b3a22', top='sweater', color='#d9a441'), (0.1, -0.04, -2.40), -0.2 - seed, scale=0.38, mood=Mood(1, 0.5), hands=(None, (0.3, -0.16, 1.1)), **small)
        return e

    fleet = [
        air_balloon((3.9, 12, 9.1), 1.55, ('#a8402a', '#f0e4cd'), 0.3),
        air_balloon((-7.6, 24, 11.2), 1.6, ('#35576d', '#e0b256', '#f0e4cd'), 0.9),
        air_balloon((-1.5, 46, 10.6), 1.6, ('#d99a36', '#c9652a'), 0.1),
        air_balloon((14.5, 48, 15.5), 1.6, ('#f0e4cd', '#7d9a80'), 0.5),
    ]
    hidden(fleet, True)
    shoot('balloons', out)
    hidden(fleet, False)
    for i, b in enumerate(fleet):
        for other in fleet:
            hidden([other], other is not b)
        sprite(f'balloons-{i + 1}', out, [b])


def campfire(out):
    """A tent, and three people by a campfire. art/gallery/ paints the stars and the fire."""
    scene().view_settings.exposure = 0.75
    gradient_sky([(0.0, '#3d4a6d'), (0.3, '#22305a'), (1.0, '#0e1838')], 0.55)
    sun((0.5, 0.45, -0.6), 0.4, (0.6, 0.72, 1), 3)
    land = lambda x, y: 0.10 * fractal(x * 0.4, y * 0.4, 3, 5) + 0.01 * max(0, y - 8) ** 1.5
    ground('clearing', -24, 24, -9, 46, land, earth('clearing', '#3d3a20', '#5c5630', 0.9), 200, 200)
    grass('grass', foliage('blade', '#6d7a3a', 0.4), grassy(30000, lambda: (random.uniform(-9, 9), random.uniform(-8, 9)), land), (0.06, 0.2), 0.011)
    firs = [pine_mesh(f'fir{i}', foliage(f'fir{i}', c, 0.3, 0.1), height=5.4) for i, c in enumerate(('#2c4030', '#35492f', '#263a33'))]
    scatter(firs, [(x, y, land(x, y) - 0.1) for x, y in ((-6.6, 5.2), (-8.4, 7.4), (-5.0, 9), (6.9, 6.4), (8.8, 5), (5.4, 10), (-10, 5), (10.6, 9), (-2.2, 12), (2.8, 13))], (0.9, 1.4), 0)
    scatter(firs, grassy(170, lambda: (random.uniform(-24, 24), random.uniform(14, 40)), lambda x, y: land(x, y) - 0.1), (0.7, 1.4), 0)
    e = empty('tent', (2.6, 3.6, land(2.6, 3.6)), (0, 0, -0.35))
    canvas = cloth('canvas', '#c98a4a', 40, 0.3)
    t = node(canvas, 'BsdfTranslucent')
    t.inputs['Color'].default_value = (*srgb('#d9924a'), 1)
    mixer = node(canvas, 'MixShader', Fac=0.55)
    o_ = canvas.node_tree.nodes['Material Output']
    link(canvas, canvas.node_tree.nodes['Principled BSDF'].outputs[0], mixer.inputs[1])
    link(canvas, t.outputs[0], mixer.inputs[2])
    link(canvas, mixer.outputs[0], o_.inputs['Surface'])
    w, d, h = 1.6, 1.7, 1.95
    for s in (-1, 1):
        v, f, k = [], [], 10
        for j in range(k + 1):
            for i in range(k + 1):
                u, q = i / k, j / k
                sag = 0.09 * math.sin(math.pi * u) * math.sin(math.pi * q)
                v.append((s * (w * (1 - q) - sag), -d + 2 * d * u, h * q - sag + 0.06 * (2 * u - 1) ** 2 * q))
        f = [(j * (k + 1) + i, j * (k + 1) + i + 1, (j + 1) * (k + 1) + i + 1, (j + 1) * (k + 1) + i) for j in range(k) for i in range(k)]
        mesh('side', v, f, canvas, parent=e, smooth=True)
        mesh('flap', [(s * w, -d, 0), (s * 0.42, -d - 0.06, 0), (s * 0.16, -d - 0.05, h * 0.72), (0, -d, h)], [(0, 1, 2, 3)], canvas, parent=e)
    mesh('backwall', [(-w, d, 0), (w, d, 0), (0, d, h)], [(0, 1, 2)], canvas, parent=e)
    box('quilt', (1.4, 2.4, 0.14), cloth('quilt', '#84371a', 30), (0, 0, 0.08), bevel=0.05, parent=e)
    inner = point((0, 0, 0), 48, (1, 0.68, 0.34), 0.3)
    inner.parent, inner.location = e, (0, 0.1, 1.0)
    fx, fy = -1.7, 1.1
    fz = land(fx, fy)
    stone = plaster('stone', '#6f6a64', 6, 0.8)
    for i in range(13):
        a = TAU * i / 13
        sphere('stone', random.uniform(0.13, 0.18), stone, (fx + 0.72 * math.cos(a), fy + 0.62 * math.sin(a), fz + 0.06), (1.15, 0.9, 0.75), n=10)
    log = earth('log', '#3a291c', '#5d4229', 4, bumpy=0.7)
    for i in range(6):
        a = TAU * i / 6 + 0.3
        tube('log', [(fx + 0.5 * math.cos(a), fy + 0.5 * math.sin(a), fz + 0.06), (fx + 0.03 * math.cos(a), fy + 0.03 * math.sin(a), fz + 0.52)], 0.075, log)
    sphere('ember', 0.3, glow('ember', '#ff5a1a', 5), (fx, fy, fz - 0.08), (1.2, 1.2, 0.6))
    point((fx, fy - 0.3, fz + 0.8), 460, (1, 0.5, 0.18), 0.28)
    for (x0, y0), (x1, y1) in (((-3.9, 0.5), (-3.2, 2.4)), ((-0.5, 2.9), (-2.2, 3.1))):
        tube('seat', [(x0, y0, land(x0, y0) + 0.16), (x1, y1, land(x1, y1) + 0.16)], 0.2, log)
    figure(Look(skin=4, hair='crop', hair_color='#15100d', eyes='#38200f', top='sweater', color='#5f7a4f', beard='full', seed=5), (-3.32, 1.6, land(-3.4, 1.5)), 0.95, scale=1.25, mood=Mood(0.9, 0.2), sit=0.3, hands=((-0.14, -0.4, 0.5), (0.16, -0.42, 0.52)), turn=(0.05, 0.1, 0), fine=0.7)
    figure(Look('child', skin=5, female=True, hair='puffs', hair_color='#17100d', eyes='#38200f', top='sweater', color='#c9543a', seed=14), (-1.98, 2.75, land(-2, 2.9)), 0.1, scale=1.25, mood=Mood(1, 0.5, 1), sit=0.3, hands=((-0.14, -0.3, 0.46), (0.2, -0.36, 0.6)), turn=(0, 0.08, 0.06), fine=0.7)
    figure(Look(skin=4, female=True, hair='curls', hair_color='#1f1410', eyes='#3b2412', top='sweater', color='#d8c3a5', seed=11), (-1.18, 2.75, land(-1.2, 2.9)), -0.25, scale=1.25, mood=Mood(1, 0.25), sit=0.3, hands=((-0.16, -0.4, 0.5), (0.16, -0.4, 0.5)), turn=(-0.1, 0.1, -0.06), fine=0.7)
    haze('#2a3a63', 12, 60, 0.75)
    camera((-0.1, -8.9, 2.05), (0.1, 4, 2.3), 36, (-1.7, 1.1, 0.7), 2.4)
    shoot('campfire', out, {'fire': spots([(fx, fy, fz + 0.12), (fx, fy, fz + 1.5)]), 'tent': spots([(2.6, 2.4, 1.0)])[0]}, 30)


def paper_boats(out):
    """Folded paper boats on a garden pond, between lily pads."""
    scene().view_settings.exposure = 0.3
    gradient_sky([(0.0, '#f5e2bd'), (0.2, '#dfe6da'), (0.5, '#8fb9c9'), (1.0, '#4d86ae')], 0.9)
    sun((0.55, 0.5, -0.6), 4.4, (1, 0.86, 0.64), 1.0)
    pond = water((80, 80), '#15383a', (0, 10, 0), 0.04, (0.7, 1.2, 1), 0.3, 0.05, 0.5)
    green = [foliage(f'pad{i}', c, 0.15, 0.1) for i, c in enumerate(('#5f8a45', '#7a9c4c', '#486f3d'))]
    pads = [(-3.3, 0.6, 0.8), (-2.5, 2.2, 0.95), (-4.3, 2.6, 1.1), (3.5, -0.4, 0.85), (4.4, 1.2, 1.05), (2.9, 3.6, 1.0), (5.4, 3.8, 1.2), (-1.0, 5.2, 0.9), (-5.6, 4.6, 1.2), (0.9, 6.6, 1.0), (-3.6, -1.7, 0.7), (2.4, -2.1, 0.62), (6.2, 0.2, 0.9), (-2.6, 7.4, 1.1), (4.2, 7.2, 1.2)]
    for x, y, r in pads:
        notch = random.uniform(0, TAU)
        v, k = [(0, 0, 0.02)], 48
        for i in range(k + 1):
            a = notch + 0.16 + (TAU - 0.32) * i / k
            for q in (0.55, 1.0):
                v.append((r * q * math.cos(a), r * q * math.sin(a), 0.025 + 0.05 * (q == 1) * (0.6 + 0.4 * math.sin(3 * a))))
        f = [(0, 1 + 2 * i, 3 + 2 * i) for i in range(k)] + [(1 + 2 * i, 2 + 2 * i, 4 + 2 * i, 3 + 2 * i) for i in range(k)]
        mark(mesh('pad', v, f, random.choice(green), (x, y, 0), smooth=True), 5)
    for x, y, s, c in ((-2.9, 1.2, 0.62, '#e9b9c4'), (3.9, 0.5, 0.7, '#f3e6e0'), (4.6, 3.0, 0.6, '#e9b9c4'), (-4.9, 3.4, 0.6, '#f3e6e0')):
        petal = material('lily', c, 0.5, Subsurface=0.0)
        for ring, n, tilt, q in ((0, 9, 1.15, 1.0), (1, 8, 0.75, 0.9), (2, 6, 0.4, 0.75)):
            for i in range(n):
                a = TAU * i / n + ring * 0.35
                vv = []
                for t in range(7):
                    u = t / 6
                    wdt = 0.2 * math.sin(math.pi * (0.1 + 0.9 * u)) ** 0.8
                    for sgn in (-1, 0, 1):
                        out_r = q * u * math.sin(tilt)
                        vv.append((math.cos(a) * out_r - math.sin(a) * sgn * wdt, math.sin(a) * out_r + math.cos(a) * sgn * wdt, 0.06 + q * u * math.cos(tilt) + 0.05 * abs(sgn)))
                ff = [(3 * t + j, 3 * t + j + 1, 3 * t + j + 4, 3 * t + j + 3) for t in range(6) for j in (0, 1)]
                mesh('petal', vv, ff, petal, (x, y, 0), scale=s, smooth=True)
        sphere('heart', 0.14 * s, material('heart', '#e0a93a', 0.7), (x, y, 0.2))
    reed = foliage('reed', '#6f8c42', 0.4)
    mark(grass('reeds', reed, [(random.gauss(x, 0.7), random.gauss(11, 1.0), -0.1) for x in (-8, -6.5, -4, 5, 7.5, 9) for _ in range(130)], (1.2, 3.4), 0.05, 0.3), GRASS)
    bushes = [leafy_mesh(f'bush{i}', foliage(f'bush{i}', c, 0.4, 0.3), 4, 2.4, 3000, 0.16, 20, 0.05) for i, c in enumerate(('#557a3c', '#6f9047', '#44673a'))]
    scatter(bushes, [(x * 2.1 + random.gauss(0, 0.5), 15.5 + random.gauss(0, 1.2), -0.4) for x in range(-10, 11)] + [(x * 2.4, 20, 0.4) for x in range(-10, 11)], (0.8, 1.4))
    fleet = []
    for x, y, yaw, s, c in ((-0.55, 0.4, 0.5, 1.0, '#f3ede0'), (1.35, 2.0, -0.25, 0.82, '#c9603f'), (-0.2, 3.9, 0.9, 0.6, '#e3b65a')):
        e = empty('paperboat', (x, y, -0.06), (0, 0, yaw), scale=s)
        m = material('paper', c, 0.8, Specular=0.15)
        bump(m, noise(m, coords(m), 30, 5), 0.06, 0.02)
        bow, w, hgt = 1.35, 0.42, 0.62
        v = [(-bow, 0, 0.66), (bow, 0, 0.66), (-0.62, 0, 0), (0.62, 0, 0), (0, -w, 0.40), (0, w, 0.40), (0, -0.16, 0), (0, 0.16, 0), (0, 0, 1.3), (-0.62, 0, 0.2), (0.62, 0, 0.2)]
        f = [(0, 2, 6, 4), (4, 6, 3, 1), (0, 5, 7, 2), (5, 1, 3, 7), (2, 7, 3, 6)]
        o = mesh('hull', v, f, m, parent=e)
        th = o.modifiers.new('t', 'SOLIDIFY')
        th.thickness = 0.014
        for s2 in (-1, 1):
            o = mesh('sail', [(-0.66, s2 * 0.03, 0.22), (0.66, s2 * 0.03, 0.22), (0, s2 * 0.01, 1.28), (0, s2 * 0.17, 0.3)], [(0, 3, 2), (3, 1, 2)], m, parent=e)
            th = o.modifiers.new('t', 'SOLIDIFY')
            th.thickness = 0.01
        fleet.append(e)
    camera((0, -9.2, 3.3), (0.1, 3.4, 0.95), 50, (0.2, 0.9, 0.5), 0.9)
    hidden(fleet, True)
    shoot('paper-boats', out, {'water': spots([(b.location.x, b.location.y, 0) for b in fleet])})
    hidden(fleet, False)
    for i, b in enumerate(fleet):
        for other in fleet:
            hidden([other], other is not b)
        sprite(f'paper-boats-{i + 1}', out, [b])


def portrait(name, build):
    def scene_of(out):
        build()
        shoot(name, out, samples=24)

    return scene_of


SCENES = {f.__name__.replace('_', '-'): f for f in (kite, sailboat, cabin, birthday, garden, promenade, cat, autumn, balloons, campfire, paper_boats)}
SCENES.update({name: portrait(name, build) for name, build in PORTRAITS.items()})
