import { paidOrder } from '../data/payment-memory.ts';
import { paths } from '../paths.ts';
import { useHydrated } from '../ui/use-hydrated.ts';

/** Where a buyer adds photos. Whoever has just paid here as a guest makes their account first, as the browser remembers. */
export function useWayToPhotos(session: string | undefined): string {
  const isAwake = useHydrated();
  return isAwake && paidOrder()?.next === paths.completeRegistration
    ? paths.completeRegistration
    : paths.uploadWithSession(session);
}
