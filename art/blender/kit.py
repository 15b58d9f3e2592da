"""A small kit for Cycles scenes: materials, meshes, light, camera, render and denoise.

One unit is ten centimeters in the product scenes. x is right, y is away from the camera, z is up.
"""
import json
import math
import os
import random
import time

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from denoise import denoise, weights
from mathutils import Euler, Vector

D = bpy.data
TAU = math.tau


def reset(seed=7):
    random.seed(seed)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    cycles = scene.cycles
    cycles.device = 'CPU'
    cycles.use_denoising = False
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.02
    cycles.use_auto_tile = False
    cycles.max_bounces = 6
    cycles.diffuse_bounces = 3
    cycles.glossy_bounces = 3
    cycles.transparent_max_bounces = 6
    cycles.sample_clamp_indirect = 4
    cycles.blur_glossy = 1
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    scene.render.threads_mode = 'FIXED'
    scene.render.threads = 2
    scene.render.use_persistent_data = True
    scene.view_settings.view_transform = 'Filmic'
    scene.view_settings.look = 'Medium High Contrast'
    return scene


def scene():
    return bpy.context.scene


def srgb(code):
    """'#b4532a' to linear red, green, blue."""
    parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


# ---------------------------------------------------------------- materials


def material(name, color=(0.8, 0.8, 0.8), rough=0.5, **inputs):
    m = D.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes['Principled BSDF']
    b.inputs['Base Color'].default_value = (*(srgb(color) if isinstance(color, str) else color), 1)
    b.inputs['Roughness'].default_value = rough
    for key, value in inputs.items():
        b.inputs[key.replace('_', ' ')].default_value = value
    return m


def node(m, kind, **values):
    n = m.node_tree.nodes.new('ShaderNode' + kind)
    for key, value in values.items():
        if key in n.inputs:
            n.inputs[key].default_value = value
        else:
            setattr(n, key, value)
    return n


def link(m, a, b):
    m.node_tree.links.new(a, b)


def ramp(m, source, stops):
    r = node(m, 'ValToRGB')
    e = r.color_ramp.elements
    while len(e) < len(stops):
        e.new(0.5)
    for slot, (position, color) in zip(e, stops):
        slot.position = position
        slot.color = (*(srgb(color) if isinstance(color, str) else color), 1)
    link(m, source, r.inputs['Fac'])
    return r.outputs['Color']


def coords(m, scale=(1, 1, 1), kind='Object', rotation=(0, 0, 0)):
    t = node(m, 'TexCoord')
    mapping = node(m, 'Mapping')
    mapping.inputs['Scale'].default_value = scale
    mapping.inputs['Rotation'].default_value = rotation
    link(m, t.outputs[kind], mapping.inputs['Vector'])
    return mapping.outputs['Vector']


def noise(m, vector, scale=1.0, detail=6.0, rough=0.55, distortion=0.0):
    n = node(m, 'TexNoise', Scale=scale, Detail=detail, Roughness=rough, Distortion=distortion)
    link(m, vector, n.inputs['Vector'])
    return n.outputs['Fac']


def mix(m, a, b, fac, blend='MIX'):
    n = node(m, 'MixRGB', blend_type=blend)
    for value, slot in ((fac, 'Fac'), (a, 'Color1'), (b, 'Color2')):
        if hasattr(value, 'links'):
            link(m, value, n.inputs[slot])
        elif slot == 'Fac':
            n.inputs[slot].default_value = value
        else:
            n.inputs[slot].default_value = (*(srgb(value) if isinstance(value, str) else value), 1)
    return n.outputs['Color']


def bump(m, height, strength=0.2, distance=0.02):
    n = node(m, 'Bump', Strength=strength, Distance=distance)
    link(m, height, n.inputs['Height'])
    link(m, n.outputs['Normal'], m.node_tree.nodes['Principled BSDF'].inputs['Normal'])


def paint(m, color):
    link(m, color, m.node_tree.nodes['Principled BSDF'].inputs['Base Color'])


