import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settingNames } from '#server/config.ts';
import { shopCommand } from '../scripts/shop-command.ts';
import { nginxProgram, startNginx } from './nginx.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
/** Without what is only said. */
const told = (path: string) => read(path).replaceAll(/^\s*#.*$/gm, '');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((it) => it[1]!);

const units = ['kinframe.service', 'kinframe-web@.service', 'kinframe-worker@.service'] as const;
const unit = (name: (typeof units)[number]) => told(`systemd/${name}`);
const unitsWords = (name: (typeof units)[number]) =>
  all(unit(name), /^Environment=(.*)$/gm).flatMap((line) => line.split(' '));
const environment = told('kinframe.env');
const nginx = told('nginx/kinframe.conf');
const caddy = told('caddy/Caddyfile');
const compose = told('container/compose.yaml');
const containerfile = told('container/Containerfile');

/** What is given to the shop beside its settings: the C library's own. */
const notOurs = /^MALLOC_/;
const unknown = (names: string[]) => names.filter((it) => !settingNames.has(it) && !notOurs.test(it));

test('every setting that a recipe gives is one of the shop', () => {
  expect(unknown(all(environment, /^(\w+)=/gm))).toEqual([]);
  for (const name of units) expect(unknown(unitsWords(name).map((it) => it.split('=')[0]!)), name).toEqual([]);
  expect(unknown(all(containerfile.match(/^ENV .*$/m)![0], /(\w+)=/g))).toEqual([]);
  const shared = /^x-settings: &settings\n((?: {2}.*\n)+)/m.exec(compose)![1]!;
  expect(unknown(all(shared, /^ {2}(\w+):/gm))).toEqual([]);
  for (const line of all(compose, /<<: \*settings\n((?: {6}\w+: .*\n)+)/g))
    expect(unknown(all(line, /^ {6}(\w+):/gm))).toEqual([]);
});

test('proxies speak to the ports on which the processes listen', () => {
  const webs = all(read('systemd/kinframe-web@.service'), /kinframe-web@(\d+)/g);
  const addresses = webs.map((port) => `127.0.0.1:${port}`);
  expect(webs.length).toBe(2);
  expect(all(nginx, /^\s*server ([\d.:]+) fail_timeout/gm)).toEqual(addresses);
  expect(all(nginx, /^\s*server ([\d.:]+) backup max_fails=0/gm)).toEqual(addresses);
  expect(all(caddy, /SHOP_WEBS:([\d.: ]+)\}/g)[0]!.split(' ')).toEqual(addresses);
  expect(unitsWords('kinframe-web@.service')).toContain('HOST=127.0.0.1');
  expect(unitsWords('kinframe-web@.service')).toContain('PORT=%i');
  const [alone] = all(unitsWords('kinframe.service').join(' '), /PORT=(\d+)/g);
  for (const proxy of ['nginx/kinframe.conf', 'caddy/Caddyfile'])
    expect(read(proxy), proxy).toContain(`127.0.0.1:${alone}`);
  const [inside] = all(containerfile, /^ENV .*PORT=(\d+)/gm);
  expect(all(containerfile, /^EXPOSE (\d+)/gm)).toEqual([inside]);
  expect(containerfile).toContain(`http://127.0.0.1:${inside}/health/live`);
  expect(compose).toContain(`SHOP_WEBS: web:${inside}`);
});

test.skipIf(!nginxProgram)('while two releases run, a script of either comes from the web that has it', async () => {
  const releases = await Promise.all(
    ['before', 'after'].map(async (name) => {
      const web = createServer(({ url }, answer) => answer.writeHead(url === `/assets/${name}.js` ? 200 : 404).end());
      onTestFinished(() => void web.close());
      await once(web.listen(0, '127.0.0.1'), 'listening');
      return (web.address() as AddressInfo).port;
    }),
  );
  const proxy = await startNginx(nginxProgram!, releases);
  onTestFinished(() => proxy.stop());
  const ask = async (name: string) => (await fetch(`${proxy.origin}/assets/${name}.js`)).status;
  for (const name of ['before', 'after', 'before', 'before', 'after', 'after']) expect(await ask(name), name).toBe(200);
  expect(await ask('neither')).toBe(404);
});

test('the proxy is believed, and nothing else is', () => {
  expect(all(environment, /^TRUST_PROXY=(.*)$/gm)).toEqual(['127.0.0.1,::1']);
  expect(all(compose, /TRUST_PROXY: (\S+)/g)).toEqual(all(compose, /subnet: ([\d./]+)/g));
  // What a visitor claims about their address is written over.
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
});

test('the address of the shop is the same everywhere', () => {
  const [base] = all(environment, /^BASE_URL=https:\/\/(.*)$/gm);
  expect(new Set(all(nginx, /server_name (.*);/g))).toEqual(new Set([base]));
  expect(all(caddy, /SHOP_DOMAIN:([\w.]+)\}/g)).toEqual([base]);
});

