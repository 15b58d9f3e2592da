import { numberParam, defineSearchParams, textParam } from '../search-params.ts';

/** The search param for a promo code in a link: /product/kinframe?code=GIFT10. */
export const promoParam = { code: textParam(40) };
export const promoSearch = defineSearchParams(promoParam);

const countParams = { quantity: numberParam, extras: numberParam };
/** The search params of a product's page: the quantity and the extra packages. /product/kinframe?quantity=2&extras=1 */
export const choiceSearch = defineSearchParams({ ...promoParam, ...countParams });

/** The search params for a cart: /customer-details?product=kinframe&quantity=1&extras=0. */
export const cartParams = { ...promoParam, ...countParams, product: textParam() };
