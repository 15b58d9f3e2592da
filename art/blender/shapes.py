"""Soft shapes from distance functions: parts are blended into each other, and a mesh is built from the result.

A field is a function of x, y, z (numbers or arrays) that is negative inside. Lengths are in meters unless stated
otherwise.
"""
import numpy as np

from kit import *

F = np.float32


def ball(x, y, z, c, r):
    return np.sqrt((x - c[0]) ** 2 + (y - c[1]) ** 2 + (z - c[2]) ** 2) - r


def egg(x, y, z, c, r):
    u, v, w = x - c[0], y - c[1], z - c[2]
    k0 = np.sqrt((u / r[0]) ** 2 + (v / r[1]) ** 2 + (w / r[2]) ** 2)
    k1 = np.sqrt((u / r[0] ** 2) ** 2 + (v / r[1] ** 2) ** 2 + (w / r[2] ** 2) ** 2)
    return k0 * (k0 - 1) / np.maximum(k1, 1e-6)


def limb(x, y, z, a, b, ra, rb=None):
    """A round cone from a to b."""
    rb = ra if rb is None else rb
    a, b = np.asarray(a, F), np.asarray(b, F)
    d = b - a
    n = max(float(d @ d), 1e-9)
    u, v, w = x - a[0], y - a[1], z - a[2]
    t = np.clip((u * d[0] + v * d[1] + w * d[2]) / n, 0, 1)
    return np.sqrt((u - t * d[0]) ** 2 + (v - t * d[1]) ** 2 + (w - t * d[2]) ** 2) - (ra + (rb - ra) * t)


def chain(x, y, z, points, radii):
    f = None
    for a, b, ra, rb in zip(points, points[1:], radii, radii[1:]):
        g = limb(x, y, z, a, b, ra, rb)
        f = g if f is None else np.minimum(f, g)
    return f


def melt(a, b, k):
    h = np.clip(0.5 + 0.5 * (b - a) / k, 0, 1)
    return b + (a - b) * h - k * h * (1 - h)


def carve(a, b, k):
    """a without b, with an edge rounded by k."""
    return -melt(-a, b, k)


def contour(field, low, high, step):
    """Vertices and faces of the surface where a field is zero (surface nets)."""
    axes = [np.arange(lo, hi + step, step, dtype=F) for lo, hi in zip(low, high)]
    x, y, z = np.meshgrid(*axes, indexing='ij', sparse=True)
    f = np.ascontiguousarray(np.broadcast_to(field(x, y, z), tuple(len(a) for a in axes)), F)
    inside = f < 0
    n = tuple(s - 1 for s in f.shape)
    cut = lambda a, i, j, k: a[i : i + n[0], j : j + n[1], k : k + n[2]]
    count = sum(cut(inside, i, j, k).astype(np.int8) for i in (0, 1) for j in (0, 1) for k in (0, 1))
    cells = np.argwhere((count > 0) & (count < 8))
    index = np.full(n, -1, np.int32)
    index[tuple(cells.T)] = np.arange(len(cells))
    total, hits = np.zeros((len(cells), 3), F), np.zeros(len(cells), F)
    corner = lambda o: f[cells[:, 0] + o[0], cells[:, 1] + o[1], cells[:, 2] + o[2]]
    for axis in range(3):
        for p in (0, 1):
            for q in (0, 1):
                o = [0, 0, 0]
                o[(axis + 1) % 3], o[(axis + 2) % 3] = p, q
                e = list(o)
                e[axis] = 1
                a, b = corner(o), corner(e)
                on = (a < 0) != (b < 0)
                t = np.where(on, a / np.where(on, a - b, 1), 0)
                at = np.tile(np.asarray(o, F), (len(cells), 1))
                at[:, axis] = t
                total += at * on[:, None]
                hits += on
    verts = (cells + total / hits[:, None]) * step + np.array([a[0] for a in axes], F)
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        a = np.take(inside, range(0, f.shape[axis] - 1), axis)
        b = np.take(inside, range(1, f.shape[axis]), axis)
        for turned, where in ((False, a & ~b), (True, b & ~a)):
            at = np.argwhere(where)
            at = at[(at[:, u] > 0) & (at[:, v] > 0) & (at[:, u] < n[u]) & (at[:, v] < n[v])]
            quad = []
            for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                c = at.copy()
                c[:, u] += du
                c[:, v] += dv
                quad.append(index[tuple(c.T)])
            quad = np.stack(quad[::-1] if turned else quad, 1)
            faces.append(quad[(quad >= 0).all(1)])
    return verts, np.concatenate(faces)


