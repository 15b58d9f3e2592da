import type { ReactNode } from 'react';

export const lastUpdated = 'December 20, 2024';

/** A legal page: one narrow column of text with its table of contents. */
export function Policy({ title, lede, parts }: { title: string; lede: string; parts: PolicyPart[] }) {
  return (
    <div className="wrap pt-14 pb-28 sm:pt-24">
      <h1 className="title-1">{title}</h1>
      <p className="mt-4 text-muted">Last updated: {lastUpdated}</p>
      <p className="lede mt-8 max-w-3xl">{lede}</p>
      <div className="mt-14 grid gap-14 lg:grid-cols-[1fr_17rem] lg:gap-24">
        <div className="max-w-[70ch] space-y-12">
          {parts.map(({ id, title: heading, body }) => (
            <section key={id} id={id} tabIndex={-1} className="outline-none">
              <h2 className="title-3">{heading}</h2>
              <div className="mt-4 space-y-4 [&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-6">{body}</div>
            </section>
          ))}
        </div>
        <nav
          aria-label="On this page"
          className="hidden self-start border-l border-hair pl-6 lg:sticky lg:top-28 lg:block"
        >
          <ul>
            {parts.map(({ id, title: heading }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex min-h-11 items-center text-[0.9375rem] text-muted hover:text-accent-deep"
                >
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}

export interface PolicyPart {
  id: string;
  title: string;
  body: ReactNode;
}
