import { beforeEach, expect, it, vi } from 'vitest';

/** The module as a freshly opened page has it, over a session storage that may refuse. */
async function openPage(storage: Partial<Storage>) {
  vi.resetModules();
  vi.stubGlobal('sessionStorage', storage);
  return import('./promo-memory.ts');
}
function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  } as Storage;
}
const refuse = () => {
  throw new DOMException('storage is off');
};
const refusing = { getItem: refuse, setItem: refuse, removeItem: refuse };

beforeEach(() => vi.unstubAllGlobals());

it('keeps a code over a reload, trimmed, until it is taken out', async () => {
  const session = storage();
  const first = await openPage(session);
  expect(first.rememberedPromoCode()).toBeUndefined();
  first.rememberPromoCode(' gift10 ');
  first.rememberPromoCode('  ');
  const second = await openPage(session);
  expect(second.rememberedPromoCode()).toEqual({ code: 'gift10' });
  second.forgetPromoCode();
  expect((await openPage(session)).rememberedPromoCode()).toBeUndefined();
});

it('tries a refused code again when the page is opened again, or the code entered again', async () => {
  const session = storage();
  const page = await openPage(session);
  page.rememberPromoCode('GIFT10');
  page.refusePromoCode('GIFT10', 'used up');
  expect(page.rememberedPromoCode()).toEqual({ code: 'GIFT10', refusal: 'used up' });
  page.rememberPromoCode('GIFT10');
  expect(page.rememberedPromoCode()).toEqual({ code: 'GIFT10' });
  expect((await openPage(session)).rememberedPromoCode()).toEqual({ code: 'GIFT10' });
});

it('tells whoever listens, and gives the same answer until something changes', async () => {
  const page = await openPage(storage());
  const tell = vi.fn();
  const stop = page.onPromoCode(tell);
  page.rememberPromoCode('GIFT10');
  expect(tell).toHaveBeenCalledOnce();
  expect(page.rememberedPromoCode()).toBe(page.rememberedPromoCode());
  stop();
  page.forgetPromoCode();
  expect(tell).toHaveBeenCalledOnce();
});

it('lasts as long as the page where storage is switched off', async () => {
  const page = await openPage(refusing);
  page.rememberPromoCode('GIFT10');
  expect(page.rememberedPromoCode()).toEqual({ code: 'GIFT10' });
});
