import { accounts } from './accounts.ts';
import { admin } from './admin.ts';
import { adminContent } from './admin-content.ts';
import { analytics } from './analytics.ts';
import { checkout } from './checkout.ts';
import { content } from './content.ts';
import { delivery } from './delivery.ts';
import { frames } from './frames.ts';
import { mails } from './mails.ts';
import { orders } from './orders.ts';
import { photos } from './photos.ts';
import { sandbox } from './sandbox.ts';
import { support } from './support.ts';

/** Every operation of the HTTP API. The browser imports only its type. */
export const api = {
  ...content,
  ...checkout,
  ...orders,
  ...accounts,
  ...frames,
  ...photos,
  ...delivery,
  ...support,
  ...analytics,
  ...admin,
  ...adminContent,
  ...mails,
  ...sandbox,
};
export type Api = typeof api;
export type Route = keyof Api;
