import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import { orderStatuses, ShippingAddressView } from '#contract/orders.ts';
import type { Operations } from '#contract/operation.ts';
import { ticketStatuses } from '#contract/owner/tickets.ts';

/** A customer: an account, or a guest with an order. */
const customerFields = {
  id: z.string(),
  /** False for a guest, who has no upload link and no user record. */
  hasAccount: z.boolean(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** The customer's id at the payment provider. */
  stripeCustomerId: z.string().nullable(),
  orderCount: z.int(),
  /** The number of frames that were not refunded. */
  deviceCount: z.int(),
  /** The number of whole extra packages in these frames. */
  photoBundleCount: z.int(),
  /** Integer cents: payments minus refunds. */
  totalSpent: z.int(),
  createdAt: z.iso.datetime(),
  lastOrderDate: z.iso.datetime().nullable(),
};
export const AdminCustomer = z.object(customerFields).meta({ id: 'AdminCustomer' });
export type AdminCustomer = z.infer<typeof AdminCustomer>;

/** An account, and how many photos it may upload: basePhotoLimit, and 10 for each of extraPhotoPackages. */
export const AdminUser = z
  .object({
    id: z.string(),
    /** The user's email address, with which they sign in. */
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    /** Equal to `id`, because a user and the customer are one account. */
    customerId: z.string(),
    hasPurchased: z.boolean(),
    basePhotoLimit: z.int(),
    extraPhotoPackages: z.int(),
    usedPhotos: z.int(),
    reuploadCredits: z.int(),
    /** The date of the first order. */
    purchaseDate: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AdminUser' });
export type AdminUser = z.infer<typeof AdminUser>;

export const AdminCustomerDetails = z
  .object({
    ...customerFields,
    /** The total photo limit of all the customer's frames. */
    photoLimit: z.int(),
    usedPhotos: z.int(),
    /** Newest first. */
    orders: z.array(
      z.object({
        id: z.string(),
        orderNumber: z.string(),
        createdAt: z.iso.datetime(),
        orderStatus: z.enum(orderStatuses),
        canceledAt: z.iso.datetime().nullable(),
        /** Integer cents. */
        totalAmount: z.int(),
        refundedAmount: z.int(),
      }),
    ),
    /** The phone numbers of the orders, as the customer typed them. */
    phones: z.array(z.string()),
    /** The addresses of the orders, newest first. A gift's address is its recipient's. */
    addresses: z.array(z.object({ recipientName: z.string(), isGift: z.boolean(), address: ShippingAddressView })),
    /** The newest tickets from this email address. */
    tickets: z.array(
      z.object({
        id: z.string(),
        ticketNumber: z.string(),
        subject: z.string(),
        status: z.enum(ticketStatuses),
        createdAt: z.iso.datetime(),
      }),
    ),
    /** The account as the Users tab shows it. Null for a guest. */
    user: AdminUser.nullable(),
    /** Everything that the customer's orders contain, with the labels of the receipts. */
    products: z.array(z.object({ label: z.string(), quantity: z.int() })),
  })
  .meta({ id: 'AdminCustomerDetails' });
export type AdminCustomerDetails = z.infer<typeof AdminCustomerDetails>;

const numberFormat = new Intl.NumberFormat('en-US');
const amountField = (most: number) => {
  const message = `Please enter a whole number from 0 to ${numberFormat.format(most)}`;
  return z.int(message).min(0, message).max(most, message).optional();
};
const changeableFields = {
  basePhotoLimit: amountField(limits.mostBasePhotos),
  extraPhotoPackages: amountField(limits.mostExtraPackages),
  reuploadCredits: amountField(limits.mostReuploadCredits),
  /** Must be the user's own id. Empty text is treated as absent. */
  customerId: z.string('Please send the customer ID as text.').max(64, 'This is not a customer ID.').optional(),
};
const userChangeFields = {
  ...changeableFields,
  /** Whether an email announces added reupload credits. True if it is left out. */
  tellCustomer: z.boolean().optional(),
};
/**
 * Fields that are left out stay unchanged. Unknown or read-only fields are refused, so that no one believes they were
 * saved.
 */
export const UserChange = z.strictObject(userChangeFields, {
  error: ({ code, keys }) =>
    code === 'unrecognized_keys'
      ? `A user has no field named ${keys.join(', ')}. You can change ${Object.keys(changeableFields).join(', ')}.`
      : undefined,
});
export type UserChange = z.infer<typeof UserChange>;

export const customerSorts = ['date', 'name', 'orders', 'spent', 'last-order'] as const;
/** `again`: more than one order. */
export const customerFilters = ['guest', 'again', 'no-order'] as const;
export const customersQuery = listQuerySchema({ sorts: customerSorts, filters: customerFilters });

export const userSorts = ['date', 'name'] as const;
export const userFilters = ['purchased', 'no-purchase'] as const;
export const usersQuery = listQuerySchema({ sorts: userSorts, filters: userFilters });

const id = z.object({ id: z.string().max(64) });

export const ownerPeople = {
  'GET /api/admin/customers': {
    summary: 'List accounts and guests with orders, newest first; the Link header names the next page',
    who: 'admin',
    area: 'customers',
    query: customersQuery,
    response: z.object({ customers: z.array(AdminCustomer) }),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/customers': {
    summary: 'Read a page of accounts and guests with orders, searched by name, email and order number',
    who: 'admin',
    area: 'customers',
    query: customersQuery,
    response: listResponseSchema(AdminCustomer),
    refusals: listRefusals,
  },
  'GET /api/admin/customers/:id': {
    summary: 'Read one customer, with orders, products, addresses, tickets and account',
    who: 'admin',
    area: 'customers',
    params: id,
    response: AdminCustomerDetails,
    refusals: ['not-found'],
  },
  'GET /api/admin/users': {
    summary: 'List accounts, newest first; the Link header names the next page',
    who: 'admin',
    area: 'customers',
    query: usersQuery,
    response: z.array(AdminUser),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/users': {
    summary: 'Read a page of accounts, searched by name, email and order number',
    who: 'admin',
    area: 'customers',
    query: usersQuery,
    response: listResponseSchema(AdminUser),
    refusals: listRefusals,
  },
  'PUT /api/admin/users/:id': {
    summary: 'Change the photo limits and reupload credits of a user; the limits then apply to the user’s frames',
    who: 'admin',
    area: 'customers',
    params: id,
    body: UserChange,
    response: AdminUser,
    refusals: [
      'not-found',
      'user-is-customer',
      'no-frame-for-places',
      'order-canceled',
      'frame-takes-no-more',
      'places-in-use',
    ],
  },
} satisfies Operations;
