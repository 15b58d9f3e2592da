import type { ReactNode } from 'react';
import { joinClassNames } from '../ui/classes.ts';

const grounds = {
  paper: '',
  linen: 'bg-linen',
  night: 'on-night bg-night text-sand',
};

/** A section of the page with its heading. A section with an `id` is a scroll target that can receive the focus. */
export function Section(props: {
  id?: string;
  title?: ReactNode;
  lede?: ReactNode;
  ground?: keyof typeof grounds;
  centered?: boolean;
  /** Shown next to the heading, at the end of its row. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const { id, title, lede, ground = 'paper', centered = false, aside, className, children } = props;
  const isNight = ground === 'night';
  return (
    <section
      {...(id && { id, tabIndex: -1 })}
      className={joinClassNames('band outline-none', grounds[ground], className)}
    >
      <div className="wrap">
        {title && (
          <div
            className={joinClassNames(
              'mb-10 sm:mb-14',
              centered ? 'mx-auto max-w-3xl text-center' : 'flex flex-wrap items-end justify-between gap-x-10 gap-y-5',
            )}
          >
            <div className={joinClassNames(!centered && 'max-w-2xl')}>
              <h2 className={joinClassNames('title-2', isNight && 'text-paper')}>{title}</h2>
              {lede && <p className={joinClassNames('lede mt-4', isNight && 'text-sand')}>{lede}</p>}
            </div>
            {aside}
          </div>
        )}
        {children}
      </div>
    </section>
  );
}

/** The top of a page, with its first picture if there is one. */
export function PageIntro(props: { title: ReactNode; lede?: ReactNode; picture?: ReactNode; children?: ReactNode }) {
  const { title, lede, picture, children } = props;
  return (
    <section
      className={joinClassNames(
        'wrap pt-14 pb-10 sm:pt-24 sm:pb-14',
        Boolean(picture) && 'grid items-center gap-10 lg:grid-cols-2 lg:gap-14 lg:pt-16 lg:pb-20',
      )}
    >
      <div>
        <h1 className="title-1 max-w-4xl">{title}</h1>
        {lede && <p className="lede mt-6 max-w-2xl">{lede}</p>}
        {children}
      </div>
      {picture}
    </section>
  );
}
