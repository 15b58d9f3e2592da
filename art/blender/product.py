"""Pictures of the product. Screens are dark here; art/compose.ts adds their pictures."""
import math

from frame import DEPTH, OUTER, frame
from kit import *
from props import *

# Twice the CSS pixels of the largest use (docs/decisions/0003-artwork.md).
WIDE, CLASSIC = (2880, 1620), (1280, 800)
MORNING = Vector((0.80, 0.42, -0.43))


def morning(middle, bars, sun_energy=4.4, fill=330, sky=0.34):
    sun(MORNING, sun_energy, (1, 0.80, 0.57))
    window(MORNING, middle, bars)
    area((-7, -4.5, 5), (0, 0.2, 1), 5, fill, (1, 0.93, 0.84), 4)
    ambient((0.62, 0.70, 0.85), sky)


def hero(out):
    """An oak sideboard in morning light, with the frame on the right and little detail on the left for a headline."""
    scene().view_settings.exposure = 0.62
    room('#d8c8b2')
    _, panel = frame((1.78, 0.1, 0), -15)
    vase('round', '#a9b5a6', (3.62, 1.05, 0), 1.1)
    branches((3.62, 1.05, 0.92), 10, 1.75, 0.75, 17, 1.15)
    book((1.5, 1.05, 0.17), '#35463b', (-1.55, 0.85, 0.085), 0.12)
    book((1.3, 0.95, 0.14), '#84371a', (-1.5, 0.85, 0.24), -0.06)
    cup((-1.45, 0.8, 0.31), yaw=2.6)
    morning((1.6, 0.3, 1.2), [(14, 5, 0, 5.3), (14, 5, 0, -4.6), (6, 14, 6.4, 0), (6, 14, -6.6, 0), (0.2, 12, 1.05, 0), (0.2, 12, -1.55, 0), (12, 0.2, 0, 0.55)])
    camera((0.55, -11.4, 2.05), (0.55, 0.2, 1.24), 57, (1.7, 0.0, 1), 0.55)
    render('hero', out, WIDE, 32, {'screen': panel}, draft=DRAFT)


def sweep(color='#f1e5d1', width=40):
    """A paper sweep: the table continues in a curve into the background."""
    m = material('sweep', color, 0.95, Specular=0.1)
    profile = [(-14, 0)] + [(3 + 4 * math.sin(a), 4 - 4 * math.cos(a)) for a in [i / 16 * math.pi / 2 for i in range(17)]] + [(7, 30)]
    v = [(s * width / 2, y, z) for s in (-1, 1) for y, z in profile]
    k = len(profile)
    return mesh('sweep', v, [(i, i + 1, k + i + 1, k + i)[::-1] for i in range(k - 1)], m, smooth=True)


def studio(key=520, fill=0.75):
    area((-5, -6, 7), (0, 0, 0.8), 4, key, (1, 0.96, 0.9))
    area((6, -5, 3), (0, 0, 0.8), 5, key * 0.22, (1, 0.93, 0.85))
    ambient((1, 0.97, 0.92), fill)


def front(out):
    scene().view_settings.exposure = 0.7
    sweep()
    _, panel = frame((0, 0, 0), 0, 6)
    studio()
    camera((0, -13, 1.35), (0, 0, 0.99), 104)
    render('front', out, (2160, 1350), 12, {'screen': panel}, draft=DRAFT)


def angle(out):
    scene().view_settings.exposure = 0.7
    sweep()
    place, panel = frame((0.35, 0, 0), 63, 11)
    cable = cloth('cable', '#84371a', 300, 0.5)
    tube('cable', smooth([(0.3, 0.16, 0.42), (0.28, 0.34, 0.14), (0.2, 0.75, 0.035), (0.0, 1.6, 0.035), (-0.7, 2.6, 0.035), (-0.9, 3.8, 0.035), (0.4, 5.2, 0.035)]), 0.03, cable, place)
    studio()
    camera((0.1, -11.5, 2.6), (0.0, 0.15, 0.92), 88)
    render('angle', out, CLASSIC, 30, {'screen': panel}, draft=DRAFT)


def detail(out):
    """A close-up of the upper left corner: oak pores, miter, bevel-cut mat, the edge of the picture."""
    scene().view_settings.exposure = 0.6
    room('#d8c8b2')
    _, panel = frame((0, 0, 0), 20, 9, screen=SCREEN_IMAGE)
    morning((0, 0.3, 1.2), [(14, 5, 0, 5.6), (14, 5, 0, -4.2), (6, 14, 6.9, 0), (6, 14, -6.1, 0), (0.2, 12, 1.9, 0)], 4.0)
    camera((-2.35, -3.3, 2.55), (-0.75, -0.3, 1.47), 68, (-1.12, -0.45, 1.66), 2.0)
    render('detail', out, CLASSIC, 30, {'screen': panel}, draft=DRAFT)


