import { useSite } from '../../data/site.ts';
import { paths } from '../../paths.ts';
import { loadOnFirstInteraction } from '../../ui/load-on-first-interaction.tsx';
import { LazyBoundary, MissingPart } from '../../ui/lazy-boundary.tsx';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { PageIntro } from '../section.tsx';

const ContactRequest = loadOnFirstInteraction(() => import('./contact-request.tsx').then((it) => it.ContactRequest));

export function ContactPage() {
  const site = useSite();
  return (
    <>
      <PageIntro
        title="Say hello"
        lede="A question before buying, an idea, a story about a photo: we read everything."
      />
      <section className="wrap grid gap-12 pb-28 lg:grid-cols-[1.6fr_1fr] lg:gap-20">
        <Card>
          <LazyBoundary instead={<MissingPart inPlace />}>
            <ContactRequest />
          </LazyBoundary>
        </Card>
        <aside className="space-y-8">
          <div>
            <h2 className="title-3">By email</h2>
            <p className="mt-2">
              <a href={`mailto:${site.contactEmail}`} className="link inline-flex min-h-11 items-center">
                {site.contactEmail}
              </a>
            </p>
            {site.phone && <p className="text-muted">{site.phone}</p>}
          </div>
          <div className="border-t border-hair pt-8">
            <h2 className="title-3">Your question may already be answered</h2>
            <p className="mt-2 text-muted">
              Most questions about photos, shipping and frames are in the{' '}
              <Link to={paths.faq} className="link">
                frequently asked questions
              </Link>
              .
            </p>
          </div>
          <div className="border-t border-hair pt-8">
            <h2 className="title-3">About an order?</h2>
            <p className="mt-2 text-muted">
              Please use the{' '}
              <Link to={paths.support} className="link">
                support form
              </Link>
              . You’ll get a ticket number, so nothing gets lost.
            </p>
          </div>
        </aside>
      </section>
    </>
  );
}
