import { useFramesLeft } from '../../data/stock.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Picture } from '../../ui/picture.tsx';

/** The last section of the home page. It presents the frame as a gift. */
export function HomeClosingSection() {
  const isSoldOut = useFramesLeft() === 0;
  return (
    <section className="bg-linen">
      <div className="grid items-stretch lg:grid-cols-2">
        <Picture
          src="product/gift"
          alt="The Kinframe next to two gifts wrapped in kraft paper, a snowy cabin on its screen."
          sizes="(min-width: 90rem) 50vw, (min-width: 64rem) 48rem, 100vw"
          className="aspect-8/5 size-full"
        />
        <div className="flex flex-col items-start justify-center px-5 py-14 sm:px-8 lg:px-16 xl:px-24">
          <h2 className="title-2">The gift they turn on every morning</h2>
          <p className="lede mt-5 max-w-lg">
            Send it to their home and upload the photos from yours. Once it’s on their Wi-Fi, the whole family is there.
          </p>
          <div className="mt-9 flex flex-wrap gap-3">
            <LinkButton size="large" to={isSoldOut ? paths.kinframe : paths.buy('kinframe')}>
              {isSoldOut ? 'See the Kinframe' : 'Give a Kinframe'}
            </LinkButton>
            <LinkButton size="large" look="secondary" to={paths.about}>
              About us
            </LinkButton>
          </div>
        </div>
      </div>
    </section>
  );
}
