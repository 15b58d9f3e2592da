import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import type { Random } from './scenario.ts';

/** A mail server that accepts all email. With `random` it sometimes fails, in four ways, until `getWell` is called. */
export async function startMailServer(random?: Random) {
  const faultCounts = { greylisted: 0, busy: 0, slow: 0, unsaid: 0 };
  const mailHeads: Buffer[] = [];
  let isWell = random === undefined;
  const isRareFault = () => !isWell && random!.below(4) === 0;
  const createFailure = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onMailFrom(_address, _session, next) {
      if (!isRareFault()) return next();
      faultCounts.busy += 1;
      next(createFailure(421, 'Too busy, come back later'));
    },
    onRcptTo(_address, _session, next) {
      if (!isRareFault()) return next();
      faultCounts.greylisted += 1;
      next(createFailure(451, 'Greylisted, try again later'));
    },
    onData(stream, session, next) {
      const takeMail = async () => {
        const mail = await buffer(stream).catch(() => undefined);
        if (!mail) return; // the client disconnected
        mailHeads.push(Buffer.from(mail.subarray(0, mail.indexOf('\r\n\r\n'))));
        if (isRareFault()) {
          faultCounts.unsaid += 1;
          sockets.get(session.remotePort)?.destroy();
          return;
        }
        if (isRareFault()) {
          faultCounts.slow += 1;
          await sleep(3_000);
        }
        next();
      };
      void takeMail();
    },
  });
  const sockets = new Map<number, { destroy(): void }>();
  server.server.on('connection', (socket) => sockets.set(socket.remotePort!, socket));
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    port: (server.server.address() as AddressInfo).port,
    done: faultCounts,
    getWell: () => void (isWell = true),
    /** The ids of all emails. An email that arrived twice is listed twice. */
    arrived: async () =>
      (await Promise.all(mailHeads.map((it) => PostalMime.parse(it)))).map((it) => it.messageId ?? ''),
  };
}
