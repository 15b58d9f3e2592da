import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { waitForCondition } from '../processes/process-table.ts';
import { runInChild } from '../processes/run-in-child.ts';
import { findFfmpeg } from '../animation/ffmpeg.ts';
import {
  createSandboxWrapper,
  findProgramRestrictions,
  createPermissionArguments,
  findAvailableRestrictions,
  runSandboxedProgram,
  type SandboxRestriction,
} from './confinement.ts';

const folder = mkdtempSync(join(tmpdir(), 'fences-'));
afterAll(() => rmSync(folder, { recursive: true }));
// The same layout as the shop's code: readable by all users, with the shared folder `processes` next to the program's
// folder.
chmodSync(folder, 0o755);
for (const name of ['probe', 'processes', 'room', 'data']) mkdirSync(join(folder, name));
copyFileSync(join(import.meta.dirname, '../processes/child-side.ts'), join(folder, 'processes/child-side.ts'));

const secret = join(folder, 'data/secrets.json');
writeFileSync(secret, 'a secret', { mode: 0o600 });

let programCount = 0;
/** Writes a program that does what a compromised decoder might try. */
function writeProgram(work: string): URL {
  const path = join(folder, `probe/probe-${(programCount += 1)}.mjs`);
  writeFileSync(
    path,
    `import { serveJobsOfParent } from '../processes/child-side.ts';
     import { spawn, spawnSync } from 'node:child_process';
     import { once } from 'node:events';
     import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
     const can = async (act) => { try { await act(); return true; } catch { return false; } };
     serveJobsOfParent(async (job) => { ${work} });`,
  );
  return pathToFileURL(path);
}

const restrictions = await findAvailableRestrictions(writeProgram(''));

/**
 * Runs a program behind the kernel's fences but without Node's permission model, because that model does not restrict
 * native code.
 */
async function runInDecoder<Answer>(work: string, job: unknown = null, timeoutMs = 60_000): Promise<Answer> {
  const programUrl = writeProgram(work);
  const file = openSync(join(folder, 'handed'), 'w+');
  const wrap = createSandboxWrapper(restrictions, { entry: programUrl, room: join(folder, 'room'), cpuSeconds: 20 });
  return await runInChild<unknown, Answer>({ entry: programUrl, job, files: [file], wrap, timeoutMs });
}

/** A test of a fence, skipped if this machine does not allow the fence. */
const testWithRestriction = (fence: SandboxRestriction, promise: string, prove: () => Promise<void>) =>
  restrictions.has(fence)
    ? test(promise, prove)
    : test.skip(`${promise} (not possible on this machine: ${fence})`, prove);

testWithRestriction(
  'limits on memory, time and files',
  'a decoder cannot write a large file or use unlimited memory',
  async () => {
    const escapeResult = await runInDecoder<{ limits: string }>(`return {
    write: await can(() => writeFileSync(4, Buffer.alloc(1e6))),
    writeLarge: await can(() => writeFileSync(4, Buffer.alloc(40e6))),
    allocate: await can(() => Buffer.alloc(3e9)),
    limits: readFileSync('/proc/self/limits', 'utf8'),
  };`);
    expect(escapeResult).toMatchObject({ write: true, writeLarge: false, allocate: false });
    expect(escapeResult.limits).toMatch(/Max cpu time +20 +20/);
    expect(escapeResult.limits).toMatch(/Max core file size +0 +0/);
  },
);

testWithRestriction('no new privileges', 'a decoder has no root privileges and cannot gain any', async () => {
  const status = await runInDecoder<string>(`return readFileSync('/proc/self/status', 'utf8');`);
  expect(status).toMatch(/NoNewPrivs:\t1/);
  expect(status).toMatch(/CapEff:\t0+\n/);
});

testWithRestriction('no network', 'a decoder cannot reach the network or the shop', async () => {
  const shop = createServer((_, response) => response.end('a door')).listen(0, '127.0.0.1');
  await waitForCondition('the server listens', () => shop.listening);
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  expect((await fetch(shopUrl)).status).toBe(200);
  const escapeResult = await runInDecoder(`return { reached: await can(() => fetch(job)) };`, shopUrl);
  shop.close();
  expect(escapeResult).toEqual({ reached: false });
});

testWithRestriction('no sight of other processes', 'a decoder sees only its own process', async () => {
  const pids = await runInDecoder<string[]>(`return readdirSync('/proc').filter((name) => Number(name) > 0);`);
  expect(pids).toEqual(['1']);
});

testWithRestriction('no sight of other processes', 'no process that a decoder started outlives it', async () => {
  // Starts a process in a separate process group, so that only the end of the process namespace can end it. The number
  // of seconds identifies the process.
  const startHiddenSleep = (seconds: string) =>
    `spawn('/bin/sleep', ['${seconds}'], { detached: true, stdio: 'ignore' }).unref();`;
  await runInDecoder(`${startHiddenSleep('86401')} return true;`);
  await waitForCondition('the hidden process is gone', () => !listCommands().includes('86401'));
  const slowChild = runInDecoder(`${startHiddenSleep('86402')} for (;;);`, null, 1000);
  await expect(slowChild).rejects.toMatchObject({ reason: 'too-slow' });
  await waitForCondition('the hidden process is gone', () => !listCommands().includes('86402'));
});