def living_room(out):
    """Evening at home: a console, the lamp on, books, a plant, the back of a sofa in front."""
    scene().view_settings.exposure = 0.95
    room('#b49c84', (24, 5.2), 2.2, oak('console', '#9c6f45', '#6d4727', scale=0.6))
    box('apron', (24, 0.12, 1.6), oak('apron', '#9c6f45', '#6d4727', scale=0.6), (0, -2.62, -1.1), bevel=0.02)
    _, panel = frame((0.15, -0.3, 0), 8)
    lamp((-3.0, 0.5, 0), 3.3, energy=40, base='#6b3a26')
    vase('pot', '#cfc0a8', (3.3, 0.4, 0), 1.15)
    big_leaves((3.3, 0.4, 0.55), 14, 0.95)
    for i, (color, tall, thick) in enumerate((('#35463b', 1.35, 0.2), ('#c9b48c', 1.2, 0.16), ('#7a3a22', 1.42, 0.24), ('#3d4a5c', 1.28, 0.18), ('#8a8a6a', 1.12, 0.15))):
        book((0.95, tall, thick), color, (1.95 + i * 0.2, 1.25, tall / 2), 0, True)
    book((1.3, 0.95, 0.15), '#c9b48c', (-1.75, -0.75, 0.075), 0.25)
    cup((-1.75, -0.75, 0.15), '#d8cbb6', 2.8)
    cushion('sofa', (12, 2.4, 2.4), cloth('sofa', '#8f7a64', 60, 0.35), (-4.9, -4.6, -0.98), (0.06, 0, 0), roundness=0.35)
    area((-8, -5, 6), (0, 0.5, 1), 5, 300, (0.88, 0.92, 1))
    area((7, -5, 4), (0, 0.5, 1), 4, 110, (1, 0.82, 0.62))
    ambient((0.75, 0.78, 0.9), 0.22)
    camera((0.25, -13.2, 2.8), (0.1, 0, 1.15), 61, (0.1, -0.4, 1), 0.5)
    render('living-room', out, (2432, 1520), 12, {'screen': panel}, draft=DRAFT)


def gift(out):
    scene().view_settings.exposure = 0.66
    room('#ddcfbd', wood=oak('table', '#c39a6c', '#97704a', scale=0.55))
    _, panel = frame((-1.05, 0.5, 0), 14)
    parcel((2.1, 1.6, 0.72), (2.0, -0.25, 0), -0.35)
    parcel((1.15, 0.95, 0.5), (2.9, -1.75, 0), 0.5, '#ede3d2', '#35463b')
    envelope((0.35, -1.45, 0), 0.35)
    branches((-0.35, -1.95, 0.09), 1, 0.06, 1.35, 22, 1.0, droop=0)
    morning((0.4, 0.3, 1.2), [(14, 5, 0, 5.4), (14, 5, 0, -4.8), (6, 14, 6.6, 0), (6, 14, -6.5, 0), (0.2, 12, 0.6, 0), (12, 0.2, 0, 1.0)])
    camera((0.75, -11.4, 3.0), (0.65, 0, 0.92), 64, (-0.5, -0.1, 0.9), 0.6)
    render('gift', out, (2432, 1520), 12, {'screen': panel}, draft=DRAFT)


def byof(out):
    """A slim black frame of another brand, with a phone beside it."""
    scene().view_settings.exposure = 0.62
    room('#c7c2b6', wood=material('table', '#e4ded2', 0.42, Clearcoat=0.1))
    _, panel = frame((-0.75, 0.4, 0), 11, finish='black', mat_width=0.0, rail=0.12)
    _, face = phone((1.75, -0.75, 0.68), (math.radians(-64), 0, -0.32))
    box('rest', (0.5, 0.6, 0.12), oak('rest'), (1.75, -0.55, 0.06), (0, 0, -0.32), 0.02)
    vase('bottle', '#8f9a8b', (3.1, 1.1, 0), 1.15)
    branches((3.1, 1.1, 0.95), 8, 1.5, 0.6, 15, 1.05)
    morning((0.4, 0.3, 1.2), [(14, 5, 0, 5.4), (14, 5, 0, -4.8), (6, 14, 6.6, 0), (6, 14, -6.5, 0), (0.2, 12, 0.9, 0)], 3.8, 380)
    camera((0.45, -11.2, 2.5), (0.45, 0, 0.9), 68, (-0.2, 0.1, 0.9), 0.7)
    render('byof', out, (1520, 950), 12, {'screen': panel, 'phone': face}, draft=DRAFT)