def oak(name, light='#c29461', dark='#8f6338', axis=0, scale=1.0, rough=0.42):
    """Oak: slow figure, growth lines and fine dark pores, all running along one axis."""
    m = material(name, rough=rough)
    along = lambda across, length: tuple(scale * (length if i == axis else across) for i in range(3))
    figure = noise(m, coords(m, along(2.6, 0.30)), 1.3, 4, 0.5, 1.1)
    lines = noise(m, coords(m, along(26, 0.55)), 1.0, 5, 0.65, 0.25)
    pores = noise(m, coords(m, along(120, 3.2)), 1.0, 2, 0.5)
    base = ramp(m, mix(m, figure, lines, 0.55), [(0.34, dark), (0.52, tuple((a + b) / 2 for a, b in zip(srgb(light), srgb(dark)))), (0.66, light)])
    pore = ramp(m, pores, [(0.30, (0.42, 0.36, 0.30)), (0.44, (1, 1, 1))])
    paint(m, mix(m, base, pore, 0.75, 'MULTIPLY'))
    bump(m, mix(m, lines, pores, 0.6), 0.22, 0.004 / max(scale, 0.3))
    return m


def plaster(name, color, grain=20, strength=0.12):
    m = material(name, color, 0.93, Specular=0.2)
    bump(m, noise(m, coords(m), grain, 7, 0.6), strength, 0.03)
    return m


def cloth(name, color, weave=120, strength=0.25, sheen=0.4):
    m = material(name, color, 0.95, Sheen=sheen, Specular=0.1)
    fine = noise(m, coords(m), weave, 2, 0.5)
    slow = noise(m, coords(m), 3, 4, 0.5)
    base = srgb(color) if isinstance(color, str) else color
    paint(m, mix(m, tuple(c * 0.86 for c in base), tuple(min(1, c * 1.1) for c in base), slow))
    bump(m, fine, strength, 0.012)
    return m


def picture(name, path, strength=None):
    """An image on a surface with UVs: a print, or a glowing screen when strength is given."""
    m = material(name, rough=0.35, Specular=0.3)
    image = node(m, 'TexImage', interpolation='Cubic')
    image.image = D.images.load(os.path.abspath(path))
    b = m.node_tree.nodes['Principled BSDF']
    if strength is None:
        link(m, image.outputs['Color'], b.inputs['Base Color'])
    else:
        b.inputs['Base Color'].default_value = (0.01, 0.01, 0.01, 1)
        b.inputs['Roughness'].default_value = 0.15
        link(m, image.outputs['Color'], b.inputs['Emission'])
        b.inputs['Emission Strength'].default_value = strength
    return m


def glow(name, color, strength):
    return material(name, (0, 0, 0), 1, Emission=(*(srgb(color) if isinstance(color, str) else color), 1), Emission_Strength=strength)


# ---------------------------------------------------------------- meshes


def add(name, data, m=None, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, scale=(1, 1, 1)):
    o = D.objects.new(name, data)
    scene().collection.objects.link(o)
    o.location, o.rotation_euler, o.parent = loc, rot, parent
    o.scale = (scale,) * 3 if isinstance(scale, (int, float)) else scale
    if m is not None and data is not None:
        data.materials.append(m)
    return o


def empty(name, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, scale=1):
    return add(name, None, None, loc, rot, parent, scale)


def mesh(name, verts, faces, m, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, smooth=False, bevel=0, segments=4, scale=(1, 1, 1), angle=0.7):
    me = D.meshes.new(name)
    me.from_pydata([tuple(v) for v in verts], [], faces)
    me.update()
    if smooth or bevel:
        me.polygons.foreach_set('use_smooth', [True] * len(me.polygons))
        me.use_auto_smooth = True
        me.auto_smooth_angle = angle
    o = add(name, me, m, loc, rot, parent, scale)
    if bevel:
        b = o.modifiers.new('bevel', 'BEVEL')
        b.width, b.segments, b.limit_method = bevel, segments, 'ANGLE'
    return o


def box(name, size, m, loc=(0, 0, 0), rot=(0, 0, 0), bevel=0.02, parent=None, segments=4):
    x, y, z = (s / 2 for s in size)
    v = [(i, j, k) for i in (-x, x) for j in (-y, y) for k in (-z, z)]
    f = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return mesh(name, v, f, m, loc, rot, parent, bevel=bevel, segments=segments)


def cushion(name, size, m, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, roundness=0.35):
    """A soft box: beveled, then subdivided."""
    o = box(name, size, m, loc, rot, min(size) * roundness, parent, 5)
    o.data.use_auto_smooth = False
    s = o.modifiers.new('soft', 'SUBSURF')
    s.levels = s.render_levels = 2
    return o


