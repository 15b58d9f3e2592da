import { execFile } from 'node:child_process';

/**
 * Runs npm and returns the JSON that it prints, or `{}` if it prints none. npm exits with 1 for a finding and also for
 * an error of the registry. Only its output tells them apart.
 */
export async function runNpmForJson<Output extends object>(
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Partial<Output>> {
  const output = await new Promise<string>((resolve) =>
    execFile('npm', [...args, '--json'], { ...options, maxBuffer: 1e8 }, (_failed, out) => resolve(out)),
  );
  try {
    return JSON.parse(output) as Partial<Output>;
  } catch {
    return {};
  }
}
