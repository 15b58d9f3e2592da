import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import { canUse } from '#contract/owner/areas.ts';
import { liveAreas, type LiveTopic } from '#contract/owner/live.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';
import { personOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';

/** Proxies close a connection that is silent for a minute. */
const heartbeatMs = 25_000;
/** Streams end after this time. The browser then connects again, and is refused if its session has ended. */
const maxStreamMs = 600_000;
/** The most streams that one process keeps open. */
const mostListeners = 50;

/** Calls that change data of the panel, with or without the status of their response, and the topics to report. */
const topicsByCall: [RegExp, LiveTopic[]][] = [
  [/^POST \/api\/verify-/, ['orders', 'production', 'uploads']],
  [/^(PUT|POST) \/api\/admin\/(orders|users|stock)/, ['orders']],
  [/^POST \/api\/admin\/orders\/:id\/cancellation$/, ['production', 'uploads']],
  [/^POST \/api\/(auth\/register|complete-registration)$/, ['orders']],
  [/^(PUT|POST) \/api\/admin\/videos/, ['production']],
  [/ \/api\/(uploads|customer-upload)\/finalize$/, ['orders', 'production', 'uploads']],
  [/^(POST|PUT|DELETE) \/api\/((admin\/)?uploads?|customer-upload|collect\/:token\/photos)(\/:id)?$/, ['uploads']],
  [/^POST \/api\/uploads\/:id\/replacement$/, ['production', 'uploads']],
  [/^POST \/api\/devices\/:id\/accept-photos$/, ['uploads']],
  [/^POST \/api\/trial\/claim$/, ['uploads']],
  // Only the request with the last piece of a photo gets the status 200. Before that request, there is no photo to
  // show.
  [/^PATCH \/api\/(.+\/)?arrivals\/:id 200$/, ['uploads']],
  [/^(PUT|POST) \/api\/(delivery|proof)\//, ['production']],
  [/^POST \/api\/((admin\/)?returns\/|orders\/:orderNumber\/returns$)/, ['orders']],
  [/ \/api\/(admin\/)?support-tickets/, ['tickets']],
  [/^POST \/api\/admin\/(orders|customers)\/:id\/messages$/, ['tickets']],
  [/^POST \/api\/staff-invitation\/accept$/, ['sessions']],
  [/ \/api\/admin\/(auth|logout|sessions|second-factor|staff)/, ['sessions']],
];

/** The server-sent events for the panel. Each event names a topic whose data may have changed. */
export function registerOwnerPanelEventRoutes({ app, shop }: HttpScope): void {
  const openStreams = new Set<Readable>();
  app.addHook('preClose', async () => openStreams.forEach((stream) => stream.push(null)));

  app.get(
    '/api/admin/live',
    { schema: { hide: true }, config: { area: streamedCalls['GET /api/admin/live'].area } },
    async (request, reply) => {
      // Check the session without extending it, because an open panel does not mean that the person is active.
      await app.guards.requireAdmin(request, reply, { isUse: false });
      const { role } = personOf(request);
      const isAdmin = async () => {
        const { rows } = await shop.db.execute<{ is: boolean }>(
          sql`select ${await app.guards.adminCondition(request, reply, 'own')} as is`,
        );
        return rows[0]?.is === true;
      };
      if (openStreams.size >= mostListeners) throw new Refusal('too-many-requests');
      const stream = new Readable({ read() {} });
      const eventTimers = [
        setInterval(() => stream.push(':\n\n'), heartbeatMs),
        setTimeout(() => stream.push(null), maxStreamMs),
      ];
      const endStream = () => {
        stream.push('event: ended\ndata:\n\n');
        stream.push(null);
      };
      const unsubscribe = shop.live.subscribe((topic) => {
        if (canUse(role, liveAreas[topic])) stream.push(`event: ${topic}\ndata:\n\n`);
        // End the stream if its session was ended from another browser.
        if (topic === 'sessions') isAdmin().then((is) => is || endStream(), endStream);
      });
      openStreams.add(stream);
      stream.once('close', () => {
        openStreams.delete(stream);
        unsubscribe();
        eventTimers.forEach((timer) => clearTimeout(timer));
      });
      stream.push('retry: 3000\n\n');
      return reply
        .type('text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );

  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 300) {
      const calledRoute = `${request.method} ${request.routeOptions.url}`;
      const routeKeyWithStatus = `${calledRoute} ${reply.statusCode}`;
      for (const [pattern, topics] of topicsByCall)
        if (pattern.test(calledRoute) || pattern.test(routeKeyWithStatus)) shop.live.publish(...topics);
    }
    done();
  });
}