def raw_mesh(name, verts, faces, m, parent=None, tint=None, loc=(0, 0, 0), rot=(0, 0, 0)):
    me = D.meshes.new(name)
    k = faces.shape[1]
    me.vertices.add(len(verts))
    me.vertices.foreach_set('co', np.ascontiguousarray(verts, F).ravel())
    me.loops.add(faces.size)
    me.loops.foreach_set('vertex_index', np.ascontiguousarray(faces, np.int32).ravel())
    me.polygons.add(len(faces))
    me.polygons.foreach_set('loop_start', np.arange(0, faces.size, k, dtype=np.int32))
    me.polygons.foreach_set('loop_total', np.full(len(faces), k, np.int32))
    me.polygons.foreach_set('use_smooth', np.ones(len(faces), bool))
    me.update(calc_edges=True)
    if tint is not None:
        layer = me.color_attributes.new('tint', 'FLOAT_COLOR', 'POINT')
        layer.data.foreach_set('color', np.concatenate([tint, np.ones((len(tint), 1))], 1).astype(F).ravel())
    return add(name, me, m, loc, rot, parent)


def clay(name, field, low, high, step, m, parent=None, tint=None, relax=2, scale=1.0):
    """The mesh of a field. relax: number of passes that smooth the grid's steps. tint: a function of the vertices."""
    verts, faces = contour(field, low, high, step)
    if len(verts) == 0:
        return None
    for _ in range(relax):
        total, count = np.zeros_like(verts), np.zeros(len(verts), F)
        for i in range(4):
            for j in (1, 3):
                np.add.at(total, faces[:, i], verts[faces[:, (i + j) % 4]])
                np.add.at(count, faces[:, i], 1)
        verts = 0.5 * verts + 0.5 * total / np.maximum(count, 1)[:, None]
    colors = tint(verts) if tint else None
    return raw_mesh(name, verts * scale, faces, m, parent, colors)


def slope(field, p, h=0.01):
    """The field and its unit gradient at points (n, 3)."""
    x, y, z = p.T
    f = field(x, y, z)
    g = np.stack([field(x + h, y, z) - f, field(x, y + h, z) - f, field(x, y, z + h) - f], 1)
    return f, g / np.maximum(np.linalg.norm(g, axis=1, keepdims=True), 1e-6)


def strands(name, paths, radii, m, parent=None, sides=5, flat=None, normals=None, scale=1.0):
    """Tapering tubes along paths (n, k, 3), with radii (n, k). flat flattens them along normals (n, k, 3)."""
    n, k, _ = paths.shape
    t = np.gradient(paths, axis=1)
    t /= np.maximum(np.linalg.norm(t, axis=2, keepdims=True), 1e-9)
    up = np.broadcast_to(np.array([0.31, 0.23, 0.92]), paths.shape) if normals is None else normals
    b = np.cross(t, up)
    b /= np.maximum(np.linalg.norm(b, axis=2, keepdims=True), 1e-9)
    c = np.cross(b, t)
    a = np.arange(sides) / sides * math.tau
    ring = b[:, :, None] * np.cos(a)[:, None] + c[:, :, None] * (np.sin(a) * (flat or 1))[:, None]
    verts = paths[:, :, None] + ring * radii[:, :, None, None]
    i = np.arange(n * k * sides).reshape(n, k, sides)
    j = np.roll(i, -1, 2)
    faces = np.stack([i[:, :-1], j[:, :-1], j[:, 1:], i[:, 1:]], -1).reshape(-1, 4)
    return raw_mesh(name, verts.reshape(-1, 3) * scale, faces, m, parent)
