import { sql } from 'drizzle-orm';
import type { EmailContent } from '#contract/emails.ts';
import { sendMail, type RenderEmail } from '#shop/mail/mail.ts';
import type { QueuedMail } from './rows.ts';
import type { TestShop } from './shop.ts';

const writtenByShop = new WeakMap<object, Map<string, EmailContent>>();

/**
 * Sends the waiting emails and returns the content of one kind of email, including links, oldest first. For shops that
 * do not run jobs.
 */
export async function waitAndReadEmails(it: TestShop, kind = ''): Promise<QueuedMail[]> {
  const { db, config, readEmailShop } = it.shop;
  const writtenContents = writtenByShop.get(it.shop) ?? new Map<string, EmailContent>();
  writtenByShop.set(it.shop, writtenContents);
  const readRowsWhere = async (where: ReturnType<typeof sql>) =>
    (await db.execute(sql`select id, event, "to" from mails where ${where} order by queued_at, id`))
      .rows as unknown as {
      id: string;
      event: string;
      to: string;
    }[];
  for (const { id } of await readRowsWhere(sql`sent_at is null`)) {
    const renderInTest: RenderEmail = async (content, posters) => {
      writtenContents.set(id, content);
      return it.shop.render(content, posters);
    };
    await sendMail({ ...it.shop, from: config.mailFrom, shop: readEmailShop, render: renderInTest }, id);
  }
  return (await readRowsWhere(sql`event like ${`${kind}%`}`)).map(({ id, event, to }) => ({
    event,
    to,
    content: writtenContents.get(id),
  }));
}
