import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json. Works from the source tree and from the bundle in dist/. */
export const projectFolder = findProjectFolder(import.meta.dirname);

/** The migrations that bring a database to this release's tables. */
export const migrationsFolder = join(projectFolder, 'db/migrations');

/** The shop's own pictures and videos, served as they are. */
export const publicFolder = join(projectFolder, 'public');

function findProjectFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The project folder (package.json) was not found');
  return findProjectFolder(parent);
}
