"""Parts of landscapes: ground, water, trees, grass. One unit is a meter."""
import math
import random

from mathutils import noise as mnoise

from kit import *

WATER, LEAVES, GRASS, CLOTH = 1, 2, 3, 4


def mark(o, index):
    o.pass_index = index
    return o


def fractal(x, y, seed=0.0, octaves=6, rough=0.55):
    total, gain, freq = 0.0, 1.0, 1.0
    for _ in range(octaves):
        total += gain * mnoise.noise(Vector((x * freq + seed, y * freq - seed, seed * 1.7)))
        gain *= rough
        freq *= 2.03
    return total


def ground(name, x0, x1, y0, y1, height, m, nx=160, ny=160):
    v = [(x0 + (x1 - x0) * i / nx, y0 + (y1 - y0) * j / ny) for j in range(ny + 1) for i in range(nx + 1)]
    v = [(x, y, height(x, y)) for x, y in v]
    f = [(j * (nx + 1) + i, j * (nx + 1) + i + 1, (j + 1) * (nx + 1) + i + 1, (j + 1) * (nx + 1) + i) for j in range(ny) for i in range(nx)]
    return mesh(name, v, f, m, smooth=True, angle=1.5)


def earth(name, low, high, scale=0.4, rough=0.95, bumpy=0.3, distance=0.1):
    m = material(name, low, rough, Specular=0.1)
    field = noise(m, coords(m), scale, 9, 0.62)
    paint(m, ramp(m, field, [(0.35, low), (0.62, high)]))
    bump(m, noise(m, coords(m), scale * 9, 6, 0.6), bumpy, distance)
    return m


def slopes(name, flat, steep, threshold=(0.55, 0.85), scale=0.3, bumpy=0.6, distance=0.5):
    """Two colors by steepness: snow on rock, grass on a cliff."""
    m = material(name, flat, 0.95, Specular=0.1)
    g = node(m, 'NewGeometry')
    s = node(m, 'SeparateXYZ')
    link(m, g.outputs['Normal'], s.inputs[0])
    rough = noise(m, coords(m), scale * 4, 8, 0.65)
    add_ = node(m, 'Math', operation='MULTIPLY_ADD')
    link(m, rough, add_.inputs[0])
    add_.inputs[1].default_value = 0.5
    link(m, s.outputs['Z'], add_.inputs[2])
    fac = ramp(m, add_.outputs[0], [(threshold[0], (0, 0, 0)), (threshold[1], (1, 1, 1))])
    # Subtracts the mean of the noise, so that the thresholds apply to the steepness alone.
    add2 = node(m, 'Math', operation='SUBTRACT')
    link(m, add_.outputs[0], add2.inputs[0])
    add2.inputs[1].default_value = 0.25
    link(m, add2.outputs[0], fac.node.inputs['Fac'])
    low = srgb(flat)
    shade = mix(m, tuple(c * 0.8 for c in low), tuple(min(1, c * 1.15) for c in low), noise(m, coords(m), scale, 8))
    paint(m, mix(m, steep, shade, fac))
    bump(m, rough, bumpy, distance)
    return m


def water(size, color, loc=(0, 0, 0), rough=0.06, scale=(0.6, 1.6, 1), strength=0.25, distance=0.06, spec=0.6):
    m = material('water', color, rough, Specular=spec)
    a = noise(m, coords(m, scale), 1.0, 4, 0.5, 0.6)
    b = noise(m, coords(m, tuple(c * 5 for c in scale)), 1.0, 3, 0.5, 0.4)
    bump(m, mix(m, a, b, 0.35), strength, distance)
    w, d = size
    o = mesh('water', [(-w / 2, -d / 2, 0), (w / 2, -d / 2, 0), (w / 2, d / 2, 0), (-w / 2, d / 2, 0)], [(0, 1, 2, 3)], m, loc)
    return mark(o, WATER)


