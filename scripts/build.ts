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
import { runInheritingStdio } from './run.ts';
import { splitStylesheet } from './style-parts.ts';

const root = join(import.meta.dirname, '..');
const buildStampFile = join(root, 'dist/built-from');
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

/** Builds dist/ unless it was already built from the same sources. */
export async function build({ force = false } = {}): Promise<void> {
  const wantedFingerprint = computeFingerprint();
  if (!force && existsSync(buildStampFile) && readFileSync(buildStampFile, 'utf8') === wantedFingerprint) return;
  const vitePath = join(root, 'node_modules/vite/bin/vite.js');
  // Set NODE_ENV: in a shell set to development, or in a test, JSX would be compiled for React's development build.
  const options = { cwd: root, env: { ...process.env, NODE_ENV: 'production' } };
  await runInheritingStdio(process.execPath, [vitePath, 'build', '--logLevel', 'warn'], options);
  await runInheritingStdio(
    process.execPath,
    [vitePath, 'build', '--config', 'vite.server.config.ts', '--logLevel', 'error'],
    options,
  );
  const builtShopFolder = join(root, 'dist/shop');
  // The template databases. Everyone who may run the build may read them.
  const templatesFolder = join(builtShopFolder, 'databases');
  const programUrl = pathToFileURL(join(builtShopFolder, 'create-database-child.js'));
  const job = { beginnings: templatesFolder, migrationsFolder: join(root, 'db/migrations') };
  await runInChild({ entry: programUrl, job, timeoutMs: 300_000 });
  const databaseFiles = readdirSync(templatesFolder, { recursive: true, encoding: 'utf8' });
  for (const path of databaseFiles.map((it) => join(templatesFolder, it)))
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  const clientAssetsFolder = join(root, 'dist/client/assets');
  const stylesFolder = join(root, 'dist/styles/assets');
  rmSync(stylesFolder, { recursive: true, force: true }); // remove the files of an earlier build
  mkdirSync(stylesFolder, { recursive: true });
  for (const name of readdirSync(clientAssetsFolder).filter((it) => it.endsWith('.css')))
    writeFileSync(
      join(stylesFolder, `${name}.json`),
      JSON.stringify(splitStylesheet(readFileSync(join(clientAssetsFolder, name), 'utf8'))),
    );
  await compressFiles(join(root, 'dist/client'));
  for (const part of ['dist/server', 'dist/shop']) escapeNonAscii(join(root, part));
  rmSync(join(root, 'dist/compiled'), { recursive: true, force: true }); // server/main.ts creates it again
  writeFileSync(buildStampFile, computeFingerprint());
}

/** A hash of the names, sizes and times of all sources. A checkout or an edit changes it. */
function computeFingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources)
    for (const file of listFiles(join(root, source))) {
      const { size, mtimeMs } = statSync(file);
      if (!file.endsWith('routeTree.gen.ts')) hash.update(`${file.slice(root.length)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => listFiles(join(path, name)));
}

/** Compresses text files at build time, so that the server can send them unchanged. */
async function compressFiles(folder: string): Promise<void> {
  for (const file of listFiles(folder)) {
    if (!/\.(js|css|svg|json|txt|xml|webmanifest)$/.test(file) || statSync(file).size < 1024) continue;
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    await pipeline(createReadStream(file), brotli, createWriteStream(`${file}.br`));
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
  }
}

/**
 * Replaces non-ASCII characters in the server's code with escapes. V8 keeps the source text of running code in memory,
 * and one such character makes Node store the whole text with two bytes per character. In strings, templates, regular
 * expressions and names, an escape has the same meaning.
 */
function escapeNonAscii(folder: string): void {
  for (const file of listFiles(folder).filter((it) => it.endsWith('.js'))) {
    const code = readFileSync(file, 'utf8');
    const asciiCode = code.replace(/(\\*)([^\0-\x7f])/g, (_, before: string, character: string) => {
      // After an unescaped backslash the character cannot be replaced: `\\u…` would no longer be an escape.
      if (before.length % 2 === 1) throw new Error(`${file}: a backslash before ${character}`);
      return `${before}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    if (asciiCode !== code) writeFileSync(file, asciiCode);
  }
}

if (import.meta.main) await build({ force: true });