def bundle(out):
    """A fan of prints on a table in front of the frame. The prints show the stills in the folder PRINTS."""
    scene().view_settings.exposure = 0.62
    room('#ddcfbd', wood=oak('table', '#b68a5a', '#8a6038', scale=0.55))
    _, panel = frame((-0.95, 0.75, 0), 12)
    paper = material('print', '#f3eee4', 0.45, Specular=0.3)
    faces = {}
    for i, (x, y, yaw) in enumerate(((1.15, -1.3, 0.42), (1.75, -1.0, 0.12), (2.4, -1.05, -0.2), (2.85, -1.45, -0.52), (0.1, -1.75, -0.25))):
        e = empty('print', (x, y, 0.012 + 0.016 * (3 - i if i < 4 else 0)), (-math.pi / 2 + 0.002, 0, yaw))
        rounded_slab('paper', 1.5, 1.02, 0.008, 0.03, paper, parent=e, bevel=0)
        faces[f'print-{i + 1}'] = plane('photo', 1.36, 0.85, picture('photo', f'{PRINTS}/{("garden", "cabin", "sailboat", "autumn", "birthday")[i]}.png'), (0, -0.006, 0), parent=e)
    branches((3.25, 0.6, 0.95), 8, 1.5, 0.6, 15, 1.05)
    vase('bottle', '#a9b5a6', (3.25, 0.6, 0), 1.1)
    morning((0.4, 0.3, 1.2), [(14, 5, 0, 5.4), (14, 5, 0, -4.8), (6, 14, 6.6, 0), (6, 14, -6.5, 0), (0.2, 12, 0.6, 0), (12, 0.2, 0, 1.0)])
    camera((0.75, -10.8, 3.7), (0.75, -0.1, 0.75), 62, (-0.2, 0.0, 0.8), 0.8)
    render('bundle', out, (1440, 900), 12, {'screen': panel}, draft=DRAFT)


def phone_upload(out):
    """A phone on a wooden rest beside a cup, with the frame out of focus behind it."""
    scene().view_settings.exposure = 0.62
    room('#d8c8b2')
    _, panel = frame((-1.35, 1.35, 0), 16)
    _, face = phone((1.35, -1.35, 0.5), (math.radians(-52), 0, -0.22))
    box('rest', (0.5, 0.5, 0.14), oak('rest', '#8f6138', '#5f3d20'), (1.38, -1.02, 0.07), (0, 0, -0.22), 0.02)
    cup((2.7, -0.2, 0), '#84371a', 0.4)
    morning((1.0, 0.3, 1.2), [(14, 5, 0, 5.3), (14, 5, 0, -4.6), (6, 14, 6.4, 0), (6, 14, -6.6, 0), (0.2, 12, 1.05, 0)])
    camera((0.5, -9.2, 2.7), (0.42, 0, 0.85), 60, (1.3, -1.4, 0.6), 0.4)
    render('phone', out, CLASSIC, 28, {'screen': panel, 'phone': face}, draft=DRAFT)