testWithRestriction('no files but its own code', 'a decoder cannot see the shop’s files or write any', async () => {
  const escapeResult = await runInDecoder(
    `return {
      readShadow: await can(() => readFileSync('/etc/shadow')),
      readUsers: await can(() => readFileSync('/etc/passwd')),
      readSecret: await can(() => readFileSync(job.secret)),
      readFolder: await can(() => readdirSync(job.folder + '/data')),
      changeCode: await can(() => writeFileSync(job.folder + '/probe/new.mjs', '')),
      changeSystem: await can(() => writeFileSync('/usr/new', '')),
      runOther: await can(() => once(spawn(job.folder + '/data/program'), 'exit')),
    };`,
    { secret, folder },
  );
  expect(new Set(Object.values(escapeResult as object))).toEqual(new Set([false]));
});

testWithRestriction(
  'another user',
  'if the shop runs as root, each decoder runs as an unprivileged user of its own',
  async () => {
    const readIdentity = `return { user: process.getuid(), group: process.getgid(), groups: process.getgroups(),
    readSecret: await can(() => readFileSync(job)) };`;
    const [one, other] = [
      await runInDecoder<{ user: number }>(readIdentity, secret),
      await runInDecoder<{ user: number }>(readIdentity, secret),
    ];
    expect(one).toEqual({ user: one.user, group: one.user, groups: [one.user], readSecret: false });
    expect(one.user).toBeGreaterThanOrEqual(61_184);
    expect(other.user).not.toBe(one.user);
  },
);

testWithRestriction('a limit on processes', 'a decoder cannot fill the machine with processes', async () => {
  const escapeResult = await runInDecoder<number>(`
    let started = 0;
    for (let i = 0; i < 200; i += 1) {
      const child = spawn('/bin/sleep', ['86403'], { stdio: 'ignore' });
      if (await once(child, 'spawn').then(() => true, () => false)) started += 1;
    }
    return started;`);
  expect(escapeResult).toBeLessThan(64);
  await waitForCondition('they are gone', () => !listCommands().includes('86403'));
});

test('Node’s permission model lets a decoder’s JavaScript use the files passed to it, and nothing else', async () => {
  const programUrl = writeProgram(`return {
    readPhoto: readFileSync(4, 'utf8'),
    writeCopy: await can(() => writeFileSync(5, 'a copy')),
    readSecret: await can(() => readFileSync(job.secret)),
    writeElsewhere: await can(() => writeFileSync(job.folder + '/outside', 'x')),
    startProcess: await can(() => spawnSync('true')),
  };`);
  writeFileSync(join(folder, 'photo'), 'a photo');
  const files = [openSync(join(folder, 'photo'), 'r'), openSync(join(folder, 'copy'), 'w')];
  const job = { secret, folder };
  const childResult = await runInChild({
    entry: programUrl,
    job,
    files,
    nodeArguments: createPermissionArguments(programUrl),
    timeoutMs: 60_000,
  });
  expect(childResult).toEqual({
    readPhoto: 'a photo',
    writeCopy: true,
    readSecret: false,
    writeElsewhere: false,
    startProcess: false,
  });
  expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('a copy');
});

/** Command lines of all processes on this machine. */
const listCommands = () =>
  readdirSync('/proc')
    .filter((name) => Number(name) > 0)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return ''; // the process ended after it was listed
      }
    })
    .join('\n');

test('a third-party program behind the fences can use the files given to it and nothing else', async () => {
  const [reads, writes] = [join(folder, 'given'), join(folder, 'results')];
  mkdirSync(writes);
  writeFileSync(reads, 'a film');
  mkdirSync(join(folder, 'programs'));
  const script = join(folder, 'programs/pretend-ffmpeg');
  writeFileSync(
    script,
    `#!/bin/sh
     [ "$1" = -version ] && exit 0
     can() { if said=$("$@" 2>&1); then printf '%s ' yes; else printf '%s ' no; fi; }
     can cat "$1"; can sh -c ': > "$0/result"' "$2"; can sh -c ': > "$0"' "$1"
     can cat "$3"; can sh -c ': > "$0.new"' "$3"; can sh -c 'grep -v "lo:" /proc/net/dev | grep :'
     echo; cat /proc/self/limits; env`,
    { mode: 0o755 },
  );
  const access = { reads: [reads], writes: [writes], cpuSeconds: 20 };
  const scriptRestrictions = await findProgramRestrictions(script);
  const output = await runSandboxedProgram(script, access, async (fenced) => {
    const [program = '', ...args] = fenced([script, reads, writes, secret]);
    return execFileSync(program, args, { env: {}, encoding: 'utf8' });
  });
  const [can] = output.split(' \n');
  const [readGiven, write, changeGiven, readSecret, writeElsewhere, network] = can!.split(' ');
  expect([readGiven, write]).toEqual(['yes', 'yes']);
  if (scriptRestrictions.has('no files but its own code')) {
    expect([changeGiven, readSecret, writeElsewhere]).toEqual(['no', 'no', 'no']);
    expect(readFileSync(reads, 'utf8')).toBe('a film');
  }
  if (scriptRestrictions.has('no network')) expect(network).toBe('no');
  if (scriptRestrictions.has('limits on memory, time and files')) {
    expect(output).toMatch(/Max cpu time +20 +20/);
    expect(output).toMatch(/Max data size +[12]\d{9} /);
  }
  expect(output).not.toMatch(/HOME=|PATH=\/root|NODE_/);
});

test('ffmpeg gets all fences of the decoder except the separate user and the process limit', async () => {
  const { path } = await findFfmpeg(process.env['FFMPEG_PATH']);
  const ffmpegRestrictions = await findProgramRestrictions(path);
  const availableWithoutKernel = new Set<SandboxRestriction>(['another user', 'a limit on processes']);
  expect(
    [...restrictions].filter((fence) => !availableWithoutKernel.has(fence) && !ffmpegRestrictions.has(fence)),
  ).toEqual([]);
});