test('what the store and the database are called, they are asked for by', () => {
  const [bucket] = all(compose, /S3_BUCKET: (\S+)/g);
  expect(compose).toContain(`entrypoint: [mkdir, -p, /store/${bucket}]`);
  const [, host, port] = /S3_ENDPOINT: http:\/\/(\w+):(\d+)/.exec(compose)!;
  expect(compose).toMatch(new RegExp(`^  ${host}:\n`, 'm'));
  expect(compose).toContain(`VGW_PORT: ':${port}'`);
});

test('the image of web and worker is built once', () => {
  const [shared] = all(compose, /^x-shop: &shop\n((?: {2}.*\n|\n)+)/gm);
  expect(shared).toContain('image: kinframe\n');
  expect(shared).not.toContain('build:');
  expect(all(compose, /^ {4}(build):/gm).length).toBe(1);
});

test('a secret that compose gives is declared, and one that is declared is given', () => {
  const declared = all(compose.slice(compose.lastIndexOf('\nsecrets:')), /^ {2}([\w-]+): \{ file/gm);
  const named = all(compose, /\/run\/secrets\/([\w-]+)/g);
  expect(new Set(named)).toEqual(new Set(declared));
});

test('secrets that lie in the folder of the code are not taken into it', () => {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  const folders = new Set(all(compose, /\{ file: \.(\/.+)\/[\w-]+ \}/g).map((it) => `/deploy/container${it}/`));
  expect(folders.size).toBe(1);
  for (const it of folders) expect(ignored).toContain(it);
});

test('an image holds everything that the shop is built and started from', () => {
  const copied = new Set(all(containerfile, /^COPY (.*) \S+$/gm).flatMap((it) => it.split(' ')));
  const build = readFileSync(join(root, 'scripts/build.ts'), 'utf8');
  const sources = all(/const sources = \[([^\]]*)\]/.exec(build)![1]!, /'([^']+)'/g);
  expect(sources.filter((it) => !copied.has(it) && !copied.has(it.split('/')[0]!))).toEqual([]);
});

/** What npm start, npm run build and each entry of the two bundles are made of, whichever way they come to it. */
function filesOfShop(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const started = ['start', 'build', 'doctor', 'backup', 'restore'].map((name) => scripts[name]!.split(' ').at(-1)!);
  const bundles = ['vite.config.ts', 'vite.server.config.ts'];
  const entries = all(readFileSync(join(root, bundles[1]!), 'utf8'), /: '((?:server|adapters)\/[^']+\.ts)'/g);
  const pages = globSync(['web/{router,server,client,start}.{ts,tsx}', 'web/routes/**/*.{ts,tsx}'], { cwd: root });
  const found = new Set([...started, ...bundles, ...entries, ...pages].filter((it) => !it.includes('.test.')));
  const isFile = (path: string) => existsSync(join(root, path)) && statSync(join(root, path)).isFile();
  // A set that grows goes on: each file brings those that it names.
  for (const path of found) {
    if (!/\.(tsx?|css)$/.test(path)) continue;
    for (const name of namedIn(path)) {
      const other = (name.startsWith('#') ? name.slice(1) : join(dirname(path), name)).replace(/\?\w+$/, '');
      if (/^(#|\.\.?\/)/.test(name) && isFile(other)) found.add(other);
    }
  }
  return [...found];
}
/** Every word in quotes, imported, resolved or given to a plugin; not what is there for types alone. */
const namedIn = (path: string) =>
  all(
    readFileSync(join(root, path), 'utf8')
      .replaceAll(/(import|export) type [^;]*;|typeof import\('[^']*'\)/g, '')
      .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ''),
    /'([^'\n]+)'/g,
  );

test('a shop installed without what only tests need is built and started from what there is', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const packageOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '';
  const named = filesOfShop().flatMap((path) => namedIn(path).map((name) => ({ path, package: packageOf(name) })));
  // It has looked into the build's own scripts, pages, styles and the server's children.
  for (const it of ['postcss', 'vite', '@tailwindcss/vite', 'react', 'tailwindcss', 'pg-boss', 'sharp', 'heic-decode'])
    expect(dependencies[it] && named.some((its) => its.package === it), it).toBeTruthy();
  expect(named.filter((it) => it.package in devDependencies)).toEqual([]);
});

test('processes are started as npm start does it', () => {
  const memory = (role?: string) => shopCommand('main', { role }).args[0]!;
  const library = Object.entries(shopCommand('main').environment).map(([name, value]) => `${name}=${value}`);
  for (const name of units) {
    const role = /ROLE=(\w+)/.exec(unit(name))?.[1];
    expect(unit(name), name).toContain(`${memory(role)} /srv/kinframe/dist/shop/main.js`);
    for (const it of library) expect(unitsWords(name), name).toContain(it);
  }
  expect(memory('worker')).not.toBe(memory());
  expect(containerfile).toContain(`"${memory()}", "dist/shop/main.js"`);
  expect(compose).toContain(`${memory('worker')}, dist/shop/main.js]`);
  for (const it of library) expect(containerfile).toContain(it);
});