def bench_view(out):
    """The packing bench: frames in a row, kraft boxes, paper, ribbon, a lamp."""
    scene().view_settings.exposure = 0.7
    room('#cdbfa9', (30, 9), wood=oak('bench', '#a97d4d', '#7a5430', scale=0.5, rough=0.6))
    panels = {}
    for i, (x, y, yaw) in enumerate(((-2.9, 0.9, 16), (-0.35, 1.05, 8), (2.2, 1.25, -2))):
        _, panels[f'screen-{i + 1}'] = frame((x, y, 0), yaw)
    kraft = material('kraft', '#b58857', 0.9)
    bump(kraft, noise(kraft, coords(kraft), 30, 5), 0.1, 0.01)
    for i, (x, y, z, yaw) in enumerate(((4.35, 0.2, 0, -0.2), (4.4, 0.25, 0.62, -0.05), (4.3, 0.2, 1.24, -0.3))):
        parcel((2.2, 1.7, 0.6), (x, y, z), yaw, bow=i == 2)
    inside = empty('open', (0.9, -1.5, 0), (0, 0, 0.18))
    for sx, sy, w, d in ((0, -0.95, 3.1, 0.04), (0, 0.95, 3.1, 0.04), (-1.55, 0, 0.04, 1.9), (1.55, 0, 0.04, 1.9)):
        box('wall', (w, d, 0.5), kraft, (sx, sy, 0.25), bevel=0.008, parent=inside)
    box('floor', (3.1, 1.9, 0.03), kraft, (0, 0, 0.02), bevel=0, parent=inside)
    tissue = cloth('tissue', '#f3ece0', 20, 0.3)
    random.seed(4)
    for i in range(26):
        cushion('tissue', (0.7, 0.55, 0.22), tissue, (random.uniform(-1.2, 1.2), random.uniform(-0.65, 0.65), 0.12), tuple(random.uniform(-0.5, 0.5) for _ in range(3)), inside, 0.4)
    place, panels['lying'] = frame((0.9, -1.5, 0.26), 10.3, lying=True, stand=False)
    silk = material('ribbon', '#84371a', 0.4, Sheen=0.5)
    for x, y in ((-2.5, -1.7), (-3.05, -1.35)):
        cylinder('spool', 0.34, 0.3, silk, (x, y, 0), edge=0.06)
        cylinder('core', 0.12, 0.31, kraft, (x, y, 0), edge=0.06)
    tube('tail', smooth([(-2.5, -2.04, 0.03), (-1.9, -2.2, 0.03), (-1.4, -1.95, 0.03), (-1.0, -2.25, 0.03)]), 0.025, silk)
    lamp((-4.6, 1.3, 0), 3.4, energy=20, base='#35463b')
    area((-7, -5, 6), (0, 0, 0.5), 5, 420, (1, 0.95, 0.88))
    area((7, -4, 5), (0, 0, 0.5), 4, 150, (1, 0.86, 0.7))
    ambient((0.9, 0.88, 0.86), 0.3)
    camera((0.6, -11.8, 4.3), (0.55, -0.2, 0.95), 42, (0.4, 0, 0.8), 0.8)
    render('bench', out, (1696, 1060), 12, panels, draft=DRAFT)


def wood_story(out):
    """The parts of a frame before assembly: oak rails with miters, shavings and a hand plane."""
    scene().view_settings.exposure = 0.66
    room('#d3c5b0', (30, 12), 4, wood=oak('bench', '#9a6f43', '#6d4a2a', scale=0.45, rough=0.7))
    from frame import _profile, _rail

    shape = _profile(0.15, DEPTH, 0.034)
    for i, (x, y, yaw) in enumerate(((-0.6, 0.9, 0.1), (-0.2, 0.35, -0.06), (0.4, -0.2, 0.16), (-0.3, -0.8, -0.12))):
        e = empty('loose', (x, y, 0.11), (-math.pi / 2, 0, yaw), scale=1.5)
        _rail('loose', 2.8 if i % 2 else 2.0, shape, oak(f'loose{i}', '#bd8d58', '#855a30', scale=1.15), e, 0, 0.0)
    shaving = oak('shaving', '#d9b07c', '#b98a58', scale=1.2)
    random.seed(9)
    for i in range(16):
        turns, r0, w = random.uniform(1.2, 2.4), random.uniform(0.1, 0.19), random.uniform(0.1, 0.16)
        e = empty('curl', (random.uniform(-2.6, 3.0), random.uniform(-1.9, 1.2), r0), (random.uniform(-0.3, 0.3), math.pi / 2, random.uniform(0, TAU)))
        pts = [((r0 * (1 - 0.5 * t)) * math.cos(turns * TAU * t), (r0 * (1 - 0.5 * t)) * math.sin(turns * TAU * t), 0.12 * t) for t in [k / 40 for k in range(41)]]
        strip('curl', pts, [(0, 0, 1)] * 41, w, shaving, e, 0.004)
    handle = oak('handle', '#6d3f22', '#4a2814', scale=0.7)
    plane_ = empty('plane', (2.15, 0.55, 0), (0, 0, -0.5))
    box('stock', (1.7, 0.46, 0.36), handle, (0, 0, 0.18), bevel=0.05, parent=plane_)
    box('iron', (0.5, 0.3, 0.03), material('steel', '#9a9a98', 0.3, Metallic=1), (0.05, 0, 0.5), (0, 0.85, 0), 0.01, plane_)
    cushion('wedge', (0.4, 0.3, 0.16), handle, (-0.05, 0, 0.46), (0, 0.7, 0), plane_, 0.3)
    sphere('knob', 0.14, handle, (-0.62, 0, 0.46), parent=plane_)
    morning((0.3, 0.0, 0.3), [(14, 5, 0, 5.3), (14, 5, 0, -4.6), (6, 14, 6.4, 0), (6, 14, -6.6, 0), (0.25, 12, 0.5, 0)])
    camera((0.2, -7.4, 3.9), (0.2, -0.1, 0.2), 58, (0, -0.2, 0.2), 0.7)
    render('wood', out, (1696, 1060), 12, draft=DRAFT)