def lathe(name, profile, m, loc=(0, 0, 0), rot=(0, 0, 0), n=64, parent=None, scale=(1, 1, 1), soft=True):
    v, f, k = [], [], len(profile)
    for i in range(n):
        c, s = math.cos(TAU * i / n), math.sin(TAU * i / n)
        v += [(r * c, r * s, z) for r, z in profile]
        q = (i + 1) % n
        f += [(i * k + j, q * k + j, q * k + j + 1, i * k + j + 1) for j in range(k - 1)]
    o = mesh(name, v, f, m, loc, rot, parent, smooth=True, scale=scale)
    if soft:
        s = o.modifiers.new('soft', 'SUBSURF')
        s.levels = s.render_levels = 1
    return o


def sphere(name, r, m, loc=(0, 0, 0), scale=(1, 1, 1), parent=None, rot=(0, 0, 0), n=24):
    prof = [(max(1e-4, r * math.sin(math.pi * i / n)), -r * math.cos(math.pi * i / n)) for i in range(n + 1)]
    return lathe(name, prof, m, loc, rot, n * 2, parent, scale, soft=False)


def cylinder(name, r, h, m, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, top=None, edge=0.1, n=40):
    top = r if top is None else top
    e = min(r, top, h) * edge
    prof = [(1e-4, 0), (r - e, 0), (r, e), (top, h - e), (top - e, h), (1e-4, h)]
    o = lathe(name, prof, m, loc, rot, n, parent, soft=False)
    o.data.auto_smooth_angle = 0.9
    return o


def plane(name, w, h, m, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, bend=0.0, n=1):
    """An upright plane facing the camera, with UVs. bend curves it about its vertical middle."""
    v, f, uv = [], [], []
    for j in range(n + 1):
        for i in range(n + 1):
            x, z = i / n - 0.5, j / n - 0.5
            v.append((x * w, -bend * (4 * x * x - 1) * 0.5 - bend * 0.4 * z, z * h))
            uv.append((i / n, j / n))
    for j in range(n):
        for i in range(n):
            a = j * (n + 1) + i
            f.append((a, a + 1, a + n + 2, a + n + 1))
    o = mesh(name, v, f, m, loc, rot, parent, smooth=n > 1)
    layer = o.data.uv_layers.new()
    for lp in o.data.loops:
        layer.data[lp.index].uv = uv[lp.vertex_index]
    return o


def rounded_slab(name, w, h, d, r, m, loc=(0, 0, 0), rot=(0, 0, 0), parent=None, bevel=0.03, n=10):
    """An upright slab with round corners (phones, tags)."""
    pts = []
    for cx, cz, a0 in ((w / 2 - r, h / 2 - r, 0), (-w / 2 + r, h / 2 - r, 1), (-w / 2 + r, -h / 2 + r, 2), (w / 2 - r, -h / 2 + r, 3)):
        pts += [(cx + r * math.cos((a0 + i / n) * math.pi / 2), cz + r * math.sin((a0 + i / n) * math.pi / 2)) for i in range(n + 1)]
    k = len(pts)
    v = [(x, -d / 2, z) for x, z in pts] + [(x, d / 2, z) for x, z in pts]
    f = [tuple(range(k - 1, -1, -1))[::-1], tuple(range(2 * k - 1, k - 1, -1))]
    f += [(i, (i + 1) % k, k + (i + 1) % k, k + i)[::-1] for i in range(k)]
    return mesh(name, v, f, m, loc, rot, parent, bevel=bevel, segments=3)


def tube(name, points, r, m, parent=None, loc=(0, 0, 0), taper=None, cyclic=False):
    c = D.curves.new(name, 'CURVE')
    c.dimensions = '3D'
    c.bevel_depth, c.bevel_resolution = r, 3
    s = c.splines.new('POLY')
    s.points.add(len(points) - 1)
    s.use_cyclic_u = cyclic
    for i, p in enumerate(points):
        s.points[i].co = (*p, 1)
        if taper:
            s.points[i].radius = taper(i / (len(points) - 1))
    s.use_smooth = True
    return add(name, c, m, loc, parent=parent)


def smooth(points, n=10):
    """A Catmull-Rom curve through points."""
    p = [Vector(q) for q in points]
    p = [2 * p[0] - p[1], *p, 2 * p[-1] - p[-2]]
    out = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        for i in range(n):
            t = i / n
            out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3))
    return [*out, p[-2]]


