import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { LoadProblem } from '../account/load-problem.tsx';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Notice, Skeleton } from '../ui/surfaces.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { expectToasts } from '../ui/toast.ts';
import { JourneysTab } from './journeys-tab.tsx';
import { EmailSamplesTab } from './email-samples-tab.tsx';
import { MailsTab } from './mails-tab.tsx';
import { PaymentsTab } from './payments-tab.tsx';
import { sandboxQuery } from './sandbox-queries.ts';

export interface SandboxSearch {
  tab?: 'mails' | 'letters' | 'payments' | 'journeys' | undefined;
  /** `mail` is the id of the open email, `letter` the id of the open sample email. */
  mail?: string | undefined;
  letter?: string | undefined;
  /** The page number in the list of emails, from 1. */
  page?: number | undefined;
}
export interface SandboxProps {
  search: SandboxSearch;
  onSearch: (change: SandboxSearch) => void;
}

/** /sandbox: the tools of the demo shop. */
export function SandboxPage({ search, onSearch }: SandboxProps) {
  const { data, error, refetch } = useQuery(sandboxQuery());
  useEffect(expectToasts, []);
  const isClosed = error instanceof ApiError && [401, 403].includes(error.status);
  if (error && !isClosed)
    return <LoadProblem title="We couldn’t open the sandbox" error={error} onRetry={() => void refetch()} />;
  const { tab = 'mails' } = search;
  return (
    <section className="wrap pt-8 pb-16 sm:pt-12">
      <h1 className="title-2">Sandbox</h1>
      <p className="lede mt-2 max-w-2xl">
        See the emails this demo shop sent and the payments it took, and find handy shortcuts.
      </p>
      {isClosed && (
        <Notice tone="neutral" title={errorText(error)} className="mt-8 max-w-2xl">
          <p>These emails contain links that open accounts, so only the owner can see them.</p>
          <LinkButton size="small" className="mt-3" to={paths.adminLogin}>
            Sign in as the owner
          </LinkButton>
        </Notice>
      )}
      {!isClosed && !data && <Skeleton className="mt-8 h-96" />}
      {data && (
        <div className="mt-8">
          <Tabs
            label="Sandbox"
            value={tab}
            onChange={(next) =>
              onSearch({ tab: next as SandboxSearch['tab'], mail: undefined, letter: undefined, page: undefined })
            }
            tabs={[
              { value: 'mails', label: 'Emails', content: <MailsTab search={search} onSearch={onSearch} /> },
              {
                value: 'letters',
                label: 'Email samples',
                content: <EmailSamplesTab search={search} onSearch={onSearch} />,
              },
              { value: 'payments', label: 'Payments', content: <PaymentsTab downUntil={data.downUntil} /> },
              { value: 'journeys', label: 'Try it out', content: <JourneysTab people={data.people} /> },
            ]}
          />
        </div>
      )}
    </section>
  );
}
