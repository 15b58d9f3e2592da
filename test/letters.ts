import { sql } from 'drizzle-orm';
import type { LetterContent } from '#contract/letters.ts';
import { sendMail, type RenderLetter } from '#shop/mail/mail.ts';
import type { QueuedMail } from './rows.ts';
import type { TestShop } from './shop.ts';

const writtenByShop = new WeakMap<object, Map<string, LetterContent>>();

/**
 * Sends the waiting emails and returns the content of one kind of email, including links, oldest first. For shops that
 * do not run jobs.
 */
export async function sentLetters(it: TestShop, kind = ''): Promise<QueuedMail[]> {
  const { db, config, letterShop } = it.shop;
  const writtenLetters = writtenByShop.get(it.shop) ?? new Map<string, LetterContent>();
  writtenByShop.set(it.shop, writtenLetters);
  const rowsOf = async (where: ReturnType<typeof sql>) =>
    (await db.execute(sql`select id, event, "to" from mails where ${where} order by queued_at, id`))
      .rows as unknown as {
      id: string;
      event: string;
      to: string;
    }[];
  for (const { id } of await rowsOf(sql`sent_at is null`)) {
    const renderInTest: RenderLetter = async (content, posters) => {
      writtenLetters.set(id, content);
      return it.shop.render(content, posters);
    };
    await sendMail({ ...it.shop, from: config.mailFrom, shop: letterShop, render: renderInTest }, id);
  }
  return (await rowsOf(sql`event like ${`${kind}%`}`)).map(({ id, event, to }) => ({
    event,
    to,
    content: writtenLetters.get(id),
  }));
}
