import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { calls, type Call } from '#test/calls.ts';
import { anyEngine } from '#test/database.ts';
import { everythingOfAnna } from '#test/everything.ts';
import { anna, annasPassword, buy, framesOf, uploadTo } from '#test/people.ts';
import { ask, describedIn, faultOf, questionsTo, type Caller, type Document, type Ids } from '#test/questions.ts';
import { everyRow } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

/** How often each operation is asked by those whom it lets in, and of what: the same questions each time. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 20);
const runsOfOthers = 3;
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

const benOde = { ...anna, firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com' };

/** What ends what the others need comes last. */
const isEnding = ({ path }: Call) => /\/(logout|erase|delete|outage)$/.test(path);

anyEngine((fresh) => {
  test(
    'whatever anybody asks of any operation is answered as the contract says, and moves nothing of anybody else’s',
    { timeout: 1_800_000 },
    async () => {
      const it = await openTestShop(fresh);
      const { db } = it.shop;
      const { browser, admin, ids, tokens } = await everythingOfAnna(it);
      await it.shop.database.jobs.rest(); // from here on only calls move anything
      const ben = it.browser();
      await buy(ben, { customerDetails: benOde });
      await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
      const [bensFrame] = await framesOf(ben);
      const { json: bensPhoto } = await uploadTo(ben, bensFrame!.deviceId);
      const { id: bensId } = (await ben.get('/api/auth/user')).json;
      const bens = [bensId, bensFrame!.deviceId, bensPhoto.id, benOde.email] as string[];

      const anybodysIds = { ...ids, bensFrame: bensFrame!.deviceId, bensPhoto: bensPhoto.id, bensId } as Ids;
      // As one who helps herself by her own links, too.
      browser.cookies.set('upload-link', tokens['upload-link']);
      const [link] = (await everyRow(db))['collect_links'] as { id: string }[];
      browser.cookies.set(`contributor-${link!.id}`, tokens.contributor);
      const callers: Asking[] = [
        { who: 'a visitor', cookies: new Map(), ids: anybodysIds, mayMove: () => false },
        {
          who: 'Anna',
          cookies: browser.cookies,
          ids: anybodysIds,
          tokens,
          mayMove: (row) => !bens.some((word) => row.includes(word)),
          comeBack: () =>
            comeBack(browser, '/api/auth/user', '/api/auth/login', { email: anna.email, password: annasPassword }),
        },
        {
          who: 'the owner',
          cookies: admin.cookies,
          ids: anybodysIds,
          tokens,
          mayMove: () => true,
          comeBack: () =>
            comeBack(admin, '/api/admin/security', '/api/admin/auth/password', { password: adminPassword }),
        },
      ];
      const document = (await it.browser().get('/api/openapi.json')).json as Document;

      const faults: string[] = [];
      for (const round of [calls.filter((call) => !isEnding(call)), calls.filter(isEnding)])
        for (const caller of callers) {
          let untouched = [...(await rowsNow(it))].filter((row) => !caller.mayMove(row));
          for (const call of round) {
            const described = describedIn(document, call);
            const questions = questionsTo(call, described, document, caller);
            const result = await fc.check(
              fc.asyncProperty(questions, async (question) => {
                await db.execute(sql`delete from sign_in_failures`); // nobody is kept waiting
                const fault = faultOf(call, described, await ask(it, caller, call, question));
                if (fault) throw new Error(fault);
              }),
              { seed, numRuns: runsOf(call, caller) },
            );
            const isAsked = `${caller.who}: ${call.route}`;
            if (result.failed) faults.push(`${isAsked} ${await fc.asyncDefaultReportMessage(result)}`);
            if (untouched.length > 0) {
              const now = await rowsNow(it);
              const moved = untouched.filter((row) => !now.has(row));
              if (moved.length > 0) faults.push(`${isAsked} moved ${moved.join('\n')}`);
              untouched = untouched.filter((row) => now.has(row));
            }
            it.shop.sandbox?.takeDown(0);
            await caller.comeBack?.();
          }
        }
      expect(faults).toEqual([]);
    },
  );
});

const runsOf = ({ who, path }: Call, caller: Asking): number => {
  if (who === 'anyone' && !path.startsWith('/api/sandbox')) return Math.ceil(runs / 3);
  const isLetIn = caller.who === (who === 'admin' || who === 'anyone' ? 'the owner' : 'Anna');
  return isLetIn ? runs : runsOfOthers;
};

interface Asking extends Caller {
  /** Whether a call of theirs may change this row that was there before they came. */
  mayMove: (row: string) => boolean;
  /** Signs in again where a call has signed them out. */
  comeBack?: () => Promise<void>;
}

/** Each row with its table, as a text. */
async function rowsNow({ shop }: TestShop): Promise<Set<string>> {
  const rows = Object.entries(await everyRow(shop.db));
  return new Set(rows.flatMap(([table, its]) => its.map((row) => `${table} ${JSON.stringify(row)}`)));
}

async function comeBack(browser: Browser, whoAmI: string, signIn: string, words: object) {
  if ((await browser.get(whoAmI)).status === 401) await browser.post(signIn, words);
}
