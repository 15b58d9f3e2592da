import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import { Cable } from '../cable.ts';
import { Customers } from '../customers.ts';
import { Place } from '../place.ts';
import { Ledger, type Random, type Scenario } from '../scenario.ts';

/** Of a shop to its mail server. */
const connections = 3;

/** The mail server fails in every way it can, while people buy. */
export const mail: Scenario = {
  name: 'mail',
  engines: ['postgres'],
  async run({ random }) {
    const server = await failingMailServer(random);
    const cable = await Cable.to(server.port);
    onTestFinished(() => cable.cut());
    const place = await Place.open('postgres', {
      settings: { SMTP_URL: `smtp://127.0.0.1:${cable.port}`, MAIL_FROM: 'Kinframe <hello@kinframe.example>' },
    });
    const customers = await Customers.begin(place.browser, new Ledger());
    const buyMany = () => Promise.all(Array.from({ length: 8 }, customers.buy));
    await buyMany();
    await cable.cut(); // refused at the door
    await buyMany();
    await sleep(5_000);
    await cable.mend();
    await buyMany();
    await sleep(20_000);
    server.getWell();
    const mails = await place.lookUntil(mailsOf, (all) => all.filter((it) => !it.isSent).map((it) => it.event));
    const arrived = await server.arrived();
    const there = mails.filter((it) => arrived.some((id) => id.includes(it.id)));
    // A mail comes twice only where the server took it and its word was lost, with one of the connections that were cut,
    // too, and is the same mail then, by its id.
    expect(arrived.length - new Set(arrived).size).toBeLessThanOrEqual(server.done.unsaid + connections);
    expect(new Set(arrived).size).toBe(mails.length);
    const { greylisted, slow, unsaid, busy } = server.done;
    return {
      done: `the mail server away for five seconds, ${greylisted} mails greylisted, ${busy} turned away, ${slow} taken slowly, ${unsaid} taken without a word`,
      tried: mails.length,
      acknowledged: mails.filter((it) => it.isSent).length,
      present: there.length,
      lost: mails.length - there.length,
      words: [],
    };
  },
};

const mailsOf = async (db: Db) =>
  (
    await db.execute<{ id: string; event: string; isSent: boolean }>(
      sql`select id, event, sent_at is not null as "isSent" from mails`,
    )
  ).rows;

async function failingMailServer(random: Random) {
  const done = { greylisted: 0, busy: 0, slow: 0, unsaid: 0 };
  const taken: Buffer[] = [];
  let isWell = false;
  const seldom = () => !isWell && random.below(4) === 0;
  const failure = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onMailFrom(_address, _session, next) {
      if (!seldom()) return next();
      done.busy += 1;
      next(failure(421, 'Too busy, come back later'));
    },
    onRcptTo(_address, _session, next) {
      if (!seldom()) return next();
      done.greylisted += 1;
      next(failure(451, 'Greylisted, try again later'));
    },
    onData(stream, session, next) {
      const take = async () => {
        taken.push(await buffer(stream));
        if (seldom()) {
          done.unsaid += 1;
          sockets.get(session.remotePort)?.destroy();
          return;
        }
        if (seldom()) {
          done.slow += 1;
          await sleep(3_000);
        }
        next();
      };
      void take();
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
    done,
    getWell: () => void (isWell = true),
    /** The ids of all mails, of one that came twice twice. */
    arrived: async () => (await Promise.all(taken.map((it) => PostalMime.parse(it)))).map((it) => it.messageId ?? ''),
  };
}
