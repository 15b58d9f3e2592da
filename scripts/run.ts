import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a command with inherited stdio. Rejects if it fails. */
export async function runInheritingStdio(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

const root = join(import.meta.dirname, '..');
/** Runs a program from node_modules with the same Node version, in the project's folder. */
export const runTool = (path: string, ...args: string[]) =>
  runInheritingStdio(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root });
