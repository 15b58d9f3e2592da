import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { queueMail } from '../mail/mail.ts';
import type { UnreadableSection } from './content.ts';

interface NotifyScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
  ownerEmail: () => Promise<string>;
}

/** Mail the owner that a saved section cannot be read and shows its default. Only one mail for each saved version. */
export async function reportUnreadableSection(
  scope: NotifyScope,
  { section, savedAt, words }: UnreadableSection,
): Promise<void> {
  const { db, clock, jobs, link } = scope;
  const mailAddress = await scope.ownerEmail();
  await db.transaction((tx) =>
    queueMail(
      tx,
      { clock, jobs },
      {
        event: `owner-content-unreadable:${section}:${savedAt.toISOString()}`,
        to: mailAddress,
        content: {
          kind: 'owner-failed-job',
          job: `reading the saved content "${section}"`,
          failedAt: clock.now().toISOString(),
          error: words,
          consequence: `${section === 'settings' ? 'The shop uses the built-in settings' : 'Visitors see the built-in content'} instead. Your saved content is still in the database. Saving the section again replaces it.`,
          adminUrl: link(section === 'settings' ? '/admin?tab=settings' : `/admin?tab=content&section=${section}`),
        },
      },
    ),
  );
}
