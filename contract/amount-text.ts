/** Labels for discounts and taxes on a bill. */

export const discountText = (promoCode: string | null | undefined) =>
  promoCode ? `Discount (${promoCode})` : 'Discount';

interface Tax {
  taxRate?: string | null | undefined;
  taxJurisdiction?: string | null | undefined;
}
export const taxLabel = (tax: Tax) => {
  const basisText = taxBasisText(tax);
  return basisText ? `Tax (${basisText})` : 'Tax';
};

/** The tax jurisdiction and rate, for example `New York, 8.875%`. Empty if no tax applies. */
export const taxBasisText = ({ taxRate, taxJurisdiction }: Tax): string =>
  [taxJurisdiction, taxRate && taxRate !== '0' && `${taxRate}%`].filter(Boolean).join(', ');
