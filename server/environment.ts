import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project-folder.ts';

export type Environment = Record<string, string | undefined>;

/** The process's own settings, with those of a .env file in the project folder where the environment has none. */
export function ownEnvironment(): Environment {
  const file = join(projectFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}
