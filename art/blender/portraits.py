"""The family of the gallery, and its portraits: close-ups in front of a blurred room or garden."""
import math
import random

from kit import *
from people import Look, Mood, dog, fabric, figure, seen
from world import foliage, gradient_sky, leafy_mesh, scatter


def grandpa(**change):
    return Look(**{**dict(age='old', skin=1, hair='swept', hair_color='#dcd7cf', brow='#cdc6bb', eyes='#4f7391', glasses='#4a2f1c', top='sweater', color='#35576d', bottom_color='#5a5044', seed=3), **change})


def grandma(**change):
    return Look(**{**dict(age='old', skin=1, female=True, hair='bun', hair_color='#e0dbd3', brow='#b9afa3', eyes='#5b6f4a', top='sweater', color='#a24b5a', bottom_color='#6b5a66', lips='#b8645c', seed=4), **change})


def girl(**change):
    return Look(**{**dict(age='child', skin=1, female=True, hair='pony', hair_color='#7a4524', eyes='#5a3a20', top='sweater', color='#b5472a', bottom_color='#4a5f7a', shoes='#7a3b2a', freckles=True, seed=6), **change})


def boy(**change):
    return Look(**{**dict(age='child', skin=1, hair='wavy', hair_color='#8a5128', eyes='#4f7a4a', top='shirt', color='#35576d', bottom_color='#5a5044', freckles=True, seed=7), **change})


def toddler(**change):
    return Look(**{**dict(age='toddler', skin=1, hair='wavy', hair_color='#6b4526', eyes='#4a3020', top='sweater', color='#d9a441', bottom_color='#4a5f7a', seed=8), **change})


def orchard(colors, seed=3):
    """Leaves and light behind people, far enough away to be blurred."""
    random.seed(seed)
    crowns = [leafy_mesh(f'crown{i}', foliage(f'crown{i}', c, 0.5, 0.5), 4, 2.2, 2600, 0.13, 22, 0.0) for i, c in enumerate(colors)]
    scatter(crowns, [(x, y, z) for x, y, z in ((-4.2, 7, -0.6), (-1.8, 9, -0.2), (0.8, 8, -0.9), (3.2, 7, -0.4), (5.4, 9, 0), (-6.5, 9, 0), (-3, 12, 1.0), (2, 13, 0.8), (5, 13, 1.5), (-7, 13, 1), (-1, 15, 2.2), (0.6, 12, 1.6), (-4.5, 14, 2.5), (3.6, 15, 2.6))], (0.9, 1.3), 0)
    floor = material('lawn', '#7f9a45', 0.95)
    mesh('lawn', [(-20, -3, 0), (20, -3, 0), (20, 30, 0), (-20, 30, 0)], [(0, 1, 2, 3)], floor)
    sky = material('sky', (0, 0, 0), 1, Emission=(*srgb('#f3e0a6'), 1), Emission_Strength=0.7)
    mesh('sky', [(-25, 26, -4), (25, 26, -4), (25, 26, 22), (-25, 26, 22)], [(0, 1, 2, 3)], sky)


def laughter():
    """Grandparents and their grandchild, laughing on a bench in the garden."""
    scene().view_settings.exposure = 0.15
    gradient_sky([(0.0, '#f3e2c0'), (0.3, '#dfe3da'), (1.0, '#8fb4d0')], 0.75)
    orchard(('#7f9a45', '#95a850', '#5f8240'))
    sun((-0.5, -0.62, -0.5), 3.6, (1, 0.80, 0.55), 2)
    area((-2.4, -3.4, 2.6), (0, 0, 1.2), 2.2, 95, (1, 0.92, 0.82))
    area((3, -2.5, 1.6), (0, 0, 1.2), 2, 26, (0.85, 0.92, 1))
    area((1.6, 2.4, 2.4), (0, 0, 1.2), 1.2, 90, (1, 0.80, 0.55))
    figure(grandma(color='#b8606a'), (-0.30, 0.02, 0), 0.20, mood=Mood(1, 0.55, 0.88, 0.5, 0.3), sit=0.45, side=0.07, outside=True, hands=((-0.52, -0.36, 0.66), (-0.16, -0.46, 0.80)), palms=((0, 0.3, -1), (0.7, 0.5, -0.3)), curl=0.75, turn=(0.24, 0.06, 0.10), gaze=(0.05, -1.4, 1.05), step=0.008)
    figure(grandpa(color='#3f6078'), (0.32, 0.03, 0), -0.20, mood=Mood(1, 0.7, 0.86, 0.5, 0.5), sit=0.47, side=-0.06, outside=True, hands=((0.19, -0.45, 0.79), (0.56, -0.36, 0.68)), palms=((-0.7, 0.5, -0.3), (0, 0.3, -1)), curl=0.75, turn=(-0.26, 0.05, -0.10), gaze=(-0.12, -1.5, 1.05), step=0.008)
    figure(boy(hair='curls', hair_color='#7a4524', color='#e0b256', top='sweater'), (0.015, -0.38, -0.06), 0.03, mood=Mood(1, 0.8, 0.95, 0.38, 0.6, 0.3), hands=((-0.20, -0.18, 0.62), (0.2, -0.18, 0.62)), turn=(-0.04, -0.05, 0.07), step=0.008)
    camera((0.02, -4.6, 1.20), (0.015, 0, 1.085), 118, (0.0, -0.3, 1.1), 1.5)


