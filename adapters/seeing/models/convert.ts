/**
 * `node adapters/seeing/models/convert.ts FOLDER`: writes facemesh.onnx and iris.onnx from the graph models with the
 * same names in FOLDER (the models/ of @vladmandic/human 3.3.6), so that no second runtime is needed. The weights keep
 * their values. Only the order of the axes changes, because ONNX has channels first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface GraphNode {
  name: string;
  op: string;
  input?: string[];
  attr?: Record<string, { list?: { s?: string[]; i?: string[] }; s?: string; tensor?: never }>;
}
interface ManifestWeight {
  name: string;
  shape: number[];
  dtype: 'float32' | 'int32';
  quantization?: { dtype: 'float16' };
}
type Values = { shape: number[]; values: Float32Array };

// The parts of protobuf that ONNX needs.
type Bytes = Uint8Array<ArrayBuffer>;
const joinBytes = (parts: Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts));
function encodeVarint(value: number): number[] {
  const encodeBytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...encodeBytes, Number(rest)];
    encodeBytes.push(Number(rest & 127n) | 128);
  }
}
const encodeInt = (field: number, value: number): Bytes =>
  Uint8Array.from([...encodeVarint(field * 8), ...encodeVarint(value)]);
const encodeBytes = (field: number, value: Uint8Array): Bytes =>
  joinBytes([Uint8Array.from([...encodeVarint(field * 8 + 2), ...encodeVarint(value.length)]), value]);
const encodeText = (field: number, value: string): Bytes => encodeBytes(field, new TextEncoder().encode(value));
const encodeMessage = (field: number, parts: Uint8Array[]): Bytes => encodeBytes(field, joinBytes(parts));

const encodeAttribute = (name: string, value: number | number[] | string): Bytes => {
  if (typeof value === 'string') return encodeMessage(5, [encodeText(1, name), encodeText(4, value), encodeInt(20, 3)]);
  if (typeof value === 'number') return encodeMessage(5, [encodeText(1, name), encodeInt(3, value), encodeInt(20, 2)]);
  return encodeMessage(5, [encodeText(1, name), ...value.map((it) => encodeInt(8, it)), encodeInt(20, 7)]);
};
const encodeNode = (
  op: string,
  from: string[],
  to: string,
  attributes: Record<string, number | number[] | string> = {},
) =>
  encodeMessage(1, [
    ...from.map((it) => encodeText(1, it)),
    encodeText(2, to),
    encodeText(4, op),
    ...Object.entries(attributes).map(([name, value]) => encodeAttribute(name, value)),
  ]);
const encodeTensor = (name: string, shape: number[], type: 1 | 7, data: ArrayBuffer): Bytes =>
  encodeMessage(5, [
    ...shape.map((it) => encodeInt(1, it)),
    encodeInt(2, type),
    encodeText(8, name),
    encodeBytes(9, new Uint8Array(data)),
  ]);
const encodeFloats = (name: string, shape: number[], values: Float32Array<ArrayBuffer>) =>
  encodeTensor(name, shape, 1, values.buffer);
const encodeIntegers = (name: string, values: number[]) =>
  encodeTensor(name, [values.length], 7, BigInt64Array.from(values, BigInt).buffer);
const encodeValueInfo = (field: number, name: string, shape: number[]): Bytes =>
  encodeMessage(field, [
    encodeText(1, name),
    encodeMessage(2, [
      encodeMessage(1, [
        encodeInt(1, 1),
        encodeMessage(
          2,
          shape.map((it) => encodeMessage(1, [encodeInt(1, it)])),
        ),
      ]),
    ]),
  ]);

const removeOutputIndex = (name: string) => name.replace(/:0$/, '');
const decodeText = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();

function readWeights(manifest: ManifestWeight[], data: Buffer): Map<string, Values> {
  let at = 0;
  return new Map(
    manifest.map(({ name, shape, dtype, quantization }) => {
      const count = shape.reduce((all, one) => all * one, 1);
      const values = Float32Array.from({ length: count }, (_, i) => {
        if (quantization) return halfToFloat(data.readUInt16LE(at + 2 * i));
        return dtype === 'int32' ? data.readInt32LE(at + 4 * i) : data.readFloatLE(at + 4 * i);
      });
      at += count * (quantization ? 2 : 4);
      return [name, { shape, values }];
    }),
  );
}

function halfToFloat(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** Reorders axes: the new axis i is the old axis `order[i]`. */
function transposeValues(
  { shape, values }: Values,
  order: number[],
): { shape: number[]; values: Float32Array<ArrayBuffer> } {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((all, one) => all * one, 1));
  const targetShape = order.map((axis) => shape[axis]!);
  const transposedValues = new Float32Array(values.length);
  for (let at = 0; at < transposedValues.length; at++) {
    let [rest, from] = [at, 0];
    for (let axis = targetShape.length - 1; axis >= 0; axis--) {
      from += (rest % targetShape[axis]!) * strides[order[axis]!]!;
      rest = Math.floor(rest / targetShape[axis]!);
    }
    transposedValues[at] = values[from]!;
  }
  return { shape: targetShape, values: transposedValues };
}

