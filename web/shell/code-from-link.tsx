import { useEffect } from 'react';
import { promoSearch } from '../checkout/cart-params.ts';
import { rememberPromoCode } from '../data/promo-memory.ts';
import { useAddress, useNavigation } from '../ui/navigation.tsx';

/** A link may bring a promo code (?code=GIFT10): it is kept for the checkout, and the address made clean. */
export function CodeFromLink() {
  const { code } = promoSearch(useAddress().search);
  const { changeSearch } = useNavigation();
  useEffect(() => {
    if (code === undefined) return;
    rememberPromoCode(code);
    changeSearch({ code: undefined });
  }, [code, changeSearch]);
  return null;
}
