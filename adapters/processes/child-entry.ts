/**
 * Where the program of a child process lies: beside the source that asks for it, or, once bundled, beside the bundle,
 * whose outputs all sit in one folder and keep their entry's name.
 */
export function childEntry(callerUrl: string, name: string): URL {
  const extension = new URL(callerUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, callerUrl);
}
