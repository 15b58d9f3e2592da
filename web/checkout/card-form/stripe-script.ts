import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useState } from 'react';

/**
 * Stripe's script for a publishable key. Undefined while it loads, and null if it could not be loaded. It is loaded only
 * once, when the first form or button of Stripe is shown.
 */
export function useStripeScript(publishableKey: string): Stripe | null | undefined {
  const [stripe, setStripe] = useState<Stripe | null>();
  useEffect(() => {
    let isHere = true;
    const setLoadedStripe = (loaded: Stripe | null) => isHere && setStripe(loaded);
    loadStripeFor(publishableKey).then(setLoadedStripe, () => setLoadedStripe(null));
    return () => {
      isHere = false;
    };
  }, [publishableKey]);
  return stripe;
}

const loadingByKey = new Map<string, Promise<Stripe | null>>();
function loadStripeFor(key: string): Promise<Stripe | null> {
  const loadingScript = loadingByKey.get(key);
  if (loadingScript) return loadingScript;
  const loadingStripe = loadStripe(key);
  loadingStripe.catch(() => loadingByKey.delete(key));
  loadingByKey.set(key, loadingStripe);
  return loadingStripe;
}

/** The colors of styles.css, for the forms in Stripe's iframes. */
export const appearance: Appearance = {
  theme: 'stripe',
  variables: {
    colorPrimary: '#b4532a',
    colorBackground: '#fffdf9',
    colorText: '#2b2420',
    colorTextSecondary: '#685b51',
    colorDanger: '#a3262a',
    borderRadius: '10px',
    fontSizeBase: '17px',
    spacingUnit: '5px',
  },
  rules: { '.Input': { borderColor: '#8c7d6f', boxShadow: 'none' } },
};
