import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { runInChild } from '#adapters/processes/run-in-child.ts';
import { run } from './run.ts';
import { stylePartsOf } from './style-parts.ts';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist/built-from');
const sources = [
  'adapters',
  'contract',
  'db/migrations',
  'public',
  'server',
  'shop',
  'web',
  'package-lock.json',
  'vite.config.ts',
  'vite.server.config.ts',
];

/** Build dist/ unless it is already of these very sources. */
export async function build({ force = false } = {}): Promise<void> {
  const wanted = fingerprint();
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  // Whoever asks: in a shell set to development, or from a test, JSX would be built for another React.
  const options = { cwd: root, env: { ...process.env, NODE_ENV: 'production' } };
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], options);
  await run(process.execPath, [vite, 'build', '--config', 'vite.server.config.ts', '--logLevel', 'error'], options);
  const shop = join(root, 'dist/shop');
  // What the embedded database begins as. Whoever may run the build may read it.
  const beginnings = join(shop, 'databases');
  const entry = pathToFileURL(join(shop, 'create-database-child.js'));
  const job = { beginnings, migrationsFolder: join(root, 'db/migrations') };
  await runInChild({ entry, job, timeoutMs: 300_000 });
  const made = readdirSync(beginnings, { recursive: true, encoding: 'utf8' });
  for (const path of made.map((it) => join(beginnings, it)))
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  const assets = join(root, 'dist/client/assets');
  const styles = join(root, 'dist/styles/assets');
  rmSync(styles, { recursive: true, force: true }); // those of an earlier build
  mkdirSync(styles, { recursive: true });
  for (const name of readdirSync(assets).filter((it) => it.endsWith('.css')))
    writeFileSync(join(styles, `${name}.json`), JSON.stringify(stylePartsOf(readFileSync(join(assets, name), 'utf8'))));
  await compress(join(root, 'dist/client'));
  for (const part of ['dist/server', 'dist/shop']) narrow(join(root, part));
  rmSync(join(root, 'dist/compiled'), { recursive: true, force: true }); // server/main.ts makes it of what there was
  writeFileSync(stamp, fingerprint());
}

/** Names, sizes and times of all sources; a checkout or an edit changes it. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources)
    for (const file of filesIn(join(root, source))) {
      const { size, mtimeMs } = statSync(file);
      if (!file.endsWith('routeTree.gen.ts')) hash.update(`${file.slice(root.length)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesIn(join(path, name)));
}

/** Text is compressed once, at build time, and served as it lies. */
async function compress(folder: string): Promise<void> {
  for (const file of filesIn(folder)) {
    if (!/\.(js|css|svg|json|txt|xml|webmanifest)$/.test(file) || statSync(file).size < 1024) continue;
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    await pipeline(createReadStream(file), brotli, createWriteStream(`${file}.br`));
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
  }
}

/**
 * The server's code with every letter beyond ASCII as its escape: V8 keeps the text of what it runs, and Node hands it over
 * twice as large where one such letter is in it. In strings, templates, patterns and names an escape means the same.
 */
function narrow(folder: string): void {
  for (const file of filesIn(folder).filter((it) => it.endsWith('.js'))) {
    const code = readFileSync(file, 'utf8');
    const narrowed = code.replace(/(\\*)([^\0-\x7f])/g, (_, before: string, letter: string) => {
      // An escaped letter is itself; its escape would be one no longer.
      if (before.length % 2 === 1) throw new Error(`${file}: a backslash before ${letter}`);
      return `${before}\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    if (narrowed !== code) writeFileSync(file, narrowed);
  }
}

if (import.meta.main) await build({ force: true });
