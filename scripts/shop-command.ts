import { join } from 'node:path';

/** What `npm run build` makes of server/main.ts and server/demo.ts. */
export type Entry = 'main' | 'demo';

/**
 * Megabytes that new objects may fill before Node looks through them; left alone it takes 100. What arrives and what is
 * sent lies outside, 64 KB for each of a few small ones: looked through so seldom, photos on their way fill 64 MB, and all
 * of the heap is gone through at once for them, while everybody waits. To a worker nothing arrives, and the letters it
 * writes cost a seventh less with more room.
 */
const roomForNew = { all: 2, web: 2, worker: 8 };

/** How the built shop is run: in a third less memory than Node and the C library take by themselves. */
export function shopCommand(
  entry: Entry,
  {
    root = join(import.meta.dirname, '..'),
    role = 'all',
  }: { root?: string | undefined; role?: string | undefined } = {},
): { args: string[]; environment: Record<string, string> } {
  return {
    args: [
      `--max-semi-space-size=${roomForNew[role as keyof typeof roomForNew] ?? roomForNew.all}`,
      join(root, `dist/shop/${entry}.js`),
    ],
    // glibc keeps a heap for each thread, and what the compiler's threads once used is given back only where it is told
    // from how many free bytes on: left alone it raises that number by itself.
    environment: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
  };
}

/** Become the shop: the same process under the same id, without what building has left in its memory. */
export function becomeShop(entry: Entry): Promise<unknown> {
  const { args, environment } = shopCommand(entry, { role: process.env['ROLE'] });
  Object.assign(process.env, environment);
  if (process.platform === 'win32' || !process.execve) return import(args.at(-1)!);
  return process.execve(process.execPath, [process.execPath, ...args], process.env);
}
