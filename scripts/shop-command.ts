import { join } from 'node:path';

/** What `npm run build` creates from server/main.ts and server/demo.ts. */
export type ShopEntryPoint = 'main' | 'demo';

/**
 * V8's semi-space size in megabytes. New objects may fill it before V8 collects garbage; V8's default lets them fill
 * 100 MB. Received and sent data is stored outside the heap, but small objects on the heap keep up to 64 KB of it alive
 * each. With rare collections, uploads in progress fill 64 MB, and V8 then runs a full collection that blocks all
 * requests. A worker receives no uploads, and rendering emails takes a seventh less time with a larger semi-space.
 */
const roomForNew = { all: 2, web: 2, worker: 8 };

/** The command that runs the built shop. It uses a third less memory than the defaults of Node and the C library. */
export function createShopCommand(
  entry: ShopEntryPoint,
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
    // glibc keeps a heap for each thread. It returns memory that compiler threads have used only if the trim threshold
    // is set explicitly: by default it raises the threshold over time.
    environment: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
  };
}

/** Replaces this process with the shop. The process id stays, and the memory used by the build is freed. */
export function replaceProcessWithShop(entry: ShopEntryPoint): Promise<unknown> {
  const { args, environment } = createShopCommand(entry, { role: process.env['ROLE'] });
  Object.assign(process.env, environment);
  if (process.platform === 'win32' || !process.execve) return import(args.at(-1)!);
  return process.execve(process.execPath, [process.execPath, ...args], process.env);
}

/**
 * Replaces this process with the supervisor, which runs the shop as its child and restarts it after an unexpected exit.
 */
export function replaceProcessWithSupervisor(entry: ShopEntryPoint): Promise<unknown> {
  const { args, environment } = createShopCommand(entry, { role: process.env['ROLE'] });
  Object.assign(process.env, environment);
  const supervisorPath = join(import.meta.dirname, '../dist/shop/supervisor.js');
  if (process.platform !== 'win32' && process.execve) {
    const command = [process.execPath, '--max-semi-space-size=1', supervisorPath, ...args];
    return process.execve(process.execPath, command, process.env);
  }
  process.argv.splice(1, process.argv.length, supervisorPath, ...args);
  return import(supervisorPath);
}
