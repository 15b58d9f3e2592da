import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '#server/project-folder.ts';
import { findUnpackedNginx } from '../scripts/find-nginx.ts';
import { findFreePort } from './free-port.ts';

/** The path of nginx. Undefined if it is not installed. `npm test` downloads nginx if possible. */
export const nginxProgram = findUnpackedNginx();

/**
 * Runs nginx in front of these web processes with the configuration of deploy/nginx, apart from ports and TLS. Returns
 * its origin.
 */
export async function startNginx(
  program: string,
  webs: number[],
): Promise<{ origin: string; plainOrigin: string; errors(): string; log(): string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-nginx-'));
  const [port, plain] = [await findFreePort(), await findFreePort()];
  const logFile = join(folder, 'requests');
  writeFileSync(
    join(folder, 'shop.conf'),
    createConfig(port, plain, webs).replaceAll('/var/log/nginx/kinframe.log', logFile),
  );
  writeFileSync(join(folder, 'nginx.conf'), wrapConfig(folder));
  const nginxArgs = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')];
  const readErrors = () => readFileSync(join(folder, 'errors'), 'utf8');
  const child = spawn(program, nginxArgs, { stdio: 'ignore' });
  const exitEvent = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${origin}/metrics`).catch(() => undefined))) {
    if (child.exitCode !== null)
      throw new Error(`nginx did not start:\n${readFileSync(join(folder, 'errors'), 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    origin,
    plainOrigin: `http://127.0.0.1:${plain}`,
    errors: readErrors,
    log: () => readFileSync(logFile, 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await exitEvent;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createConfig(port: number, plain: number, webs: number[]): string {
  return readFileSync(join(projectFolder, 'deploy/nginx/kinframe.conf'), 'utf8')
    .replaceAll(/server 127\.0\.0\.1:300(\d)/g, (_line, web) => `server 127.0.0.1:${webs[Number(web) - 1]}`)
    .replaceAll(/^.*(listen \[::\]|ssl_).*$/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`);
}

/** The surrounding configuration from Debian's own nginx.conf, in a temporary folder. */
const wrapConfig = (folder: string) => `
daemon off;
user ${userInfo().username};
pid ${folder}/pid;
events {}
http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`).join('\n    ')}
    include ${folder}/shop.conf;
}
`;
