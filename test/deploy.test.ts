import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settingNames } from '#server/config.ts';
import { createShopCommand } from '../scripts/shop-command.ts';
import { nginxProgram, startNginx } from './nginx.ts';
import { createRawClient, listPathSpellings } from './spellings.ts';

const root = join(import.meta.dirname, '..');
const readDeployFile = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
/** A deployment file without its comments. */
const readStatements = (path: string) => readDeployFile(path).replaceAll(/^\s*#.*$/gm, '');
const findAllMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((it) => it[1]!);

const units = ['kinframe.service', 'kinframe-web@.service', 'kinframe-worker@.service'] as const;
const readUnitStatements = (name: (typeof units)[number]) => readStatements(`systemd/${name}`);
const readUnitSettings = (name: (typeof units)[number]) =>
  findAllMatches(readUnitStatements(name), /^Environment=(.*)$/gm).flatMap((line) => line.split(' '));
const environment = readStatements('kinframe.env');
const nginx = readStatements('nginx/kinframe.conf');
const caddy = readStatements('caddy/Caddyfile');
const compose = readStatements('container/compose.yaml');
const containerfile = readStatements('container/Containerfile');

/** Variables for the C library, not settings of the shop. */
const foreignSettingPattern = /^MALLOC_/;
const findUnknownSettings = (names: string[]) =>
  names.filter((it) => !settingNames.has(it) && !foreignSettingPattern.test(it));

test('every setting in the deployment files is a setting of the shop', () => {
  expect(findUnknownSettings(findAllMatches(environment, /^(\w+)=/gm))).toEqual([]);
  for (const name of units)
    expect(findUnknownSettings(readUnitSettings(name).map((it) => it.split('=')[0]!)), name).toEqual([]);
  expect(findUnknownSettings(findAllMatches(containerfile.match(/^ENV .*$/m)![0], /(\w+)=/g))).toEqual([]);
  const sharedSettings = /^x-settings: &settings\n((?: {2}.*\n|\n)+)/m.exec(compose)![1]!;
  const sharedSettingNames = findAllMatches(sharedSettings, /^ {2}(\w+):/gm);
  expect(sharedSettingNames.length).toBeGreaterThan(10);
  expect(findUnknownSettings(sharedSettingNames)).toEqual([]);
  for (const serviceSettings of findAllMatches(compose, /<<: \*settings\n((?: {6}\w+: .*\n)+)/g))
    expect(findUnknownSettings(findAllMatches(serviceSettings, /^ {6}(\w+):/gm))).toEqual([]);
});

test('proxies connect to the ports on which the processes listen', () => {
  const webPorts = findAllMatches(readDeployFile('systemd/kinframe-web@.service'), /kinframe-web@(\d+)/g);
  const addresses = webPorts.map((port) => `127.0.0.1:${port}`);
  expect(webPorts.length).toBe(2);
  expect(findAllMatches(nginx, /^\s*server ([\d.:]+) fail_timeout/gm)).toEqual(addresses);
  expect(findAllMatches(nginx, /^\s*server ([\d.:]+) backup max_fails=0/gm)).toEqual(addresses);
  expect(findAllMatches(caddy, /SHOP_WEBS:([\d.: ]+)\}/g)[0]!.split(' ')).toEqual(addresses);
  expect(readUnitSettings('kinframe-web@.service')).toContain('HOST=127.0.0.1');
  expect(readUnitSettings('kinframe-web@.service')).toContain('PORT=%i');
  const [alone] = findAllMatches(readUnitSettings('kinframe.service').join(' '), /PORT=(\d+)/g);
  for (const proxyConfigPath of ['nginx/kinframe.conf', 'caddy/Caddyfile'])
    expect(readDeployFile(proxyConfigPath), proxyConfigPath).toContain(`127.0.0.1:${alone}`);
  const [inside] = findAllMatches(containerfile, /^ENV .*PORT=(\d+)/gm);
  expect(findAllMatches(containerfile, /^EXPOSE (\d+)/gm)).toEqual([inside]);
  expect(containerfile).toContain(`http://127.0.0.1:${inside}/health/live`);
  expect(compose).toContain(`SHOP_WEBS: web:${inside}`);
});

test.skipIf(!nginxProgram)(
  'while two releases run, nginx requests a script from the web process that has the script',
  async () => {
    const releasePorts = await Promise.all(
      ['before', 'after'].map(async (name) => {
        const web = createServer(({ url }, answer) => answer.writeHead(url === `/assets/${name}.js` ? 200 : 404).end());
        onTestFinished(() => void web.close());
        await once(web.listen(0, '127.0.0.1'), 'listening');
        return (web.address() as AddressInfo).port;
      }),
    );
    const proxy = await startNginx(nginxProgram!, releasePorts);
    onTestFinished(() => proxy.stop());
    const fetchStatus = async (name: string) => (await fetch(`${proxy.origin}/assets/${name}.js`)).status;
    for (const name of ['before', 'after', 'before', 'before', 'after', 'after'])
      expect(await fetchStatus(name), name).toBe(200);
    expect(await fetchStatus('neither')).toBe(404);
  },
);