def foliage(name, color, vary=0.5, glow_through=0.35):
    """A translucent material that gives each leaf a different shade."""
    m = material(name, color, 0.6, Specular=0.2)
    g = node(m, 'NewGeometry')
    base = srgb(color)
    c = ramp(m, g.outputs['Random Per Island'], [
        (0.0, tuple(v * (1 - vary) for v in base)),
        (0.6, base),
        (1.0, tuple(min(1, v * (1 + vary * 0.9)) for v in base)),
    ])
    paint(m, c)
    t = node(m, 'BsdfTranslucent')
    link(m, c, t.inputs['Color'])
    mixer = node(m, 'MixShader', Fac=glow_through)
    out = m.node_tree.nodes['Material Output']
    link(m, m.node_tree.nodes['Principled BSDF'].outputs[0], mixer.inputs[1])
    link(m, t.outputs[0], mixer.inputs[2])
    link(m, mixer.outputs[0], out.inputs['Surface'])
    return m


def _cards(points, size, flat=0.0):
    """A small diamond at each point, rotated at random."""
    v, f = [], []
    for p in points:
        a = Vector((random.gauss(0, 1), random.gauss(0, 1), random.gauss(0, 1) * (1 - flat) + flat * 2)).normalized()
        u = a.orthogonal().normalized()
        w = a.cross(u)
        s = size * random.uniform(0.6, 1.3)
        k = len(v)
        v += [p + u * s, p + w * s * 0.6, p - u * s, p - w * s * 0.6]
        f.append((k, k + 1, k + 2, k + 3))
    return v, f


def leafy_mesh(name, m, height=5.0, spread=2.2, count=5200, leaf=0.11, clumps=26, trunk=0.35):
    points = []
    centres = []
    for _ in range(clumps):
        a, r, h = random.uniform(0, TAU), math.sqrt(random.random()), random.random()
        wide = spread * math.sin(math.pi * (0.18 + 0.74 * h)) * r
        centres.append((Vector((math.cos(a) * wide, math.sin(a) * wide, height * (trunk + (1 - trunk) * h))), spread * random.uniform(0.28, 0.46)))
    for _ in range(count):
        c, r = random.choice(centres)
        d = Vector((random.gauss(0, 1), random.gauss(0, 1), random.gauss(0, 1))).normalized() * r * random.random() ** 0.35
        d.z *= 0.75
        points.append(c + d)
    v, f = _cards(points, leaf)
    me = D.meshes.new(name)
    me.from_pydata(v, [], f)
    me.materials.append(m)
    return me


def tree(loc, leaves, bark, height=5.0, yaw=0.0, scale=1.0, girth=0.16):
    e = empty('tree', loc, (0, 0, yaw), scale=scale)
    path = smooth([(0, 0, -0.3), (0.05, 0.02, height * 0.25), (-0.06, 0.05, height * 0.5), (0.02, 0, height * 0.8)], 6)
    tube('trunk', path, girth, bark, e, taper=lambda t: 1.25 - t)
    for i in range(5):
        a = i * 1.9 + yaw
        h0 = height * (0.3 + 0.06 * i)
        tube('limb', smooth([(0, 0, h0), (math.cos(a) * 0.6, math.sin(a) * 0.6, h0 + 0.7), (math.cos(a) * 1.3, math.sin(a) * 1.3, h0 + 1.5)], 5), girth * 0.4, bark, e, taper=lambda t: 1.1 - 0.8 * t)
    mark(add('leaves', leaves, None, parent=e), LEAVES)
    return e


def pine_mesh(name, green, snow=None, height=4.0, tiers=9):
    """A fir of drooping fronds; with snow, the upper sides are white."""
    v, f, mats = [], [], []
    for t in range(tiers * 3):
        h = t / (tiers * 3)
        z, r = height * (0.1 + 0.88 * h), height * 0.25 * (1 - h) ** 0.85 + 0.03
        n = max(6, int(15 * (1 - h)) + 4)
        for i in range(n):
            a = TAU * (i + random.random()) / n
            q = r * random.uniform(0.8, 1.12)
            c, s = math.cos(a), math.sin(a)
            side = 0.11 * height / 4 * (1.25 - h) * 1.2
            for layer in (0, 1) if snow else (0,):
                k, up = len(v), 0.035 * layer * height / 4
                shrink = 0.93 if layer else 1
                drop = -0.42 * q
                v += [
                    (0, 0, z + 0.05 + up), (c * q * 0.55 - s * side * shrink, s * q * 0.55 + c * side * shrink, z + drop * 0.35 + up),
                    (c * q * shrink, s * q * shrink, z + drop + up), (c * q * 0.55 + s * side * shrink, s * q * 0.55 - c * side * shrink, z + drop * 0.35 + up),
                ]
                f.append((k, k + 1, k + 2, k + 3))
                mats.append(layer)
    me = D.meshes.new(name)
    me.from_pydata(v, [], f)
    me.materials.append(green)
    if snow:
        me.materials.append(snow)
    me.polygons.foreach_set('material_index', mats)
    return me


