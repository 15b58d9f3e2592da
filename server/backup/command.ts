import { resolve } from 'node:path';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { readOwnEnvironment } from '../environment.ts';
import { BackupRefused } from './backup-refused.ts';

/**
 * Resolves a path relative to the folder in which the user typed the command, because npm runs commands in the
 * project's folder.
 */
export const resolveUserPath = (path: string) => resolve(process.env['INIT_CWD'] ?? '.', path);

/** Run a command with the shop's settings. If it fails, prints the error message and exits with code 1. */
export async function runCommand(run: (config: Config) => Promise<string[]>): Promise<void> {
  try {
    for (const line of await run(readConfig(readOwnEnvironment()))) process.stdout.write(`${line}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`\n${describeError(error)}\n\n`);
    process.exit(1);
  }
}

/**
 * The message to print. An expected error has a complete message. Any other error is printed with the messages of its
 * causes.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof BackupRefused || error instanceof ConfigError || !error.cause)
    return error.message || error.name;
  return `${error.message}\n${describeError(error.cause)}`;
}

export const formatMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
