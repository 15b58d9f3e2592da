import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project-folder.ts';

export type Environment = Record<string, string | undefined>;

/** The environment variables. A .env file in the project folder adds variables that the environment does not have. */
export function readOwnEnvironment(): Environment {
  const file = join(projectFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}