def windowsill(out):
    """The frame on a shelf in evening sun, with knitting and a teapot."""
    scene().view_settings.exposure = 0.62
    room('#cfb9a0', wood=oak('shelf', '#a0744a', '#744c2c', scale=0.55))
    _, panel = frame((0.9, 0.2, 0), -10)
    wool = (cloth('wool-a', '#84371a', 30, 0.6), cloth('wool-b', '#a9b5a6', 30, 0.6), cloth('wool-c', '#d9c7a4', 30, 0.6))
    random.seed(3)
    for m, (x, y, r) in zip(wool, ((-1.65, -0.9, 0.36), (-0.95, -1.15, 0.29), (-1.35, -0.35, 0.33))):
        e = empty('ball', (x, y, r))
        sphere('core', r * 0.95, m, parent=e)
        for _ in range(46):
            a = Euler((random.uniform(0, TAU), random.uniform(0, TAU), random.uniform(0, TAU)))
            q = r * random.uniform(0.96, 1.01)
            ring = [Vector((q * math.cos(TAU * i / 40), q * math.sin(TAU * i / 40), 0)) for i in range(40)]
            for p in ring:
                p.rotate(a)
            tube('yarn', ring, 0.017, m, e, cyclic=True)
    for dx in (0, 0.1):
        tube('needle', [(-2.4 + dx, -0.9, 0.2), (-0.5 + dx, -0.55 + dx * 3, 0.75)], 0.016, oak('needle'))
    pot = stoneware('teapot', '#e2d6c2')
    e = empty('teapot', (-2.9, 0.6, 0), (0, 0, 0.4))
    lathe('pot', [(0.001, 0), (0.35, 0), (0.52, 0.16), (0.6, 0.42), (0.52, 0.68), (0.3, 0.82), (0.28, 0.85), (0.001, 0.85)], pot, parent=e)
    lathe('lid', [(0.3, 0.84), (0.26, 0.9), (0.08, 0.96), (0.06, 1.0), (0.09, 1.06), (0.001, 1.1)], pot, parent=e)
    tube('spout', smooth([(0.5, 0, 0.36), (0.74, 0, 0.46), (0.86, 0, 0.72), (0.98, 0, 0.8)]), 0.085, pot, e, taper=lambda t: 1.4 - 0.75 * t)
    tube('grip', smooth([(-0.48, 0, 0.66), (-0.82, 0, 0.7), (-0.86, 0, 0.36), (-0.5, 0, 0.26)]), 0.045, pot, e)
    vase('tall', '#8f9a8b', (3.25, 0.7, 0), 0.95)
    branches((3.25, 0.7, 1.2), 9, 1.2, 0.7, 15, 1.0, colors=('#c98f4a', '#b9682f', '#d9a95a', '#8f8a46'))
    morning((0.6, 0.3, 1.2), [(14, 5, 0, 5.0), (14, 5, 0, -4.9), (6, 14, 6.2, 0), (6, 14, -6.6, 0), (0.22, 12, 0.2, 0), (12, 0.22, 0, -0.6)], 4.8)
    camera((0.2, -11.4, 2.4), (0.2, 0, 1.1), 60, (0.5, -0.1, 1), 0.55)
    render('story', out, (2432, 1520), 12, {'screen': panel}, draft=DRAFT)


def lost(out):
    """For the page of missing pages: an empty frame, with one blank print beside it."""
    scene().view_settings.exposure = 0.7
    sweep()
    frame((-0.4, 0.5, 0), 24, 8)
    e = empty('print', (1.75, -0.95, 0.02), (-math.pi / 2, 0, -0.45))
    rounded_slab('paper', 1.15, 0.84, 0.008, 0.03, material('print', '#fbf7ef', 0.5), parent=e, bevel=0)
    plane('blank', 1.0, 0.62, material('blank', '#d8cab5', 0.6), (0, -0.006, 0.03), parent=e)
    studio()
    camera((0.4, -11.5, 3.0), (0.4, 0, 0.8), 74)
    render('lost', out, (1280, 800), 24, draft=DRAFT)


SCENES = {
    'hero': hero, 'front': front, 'angle': angle, 'detail': detail, 'living-room': living_room, 'gift': gift, 'byof': byof, 'bundle': bundle,
    'phone': phone_upload, 'bench': bench_view, 'wood': wood_story, 'story': windowsill, 'lost': lost,
}
DRAFT = False
SCREEN_IMAGE = None
PRINTS = None
