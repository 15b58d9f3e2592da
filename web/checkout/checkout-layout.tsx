import type { ReactNode } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { isShipped } from '../data/cart.ts';
import { paths } from '../paths.ts';
import { Link } from '../ui/link.tsx';
import { CheckoutSteps } from './steps.tsx';

/**
 * The layout of a checkout step, next to the order summary. On a phone the summary comes first, collapsed to its total.
 */
export function CheckoutLayout(props: {
  step: 1 | 2;
  cart: Cart;
  /** Whether step 1 is not completed, although step 2 is open. */
  isFirstOpen?: boolean;
  title: string;
  lede: string;
  summary: ReactNode;
  /** Answers to questions of buyers, below the order. */
  assurances: ReactNode;
  /** The link to the previous page. */
  back: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="wrap pt-6 pb-16 sm:pt-10 sm:pb-24">
      <nav aria-label="Back" className="mb-4 flex flex-wrap gap-x-6 sm:mb-6">
        {props.back}
        <Link to={paths.choiceOf(props.cart)} className="link inline-flex min-h-11 items-center">
          {isShipped(props.cart) ? 'Back to the frame' : 'Back to the service'}
        </Link>
      </nav>
      <CheckoutSteps current={props.step} isFirstOpen={props.isFirstOpen === true} />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:grid-rows-[auto_1fr] lg:items-start lg:gap-x-14 lg:gap-y-0">
        <div className="max-w-2xl">
          <h1 className="title-2">{props.title}</h1>
          <p className="lede mt-3">{props.lede}</p>
        </div>
        <aside className="lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1">{props.summary}</aside>
        <div className="min-w-0 lg:col-start-1 lg:pt-8">
          {props.children}
          <div className="mt-8">{props.assurances}</div>
        </div>
      </div>
    </section>
  );
}