def strip(name, points, normals, width, m, parent=None, thickness=0.006):
    """A ribbon along points; width may be a function of 0..1."""
    v, f = [], []
    for i, (p, q) in enumerate(zip(points, normals)):
        w = (width(i / (len(points) - 1)) if callable(width) else width) / 2
        q = Vector(q).normalized()
        v += [Vector(p) - q * w, Vector(p) + q * w]
        if i:
            f.append((2 * i - 2, 2 * i - 1, 2 * i + 1, 2 * i))
    o = mesh(name, v, f, m, parent=parent, smooth=True)
    s = o.modifiers.new('thick', 'SOLIDIFY')
    s.thickness = thickness
    return o


# ---------------------------------------------------------------- light and camera


def aim(o, target):
    o.rotation_euler = (Vector(target) - o.location).to_track_quat('-Z', 'Y').to_euler()


def area(loc, target, size, energy, color=(1, 0.94, 0.86), size_y=None):
    light = D.lights.new('area', 'AREA')
    light.shape, light.size, light.size_y = 'RECTANGLE', size, size_y or size
    light.energy, light.color = energy, color
    o = add('area', light, None, loc)
    aim(o, target)
    return o


def sun(direction, energy, color=(1, 0.82, 0.6), degrees=1.4):
    light = D.lights.new('sun', 'SUN')
    light.energy, light.color, light.angle = energy, color, math.radians(degrees)
    o = add('sun', light)
    o.rotation_euler = Vector(direction).to_track_quat('-Z', 'Y').to_euler()
    return o


def point(loc, energy, color=(1, 0.7, 0.4), radius=0.1):
    light = D.lights.new('point', 'POINT')
    light.energy, light.color, light.shadow_soft_size = energy, color, radius
    return add('point', light, None, loc)


def window(direction, middle, bars, distance=9):
    """A window between the sun and the room, of which only the shadows are visible."""
    m = material('window', (0.02, 0.02, 0.02), 1)
    d = Vector(direction).normalized()
    e = empty('window', Vector(middle) - d * distance, d.to_track_quat('-Z', 'Y').to_euler())
    for w, h, x, y in bars:
        o = box('bar', (w, h, 0.05), m, (x, y, 0), bevel=0, parent=e)
        o.visible_camera = o.visible_glossy = o.visible_diffuse = False
    return e


def ambient(color, strength):
    w = D.worlds.new('world')
    scene().world = w
    w.use_nodes = True
    b = w.node_tree.nodes['Background']
    b.inputs[0].default_value = (*(srgb(color) if isinstance(color, str) else color), 1)
    b.inputs[1].default_value = strength
    return w


def camera(loc, target, lens=70, focus=None, fstop=None, shift=(0, 0)):
    c = D.cameras.new('camera')
    c.lens, c.sensor_width = lens, 36
    c.shift_x, c.shift_y = shift
    c.clip_end = 5000
    o = add('camera', c, None, loc)
    aim(o, target)
    if fstop:
        c.dof.use_dof = True
        c.dof.aperture_fstop = fstop
        c.dof.focus_distance = (Vector(focus or target) - o.location).length
    scene().camera = o
    return o


def corners(o):
    """A plane's corners in the picture, as fractions: bottom left, bottom right, top right, top left."""
    bpy.context.view_layer.update()
    cam = scene().camera
    at = [world_to_camera_view(scene(), cam, o.matrix_world @ o.data.vertices[i].co) for i in (0, 1, 3, 2)]
    return [[round(p.x, 6), round(1 - p.y, 6)] for p in at]


# ---------------------------------------------------------------- render


def _passes(folder, names):
    s = scene()
    s.use_nodes = True
    tree = s.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers')
    out = tree.nodes.new('CompositorNodeOutputFile')
    out.base_path = folder
    out.format.file_format = 'OPEN_EXR'
    out.format.color_depth = '32'
    out.file_slots.clear()
    for name in names:
        out.file_slots.new(name.replace(' ', ''))
        tree.links.new(layers.outputs[name], out.inputs[name.replace(' ', '')])


def _load(folder, name):
    path = os.path.join(folder, f'{name.replace(" ", "")}0001.exr')
    image = D.images.load(path)
    w, h = image.size
    data = np.empty(w * h * 4, np.float32)
    image.pixels.foreach_get(data)
    D.images.remove(image)
    os.remove(path)
    return data.reshape(h, w, 4)


