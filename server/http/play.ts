import { Refusal, refusals } from '#contract/refusals.ts';
import { findGiverName } from '#shop/orders/gifts.ts';
import { computeSecondsUntil } from '#shop/ports/clock.ts';
import { readVideosOfPlayerLink, videoUrl } from '#shop/production/delivery.ts';
import { reportDirectives, reportingEndpoints } from '../pages/policy.ts';
import type { HttpScope } from './common/http-scope.ts';
import { createRateCounter } from './common/rate-limit.ts';
import { mountOperation } from './common/serve.ts';

/**
 * The player, which shows a frame's videos on any screen. /play/{token} is a separate page without React or modules, so
 * that it also works in browsers that are ten years old. Its script, style and worker are in public/play/.
 */
export function registerPlayerRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock } = shop;

  mountOperation(app, 'GET /api/play/:token', async ({ params, reply }) => {
    const playerContent = await readVideosOfPlayerLink(db, clock, params.token);
    if (!playerContent) throw new Refusal('delivery-link-invalid');
    const { frame, order, videos, expiresAt } = playerContent;
    jar.setFrameLink(reply, 'play', frame.id, params.token, computeSecondsUntil(clock, expiresAt));
    return {
      frameName: frame.name,
      giftFrom: findGiverName(order),
      videos: videos.map(({ video, photo }) => ({
        id: video.id,
        caption: photo.caption,
        videoUrl: videoUrl(video),
        sizeBytes: video.sizeBytes ?? 0,
      })),
    };
  });

  const countPageRequest = createRateCounter(app, 'page', { skipOnError: true });
  app.get<{ Params: { token: string } }>('/play/:token', { schema: { hide: true } }, async (request, reply) => {
    const retryAfterSeconds = await countPageRequest(request);
    if (retryAfterSeconds > 0) {
      reply.header('retry-after', retryAfterSeconds);
      throw new Refusal('too-many-requests');
    }
    const endReason = await findReasonEnded(request.params.token);
    return reply
      .code(endReason ? refusals[endReason].status : 200)
      .headers({
        'content-security-policy': policy,
        'reporting-endpoints': reportingEndpoints,
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(renderPlayerPage(endReason));
  });

  /** The reason why the link does not work. Undefined if it works. */
  const findReasonEnded = async (token: string): Promise<keyof typeof endedTexts | undefined> => {
    try {
      return (await readVideosOfPlayerLink(db, clock, token)) ? undefined : 'delivery-link-invalid';
    } catch (error) {
      if (error instanceof Refusal && error.code === 'delivery-withdrawn') return error.code;
      throw error;
    }
  };
}

const endedTexts = {
  'delivery-link-invalid': 'This link was stopped, replaced or has expired. You can make a new one on your video page.',
  'delivery-withdrawn': refusals['delivery-withdrawn'].words,
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types play-worker',
  ...reportDirectives,
].join('; ');

const renderPlayerPage = (why: keyof typeof endedTexts | undefined) => `<!doctype html>
<html lang="en"${why ? ' class="ended"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#000000">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-status-bar-style" content="black">
<title>Your frame</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/play/player.css">
</head>
<body>
<main id="stage" aria-label="Your videos, one after the other">
<video class="screen" muted playsinline webkit-playsinline preload="auto"></video>
<video class="screen" muted playsinline webkit-playsinline preload="auto"></video>
<p id="caption" aria-live="polite"></p>
</main>
<div id="menu" role="toolbar" aria-label="Player">
<button type="button" id="previous">Previous</button>
<button type="button" id="pause">Pause</button>
<button type="button" id="next">Next</button>
<button type="button" id="fill">Full screen</button>
<button type="button" id="night">Night: off</button>
</div>
<button type="button" id="begin">Touch to begin</button>
<p id="waiting">Your videos are loading. They will appear here automatically.</p>
<div id="over">
<h1>This screen no longer has any videos</h1>
<p id="why">${endedTexts[why ?? 'delivery-link-invalid']}</p>
</div>
<noscript><p class="plain">This player needs JavaScript.</p></noscript>
<script src="/play/player.js"></script>
</body>
</html>
`;
