import { useQuery } from '@tanstack/react-query';
import { MessageCircleQuestion } from 'lucide-react';
import { faqsQuery } from '../../data/queries.ts';
import { paths } from '../../paths.ts';
import { Accordion } from '../../ui/accordion.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { PageIntro } from '../section.tsx';

export function FaqPage() {
  const { data: faqs, isPending } = useQuery(faqsQuery());
  return (
    <>
      <PageIntro title="Frequently asked questions" lede="About the frame, your photos, and how they become videos." />
      <section className="wrap grid gap-14 pb-28 lg:grid-cols-[2fr_1fr] lg:gap-20">
        <div>
          {isPending ? (
            <div className="space-y-4">
              {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
                <Skeleton key={key} className="h-16 w-full" />
              ))}
            </div>
          ) : faqs?.length ? (
            <Accordion level="h2" items={faqs.map(({ question, answer }) => ({ title: question, body: answer }))} />
          ) : (
            <EmptyState
              icon={<MessageCircleQuestion aria-hidden className="size-6" />}
              title="No questions here yet"
              action={<LinkButton to={paths.support}>Ask us yours</LinkButton>}
            />
          )}
        </div>
        <aside className="self-start rounded-xl bg-linen p-8 lg:sticky lg:top-28">
          <h2 className="title-3">Still wondering?</h2>
          <p className="mt-3 text-muted">Write to us. A person answers, typically within 24 hours on business days.</p>
          <LinkButton to={paths.support} className="mt-6">
            Contact support
          </LinkButton>
        </aside>
      </section>
    </>
  );
}