def save(path, rgb, alpha=None):
    """Writes a 16-bit PNG with the scene's view transform."""
    h, w, _ = rgb.shape
    s = scene()
    image = D.images.new('out', w, h, alpha=True, float_buffer=True)
    a = np.ones((h, w, 1), np.float32) if alpha is None else alpha[..., None]
    image.pixels.foreach_set(np.concatenate([rgb, a], 2).astype(np.float32).ravel())
    s.render.image_settings.file_format = 'PNG'
    s.render.image_settings.color_mode = 'RGB' if alpha is None else 'RGBA'
    s.render.image_settings.color_depth = '16'
    image.save_render(path, scene=s)
    D.images.remove(image)


def family(o):
    return [o, *(d for c in o.children for d in family(c))]


def _isolate(roots):
    """Hides all other objects from the camera and crops the picture to these. Returns the crop as fractions."""
    bpy.context.view_layer.update()
    keep = {d for o in roots for d in family(o)}
    at = []
    for o in scene().objects:
        if o.type in ('MESH', 'CURVE') and o in keep:
            at += [world_to_camera_view(scene(), scene().camera, o.matrix_world @ Vector(c)) for c in o.bound_box]
            o.visible_camera = True
        elif o.type in ('MESH', 'CURVE'):
            o.visible_camera = False
    r = scene().render
    r.use_border = r.use_crop_to_border = True
    m = 0.012
    r.border_min_x, r.border_max_x = max(0, min(p.x for p in at) - m), min(1, max(p.x for p in at) + m)
    r.border_min_y, r.border_max_y = max(0, min(p.y for p in at) - m), min(1, max(p.y for p in at) + m)
    return r.border_min_x, r.border_max_x, r.border_min_y, r.border_max_y


def spots(points):
    """Positions of world points in the picture (for flames, strings, smoke): two fractions and the distance."""
    bpy.context.view_layer.update()
    at = [world_to_camera_view(scene(), scene().camera, Vector(p)) for p in points]
    return [[round(p.x, 5), round(1 - p.y, 5), round(p.z, 4)] for p in at]


def render(name, folder, size, samples, screens=None, extra=(), draft=False, transparent=False, only=None, note=None):
    """Renders and denoises, and writes <name>.png and <name>.json (size, corners of named screens, note).

    only: shows only these objects, without background, in a picture cropped around them (a sprite for art/gallery/).
    extra: passes 'Depth' and 'IndexOB', written as <name>-depth.f32 and <name>-ids.u8.
    """
    net = weights(os.environ.get('ART_RAW', folder))
    s = scene()
    w, h = size
    if draft:
        w, h, samples = int(w * draft), int(h * draft), max(8, int(samples * 0.4))
    s.render.resolution_x, s.render.resolution_y, s.render.resolution_percentage = w, h, 100
    transparent = transparent or only is not None
    s.render.film_transparent = transparent
    crop = _isolate(only) if only else None
    s.cycles.samples = samples
    s.cycles.seed = 11
    layer = s.view_layers[0]
    layer.cycles.denoising_store_passes = True
    layer.use_pass_z = 'Depth' in extra
    layer.use_pass_object_index = 'IndexOB' in extra
    work = os.path.join(folder, f'.{name}')
    os.makedirs(work, exist_ok=True)
    started = time.time()
    _passes(work, ['Image', 'Denoising Albedo', 'Denoising Normal', *extra])
    bpy.ops.render.render()
    image = _load(work, 'Image')
    albedo = _load(work, 'Denoising Albedo')[..., :3]
    normal = _load(work, 'Denoising Normal')[..., :3]
    for e in extra:
        data = _load(work, e)[::-1, :, 0]
        if e == 'Depth':
            np.minimum(data, 1e5).astype('<f4').tofile(os.path.join(folder, f'{name}-depth.f32'))
        else:
            data.astype('u1').tofile(os.path.join(folder, f'{name}-ids.u8'))
    rendered = time.time()
    save(os.path.join(folder, f'{name}.png'), denoise(image[..., :3], albedo, normal, net), image[..., 3] if transparent else None)
    info = {'width': w, 'height': h, 'screens': {key: corners(o) for key, o in (screens or {}).items()}}
    info.update(note or {})
    if crop:
        x0, x1, y0, y1 = crop
        info.update(x=x0, y=1 - y1, w=x1 - x0, h=y1 - y0)
    with open(os.path.join(folder, f'{name}.json'), 'w') as f:
        json.dump(info, f)
    print(f'RENDERED {name} {w}x{h} in {rendered - started:.0f} s, denoised in {time.time() - rendered:.0f} s', flush=True)
