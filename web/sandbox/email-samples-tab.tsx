import { useQuery } from '@tanstack/react-query';
import { errorText } from '../data/error-text.ts';
import { Notice, Skeleton } from '../ui/surfaces.tsx';
import { EmailView } from './email-view.tsx';
import type { SandboxProps } from './sandbox-page.tsx';
import { emailSamplesQuery } from './sandbox-queries.ts';
import { SplitList } from './split-list.tsx';

/** A sample of each kind of email. */
export function EmailSamplesTab({ search, onSearch }: SandboxProps) {
  const { data, error } = useQuery(emailSamplesQuery());
  if (error) return <Notice tone="bad" title={errorText(error)} />;
  if (!data) return <Skeleton className="h-96" />;
  const shownSample = data.find((it) => it.id === search.letter);
  return (
    <SplitList
      label="Email samples"
      items={data.map(({ id, name, subject }) => ({ id, title: name, words: subject }))}
      chosen={shownSample?.id}
      onChoose={(letter) => onSearch({ letter })}
    >
      {shownSample && (
        <EmailView
          subject={shownSample.subject}
          facts={`${shownSample.name}, with sample data`}
          htmlPath={shownSample.htmlPath}
          text={shownSample.text}
          closeText="All email samples"
          onClose={() => onSearch({ letter: undefined })}
        />
      )}
    </SplitList>
  );
}
