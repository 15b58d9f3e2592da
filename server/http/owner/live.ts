import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { LiveTopic } from '#contract/owner/live.ts';
import type { Door } from '../door/door.ts';

/** Proxies close what is silent for a minute. */
const heartbeatMs = 25_000;
/** Then the browser connects anew, and who is no longer signed in is not let in again. */
const longestMs = 600_000;
/** Panels open at one process. */
const mostListeners = 50;

/** Which calls change what the panel shows. */
const changing: [RegExp, LiveTopic[]][] = [
  [/^POST \/api\/verify-/, ['orders', 'production', 'uploads']],
  [/^(PUT|POST) \/api\/admin\/(orders|users)/, ['orders']],
  [/^POST \/api\/(auth\/register|complete-registration)$/, ['orders']],
  [/^(PUT|POST) \/api\/admin\/videos/, ['production']],
  [/ \/api\/uploads\/finalize$/, ['orders', 'production', 'uploads']],
  [/^(POST|PUT|DELETE) \/api\/(admin\/)?uploads?(\/:id)?$/, ['uploads']],
  [/^(PUT|POST) \/api\/(delivery|proof)\//, ['production']],
  [/ \/api\/(admin\/)?support-tickets/, ['tickets']],
  [/ \/api\/admin\/(auth|logout|sessions|second-factor)/, ['sessions']],
];

/** The panel's open ear: server-sent events that name what may have changed. */
export function ownerLiveHttp({ app, shop }: Door): void {
  const open = new Set<Readable>();
  app.addHook('preClose', async () => open.forEach((stream) => stream.push(null)));

  app.get('/api/admin/live', { schema: { hide: true } }, async (request, reply) => {
    app.guards.refuseForeignAddress(request);
    // A panel that is left open is no use of it: this look keeps no session alive.
    const isAdmin = async () => {
      const { rows } = await shop.db.execute<{ is: boolean }>(
        sql`select ${await app.guards.whereAdmin(request, reply)} as is`,
      );
      return rows[0]?.is === true;
    };
    if (!(await isAdmin())) throw new Refusal('admin-needed');
    if (open.size >= mostListeners) throw new Refusal('too-many-requests');
    const stream = new Readable({ read() {} });
    const timers = [
      setInterval(() => stream.push(':\n\n'), heartbeatMs),
      setTimeout(() => stream.push(null), longestMs),
    ];
    const end = () => stream.push(null);
    const stopHearing = shop.live.hear((topic) => {
      stream.push(`event: ${topic}\ndata:\n\n`);
      // Whoever was signed out elsewhere hears no more from now on.
      if (topic === 'sessions') isAdmin().then((is) => is || end(), end);
    });
    open.add(stream);
    stream.once('close', () => {
      open.delete(stream);
      stopHearing();
      timers.forEach((timer) => clearTimeout(timer));
    });
    stream.push('retry: 3000\n\n');
    return reply
      .type('text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(stream);
  });

  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 300) {
      const call = `${request.method} ${request.routeOptions.url}`;
      for (const [pattern, topics] of changing) if (pattern.test(call)) shop.live.tell(...topics);
    }
    done();
  });
}
