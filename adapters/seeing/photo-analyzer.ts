import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PhotoAnalyzerPort } from '#shop/ports/photo-analyzer.ts';
import { createSandboxWrapper, createPermissionArguments, findAvailableRestrictions } from '../imaging/confinement.ts';
import { childProgramUrl } from '../processes/child-entry.ts';
import { ChildStoppedError, runInChild } from '../processes/run-in-child.ts';
import { createFairQueue } from '../processes/fair-queue.ts';
import type { CutOutResult, CutOutJob } from './cut-photo.ts';
import { visionModelFiles, type ModelName } from './models.ts';
import type { VisionResult, VisionJob } from './analysis-child.ts';

/** Version of the detection code. Increase it when the same models would give other results. */
const analysisVersion = 7;
const modelNames = Object.keys(visionModelFiles) as ModelName[];

/** Detects what photos show, and cuts them into parts for drawing. */
export interface PhotoAnalyzer extends PhotoAnalyzerPort {
  /** Cuts a photo into parts and writes them to the file at `to`. Undefined if no model is available, or on failure. */
  cutOutParts(
    path: string,
    wanted: Omit<CutOutJob['cut'], 'handed'>,
    to: string,
    signal?: AbortSignal,
  ): Promise<CutOutResult | undefined>;
}

interface Options {
  /** The folder with the files of models/. */
  modelsFolder: string;
  timeoutMs?: number;
  /**
   * Called once with everything that is missing (models or runtime), and for each photo that could not be processed.
   */
  onTrouble?: (words: string) => void;
}

/**
 * Creates the detector. It processes one photo at a time, each in a child process behind the kernel's fences that is
 * killed after `timeoutMs`.
 */
export function createPhotoAnalyzer({
  modelsFolder,
  timeoutMs = 120_000,
  onTrouble = () => {},
}: Options): PhotoAnalyzer {
  const runQueued = createFairQueue(1);
  let turn = 0;
  let pendingSight: Promise<FoundModels> | undefined;
  const loadModelsOnce = () =>
    (pendingSight ??= findUsableModels(modelsFolder, timeoutMs).then((it) => {
      if (it.troubles.length > 0) onTrouble(`photo analysis is incomplete: ${it.troubles.join('; ')}`);
      return it;
    }));

  async function runInTurn(
    path: string,
    wanted: readonly ModelName[],
    job: (passedModels: ModelName[]) => VisionJob,
    options: ChildOptions,
  ) {
    const { present } = await loadModelsOnce();
    const presentWantedModels = wanted.filter((name) => present.has(name));
    if (presentWantedModels.length === 0) return undefined;
    try {
      const paths = [path, ...presentWantedModels.map((name) => present.get(name)!)];
      const visionResult = await runQueued(`${(turn += 1)}`, () =>
        requestChild(paths, job(presentWantedModels), { ...options, timeoutMs }),
      );
      if (!('failed' in visionResult)) return visionResult;
      onTrouble(`a photo could not be analyzed: ${visionResult.failed}`);
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof ChildStoppedError)) throw error;
      onTrouble(`a photo could not be analyzed: ${error.message}`);
    }
    return undefined;
  }

  const readModelVersion = async () => {
    const { present } = await loadModelsOnce();
    return present.size > 0 ? [analysisVersion, ...present.keys()].join(' ') : undefined;
  };
  return {
    version: readModelVersion,
    async analyzePhoto(path, signal) {
      const modelVersion = await readModelVersion();
      if (modelVersion === undefined) return undefined;
      const analysisModels = modelNames.filter((name) => name !== 'fill');
      const visionResult = await runInTurn(
        path,
        analysisModels,
        (passedModels) => ({ look: { version: modelVersion, handed: passedModels } }),
        {
          signal,
        },
      );
      return visionResult && 'seen' in visionResult ? visionResult.seen : undefined;
    },
    async cutOutParts(path, wanted, to, signal) {
      const { people, behind, meshes, nearness, sky, water } = wanted.wants;
      const neededModelNames: ModelName[] = [
        ...(people ? (['people'] as const) : []),
        ...(behind ? (['fill'] as const) : []),
        ...(nearness || sky || water ? (['depth'] as const) : []),
        ...(meshes ? (['mesh', 'eyes'] as const) : []),
      ];
      const visionResult = await runInTurn(
        path,
        neededModelNames,
        (passedModels) => ({ cut: { handed: passedModels, ...wanted } }),
        {
          signal,
          writes: to,
        },
      );
      return visionResult && 'cut' in visionResult ? visionResult.cut : undefined;
    },
    async describe() {
      const { present, troubles } = await loadModelsOnce();
      const modelsText =
        present.size > 0 ? `models: ${[...present.keys()].join(', ')}` : 'no models: plain motion only';
      return [modelsText, ...troubles].join('; ');
    },
  };
}

interface ChildOptions {
  signal?: AbortSignal | undefined;
  /** A file for the child to write. */
  writes?: string;
}

async function requestChild(
  paths: string[],
  job: VisionJob,
  { signal, writes, timeoutMs }: ChildOptions & { timeoutMs: number },
): Promise<VisionResult> {
  const programUrl = childProgramUrl(import.meta.url, 'analysis-child');
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'seeing-'));
  const fileHandles: FileHandle[] = [];
  try {
    for (const path of paths) fileHandles.push(await open(path, 'r'));
    if (writes !== undefined) fileHandles.push(await open(writes, 'w'));
    return await runInChild<VisionJob, VisionResult>({
      entry: programUrl,
      job,
      files: fileHandles.map((it) => it.fd),
      nodeArguments: createPermissionArguments(programUrl),
      wrap: createSandboxWrapper(await findAvailableRestrictions(programUrl), {
        entry: programUrl,
        room: temporaryFolder,
        cpuSeconds: Math.ceil(timeoutMs / 500),
      }),
      timeoutMs,
      signal,
    });
  } finally {
    await Promise.all(fileHandles.map((it) => it.close()));
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

interface FoundModels {
  /** Models whose files are present with the expected hash, with their paths. */
  present: Map<ModelName, string>;
  troubles: string[];
}

async function findUsableModels(modelsFolder: string, timeoutMs: number): Promise<FoundModels> {
  const runtimeCheck = await requestChild([], { tryRuntime: true }, { timeoutMs }).catch((error: unknown) => ({
    failed: error instanceof Error ? error.message : String(error),
  }));
  if ('failed' in runtimeCheck)
    return { present: new Map(), troubles: [`onnxruntime-node does not run: ${runtimeCheck.failed}`] };
  const presentModels = new Map<ModelName, string>();
  const modelTroubles: string[] = [];
  for (const name of modelNames) {
    const { from, sha256 } = visionModelFiles[name];
    try {
      const path = from.startsWith('.') ? join(modelsFolder, from) : pathInPackage(from);
      if ((await hashFile(path)) === sha256) presentModels.set(name, path);
      else modelTroubles.push(`the model for ${name} is another file`);
    } catch {
      modelTroubles.push(`no model for ${name} (${from})`);
    }
  }
  return { present: presentModels, troubles: modelTroubles };
}

function pathInPackage(file: string): string {
  const { resolve } = createRequire(import.meta.url);
  const name = file.split('/', 1)[0]!;
  return join(resolve(`${name}/package.json`), '..', file.slice(name.length));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
