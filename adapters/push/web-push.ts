/** Web Push, through the `web-push` library for keys and encryption. */
import { request } from 'node:https';
import webPush from 'web-push';
import type { PushService } from '#shop/ports/push-service.ts';
import { isPublicHost, lookUpPublicAddress } from '../network/public-address.ts';

/** Posts a message and returns the status of the response. */
export type PostMessage = (url: string, headers: Record<string, string>, body: Buffer) => Promise<number>;

/** How long a push service keeps a message for a device that is off. */
const messageTtlSeconds = 24 * 3600;
const timeoutMs = 10_000;

/** @param contact the shop's public URL, which push services can use to contact its operator */
export function createWebPush({
  contact,
  post = postToPublicHost,
}: {
  contact: string;
  post?: PostMessage;
}): PushService {
  return {
    createKeys: () => webPush.generateVAPIDKeys(),

    accepts(endpoint) {
      const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
      return url?.protocol === 'https:' && url.username === '' && url.password === '' && isPublicHost(url.hostname);
    },

    async send(keys, { endpoint, p256dh, auth }, message) {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        { vapidDetails: { subject: createVapidSubject(contact), ...keys }, TTL: messageTtlSeconds, urgency: 'high' },
      );
      const status = await post(endpoint, convertHeadersToText(headers), body);
      if (status === 404 || status === 410) return 'gone';
      if (status < 200 || status >= 300) throw new Error(`the push service answered ${status}`);
      return 'sent';
    },
  };
}

/** VAPID needs an https URL or an email. A shop on localhost has no https URL. */
const createVapidSubject = (contact: string) =>
  contact.startsWith('https:') ? contact : 'mailto:shop@localhost.invalid';

const convertHeadersToText = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The URL comes from a browser, so the connection refuses addresses on private networks, and follows no redirect. */
const postToPublicHost: PostMessage = (url, headers, body) =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const pushRequest = request(url, { method: 'POST', headers, lookup: lookUpPublicAddress, signal }, (answer) => {
      answer.destroy(); // the body is not needed, and may be long
      resolve(answer.statusCode ?? 0);
    });
    pushRequest.on('error', reject).end(body);
  });
