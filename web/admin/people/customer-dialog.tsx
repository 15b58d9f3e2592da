import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { shortDayText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import type { AdminCustomerDetails } from '#contract/owner/people.ts';
import { query } from '../../data/api.ts';
import { AddressLines } from '../../ui/address-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { DescriptionRow } from '../description-row.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { OrderPanelSection } from '../orders/order-panel-section.tsx';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { StatusBadge } from '../status-badge.tsx';
import { TicketStatusBadge } from '../tickets/ticket-marks.tsx';
import { WriteToCustomer } from '../tickets/write-to-customer.tsx';
import { UploadLinks } from '../upload-links.tsx';
import { EditUser } from './edit-user.tsx';
import { fullName } from './full-name.ts';

/** All details of one customer. */
export function CustomerDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...query('/api/admin/customers/:id', { params: { id } }),
    ...uncachedQueryOptions,
  });
  useSessionEndOn(error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title="Customer Details"
      description={data && <CustomerTitle customer={data} />}
    >
      {!data && error && (
        <LoadErrorNotice
          title="We couldn’t load this customer"
          notFoundTitle="We couldn’t find this customer"
          error={error}
          onRetry={refetch}
          className="mt-6"
        />
      )}
      {!data && !error && <Skeleton className="mt-6 h-96" />}
      {data && <Details customer={data} />}
    </Dialog>
  );
}

const CustomerTitle = ({ customer }: { customer: AdminCustomerDetails }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <span className="min-w-0 break-words">{fullName(customer)}</span>
    {!customer.hasAccount && <Badge>Guest</Badge>}
  </span>
);

function Details({ customer }: { customer: AdminCustomerDetails }) {
  const [isEditing, setIsEditing] = useState(false);
  const figures = [
    ['Orders', customer.orderCount],
    ['Devices', customer.deviceCount],
    ['Photo bundles', customer.photoBundleCount],
    ['Total spent', formatDollars(customer.totalSpent)],
  ] as const;
  return (
    <div className="mt-6 text-[0.9375rem]">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label} className="rounded-lg bg-linen px-4 py-3">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="mt-0.5 font-serif text-xl font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 grid gap-x-10 max-md:divide-y max-md:divide-hair md:grid-cols-2">
        <div className="divide-y divide-hair">
          <OrderPanelSection title="Contact">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
              <DescriptionRow label="Email">
                <Link to={`mailto:${customer.email}`} className="link break-all">
                  {customer.email}
                </Link>
              </DescriptionRow>
              <DescriptionRow label={customer.phones.length > 1 ? 'Phones' : 'Phone'}>
                {customer.phones.length === 0 && <span className="text-muted">Not given</span>}
                {customer.phones.map((phone) => (
                  <Link key={phone} to={`tel:${phone.replaceAll(/[^+0-9]/g, '')}`} className="link mr-3 inline-block">
                    {phone}
                  </Link>
                ))}
              </DescriptionRow>
              <DescriptionRow label="Payment provider ID">
                <span className="font-mono text-sm break-all">
                  {customer.stripeCustomerId ?? <span className="font-sans text-muted">None</span>}
                </span>
              </DescriptionRow>
              <DescriptionRow label="Member since">{shortDayText(customer.createdAt)}</DescriptionRow>
              <DescriptionRow label="Last order">
                {customer.lastOrderDate === null ? 'None yet' : shortDayText(customer.lastOrderDate)}
              </DescriptionRow>
            </dl>
            <div className="mt-3">
              <WriteToCustomer from={{ customerId: customer.id }} name={fullName(customer)} email={customer.email} />
            </div>
          </OrderPanelSection>
          {customer.addresses.length > 0 && (
            <OrderPanelSection title={customer.addresses.length === 1 ? 'Address' : 'Addresses'}>
              <ul className="grid gap-4 sm:grid-cols-2">
                {customer.addresses.map(({ recipientName, isGift, address }) => (
                  <li key={`${recipientName} ${address.line1} ${address.postalCode}`} className="break-words">
                    <p>
                      {recipientName} {isGift && <Badge>Gift</Badge>}
                    </p>
                    <AddressLines address={address} />
                  </li>
                ))}
              </ul>
            </OrderPanelSection>
          )}
          <OrderPanelSection title="Photos">
            <p>
              <span className="font-semibold">Total photo upload limit: {customer.photoLimit}</span>
              <span className="text-muted">, {customer.usedPhotos} used</span>
            </p>
            {customer.user && (
              <>
                <p className="mt-1">{countText(customer.user.reuploadCredits, 'reupload credit')}</p>
                <Button look="secondary" size="small" className="mt-2" onClick={() => setIsEditing(true)}>
                  <Pencil aria-hidden className="size-4.5" />
                  Edit limits and credits...
                </Button>
                {isEditing && <EditUser user={customer.user} onClose={() => setIsEditing(false)} />}
              </>
            )}
            {customer.hasAccount ? (
              <UploadLinks customerId={customer.id} />
            ) : (
              <p className="mt-1 text-muted">
                This customer bought as a guest and doesn’t have an account yet, so there’s no upload link. Send the
                receipt again so they can create an account.
              </p>
            )}
          </OrderPanelSection>
        </div>
        <div className="divide-y divide-hair">
          <OrderPanelSection title="Order history">
            {customer.orders.length === 0 && <p className="text-muted">No orders yet.</p>}
            <ul className="divide-y divide-hair">
              {customer.orders.map((order) => (
                <li key={order.id} className="flex items-baseline justify-between gap-x-4 py-1">
                  <span className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
                    <Link
                      to={`/admin?tab=orders&order=${order.id}`}
                      className="inline-flex min-h-11 items-center font-semibold whitespace-nowrap text-accent-deep hover:underline"
                    >
                      {order.orderNumber}
                    </Link>
                    <StatusBadge order={order} />
                    <span className="text-muted">{shortDayText(order.createdAt)}</span>
                  </span>
                  <span className="shrink-0 text-right tabular-nums">
                    {formatDollars(order.totalAmount)}
                    {order.refundedAmount > 0 && (
                      <span className="block text-sm text-muted">{formatDollars(order.refundedAmount)} refunded</span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </OrderPanelSection>
          <OrderPanelSection title="Tickets">
            {customer.tickets.length === 0 && <p className="text-muted">No tickets yet.</p>}
            <ul className="divide-y divide-hair">
              {customer.tickets.map(({ id, ticketNumber, subject, status, createdAt }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
                  <Link
                    to={`/admin?tab=support&filter=${status}&ticket=${id}`}
                    className="inline-flex min-h-11 items-center font-semibold whitespace-nowrap text-accent-deep hover:underline"
                  >
                    {ticketNumber}
                  </Link>
                  <TicketStatusBadge status={status} />
                  <span className="min-w-0 flex-1 basis-32 wrap-anywhere">{subject}</span>
                  <span className="text-muted">{shortDayText(createdAt)}</span>
                </li>
              ))}
            </ul>
          </OrderPanelSection>
          <OrderPanelSection title="Products purchased">
            {customer.products.length === 0 && <p className="text-muted">Nothing yet.</p>}
            <ul className="space-y-1.5">
              {customer.products.map(({ label, quantity }) => (
                <li key={label} className="flex justify-between gap-4">
                  <span>{label}</span>
                  <span className="tabular-nums">× {quantity}</span>
                </li>
              ))}
            </ul>
          </OrderPanelSection>
        </div>
      </div>
    </div>
  );
}
