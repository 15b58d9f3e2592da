import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProgramUrl } from '../processes/child-entry.ts';
import { ChildStoppedError, runInChild } from '../processes/run-in-child.ts';
import { findAvailableRestrictions, createSandboxWrapper, createPermissionArguments } from './confinement.ts';
import type { AnimationJob, AnimationResult } from './decode-animation.ts';
import { sniffPhoto } from './sniff.ts';

const timeoutMs = 60_000;

export type AnimatedPictures = Extract<AnimationResult, { animation: unknown }>['animation'];

/**
 * Decodes the pictures of an animated GIF or WebP in a child process behind fences, and writes them to the file at `to`
 * as JPEGs, one after the other. Returns undefined if they cannot be decoded.
 */
export async function decodeAnimatedPictures(
  path: string,
  to: string,
  settings: Omit<AnimationJob['animation'], 'mime'>,
  signal?: AbortSignal,
): Promise<AnimatedPictures | undefined> {
  const mime = await sniffPhoto(path);
  if (mime !== 'image/gif' && mime !== 'image/webp') return undefined;
  const programUrl = childProgramUrl(import.meta.url, 'develop-child');
  const restrictions = await findAvailableRestrictions(programUrl);
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'room-'));
  const files: FileHandle[] = [];
  try {
    files.push(await open(path, 'r'));
    files.push(await open(to, 'w'));
    const animationResult = await runInChild<AnimationJob, AnimationResult>({
      entry: programUrl,
      job: { animation: { ...settings, mime } },
      files: files.map((it) => it.fd),
      nodeArguments: createPermissionArguments(programUrl),
      wrap: createSandboxWrapper(restrictions, {
        entry: programUrl,
        room: temporaryFolder,
        cpuSeconds: (2 * timeoutMs) / 1000,
      }),
      timeoutMs,
      signal,
    });
    return 'animation' in animationResult && animationResult.animation.pictures > 1
      ? animationResult.animation
      : undefined;
  } catch (error) {
    if (signal?.aborted || !(error instanceof ChildStoppedError)) throw error;
    return undefined;
  } finally {
    await Promise.all(files.map((it) => it.close()));
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}
