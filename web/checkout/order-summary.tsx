import { useQuery } from '@tanstack/react-query';
import { CalendarDays, ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { discountText, taxLabel } from '#contract/amount-text.ts';
import {
  type Cart,
  cartLimits,
  kinframe,
  formatDollars,
  includedPhotoCounts,
  photoCountOf,
  pricesInCents,
} from '#contract/catalog.ts';
import type { Product } from '#contract/content.ts';
import { countText } from '#contract/count-text.ts';
import { shippingQuery } from '../data/queries.ts';
import { deliveryEstimateQuery } from '../account/order-queries.ts';
import { deliveryText } from '../account/order-stage.ts';
import { Button } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Picture } from '../ui/picture.tsx';
import { StepperControl } from '../ui/stepper.tsx';
import { isShipped } from '../data/cart.ts';
import type { PromoCodeState } from './promo-code.ts';
import { EnteredGiftCardsNote, GiftCardFields } from './gift-card-field.tsx';
import { PromoCodeField } from './promo-code-field.tsx';
import { computeTotals } from './totals.ts';
import type { CheckoutIntent } from './use-payment.ts';

interface Props {
  cart: Cart;
  products: Product[];
  country?: string | undefined;
  /** The day on which a gift ships. */
  shipOn?: string | undefined;
  /** The amounts that the shop has calculated. Undefined until they are known. */
  answer?: CheckoutIntent | undefined;
  promo: PromoCodeState;
  /** Whether the buyer can enter gift cards here. Only in step 2. */
  takesGiftCards?: boolean;
  /** Whether the shop adds sales tax. */
  collectsTax: boolean;
  /** Whether the shop is calculating new amounts. */
  isUpdating?: boolean;
  /**
   * Set only in step 2. The buyer can then change the number of extra packages here, and the shop calculates the tax.
   */
  onExtras?: ((extraPackages: number) => void) | undefined;
  /** Whether the order and its promo code cannot be changed at the moment. */
  isFixed?: boolean;
}

