/* Shows the owner's notifications. Its scope is /admin. It handles no requests of pages. */
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, body, tag, path } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: { path } }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil(
    (async () => {
      const windows = await self.clients.matchAll({ type: 'window' });
      const panel = windows.find((it) => new URL(it.url).pathname === '/admin');
      if (!panel) return self.clients.openWindow(url.href);
      await panel.focus();
      return panel.navigate(url.href);
    })(),
  );
});
