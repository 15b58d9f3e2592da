/**
 * Returns the URL of a child process's program. The program is next to the caller's source file, or next to the bundle:
 * the bundler writes all programs into one folder and keeps their names.
 */
export function childProgramUrl(callerUrl: string, name: string): URL {
  const extension = new URL(callerUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, callerUrl);
}
