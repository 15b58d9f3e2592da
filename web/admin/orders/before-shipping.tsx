import { useQueries } from '@tanstack/react-query';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { query } from '../../data/api.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';
import { listShippingWarnings } from './shipping-warnings.ts';

type ShipmentParts = Pick<AdminOrder, 'id' | 'orderNumber' | 'customerEmail'>;

/** Checks orders that are about to ship, and returns the warnings about unfinished work. */
export function useShippingWarnings(orders: readonly ShipmentParts[]) {
  const checks = useQueries({
    queries: orders.map(({ id }) => ({
      ...query('/api/admin/orders/:id/shipping-check', { params: { id } }),
      ...uncachedQueryOptions,
    })),
  });
  useSessionEndOn(...checks.map((it) => it.error));
  return {
    isChecking: checks.some((it) => it.isPending),
    hasFailed: checks.some((it) => it.isError),
    warned: orders.flatMap((order, at) => {
      const check = checks[at]?.data;
      const warnings = check ? listShippingWarnings(check, order.customerEmail) : [];
      return warnings.length > 0 ? [{ order, warnings }] : [];
    }),
  };
}

/** Shows the warnings, grouped by order if there are several orders. */
export function ShippingChecklist(props: { found: ReturnType<typeof useShippingWarnings>; isForSeveral?: boolean }) {
  const { isChecking, hasFailed, warned } = props.found;
  if (isChecking) return <p className="mt-5 text-muted">Checking photos and videos...</p>;
  return (
    <>
      {hasFailed && (
        <Notice tone="warn" title="We couldn’t check photos and videos" className="mt-5">
          Please look at the order before you ship it.
        </Notice>
      )}
      {warned.length > 0 && (
        <Notice tone="warn" title="Before you ship" className="mt-5">
          {warned.map(({ order, warnings }) => (
            <div key={order.id}>
              {props.isForSeveral && <p className="mt-2 font-semibold">{order.orderNumber}</p>}
              <ul className="list-disc pl-5">
                {warnings.map((it) => (
                  <li key={it} className="[overflow-wrap:anywhere]">
                    {it}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Notice>
      )}
    </>
  );
}
