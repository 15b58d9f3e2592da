import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import {
  cartProducts,
  frameAndPackageCart,
  kinframe,
  formatDollars,
  includedPhotoCounts,
  calculateCartPrice,
  type CartProduct,
} from '#contract/catalog.ts';
import type { Product } from '#contract/content.ts';
import { productsQuery } from '../../data/queries.ts';
import { useFramesLeft } from '../../data/stock.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { Link } from '../../ui/link.tsx';
import { useNavigation } from '../../ui/navigation.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Badge, Skeleton } from '../../ui/surfaces.tsx';
import { expectToasts, toast } from '../../ui/toast.ts';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';

/** All products on sale. The frame is the first and largest card. */
export function Packages() {
  const { data: products } = useQuery(productsQuery());
  if (!products?.length) return <PackagesSkeleton />;
  return (
    <ul className="grid gap-6 md:grid-cols-2">
      {products.map((product, index) => (
        <li key={product.id} className={index === 0 ? 'md:col-span-2' : ''}>
          <ProductCard product={product} large={index === 0} />
        </li>
      ))}
    </ul>
  );
}

function priceNote({ id, checkoutUrl }: Product): string {
  if (isCartProduct(id)) return `${includedPhotoCounts.device} photos included`;
  return leadsToFrame({ checkoutUrl })
    ? `Add to a Kinframe, ${formatDollars(calculateCartPrice(frameAndPackageCart).subtotalCents)} together`
    : '';
}

const leadsToFrame = ({ checkoutUrl }: Pick<Product, 'checkoutUrl'>) =>
  checkoutUrl === paths.customerDetails(frameAndPackageCart);

const isCartProduct = (id: string): id is CartProduct => (cartProducts as readonly string[]).includes(id);

function ProductCard({ product, large }: { product: Product; large: boolean }) {
  const detailsPath = `/product/${product.id}`;
  const needsFrame = product.id === kinframe || leadsToFrame(product);
  const isSoldOut = useFramesLeft() === 0 && needsFrame;
  return (
    <article
      className={joinClassNames(
        'grid h-full overflow-hidden rounded-xl bg-card shadow-soft',
        large ? 'lg:grid-cols-[1.35fr_1fr]' : 'grid-rows-[auto_1fr]',
      )}
    >
      <Link to={detailsPath} tabIndex={-1} aria-hidden className="block overflow-hidden bg-clay">
        <Picture
          src={product.image}
          alt=""
          sizes={
            large
              ? '(min-width: 80rem) 65rem, (min-width: 64rem) 123vw, 110vw'
              : '(min-width: 80rem) 38rem, (min-width: 48rem) 46vw, 92vw'
          }
          className={joinClassNames(
            'size-full transition-transform duration-700 ease-calm hover:scale-[1.02]',
            large ? 'aspect-4/3 lg:aspect-auto' : 'aspect-16/10',
          )}
        />
      </Link>
      <div
        className={joinClassNames('flex flex-col items-start p-6 sm:p-8 lg:p-9', large && 'lg:justify-center lg:p-12')}
      >
        {product.badge && <Badge tone="accent">{product.badge}</Badge>}
        <h3 className={joinClassNames('mt-4', large ? 'title-2' : 'title-3')}>
          <Link to={detailsPath} className="hover:text-accent-deep">
            {product.name}
          </Link>
        </h3>
        <p className="mt-3 text-muted">{withoutLineBreaks(product.short)}</p>
        {large && (
          <ul className="mt-6 space-y-2.5">
            {product.features.slice(0, 4).map((feature) => (
              <li key={feature} className="flex gap-3">
                <Check aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
                <span>{withoutLineBreaks(feature)}</span>
              </li>
            ))}
          </ul>
        )}
        <p
          className={joinClassNames(
            'mt-auto flex flex-wrap items-baseline gap-x-2 pt-6 font-serif font-medium',
            large ? 'text-4xl' : 'text-3xl',
          )}
        >
          {formatDollars(Math.round(product.price * 100))}{' '}
          <span className="font-sans text-base text-muted">{priceNote(product)}</span>
        </p>
        {isSoldOut && (
          <p className="mt-3 font-semibold">
            {product.id === kinframe ? 'Sold out right now.' : 'The Kinframe is sold out right now.'}
          </p>
        )}
        <div className="mt-5 flex flex-wrap gap-3">
          {isSoldOut ? (
            product.id === kinframe && <LinkButton to={detailsPath}>Get an email when it is back</LinkButton>
          ) : isCartProduct(product.id) ? (
            <LinkButton to={paths.buy(product.id)} aria-label={`Buy now: ${product.name}`}>
              Buy now
            </LinkButton>
          ) : (
            <AddToCart product={product} />
          )}
          <LinkButton look="secondary" to={detailsPath} aria-label={`See details: ${product.name}`}>
            See details
          </LinkButton>
        </div>
      </div>
    </article>
  );
}

/**
 * The button of a product's simple card (specification 1, section 2). It shows a toast and then opens the product's
 * `checkoutUrl`, if there is one.
 */
function AddToCart({ product }: { product: Product }) {
  const { go } = useNavigation();
  const add = () => {
    toast({ title: 'Added to cart!', description: `${product.name} has been added to your cart.` });
    if (!product.checkoutUrl) return;
    if (product.checkoutUrl.startsWith('/')) go(product.checkoutUrl);
    else location.assign(product.checkoutUrl);
  };
  return (
    <Button
      onClick={add}
      onPointerEnter={expectToasts}
      onFocus={expectToasts}
      className="needs-script"
      aria-label={`Add to cart: ${product.name}`}
    >
      Add to cart
    </Button>
  );
}

function PackagesSkeleton() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Skeleton className="h-112 rounded-xl md:col-span-2" />
      <Skeleton className="h-128 rounded-xl" />
      <Skeleton className="h-128 rounded-xl" />
    </div>
  );
}
