import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import { encodeCopies, openUprightPhoto } from '#adapters/imaging/develop.ts';
import { serveJobsOfParent } from '#adapters/processes/child-side.ts';
import type { UploadBaselineJob } from './uploads.ts';

/** Hashes, stores and encodes a photo `times` times, and does nothing else. Returns CPU seconds. */
serveJobsOfParent(async ({ path, times, folder }: UploadBaselineJob): Promise<number> => {
  const bytes = readFileSync(path);
  const cpuBefore = process.cpuUsage();
  for (let at = 0; at < times; at++) {
    createHash('sha256').update(bytes).digest('hex');
    const { display, thumbnail } = await encodeCopies(openUprightPhoto(bytes, limits.photoPixels, 'warning'));
    for (const [name, content] of Object.entries({ original: bytes, display, thumbnail })) {
      await using file = await open(join(folder, `${at}-${name}`), 'w');
      await file.writeFile(content);
      await file.sync();
    }
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return (user + system) / 1e6;
});
