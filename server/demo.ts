/** `npm run demo` starts a shop with sample customers and orders. */
import { samplePassword } from '#db/sample/people.ts';
import { runShop, printLines } from './run-shop.ts';
import { seedDemo } from './seed-demo.ts';

const shop = await runShop();
printLines('Filling the demo with people, orders, photos and videos: a minute or two the first time.');
await seedDemo(shop);
printLines(
  'The demo is ready.',
  `Customers: anna@, ben@, clara@ and david@example.com, all with the password ${samplePassword}`,
  'Clara and David have finished videos: their mails hold the delivery links.',
);
