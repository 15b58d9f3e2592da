import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { tidyCode } from '#contract/tidy.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { clearPromoCode, onPromoCode, readRememberedPromoCode, rememberPromoCode } from '../data/promo-memory.ts';

export interface PromoCodeState {
  /** The code that the visitor has entered. */
  code: string | undefined;
  /** The discount for this cart, once the shop has confirmed it. */
  discount: { code: string; cents: number } | undefined;
  isChecking: boolean;
  /** The reason if the code is refused. The purchase then continues without the code. */
  refusal: string | undefined;
  apply: (code: string) => void;
  remove: () => void;
}

/** The promo code for this cart. The shop checks the code and calculates the discount. */
export function usePromoCode(cart: Cart): PromoCodeState {
  // During server rendering, the code is undefined, because the server cannot read the tab's session storage.
  const { code, refusal } = useSyncExternalStore(onPromoCode, readRememberedPromoCode, () => undefined) ?? {};
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['/api', 'check-promo-code', cart, code],
    queryFn: () => send('POST /api/check-promo-code', { body: { ...cart, promoCode: code ?? '' } }),
    enabled: code !== undefined && refusal === undefined,
    // After a change of the cart, show the old discount until the shop has calculated the new one.
    placeholderData: (before, query) => (query?.queryKey[3] === code ? before : undefined),
  });
  const message = refusal ?? (error && !isFetching ? errorText(error) : undefined);
  return {
    code,
    discount: data && message === undefined ? { code: data.promoCode, cents: data.discountAmount } : undefined,
    isChecking: code !== undefined && message === undefined && (data === undefined || isPlaceholderData),
    refusal: message,
    apply: (typed) => {
      const isAgain = tidyCode(typed) === code && refusal === undefined;
      rememberPromoCode(typed);
      if (isAgain) void refetch();
    },
    remove: clearPromoCode,
  };
}