test.skipIf(!nginxProgram)('nginx logs each request by its route, without tokens and query strings', async () => {
  const secret = 'a-Secret_Token_of_43_characters_0123456789ab';
  const web = createServer((_request, answer) => answer.end());
  await once(web.listen(0, '127.0.0.1'), 'listening');
  const proxy = await startNginx(nginxProgram!, [(web.address() as AddressInfo).port, 1]);
  onTestFinished(() => proxy.stop());
  const { requestRaw, close } = createRawClient(proxy.origin);
  const plainRawClient = createRawClient(proxy.plainOrigin);
  onTestFinished(close);
  onTestFinished(plainRawClient.close);
  const addresses = [
    `/delivery/${secret}`,
    `/api/delivery/${secret}/videos/1`,
    `/api/upload-token/validate/${secret}`,
    `/${secret}`,
    `/api/${secret}`,
    `/a/b/${secret}/c/${secret}`,
    `/auth/reset-password?token=${secret}`,
    `/admin?admin_key=${secret}`,
    `/metrics?${secret}`,
    `/assets/${secret}?${secret}`,
    `http://shop.example/play/${secret}?token=${secret}`,
    ...Object.values(listPathSpellings(`/play/${secret}`)),
  ];
  const headersWithSecret = {
    referer: `https://shop.example/delivery/${secret}?token=${secret}`,
    cookie: `sid=${secret}`,
  };
  const requestAll = async () => {
    for (const address of addresses) await requestRaw('GET', address, headersWithSecret);
    for (const address of addresses) await plainRawClient.requestRaw('GET', address, headersWithSecret);
    await requestRaw('POST', `/api/upload?token=${secret}`, {
      ...headersWithSecret,
      'content-length': String(300 * 1024 * 1024),
    });
    await requestRaw('GET', `/delivery/${secret}`, { ...headersWithSecret, 'x-large': 'x'.repeat(40_000) });
  };
  await requestAll();
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
  await requestAll(); // nginx reaches no web process now, so it logs errors
  await vi.waitFor(() => expect(proxy.log().trim().split('\n').length).toBeGreaterThan(4 * addresses.length), {
    timeout: 30_000,
  });
  const lines = proxy.log().trim().split('\n');
  const loggedRequests = lines.map((line) => JSON.parse(line) as Record<string, string>);
  expect(loggedRequests).toContainEqual(expect.objectContaining({ method: 'GET', route: '/delivery', status: '200' }));
  expect(loggedRequests).toContainEqual(
    expect.objectContaining({ method: 'GET', route: '/api/delivery', status: '502' }),
  );
  expect(loggedRequests).toContainEqual(
    expect.objectContaining({ method: 'POST', route: '/api/upload', status: '413' }),
  );
  for (const [index, text] of [proxy.log(), proxy.errors()].entries())
    for (const secretPart of [secret, secret.slice(0, 20), secret.slice(20), '?', 'token='])
      expect(text.includes(secretPart), `${secretPart} in ${index === 0 ? 'the log' : 'the errors'}`).toBe(false);
});

test('Caddy has no request log, and its error log leaves out addresses and headers', () => {
  expect(findAllMatches(caddy, /^\s*(log) \{/gm)).toHaveLength(1);
  const deletedFields = findAllMatches(caddy, /^\s*(\S+) delete$/gm);
  expect(deletedFields).toEqual(['request>uri', 'request>headers', 'resp_headers']);
});

test('the shop trusts only the proxy, and the proxy overwrites X-Forwarded-For', () => {
  expect(findAllMatches(environment, /^TRUST_PROXY=(.*)$/gm)).toEqual(['127.0.0.1,::1']);
  expect(findAllMatches(compose, /TRUST_PROXY: (\S+)/g)).toEqual(findAllMatches(compose, /subnet: ([\d./]+)/g));
  // nginx overwrites the address that a visitor claims to have.
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
});

test('all deployment files contain the same domain of the shop', () => {
  const [base] = findAllMatches(environment, /^BASE_URL=https:\/\/(.*)$/gm);
  expect(new Set(findAllMatches(nginx, /server_name (.*);/g))).toEqual(new Set([base]));
  expect(findAllMatches(caddy, /SHOP_DOMAIN:([\w.]+)\}/g)).toEqual([base]);
});

test("compose creates the bucket and the file store under the names that the shop's settings use", () => {
  const [bucket] = findAllMatches(compose, /S3_BUCKET: (\S+)/g);
  expect(compose).toContain(`entrypoint: [mkdir, -p, /store/${bucket}]`);
  const [, host, port] = /S3_ENDPOINT: http:\/\/(\w+):(\d+)/.exec(compose)!;
  expect(compose).toMatch(new RegExp(`^  ${host}:\n`, 'm'));
  expect(compose).toContain(`VGW_PORT: ':${port}'`);
});

test('compose builds the image for web and worker only once', () => {
  const [shared] = findAllMatches(compose, /^x-shop: &shop\n((?: {2}.*\n|\n)+)/gm);
  expect(shared).toContain('image: kinframe\n');
  expect(shared).not.toContain('build:');
  expect(findAllMatches(compose, /^ {4}(build):/gm).length).toBe(1);
});