function convertModel(folder: string, name: string, side: number, outputs: Record<string, number>): Uint8Array {
  const { modelTopology, weightsManifest } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const weights = readWeights(weightsManifest[0].weights, readFileSync(join(folder, `${name}.bin`)));
  const parts: Uint8Array[] = [];
  const slopeTensorOf = (from: string) => {
    const { values } = weights.get(from)!;
    parts.push(encodeFloats(`${from}/slope`, [values.length, 1, 1], Float32Array.from(values)));
    return `${from}/slope`;
  };
  const windowAttributes = ({ attr }: GraphNode) => ({
    strides: attr!['strides']!.list!.i!.slice(1, 3).map(Number),
    auto_pad: decodeText(attr!['padding']!.s) === 'SAME' ? 'SAME_UPPER' : 'VALID',
  });
  for (const graphNode of modelTopology.node as GraphNode[]) {
    const inputNames = (graphNode.input ?? []).map(removeOutputIndex);
    const [first = '', second = '', third = '', fourth = ''] = inputNames;
    if (graphNode.op === '_FusedConv2D') {
      const kernel = transposeValues(weights.get(second)!, [3, 2, 0, 1]);
      const bias = weights.get(third)!;
      const [, then] = graphNode.attr!['fused_ops']!.list!.s!.map(decodeText);
      parts.push(encodeFloats(`${second}/kernel`, kernel.shape, kernel.values));
      parts.push(encodeFloats(`${third}/bias`, [bias.values.length], Float32Array.from(bias.values)));
      parts.push(
        encodeNode(
          'Conv',
          [first, `${second}/kernel`, `${third}/bias`],
          then ? `${graphNode.name}/sum` : graphNode.name,
          windowAttributes(graphNode),
        ),
      );
      if (then === 'Prelu')
        parts.push(encodeNode('PRelu', [`${graphNode.name}/sum`, slopeTensorOf(fourth)], graphNode.name));
      else if (then) throw new Error(`not known: ${then}`);
    } else if (graphNode.op === 'DepthwiseConv2dNative') {
      const kernel = transposeValues(weights.get(second)!, [2, 3, 0, 1]);
      parts.push(encodeFloats(`${graphNode.name}/kernel`, kernel.shape, kernel.values));
      parts.push(
        encodeNode('Conv', [first, `${graphNode.name}/kernel`], graphNode.name, {
          ...windowAttributes(graphNode),
          group: kernel.shape[0]!,
        }),
      );
    } else if (graphNode.op === 'Prelu')
      parts.push(encodeNode('PRelu', [first, slopeTensorOf(second)], graphNode.name));
    else if (graphNode.op === 'AddV2') parts.push(encodeNode('Add', [first, second], graphNode.name));
    else if (graphNode.op === 'Sigmoid') parts.push(encodeNode('Sigmoid', [first], graphNode.name));
    else if (graphNode.op === 'Identity') parts.push(encodeNode('Identity', [first], graphNode.name));
    else if (graphNode.op === 'Reshape') parts.push(encodeNode('Flatten', [first], graphNode.name));
    else if (graphNode.op === 'MaxPool') {
      const kernel_shape = graphNode.attr!['ksize']!.list!.i!.slice(1, 3).map(Number);
      parts.push(encodeNode('MaxPool', [first], graphNode.name, { ...windowAttributes(graphNode), kernel_shape }));
    } else if (graphNode.op === 'Pad') {
      const boxSides = [0, 3, 1, 2].map((axis) => weights.get(second)!.values.slice(2 * axis, 2 * axis + 2));
      parts.push(
        encodeIntegers(`${graphNode.name}/pads`, [
          ...boxSides.map(([before]) => before!),
          ...boxSides.map(([, after]) => after!),
        ]),
      );
      parts.push(encodeNode('Pad', [first, `${graphNode.name}/pads`], graphNode.name));
    } else if (graphNode.op === 'ConcatV2')
      parts.push(encodeNode('Concat', [first, second], graphNode.name, { axis: 1 }));
    else if (graphNode.op !== 'Const' && graphNode.op !== 'Placeholder') throw new Error(`not known: ${graphNode.op}`);
  }
  const graph = [
    ...parts,
    encodeText(2, name),
    encodeValueInfo(11, 'input_1', [1, 3, side, side]),
    ...Object.entries(outputs).map(([output, length]) => encodeValueInfo(12, output, [1, length])),
  ];
  return joinBytes([
    encodeInt(1, 8),
    encodeText(2, 'kinframe'),
    encodeMessage(7, graph),
    encodeMessage(8, [encodeText(1, ''), encodeInt(2, 13)]),
  ]);
}

const [folder = ''] = process.argv.slice(2);
const writeModel = (name: string, model: Uint8Array) => writeFileSync(join(import.meta.dirname, `${name}.onnx`), model);
writeModel('facemesh', convertModel(folder, 'facemesh', 192, { Identity_1: 1, Identity_2: 1404 }));
writeModel('iris', convertModel(folder, 'iris', 64, { Identity: 228 }));
