import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { Customers } from '../customers.ts';
import { startMailServer } from '../mail-server.ts';
import { ShopInstallation } from '../installation.ts';
import { RequestRecorder, type Scenario } from '../scenario.ts';

/** The number of connections from a shop to its mail server. */
const mailConnections = 3;

/** The mail server fails in several ways while people buy. */
export const mailServerFaultScenario: Scenario = {
  name: 'mail',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const server = await startMailServer(random);
    const mailProxy = await TcpProxy.startTo(server.port);
    onTestFinished(() => mailProxy.cut());
    const installation = await ShopInstallation.open(engine, {
      settings: { SMTP_URL: `smtp://127.0.0.1:${mailProxy.port}`, MAIL_FROM: 'Kinframe <hello@kinframe.example>' },
    });
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    const buyEightTimes = () => Promise.all(Array.from({ length: 8 }, customers.buy));
    await buyEightTimes();
    await mailProxy.cut(); // connections are refused
    await buyEightTimes();
    await sleep(5_000);
    await mailProxy.repair();
    await buyEightTimes();
    await sleep(20_000);
    server.getWell();
    const mails = await installation.pollUntilComplete(readMailsOf, (all) =>
      all.filter((it) => !it.isSent).map((it) => it.event),
    );
    // There is one receipt for each acknowledged order, and one for Anna's order, which was paid before.
    const receipts = mails.filter((it) => it.event.startsWith('receipt:'));
    expect(receipts).toHaveLength(requestRecorder.acknowledged.size + 1);
    const arrivedIds = await server.arrived();
    const arrivedMails = mails.filter((it) => arrivedIds.some((id) => id.includes(it.id)));
    // An email arrives twice only if the server accepted it but its response was lost, for example on one of the cut
    // connections. Both copies then have the same id.
    expect(arrivedIds.length - new Set(arrivedIds).size).toBeLessThanOrEqual(server.done.unsaid + mailConnections);
    expect(new Set(arrivedIds).size).toBe(mails.length);
    const { greylisted, slow, unsaid, busy } = server.done;
    return {
      done: `the mail server was down for five seconds, ${greylisted} emails greylisted, ${busy} refused, ${slow} accepted slowly, ${unsaid} accepted without an answer`,
      tried: mails.length,
      acknowledged: mails.filter((it) => it.isSent).length,
      present: arrivedMails.length,
      lost: mails.length - arrivedMails.length,
      words: [],
    };
  },
};

const readMailsOf = async (db: Db) =>
  (
    await db.execute<{ id: string; event: string; isSent: boolean }>(
      sql`select id, event, sent_at is not null as "isSent" from mails`,
    )
  ).rows;