test('compose declares exactly the secrets that it uses', () => {
  const declaredSecrets = findAllMatches(compose.slice(compose.lastIndexOf('\nsecrets:')), /^ {2}([\w-]+): \{ file/gm);
  const namedSecrets = findAllMatches(compose, /\/run\/secrets\/([\w-]+)/g);
  expect(new Set(namedSecrets)).toEqual(new Set(declaredSecrets));
});

test('git ignores the folder with the secrets of compose', () => {
  const ignoredPaths = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  const folders = new Set(
    findAllMatches(compose, /\{ file: \.(\/.+)\/[\w-]+ \}/g).map((it) => `/deploy/container${it}/`),
  );
  expect(folders.size).toBe(1);
  for (const folderName of folders) expect(ignoredPaths).toContain(folderName);
});

test('the image contains everything needed to build and start the shop', () => {
  const copiedPaths = new Set(findAllMatches(containerfile, /^COPY (.*) \S+$/gm).flatMap((it) => it.split(' ')));
  const buildScript = readFileSync(join(root, 'scripts/build.ts'), 'utf8');
  const sources = findAllMatches(/const sources = \[([^\]]*)\]/.exec(buildScript)![1]!, /'([^']+)'/g);
  expect(sources.filter((it) => !copiedPaths.has(it) && !copiedPaths.has(it.split('/')[0]!))).toEqual([]);
});

/** Returns all files of npm start, npm run build and the entries of the two bundles, following their imports. */
function listFilesOfShop(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const startedScripts = ['start', 'build', 'doctor', 'backup', 'restore'].map((name) =>
    scripts[name]!.split(' ').at(-1)!,
  );
  const bundleConfigs = ['vite.config.ts', 'vite.server.config.ts'];
  const entryFiles = findAllMatches(
    readFileSync(join(root, bundleConfigs[1]!), 'utf8'),
    /: '((?:server|adapters)\/[^']+\.ts)'/g,
  );
  const webEntryFiles = globSync(['web/{router,server,client,start}.{ts,tsx}', 'web/routes/**/*.{ts,tsx}'], {
    cwd: root,
  });
  const foundFiles = new Set(
    [...startedScripts, ...bundleConfigs, ...entryFiles, ...webEntryFiles].filter((it) => !it.includes('.test.')),
  );
  const isFile = (path: string) => existsSync(join(root, path)) && statSync(join(root, path)).isFile();
  // The loop also visits files that are added to the set while it runs.
  for (const path of foundFiles) {
    if (!/\.(tsx?|css)$/.test(path)) continue;
    for (const name of findNamedSettings(path)) {
      const importedPath = (name.startsWith('#') ? name.slice(1) : join(dirname(path), name)).replace(/\?\w+$/, '');
      if (/^(#|\.\.?\/)/.test(name) && isFile(importedPath)) foundFiles.add(importedPath);
    }
  }
  return [...foundFiles];
}
/** Returns every quoted word: imported, resolved or passed to a plugin, but no type imports. */
const findNamedSettings = (path: string) =>
  findAllMatches(
    readFileSync(join(root, path), 'utf8')
      .replaceAll(/(import|export) type [^;]*;|typeof import\('[^']*'\)/g, '')
      .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ''),
    /'([^'\n]+)'/g,
  );

test('a shop installed without dev dependencies has every package that it needs to build and start', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const packageNameOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '';
  const namedSecrets = listFilesOfShop().flatMap((path) =>
    findNamedSettings(path).map((name) => ({ path, package: packageNameOf(name) })),
  );
  // Check that the search has found the build's own scripts, pages, styles and the server's children.
  for (const packageName of [
    'postcss',
    'vite',
    '@tailwindcss/vite',
    'react',
    'tailwindcss',
    'pg-boss',
    'sharp',
    'libheif-js',
  ])
    expect(
      dependencies[packageName] && namedSecrets.some((its) => its.package === packageName),
      packageName,
    ).toBeTruthy();
  expect(namedSecrets.filter((it) => it.package in devDependencies)).toEqual([]);
});

test('the deployment files start processes with the same options as npm start', () => {
  const readMemoryArgument = (role?: string) => createShopCommand('main', { role }).args[0]!;
  const expectedEnvironment = Object.entries(createShopCommand('main').environment).map(
    ([name, value]) => `${name}=${value}`,
  );
  for (const name of units) {
    const role = /ROLE=(\w+)/.exec(readUnitStatements(name))?.[1];
    expect(readUnitStatements(name), name).toContain(`${readMemoryArgument(role)} /srv/kinframe/dist/shop/main.js`);
    for (const setting of expectedEnvironment) expect(readUnitSettings(name), name).toContain(setting);
  }
  expect(readMemoryArgument('worker')).not.toBe(readMemoryArgument());
  expect(containerfile).toContain(`"${readMemoryArgument()}", "dist/shop/main.js"`);
  expect(compose).toContain(`${readMemoryArgument('worker')}, dist/shop/main.js]`);
  for (const setting of expectedEnvironment) expect(containerfile).toContain(setting);
});
