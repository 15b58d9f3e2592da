import { useQuery } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { galleryQuery } from '../../data/queries.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { PageIntro, Section } from '../section.tsx';
import { areExamplePictures, examplePicturesText } from './example-pictures.ts';
import { GalleryGrid } from './gallery-grid.tsx';

const occasions = [
  {
    title: 'Family portraits',
    text: 'Everyone in one picture, for once. A head turns a little, someone breathes, and the room feels full again.',
  },
  {
    title: 'Special moments',
    text: 'Candles before the wish, the first snow, the kite that finally flew. Moments worth seeing again.',
  },
  {
    title: 'Vintage photos',
    text: 'The faded print from the album, with a little life in it. After delivery you can ask us to restore the photo, too.',
  },
];

export function GalleryPage() {
  const { data: items, isPending } = useQuery(galleryQuery());
  return (
    <>
      <PageIntro
        title="Before, and alive."
        lede={
          <>
            {items && areExamplePictures(items) ? examplePicturesText : 'Every picture here began as a still.'}{' '}
            <span className="needs-script pointer-coarse:hidden">
              Point at one to see it move, or open it to compare the photo with its animation.
            </span>
            <span className="needs-script hidden pointer-coarse:inline">
              Tap one to compare the photo with its animation.
            </span>
          </>
        }
      />
      <section aria-label="Gallery" className="wrap pb-24">
        {isPending ? (
          <GallerySkeleton />
        ) : items?.length ? (
          <GalleryGrid items={items}>
            <NextSteps />
          </GalleryGrid>
        ) : (
          <EmptyState
            icon={<Images aria-hidden className="size-6" />}
            title="The gallery is empty right now"
            action={<LinkButton to={paths.kinframe}>See the frame</LinkButton>}
          >
            We’re adding new pictures. Please come back soon.
          </EmptyState>
        )}
      </section>
      <Section ground="linen" title="What people put in their frames">
        <ul className="grid gap-10 md:grid-cols-3">
          {occasions.map(({ title, text }) => (
            <li key={title} className="border-t border-ink/80 pt-6">
              <h3 className="title-3">{title}</h3>
              <p className="mt-2.5 text-muted">{text}</p>
            </li>
          ))}
        </ul>
        <div className="mt-14 flex flex-wrap gap-3">
          <LinkButton size="large" to={paths.kinframe}>
            Get your Kinframe
          </LinkButton>
          <LinkButton size="large" look="secondary" to={paths.howItWorks}>
            See how it works
          </LinkButton>
        </div>
      </Section>
    </>
  );
}

/** A link in the last cell of the grid. It is visible only if the last row has exactly one empty cell. */
function NextSteps() {
  return (
    <li className="max-sm:hidden sm:max-lg:not-nth-[2n]:hidden lg:not-nth-[3n]:hidden">
      <div className="flex aspect-8/5 flex-col items-start justify-end rounded-lg bg-linen p-7">
        <p className="title-3">Your photo, next</p>
        <LinkButton look="secondary" to={paths.kinframe} className="mt-4">
          Get your Kinframe
        </LinkButton>
      </div>
    </li>
  );
}

function GallerySkeleton() {
  return (
    <div className="grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key}>
          <Skeleton className="aspect-8/5 rounded-lg" />
          <Skeleton className="mt-4 h-6 w-2/3" />
          <Skeleton className="mt-2 h-5 w-full" />
        </div>
      ))}
    </div>
  );
}
