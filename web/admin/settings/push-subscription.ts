import type { PushSubscriptionBody } from '#contract/owner/push.ts';
import type * as z from 'zod';

const workerPath = '/admin-push-worker.js';
const workerScope = '/admin';

/**
 * Whether this browser can show notifications. `needs-home-screen`: an iPhone or iPad outside of an app on the Home
 * Screen. `denied`: the owner has blocked notifications in the browser.
 */
export type PushSupport = 'ready' | 'denied' | 'needs-home-screen' | 'unsupported';

export function readPushSupport(): PushSupport {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return isApplePhone() ? 'needs-home-screen' : 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/** iPads name themselves Macintosh, but have a touch screen. */
const isApplePhone = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** The address of this browser's subscription; undefined if it has none. Does not ask for permission. */
export async function readOwnEndpoint(): Promise<string | undefined> {
  if (readPushSupport() !== 'ready' || Notification.permission !== 'granted') return undefined;
  const registration = await navigator.serviceWorker.getRegistration(workerScope);
  return (await registration?.pushManager.getSubscription())?.endpoint;
}

/**
 * Asks for permission and subscribes this browser. Returns undefined if the owner did not give the permission. Call it
 * from a click only.
 *
 * @param publicKey the shop's public key, base64url
 */
export async function subscribeToPush(publicKey: string): Promise<z.input<typeof PushSubscriptionBody> | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  await navigator.serviceWorker.register(workerPath, { scope: workerScope });
  const registration = await waitForActiveWorker();
  // A subscription for an earlier key of the shop would prevent a new one.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint!, keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! } };
}

/** `ready` waits for the worker of the page's own scope, which is this one. */
const waitForActiveWorker = () => navigator.serviceWorker.ready;

export async function unsubscribeFromPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(workerScope);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
