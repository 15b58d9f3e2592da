/** How a bill names what is taken off and what is added. */

export const discountWords = (promoCode: string | null | undefined) =>
  promoCode ? `Discount (${promoCode})` : 'Discount';

interface Tax {
  taxRate?: string | null | undefined;
  taxJurisdiction?: string | null | undefined;
}
export const taxWords = (tax: Tax) => {
  const basis = taxBasis(tax);
  return basis ? `Tax (${basis})` : 'Tax';
};

/** Who imposes a tax, and at which rate: New York, 8.875%. Empty where none is imposed. */
export const taxBasis = ({ taxRate, taxJurisdiction }: Tax): string =>
  [taxJurisdiction, taxRate && taxRate !== '0' && `${taxRate}%`].filter(Boolean).join(', ');
