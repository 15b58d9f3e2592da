import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The photo's own motion cannot be used, for the reason in the message. */
export class UnusableMotionError extends Error {
  override name = 'UnusableMotion';
}

const timeoutMs = 90_000;

/**
 * Runs ffmpeg and yields the raw pictures that it writes to its output, at most `most`. Each picture is valid until the
 * next one. If the file is damaged after some pictures, these pictures are used.
 */
export async function* readPictures(
  command: string[],
  bytesOfEach: number,
  most: number,
): AsyncGenerator<Uint8Array, void> {
  const [program = '', ...rest] = command;
  const ffmpeg = spawn(program, rest, { stdio: ['ignore', 'pipe', 'ignore'], env: {} });
  const closeEvent = once(ffmpeg, 'close');
  // A program that cannot be started yields nothing.
  closeEvent.catch(() => {});
  const timer = setTimeout(() => ffmpeg.kill('SIGKILL'), timeoutMs);
  const picture = new Uint8Array(bytesOfEach);
  let [filled, count] = [0, 0];
  try {
    for await (const chunk of ffmpeg.stdout as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length && count < most;) {
        const part = chunk.subarray(at, at + bytesOfEach - filled);
        picture.set(part, filled);
        [filled, at] = [filled + part.length, at + part.length];
        if (filled < bytesOfEach) continue;
        [filled, count] = [0, count + 1];
        yield picture;
      }
  } finally {
    clearTimeout(timer);
    ffmpeg.kill('SIGKILL');
    await closeEvent.catch(() => {});
  }
}
