import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '#server/project-folder.ts';
import { nginxHere } from '../scripts/find-nginx.ts';
import { findFreePort } from './free-port.ts';

/** Undefined where there is none; `npm test` has brought one, where it can. */
export const nginxProgram = nginxHere();

/** nginx in front of these webs, as deploy/nginx says, but for its ports and its TLS. Answers its origin. */
export async function startNginx(
  program: string,
  webs: number[],
): Promise<{ origin: string; errors(): string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-nginx-'));
  const [port, plain] = [await findFreePort(), await findFreePort()];
  writeFileSync(join(folder, 'shop.conf'), recipe(port, plain, webs));
  writeFileSync(join(folder, 'nginx.conf'), frame(folder));
  const words = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')];
  const errors = () => readFileSync(join(folder, 'errors'), 'utf8');
  const child = spawn(program, words, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${origin}/metrics`).catch(() => undefined))) {
    if (child.exitCode !== null)
      throw new Error(`nginx did not start:\n${readFileSync(join(folder, 'errors'), 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    origin,
    errors,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function recipe(port: number, plain: number, webs: number[]): string {
  return readFileSync(join(projectFolder, 'deploy/nginx/kinframe.conf'), 'utf8')
    .replaceAll(/server 127\.0\.0\.1:300(\d)/g, (_line, web) => `server 127.0.0.1:${webs[Number(web) - 1]}`)
    .replaceAll(/^.*(listen \[::\]|ssl_).*$/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`);
}

/** What Debian's own nginx.conf says around it, in a folder of ours. */
const frame = (folder: string) => `
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
