import { useEffect } from 'react';
import { promoSearch } from '../checkout/cart-params.ts';
import { rememberPromoCode } from '../data/promo-memory.ts';
import { useAddress, useNavigation } from '../ui/navigation.tsx';

/** Stores the promo code from a link (?code=GIFT10) for checkout, and removes it from the address. */
export function PromoCodeFromLink() {
  const { code } = promoSearch(useAddress().search);
  const { changeSearch } = useNavigation();
  useEffect(() => {
    if (code === undefined) return;
    rememberPromoCode(code);
    changeSearch({ code: undefined });
  }, [code, changeSearch]);
  return null;
}
