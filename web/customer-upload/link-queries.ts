import { query } from '../data/api.ts';

/** The visitor's upload link. The API finds it by the cookie that `exchangeQuery` sets. */
export const uploadLinkQuery = () => query('/api/customer-upload', { query: {} });
export const linkPhotosQuery = (customerId: string) =>
  query('/api/customers/:customerId/uploads', { params: { customerId }, query: {} });
/**
 * Exchanges the token of an upload link for a cookie, which the response sets. During server rendering, the page sends
 * the cookie to the browser.
 */
export const exchangeQuery = (token: string) => query('/api/upload-token/validate/:token', { params: { token } });