def scatter(meshes, places, scale=(0.8, 1.25), index=LEAVES):
    for p in places:
        mark(add('plant', random.choice(meshes), None, p, (0, 0, random.uniform(0, TAU)), scale=random.uniform(*scale)), index)


def grass(name, m, places, tall=(0.14, 0.34), wide=0.012, lean=0.35, index=GRASS):
    v, f = [], []
    for x, y, z in places:
        h, a, w = random.uniform(*tall), random.uniform(0, TAU), wide * random.uniform(0.7, 1.4)
        c, s = math.cos(a), math.sin(a)
        b = h * lean * random.uniform(0.2, 1)
        k = len(v)
        v += [(x - c * w, y - s * w, z - 0.02), (x + c * w, y + s * w, z - 0.02), (x + s * b * 0.35 + c * w * 0.7, y - c * b * 0.35 + s * w * 0.7, z + h * 0.6), (x + s * b * 0.35 - c * w * 0.7, y - c * b * 0.35 - s * w * 0.7, z + h * 0.6), (x + s * b, y - c * b, z + h)]
        f += [(k, k + 1, k + 2, k + 3), (k + 3, k + 2, k + 4)]
    return mark(mesh(name, v, f, m), index)


def flowers(places, colors, size=0.05, index=GRASS):
    for i, c in enumerate(colors):
        m = foliage(f'petal{i}', c, 0.25, 0.3)
        points = [Vector(p) + Vector((random.gauss(0, 0.02), random.gauss(0, 0.02), random.uniform(-0.01, 0.02))) for p in places[i :: len(colors)] for _ in range(5)]
        v, f = _cards(points, size, 0.4)
        mark(mesh('petals', v, f, m), index)


def gradient_sky(stops, strength=1.0):
    """World light by height: stops of (elevation 0..1, color)."""
    w = D.worlds.new('sky')
    scene().world = w
    w.use_nodes = True
    t = node_tree = w.node_tree
    tc = t.nodes.new('ShaderNodeTexCoord')
    sep = t.nodes.new('ShaderNodeSeparateXYZ')
    r = t.nodes.new('ShaderNodeValToRGB')
    e = r.color_ramp.elements
    while len(e) < len(stops):
        e.new(0.5)
    for slot, (p, c) in zip(e, stops):
        slot.position, slot.color = p, (*srgb(c), 1)
    t.links.new(tc.outputs['Generated'], sep.inputs[0])
    t.links.new(sep.outputs['Z'], r.inputs['Fac'])
    b = t.nodes['Background']
    t.links.new(r.outputs['Color'], b.inputs[0])
    b.inputs[1].default_value = strength
    return node_tree


def haze(color, near, far, most=0.85):
    """Fades every surface to one color with the distance from the camera."""
    for m in D.materials:
        if not m.use_nodes or 'Material Output' not in m.node_tree.nodes:
            continue
        out = m.node_tree.nodes['Material Output']
        if not out.inputs['Surface'].links:
            continue
        source = out.inputs['Surface'].links[0].from_socket
        cam = node(m, 'CameraData')
        fac = node(m, 'MapRange')
        for i, value in enumerate((near, far, 0, most), 1):
            fac.inputs[i].default_value = value
        air = node(m, 'Emission', Strength=1.0)
        air.inputs['Color'].default_value = (*srgb(color), 1)
        mixer = node(m, 'MixShader')
        link(m, cam.outputs['View Z Depth'], fac.inputs['Value'])
        link(m, fac.outputs[0], mixer.inputs[0])
        link(m, source, mixer.inputs[1])
        link(m, air.outputs[0], mixer.inputs[2])
        link(m, mixer.outputs[0], out.inputs['Surface'])
