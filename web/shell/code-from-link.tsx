import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { rememberPromoCode } from '../data/promo-memory.ts';

/** A link may bring a promo code (?code=GIFT10): it is kept for the checkout, and the address made clean. */
export function CodeFromLink() {
  const code = useSearch({ strict: false, select: (search) => search.code });
  const navigate = useNavigate();
  useEffect(() => {
    if (code === undefined) return;
    rememberPromoCode(code);
    void navigate({
      to: '.',
      search: (search) => ({ ...search, code: undefined }),
      hash: true,
      replace: true,
      resetScroll: false,
    });
  }, [code, navigate]);
  return null;
}
