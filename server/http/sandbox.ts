import type { Door } from './door.ts';

/** The embedded payment provider's own door, in the demo alone. */
export async function sandboxHttp({ app, shop: { sandbox } }: Door): Promise<void> {
  if (sandbox) await app.register(sandbox.routes, { prefix: '/sandbox/stripe' });
}
