import { beforeEach, expect, it, vi } from 'vitest';

/** Imports the module again, as a newly opened page does, with the given session storage. */
async function openPage(createStorage: Partial<Storage>) {
  vi.resetModules();
  vi.stubGlobal('sessionStorage', createStorage);
  return import('./promo-memory.ts');
}
function createStorage(): Storage {
  const storedTexts = new Map<string, string>();
  return {
    getItem: (name: string) => storedTexts.get(name) ?? null,
    setItem: (name: string, text: string) => void storedTexts.set(name, text),
    removeItem: (name: string) => void storedTexts.delete(name),
  } as Storage;
}
const refuse = () => {
  throw new DOMException('storage is off');
};
const refusingStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };

beforeEach(() => vi.unstubAllGlobals());

it('keeps a trimmed code across reloads until it is removed', async () => {
  const session = createStorage();
  const firstMemory = await openPage(session);
  expect(firstMemory.readRememberedPromoCode()).toBeUndefined();
  firstMemory.rememberPromoCode(' gift10 ');
  firstMemory.rememberPromoCode('  ');
  const secondMemory = await openPage(session);
  expect(secondMemory.readRememberedPromoCode()).toEqual({ code: 'gift10' });
  secondMemory.clearPromoCode();
  expect((await openPage(session)).readRememberedPromoCode()).toBeUndefined();
});

it('clears the refusal when the page is opened again or the code is entered again', async () => {
  const session = createStorage();
  const page = await openPage(session);
  page.rememberPromoCode('GIFT10');
  page.refusePromoCode('GIFT10', 'used up');
  expect(page.readRememberedPromoCode()).toEqual({ code: 'GIFT10', refusal: 'used up' });
  page.rememberPromoCode('GIFT10');
  expect(page.readRememberedPromoCode()).toEqual({ code: 'GIFT10' });
  expect((await openPage(session)).readRememberedPromoCode()).toEqual({ code: 'GIFT10' });
});

it('notifies listeners when the code changes, and returns the same object until then', async () => {
  const page = await openPage(createStorage());
  const notify = vi.fn();
  const stopListening = page.onPromoCode(notify);
  page.rememberPromoCode('GIFT10');
  expect(notify).toHaveBeenCalledOnce();
  expect(page.readRememberedPromoCode()).toBe(page.readRememberedPromoCode());
  stopListening();
  page.clearPromoCode();
  expect(notify).toHaveBeenCalledOnce();
});

it('keeps the code until the page is reloaded when storage is off', async () => {
  const page = await openPage(refusingStorage);
  page.rememberPromoCode('GIFT10');
  expect(page.readRememberedPromoCode()).toEqual({ code: 'GIFT10' });
});
