import { useQuery } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { shortMomentText } from '#contract/calendar.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Notice, Skeleton } from '../ui/surfaces.tsx';
import { EmailView } from './email-view.tsx';
import type { SandboxProps } from './sandbox-page.tsx';
import { pollingQueryOptions, mailQuery, mailsQuery } from './sandbox-queries.ts';
import { SplitList } from './split-list.tsx';

/** The outbox: the list of sent emails, newest first, with the chosen email next to the list. */
export function MailsTab({ search, onSearch }: SandboxProps) {
  const page = Math.max(1, Math.floor(search.page ?? 1));
  const { data, error } = useQuery({ ...mailsQuery(page), ...pollingQueryOptions });
  if (error && !data) return <Notice tone="bad" title={errorText(error)} />;
  if (!data) return <Skeleton className="h-96" />;
  const { pages } = data;
  if (pages === 0)
    return (
      <EmptyState icon={<MailOpen aria-hidden className="size-7" />} title="No emails yet">
        Buy something or sign up, and the shop’s emails show up here.
      </EmptyState>
    );
  return (
    <SplitList
      label="Emails sent"
      items={data.mails.map(({ id, subject, to, date }) => ({
        id,
        title: subject,
        words: `${shortMomentText(date)}, to ${to}`,
      }))}
      chosen={search.mail}
      onChoose={(mail) => onSearch({ mail })}
      footer={
        pages > 1 && (
          <nav aria-label="Pages of emails" className="flex items-center justify-between gap-3 p-3">
            <PageButton words="Newer" to={page - 1} isOn={page > 1} onSearch={onSearch} />
            <p className="text-sm text-muted">
              {page} of {pages}
            </p>
            <PageButton words="Older" to={page + 1} isOn={page < pages} onSearch={onSearch} />
          </nav>
        )
      }
    >
      {search.mail !== undefined && <OpenedMail id={search.mail} onClose={() => onSearch({ mail: undefined })} />}
    </SplitList>
  );
}

function PageButton({
  words,
  to,
  isOn,
  onSearch,
}: { words: string; to: number; isOn: boolean } & Pick<SandboxProps, 'onSearch'>) {
  return (
    <Button look="secondary" size="small" disabled={!isOn} onClick={() => onSearch({ page: to, mail: undefined })}>
      {words}
    </Button>
  );
}

function OpenedMail({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: mail, error } = useQuery(mailQuery(id));
  if (error) return <Notice tone="bad" title={errorText(error)} />;
  if (!mail) return <Skeleton className="h-[75dvh]" />;
  return (
    <EmailView
      subject={mail.subject}
      facts={
        <>
          From {mail.from}
          <br />
          To {mail.to}
          <br />
          {shortMomentText(mail.date)}
        </>
      }
      htmlPath={mail.htmlPath}
      text={mail.text}
      closeText="All emails"
      onClose={onClose}
    />
  );
}
