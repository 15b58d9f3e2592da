import { FileDown, Printer, Truck } from 'lucide-react';
import { useState } from 'react';
import { toShopDay } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { countText } from '#contract/count-text.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { OptionalSelect } from '../list/list-tools.tsx';
import { BulkBar, type Selection } from '../list/selection.tsx';
import { statuses, statusLabels } from '../search.ts';
import { useSessionEnd } from '../session.ts';
import { StepUpDownload } from '../step-up/step-up-download.tsx';
import { ShippingChecklist, useShippingWarnings } from './before-shipping.tsx';
import { canBeShippedNow } from './ship-many.tsx';
import { filterOrdersShippedByStatus, statusChangeText } from './status-change-text.ts';
import { useShowOrder } from './use-show-order.ts';

interface Props {
  selection: Selection;
  orders: readonly AdminOrder[];
  /** Opens the dialog that ships these orders with their tracking numbers. Undefined if the role may not ship. */
  onShip: ((orders: readonly AdminOrder[]) => void) | undefined;
}

/** The bar for the selected orders: sets the same status for all of them, ships them, or prints their packing slips. */
export function SetStatus({ selection, orders, onShip }: Props) {
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  const [today] = useState(() => toShopDay(Date.now()));
  const [chosen, setChosen] = useState<string>();
  /** The orders in the open confirmation dialog, as they were when it opened. */
  const [toConfirm, setToConfirm] = useState<readonly AdminOrder[]>();
  const [tellCustomer, setTellCustomer] = useState(true);
  const [done, setDone] = useState(0);
  const status = statuses.find((it) => it === chosen);
  const ordersToChange = orders.filter((it) => it.orderStatus !== status && !it.canceledAt);
  const shippableOrders = orders.filter((it) => it.isShippable);
  const addressedOrders = shippableOrders.filter((it) => !it.canceledAt && it.shippingAddress);
  const ordersToShip = status && toConfirm ? filterOrdersShippedByStatus(status, toConfirm) : [];
  const foundShippingWarnings = useShippingWarnings(ordersToShip);
  const setStatusOfOrders = async (changing: readonly AdminOrder[]) => {
    setDone(0);
    const mailChoice = tellCustomer ? {} : { tellCustomer };
    try {
      // Update the orders one after the other. If an update fails, the list shows which orders are already updated.
      for (const [at, { id }] of changing.entries()) {
        showOrder(await send('PUT /api/admin/orders/:id', { params: { id }, body: { status, ...mailChoice } }));
        setDone(at + 1);
      }
    } catch (error) {
      toast({ title: 'Update Failed', description: errorText(error, 'Failed to update order'), destructive: true });
      handleSessionEnd(error);
      throw error;
    }
    toast({ title: 'Orders updated', description: `${countText(changing.length, 'order')} saved.` });
    setChosen(undefined);
    selection.clear();
  };
  return (
    <BulkBar selection={selection}>
      <OptionalSelect
        label="Status of the selected orders"
        value={chosen}
        none="Set status..."
        options={statuses.map((value) => ({ value, label: statusLabels[value] }))}
        onChange={setChosen}
      />
      <Button
        size="small"
        disabled={!status || ordersToChange.length === 0}
        onClick={() => {
          setTellCustomer(true);
          setToConfirm(ordersToChange);
        }}
      >
        Update orders
      </Button>
      {onShip && orders.some(canBeShippedNow) && (
        <Button look="secondary" size="small" onClick={() => onShip(orders)}>
          <Truck aria-hidden className="size-4.5" />
          Ship with tracking...
        </Button>
      )}
      {shippableOrders.length > 0 && (
        <LinkButton look="secondary" size="small" to={paths.packingSlips(shippableOrders.map((it) => it.id))}>
          <Printer aria-hidden className="size-4.5" />
          {shippableOrders.length === 1 ? 'Packing slip' : `${shippableOrders.length} packing slips`}
        </LinkButton>
      )}
      {onShip && addressedOrders.length > 0 && (
        <StepUpDownload look="secondary" size="small" to={paths.labelAddresses(addressedOrders.map((it) => it.id))}>
          <FileDown aria-hidden className="size-4.5" />
          {addressedOrders.length === 1 ? 'Address for a label' : `${addressedOrders.length} addresses for labels`}
        </StepUpDownload>
      )}
      {status && toConfirm && (
        <ConfirmDialog
          open
          onOpenChange={() => setToConfirm(undefined)}
          title={`Set ${countText(toConfirm.length, 'order')} to ${statusLabels[status]}?`}
          description={statusChangeText(status, toConfirm, today, tellCustomer)}
          confirmLabel={foundShippingWarnings.warned.length > 0 ? 'Ship anyway' : 'Update orders'}
          isBlocked={foundShippingWarnings.isChecking}
          busyLabel={`${done} updated...`}
          onConfirm={() => setStatusOfOrders(toConfirm)}
        >
          {ordersToShip.length > 0 && (
            <Checkbox
              className="mt-5"
              label={ordersToShip.length === 1 ? 'Email the customer' : 'Email the customers'}
              checked={tellCustomer}
              onChange={(event) => setTellCustomer(event.currentTarget.checked)}
            />
          )}
          <ShippingChecklist found={foundShippingWarnings} isForSeveral />
        </ConfirmDialog>
      )}
    </BulkBar>
  );
}
