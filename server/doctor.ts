import pino from 'pino';
import { ConfigError, loadConfig } from './config.ts';
import { openShop, type Shop } from './shop.ts';

/** `npm run doctor`: check the settings and every outside part, and say in words what is wrong. */
const config = read();
const shop = await openShop(config, pino({ level: 'silent' }), { withJobs: false }).catch((error: Error) => {
  say(false, 'database', config.databaseUrl ? 'PostgreSQL' : config.dataDir, error.message);
  process.exit(1);
});
const parts: readonly (readonly [string, string, (shop: Shop) => Promise<void>])[] = [
  ['database', shop.database.engine, (it) => it.database.check()],
  ['storage', shop.storage.kind, (it) => it.storage.check()],
  ['mail', shop.mailer.kind, (it) => it.mailer.check()],
  ['payments', shop.provider.kind, (it) => it.provider.check()],
  ...(config.collectsTax ? [['tax', shop.provider.kind, calculateTax] as const] : []),
  ['animator', shop.animator.id, (it) => it.animator.check()],
];
let isWell = true;
for (const [part, kind, check] of parts)
  try {
    await check(shop);
    say(true, part, kind);
  } catch (error) {
    isWell = false;
    say(false, part, kind, error instanceof Error ? error.message : String(error));
  }
await shop.close();
process.exit(isWell ? 0 : 1);

/** Fails where the provider's account is not set up for it. */
async function calculateTax({ provider }: Shop): Promise<void> {
  const calculated = await provider.calculateTax({
    currency: 'usd',
    lines: [{ reference: 'line-1', kind: 'goods', quantity: 1, amountCents: 100 }],
    address: { country: 'US', state: 'NY', postalCode: '10001' },
    addressSource: 'shipping',
  });
  if (!calculated) throw new Error('the provider does not know where New York is');
}

function read() {
  try {
    const found = loadConfig();
    say(true, 'settings', found.baseUrl);
    return found;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(false, 'settings', '', error.message);
    process.exit(1);
  }
}

function say(isFine: boolean, part: string, kind: string, words = '') {
  process.stdout.write(`${isFine ? 'well ' : 'WRONG'}  ${part.padEnd(9)} ${kind}${words ? `\n       ${words}` : ''}\n`);
}
