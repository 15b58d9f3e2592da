import { query } from '../data/api.ts';

/** What the cookie that an upload link was exchanged for opens. */
export const uploadLinkQuery = () => query('/api/customer-upload', { query: {} });
export const linkPhotosQuery = (customerId: string) =>
  query('/api/customers/:customerId/uploads', { params: { customerId }, query: {} });
/** The answer sets that cookie; on the server it is passed on with the page. */
export const exchangeQuery = (token: string) => query('/api/upload-token/validate/:token', { params: { token } });
