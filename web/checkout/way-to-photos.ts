import { paidOrder } from '../data/payment-memory.ts';
import { paths } from '../paths.ts';
import { useHydrated } from '../ui/use-hydrated.ts';

/** Whoever has just paid here as a guest makes their account before they add photos, as the browser remembers. */
export const findRegistration = (): string | undefined =>
  paidOrder()?.next === paths.completeRegistration ? paths.completeRegistration : undefined;

/** Where a buyer adds photos. */
export function useWayToPhotos(session: string | undefined): string {
  const isAwake = useHydrated();
  return (isAwake ? findRegistration() : undefined) ?? paths.uploadWithSession(session);
}
