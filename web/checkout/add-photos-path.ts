import { readPaidOrder } from '../data/payment-memory.ts';
import { paths } from '../paths.ts';
import { useHydrated } from '../ui/use-hydrated.ts';

/**
 * Returns the registration page if a guest has just paid in this tab, otherwise undefined. Guests create an account
 * before they add photos.
 */
export const findRegistrationPath = (): string | undefined =>
  readPaidOrder()?.next === paths.completeRegistration ? paths.completeRegistration : undefined;

/** The page to which "add photos" leads: the registration page for a guest who has just paid, otherwise /upload. */
export function useAddPhotosPath(session: string | undefined): string {
  const isHydrated = useHydrated();
  return (isHydrated ? findRegistrationPath() : undefined) ?? paths.uploadWithSession(session);
}