def newborn():
    """A mother by a window with her baby on her arm."""
    scene().view_settings.exposure = 0.2
    ambient('#c9b7a6', 0.45)
    box('wall', (14, 0.2, 8), plaster('wall', '#b9a58e'), (0, 3.4, 2), bevel=0)
    for i in range(5):
        box('frame', (0.5, 0.05, 0.65), material('wood', '#7a5334', 0.5), (0.75 + 0.7 * (i % 3), 3.2, 1.05 + 0.8 * (i // 3)), bevel=0.01)
        box('print', (0.38, 0.06, 0.53), material('print', ('#e6d9c4', '#a9b5a6', '#d99a86')[i % 3], 0.8), (0.75 + 0.7 * (i % 3), 3.18, 1.05 + 0.8 * (i // 3)), bevel=0)
    pane = glow('pane', '#fff0d8', 1.5)
    box('pane', (1.5, 0.05, 2.4), pane, (-1.9, 3.2, 1.6), bevel=0)
    area((-2.6, -1.6, 2.3), (0, 0, 1.2), 1.8, 120, (1, 0.91, 0.8))
    area((2.6, -2.2, 1.4), (0, 0, 1.2), 2, 16, (0.86, 0.9, 1))
    area((1.2, 2.2, 2.6), (0, 0, 1.3), 1.2, 60, (1, 0.8, 0.58))
    mother = Look(skin=4, female=True, hair='curls', hair_color='#1f1410', eyes='#3b2412', top='sweater', color='#d8c3a5', lips='#94463c', seed=11)
    figure(mother, (-0.06, 0, 0), 0.2, mood=Mood(1, 0.3, 0.55, 0.45, 0.3), outside=True, hands=((0.03, -0.44, 0.97), (0.30, -0.26, 0.90)), palms=((0.5, 0.8, 0.3), (-0.5, -0.5, 0.9)), curl=0.8, turn=(0.36, 0.22, 0.12), gaze=(0.16, -0.60, 1.20), step=0.008)
    child = Look('baby', skin=3, hair='fluff', hair_color='#2a1a12', eyes='#3b2412', top='romper', color='#a9c0b4', bottom_color='#a9c0b4', shoes='#e6ddcd', seed=12)
    figure(child, (0.175, -0.34, 0.86), -0.22, mood=Mood(0.85, 0.35, 1.08, 0.1, 0.5), sit=0.0, legs='out', lean=0.05, hands=((-0.16, -0.16, 0.30), (0.15, -0.20, 0.26)), turn=(0.05, -0.06, -0.06), gaze=(-0.3, -4, 0.6), step=0.007)
    camera((0.05, -4.4, 1.36), (0.055, 0, 1.285), 119, (0.1, -0.25, 1.3), 1.5)


def best_friends():
    """A girl and her dog, cheek to cheek, looking into the camera."""
    scene().view_settings.exposure = 0.15
    gradient_sky([(0.0, '#f6dfb2'), (0.3, '#e6dcc6'), (1.0, '#8fb0c8')], 0.75)
    orchard(('#c98a3a', '#dca23a', '#b8682f'), 5)
    sun((0.5, -0.62, -0.5), 3.4, (1, 0.78, 0.5), 2)
    area((-2.2, -3.0, 2.0), (0, 0, 0.7), 2, 80, (1, 0.92, 0.82))
    area((2.6, -2.4, 1.2), (0, 0, 0.7), 2, 24, (0.86, 0.92, 1))
    girl_ = Look('child', skin=5, female=True, hair='puffs', hair_color='#17100d', eyes='#38200f', top='sweater', color='#c9543a', bottom_color='#4a5f7a', lips='#8a4038', seed=14)
    figure(girl_, (-0.155, 0.02, 0), 0.14, mood=Mood(1, 0.55, 1.0, 0.3, 0.4), sit=0.10, side=0.12, outside=True, hands=((0.10, -0.34, 0.40), (0.335, -0.15, 0.36)), palms=((0.8, 0.6, 0), (-1, 0.1, 0)), curl=0.7, legs='out', turn=(0.02, 0.02, 0.14), gaze=(0.03, -4, 0.86), step=0.008)
    dog((0.20, -0.09, 0.06), -0.12, scale=1.15, turn=(-0.04, 0.0, -0.10))
    area((-1.5, 2.2, 2.0), (0, 0, 0.6), 1.2, 70, (1, 0.78, 0.5))
    camera((0.03, -4.0, 0.80), (0.04, 0, 0.60), 122, (0.0, -0.2, 0.65), 1.6)


def wedding():
    """A couple under lights, foreheads nearly touching."""
    scene().view_settings.exposure = 0.2
    gradient_sky([(0.0, '#f3d2a8'), (0.3, '#cdbfc0'), (1.0, '#5f78a0')], 0.55)
    orchard(('#6f8c4a', '#7f9a55', '#4f6d3a'), 9)
    sun((0.45, -0.6, -0.42), 3.0, (1, 0.74, 0.5), 2)
    area((-2.2, -3.2, 2.5), (0, 0, 1.4), 2, 105, (1, 0.92, 0.83))
    area((2.6, -2.4, 1.6), (0, 0, 1.4), 2, 30, (0.9, 0.93, 1))
    bulbs = glow('bulb', '#ffd49a', 14)
    for i in range(26):
        x = -3.2 + i * 0.26
        sphere('bulb', 0.028, bulbs, (x, 2.6, 2.02 - 0.32 * abs(math.sin(i * math.pi / 8))), n=8)
    bride = Look(skin=2, female=True, hair='bun', hair_color='#3a2114', eyes='#4f6b3a', top='gown', color='#f4eee4', lips='#b4544c', seed=21)
    groom = Look(skin=5, hair='crop', hair_color='#140d0a', eyes='#38200f', top='suit', color='#2f3b52', bottom_color='#2f3b52', beard='full', seed=22)
    figure(groom, (0.24, 0.02, 0), -0.42, mood=Mood(0.95, 0.3, 0.8, 0.4, 0.2), hands=((-0.20, -0.28, 1.00), (0.12, -0.26, 0.98)), turn=(-0.42, 0.10, -0.06), gaze=(-0.42, -0.75, 1.50), step=0.008)
    e, j = figure(bride, (-0.22, -0.04, 0), 0.42, mood=Mood(1, 0.35, 0.85, 0.4, 0.3), hands=((-0.08, -0.27, 0.98), (0.12, -0.24, 1.0)), palms=((0.4, 0.6, 0.3), (-0.4, 0.6, 0.3)), turn=(0.40, -0.02, 0.08), gaze=(0.42, -0.75, 1.56), step=0.008)
    at = seen(e, (0.03, -0.32, 1.04))
    green = foliage('leaf', '#5d7f4a', 0.4)
    from world import _cards

    v, f = _cards([at + Vector((random.gauss(0, 0.09), random.gauss(0, 0.05), random.gauss(-0.01, 0.06))) for _ in range(160)], 0.035)
    mesh('leaves', v, f, green)
    petals = [material('rose', c, 0.6, Subsurface=0.0) for c in ('#f3dcd2', '#e5a79a', '#f6efe6', '#c9705f')]
    for i in range(22):
        p = at + Vector((random.gauss(0, 0.075), random.gauss(-0.03, 0.03), random.gauss(0.02, 0.05)))
        for ring in range(3):
            lathe('rose', [(0.001, -0.012), (0.016 - 0.004 * ring, -0.006), (0.026 - 0.006 * ring, 0.012 + 0.004 * ring), (0.023 - 0.006 * ring, 0.014 + 0.004 * ring), (0.001, 0.0)], petals[i % 4], p, (random.uniform(0.6, 1.4), random.uniform(-0.6, 0.6), 0), n=12)
    area((-1.4, 2.2, 2.6), (0, 0, 1.4), 1.2, 90, (1, 0.80, 0.55))
    camera((0.02, -4.7, 1.48), (0.01, 0, 1.34), 112, (0, -0.15, 1.45), 1.8)


PORTRAITS = {'laughter': laughter, 'newborn': newborn, 'best-friends': best_friends, 'wedding': wedding}
