import { ExternalProvider } from '../faults/external-provider.ts';
import { startMailServer } from '../faults/mail-server.ts';
import { ShopInstallation } from '../faults/installation.ts';
import { createVisitorBrowsers } from '../faults/running-shop.ts';

export type LoadTestShop = Awaited<ReturnType<typeof openLoadTestShop>>;

/** A web process and a worker on PostgreSQL, a mail server, and the payment provider in a separate process. */
export async function openLoadTestShop() {
  const provider = await ExternalProvider.open('postgres');
  const mail = await startMailServer();
  const web = await ShopInstallation.open('postgres', {
    settings: {
      ...provider.settingsOfShop(),
      ROLE: 'web',
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Kinframe <hello@kinframe.example>',
      RATE_LIMITS: 'on',
      TRUST_PROXY: '127.0.0.1',
    },
  });
  const worker = await web.startSecond({ ROLE: 'worker' });
  return { provider, mail, web, worker, ...createVisitorBrowsers(web.shop.origin, provider.origin) };
}