/** The order and its price. On a wide screen it is next to the form. On a phone it is collapsed to the total. */
export function OrderSummary(props: Props) {
  const {
    cart,
    products,
    country,
    shipOn,
    answer,
    promo,
    takesGiftCards = false,
    collectsTax,
    isUpdating = false,
    onExtras,
    isFixed = false,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const product = products.find((it) => it.id === cart.productId);
  const productNames = {
    product: product?.name ?? fallbackNames[cart.productId],
    extras: products.find((it) => it.id === 'photo2video-10')?.name ?? '+10 AI Photo Package',
  };
  const totals = computeTotals(cart, productNames, { answer, discount: promo.discount });
  const total = formatDollars(totals.totalCents);
  return (
    <div className="rounded-xl border border-hair bg-card shadow-soft">
      <h2 className="tracking-normal lg:px-7 lg:pt-6">
        <span className="title-3 hidden lg:block">Order summary</span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-16 w-full items-center gap-3 px-5 text-left lg:hidden"
        >
          <span className="font-serif text-xl font-medium">Order summary</span>
          <ChevronDown
            aria-hidden
            className={joinClassNames('size-5 shrink-0 transition-transform duration-200', isOpen && 'rotate-180')}
          />
          <span className="ml-auto font-serif text-2xl font-medium tabular-nums">{formatDollars(totals.dueCents)}</span>
        </button>
      </h2>
      <div
        id={id}
        className={joinClassNames(
          'border-t border-hair px-5 pt-5 pb-6 lg:block lg:border-t-0 lg:px-7 lg:pb-7',
          !isOpen && 'hidden',
        )}
      >
        <dl className="space-y-4">
          {totals.lines.map(({ label, detail, amountCents }, index) => (
            <div key={label} className="flex items-center gap-4">
              {index === 0 && product && (
                <dd aria-hidden className="order-first size-18 shrink-0 overflow-hidden rounded-md">
                  <Picture src={product.image} alt="" sizes="8rem" className="size-18" priority />
                </dd>
              )}
              <dt className="min-w-0 flex-1 leading-snug">
                <span className={index === 0 ? 'font-semibold' : undefined}>{label}</span>
                <span className="block text-[0.9375rem] text-muted">{detail}</span>
              </dt>
              <dd className="shrink-0 tabular-nums">{formatDollars(amountCents)}</dd>
            </div>
          ))}
        </dl>
        <dl className="mt-5 space-y-2.5 border-t border-hair pt-5">
          <Row label="Photos brought to life">{photoCountOf(cart)}</Row>
          {totals.discountCents > 0 && (
            <Row label={discountText(totals.promoCode)} good>
              {formatDollars(-totals.discountCents)}
            </Row>
          )}
          {isShipped(cart) && (
            <Row label="Shipping" good>
              Free
            </Row>
          )}
          {(onExtras || collectsTax) && (
            <Row label={taxLabel(answer ?? {})}>
              {totals.taxCents !== undefined || !collectsTax
                ? formatDollars(totals.taxCents ?? 0)
                : isUpdating
                  ? '…'
                  : 'calculated at payment'}
            </Row>
          )}
        </dl>
        {onExtras && <ExtrasEditor value={cart.extraPackages} onChange={onExtras} disabled={isFixed} />}
        <div
          aria-live="polite"
          aria-busy={isUpdating}
          className="mt-5 flex items-baseline justify-between gap-4 border-t border-hair pt-5"
        >
          <p>
            <span className="text-lg font-semibold">Total</span>
            <span className="block text-[0.9375rem] text-muted">in US dollars</span>
          </p>
          <p className="font-serif text-4xl font-medium tabular-nums">{total}</p>
        </div>
        {totals.giftCards.length > 0 && (
          <dl className="mt-3 space-y-2.5">
            {totals.giftCards.map(({ lastFour, amount }) => (
              <Row key={lastFour} label={`Gift card ending in ${lastFour}`} good>
                {formatDollars(-amount)}
              </Row>
            ))}
            <Row label="Left to pay">{formatDollars(totals.dueCents)}</Row>
          </dl>
        )}
        {country === 'CA' && (
          <p className="mt-4 text-[0.9375rem] text-muted">
            Orders to Canada are charged in US dollars. You may have to pay import duties when your package arrives.
          </p>
        )}
      </div>
      {isShipped(cart) && <EstimatedDelivery shipOn={shipOn} />}
      {/* Always visible, so that the buyer notices a refused code. */}
      <div className="border-t border-hair px-5 py-3 lg:px-7 lg:py-4">
        <PromoCodeField promo={promo} disabled={isFixed} />
        {takesGiftCards ? (
          <GiftCardFields shares={answer?.giftCards} isUpdating={isUpdating} disabled={isFixed} />
        ) : (
          <EnteredGiftCardsNote />
        )}
      </div>
    </div>
  );
}

const waitingText = { when: 'One moment...', condition: undefined };

/** The estimated delivery. It is always visible, because a buyer may need the order by a certain day. */
function EstimatedDelivery({ shipOn }: { shipOn: string | undefined }) {
  const { data, isError } = useQuery(deliveryEstimateQuery(shipOn));
  const { data: shipping } = useQuery(shippingQuery());
  if (isError) return null;
  // During a vacation, the number of business days would promise too much.
  const isAwaySoon = Boolean(shipping?.vacation);
  const { when, condition } = data ? deliveryText({ status: 'pending', isFinalized: false }, data) : waitingText;
  return (
    <div className="flex gap-3 border-t border-hair px-5 py-4 lg:px-7">
      <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      <p className="leading-snug">
        <span className="text-muted">Estimated delivery: </span>
        <span className="font-semibold">{when}</span>
        <span className="block text-[0.9375rem] text-muted">
          {condition}
          {data && !isAwaySoon && `, otherwise about ${countText(data.businessDays, 'business day')} after you do`}
        </span>
      </p>
    </div>
  );
}

function Row(props: { label: string; good?: boolean; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt>{props.label}</dt>
      <dd className={joinClassNames('shrink-0 tabular-nums', props.good && 'font-semibold text-good')}>
        {props.children}
      </dd>
    </div>
  );
}

/**
 * Changes the number of photo packages without going back to the product page. Every change is applied at once. The
 * button Save Changes only closes the editor.
 */
function ExtrasEditor(props: { value: number; onChange: (value: number) => void; disabled: boolean }) {
  const { value, onChange, disabled } = props;
  const [isEditing, setEditing] = useState(false);
  const id = useId();
  return (
    <div className="mt-5 rounded-lg bg-linen px-4 py-2">
      <div className="flex items-center justify-between gap-3">
        <p id={id} className="font-semibold">
          Extra photo packages
        </p>
        <Button
          look="quiet"
          size="small"
          className="-mr-4 underline decoration-1 underline-offset-4 hover:bg-clay"
          disabled={disabled}
          aria-expanded={isEditing}
          onClick={() => setEditing(!isEditing)}
        >
          Edit
          <span className="sr-only"> extra photo packages</span>
        </Button>
      </div>
      {isEditing && (
        <fieldset aria-labelledby={id} className="pb-2">
          <p className="text-[0.9375rem] text-muted">
            +{includedPhotoCounts.extraPackage} photos for {formatDollars(pricesInCents.extraPackage)} each
          </p>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
            <StepperControl
              name="extra packages"
              value={value}
              most={cartLimits.maxExtras}
              disabled={disabled}
              onChange={onChange}
            />
            <Button look="secondary" size="small" onClick={() => setEditing(false)}>
              Save Changes
            </Button>
          </div>
        </fieldset>
      )}
    </div>
  );
}

/** The names of the products if the catalog could not be loaded. */
const fallbackNames = {
  [kinframe]: 'Kinframe Digital Picture Frame',
  byof: 'Bring Your Own Frame AI animation service',
};
