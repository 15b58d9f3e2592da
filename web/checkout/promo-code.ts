import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { send } from '../data/api.ts';
import { errorWords } from '../data/error-words.ts';
import { forgetPromoCode, onPromoCode, rememberedPromoCode, rememberPromoCode } from '../data/promo-memory.ts';

export interface PromoCode {
  /** What was entered; undefined when nothing was. */
  code: string | undefined;
  /** What it takes off this cart, once the shop has said so. */
  discount: { code: string; cents: number } | undefined;
  isChecking: boolean;
  /** Why it is not taken. Buying goes on without it. */
  refusal: string | undefined;
  apply: (code: string) => void;
  remove: () => void;
}

/** The code for this cart, as the shop judges it. */
export function usePromoCode(cart: Cart): PromoCode {
  // While the server renders there is no session storage to look into.
  const { code, refusal } = useSyncExternalStore(onPromoCode, rememberedPromoCode, () => undefined) ?? {};
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['/api', 'check-promo-code', cart, code],
    queryFn: () => send('POST /api/check-promo-code', { body: { ...cart, promoCode: code ?? '' } }),
    enabled: code !== undefined && refusal === undefined,
    // A changed cart keeps its line while the shop works it out anew.
    placeholderData: (before, query) => (query?.queryKey[3] === code ? before : undefined),
  });
  const words = refusal ?? (error && !isFetching ? errorWords(error) : undefined);
  return {
    code,
    discount: data && words === undefined ? { code: data.promoCode, cents: data.discountAmount } : undefined,
    isChecking: code !== undefined && words === undefined && (data === undefined || isPlaceholderData),
    refusal: words,
    apply: (typed) => {
      const isAgain = typed.trim() === code && refusal === undefined;
      rememberPromoCode(typed);
      if (isAgain) void refetch();
    },
    remove: forgetPromoCode,
  };
}
