import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Run a command with our own output; rejects when it fails. */
export async function run(command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
