import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { seedOrders } from '../bench/seed-orders.ts';
import { describeOnEachEngine } from '#test/database.ts';
import type { ListQuery } from '#contract/lists.ts';
import type { Db } from './ports/database.ts';
import { listOrders } from './orders/orders-list.ts';
import { orders } from './orders/orders.sql.ts';
import { listPhotos } from './photos/photos-list.ts';

type Question = Parameters<typeof listOrders>[1];
const sorts = ['date', '-date', 'customer', '-customer', 'total', '-total', 'status', '-status'] as const;

describeOnEachEngine((fresh) => {
  test('lists every row on exactly one page, forward and backward, in both directions of every sort', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 130, photos: 0 });
    for (const sort of sorts) {
      const pages = [];
      let page = await listOrders(db, { sort, limit: 40 });
      for (pages.push(page); page.next !== null; pages.push(page))
        page = await listOrders(db, { sort, limit: 40, after: page.next });
      expect(pages.map((it) => it.rows.length)).toEqual([40, 40, 40, 10]);
      expect(new Set(pages.flatMap((it) => it.rows.map((row) => row.id))).size).toBe(130);
      expect(pages.map((it) => [it.from, it.total, it.isTotalExact])).toEqual(
        [0, 40, 80, 120].map((from) => [from, 130, true]),
      );
      for (const [at, later] of pages.slice(1).entries()) {
        const previousPage = await listOrders(db, { sort, limit: 40, after: later.previous! });
        expect(previousPage.rows).toEqual(pages[at]!.rows);
        expect(previousPage.from).toBe(pages[at]!.from);
      }
      expect(pages[0]!.previous).toBeNull();
    }
  });

  test('sorts in both directions and returns only the rows that match the filter', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 60, photos: 0 });
    const allOrders = await db.select().from(orders);
    const readList = async (question: Question) => (await listOrders(db, { limit: 60, ...question })).rows;
    const newestFirst = allOrders.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).map((it) => it.id);
    expect((await readList({})).map((it) => it.id)).toEqual(newestFirst);
    expect((await readList({ sort: 'date' })).map((it) => it.id)).toEqual(newestFirst.toReversed());
    const totals = (await readList({ sort: '-total' })).map((it) => it.totalCents);
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    const names = (await readList({ sort: 'customer' })).map((it) => it.firstName);
    expect(names[0]).toBe('Anna');
    expect(names.at(-1)).toBe('Zoë');
    const statuses = (await readList({ sort: 'status' })).map((it) => it.status);
    expect(statuses[0]).toBe('pending');
    expect(statuses.lastIndexOf('completed')).toBeLessThan(statuses.indexOf('shipped'));
    const shippedOrders = await listOrders(db, { filter: 'shipped', sort: 'customer', limit: 5 });
    expect(shippedOrders.rows.every((it) => it.status === 'shipped')).toBe(true);
    expect([shippedOrders.total, shippedOrders.isTotalExact]).toEqual([
      allOrders.filter((it) => it.status === 'shipped').length,
      true,
    ]);
  });

  test('an order that moves to the front of the list does not move other orders to other pages', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 30, photos: 0 });
    const firstPage = await listOrders(db, { limit: 10 });
    await db.update(orders).set({ createdAt: new Date() }).where(eq(orders.id, firstPage.rows[3]!.id));
    const secondPage = await listOrders(db, { limit: 10, after: firstPage.next! });
    expect(secondPage.rows.some((it) => firstPage.rows.some((row) => row.id === it.id))).toBe(false);
    expect(secondPage.rows).toHaveLength(10);
  });

  describe('the search', () => {
    test('finds a gift by its giver or by its recipient, but not if the search mixes both', async () => {
      const { db } = await fresh();
      await seedOrders(db, { orders: 20, photos: 0 });
      const isGiversOrder = eq(orders.email, 'customer7@example.com');
      const address = { line1: '1 Elm', city: 'Bath', state: 'ME', postalCode: '04530', country: 'US' } as const;
      await db
        .update(orders)
        .set({ gift: { recipientName: 'Ágnes Quixworth' }, shippingAddress: address })
        .where(isGiversOrder);
      for (const searchText of ['quixworth', 'agnes quix', 'QUIX', 'customer7@'])
        expect(await findOrders(db, searchText), searchText).toEqual(['customer7@example.com']);
      expect(await findOrders(db, 'quixworth customer7@')).toEqual([]);
      await db
        .update(orders)
        .set({ gift: { recipientName: 'Maria' } })
        .where(isGiversOrder);
      expect(await findOrders(db, 'quixworth')).toEqual([]);
    });

    const findOrders = async (db: Db, q: string) => (await listOrders(db, { q })).rows.map((it) => it.email);
    test('finds an order by any part of its texts, whatever the case, accents and sequence of words', async () => {
      const { db } = await fresh();
      await seedOrders(db, { orders: 40, photos: 0 });
      const [order] = await db.select().from(orders).where(eq(orders.email, 'customer35@example.com'));
      const { orderNumber, lastName, stripePaymentIntentId } = order!;
      for (const searchText of [
        orderNumber,
        orderNumber.slice(4, 11).toLowerCase(),
        `  ${lastName.toUpperCase()}   josé `,
        `jose ${lastName}`,
        'Jose\u0301 customer35@',
        'mer35@exam',
        stripePaymentIntentId,
        stripePaymentIntentId.slice(5, 30).toUpperCase(),
      ])
        expect(await findOrders(db, searchText), searchText).toEqual(['customer35@example.com']);
      expect(await findOrders(db, 'jose customer34')).toEqual([]);
    });

    test('finds names in every script, by any part, in any case, on a database with the C locale', async () => {
      const { db } = await fresh();
      await seedOrders(db, { orders: 12, photos: 0 });
      const namedOrders = {
        1: ['Михаил', 'Щербаков'],
        2: ['小龍', '李'],
        3: ['Łucja', 'Großmann'],
        4: ['Έλλη', 'Σίσυφος'],
        5: ['민준', '김'],
      };
      for (const [n, [firstName, lastName]] of Object.entries(namedOrders))
        await db
          .update(orders)
          .set({ firstName: firstName!, lastName: lastName! })
          .where(eq(orders.email, `customer${n}@example.com`));
      const countsByQuery: [number, string][] = [
        [1, 'михаил'],
        [1, 'ЩЕРБАКОВ миха'],
        [1, 'ерба'],
        [2, '李'],
        [2, '小龍 李'],
        [2, '龍'],
        [3, 'lucja'],
        [3, 'GROSSMANN'],
        [3, 'großm'],
        [4, 'ελλη'],
        [4, 'ΣΊΣΥΦΟΣ'],
        [4, 'σισυ'],
        [5, '김'],
        [5, '민준 customer5@'],
      ];
      for (const [n, q] of countsByQuery) expect(await findOrders(db, q), q).toEqual([`customer${n}@example.com`]);
      for (const emptySearch of ['миша', '李小龍', 'x320x274', '320', 'xdca'])
        expect(await findOrders(db, emptySearch), emptySearch).toEqual([]);
    });

    test('matches a search whose words have at most two letters only at the beginning of a word', async () => {
      const { db } = await fresh();
      await seedOrders(db, { orders: 12, photos: 0 });
      await db.update(orders).set({ firstName: 'Bo', lastName: 'Li' }).where(eq(orders.email, 'customer3@example.com'));
      await db
        .update(orders)
        .set({ firstName: 'Ян', lastName: 'Orbo' })
        .where(eq(orders.email, 'customer4@example.com'));
      for (const shortSearch of ['bo', 'LI bo', 'bo l'])
        expect(await findOrders(db, shortSearch), shortSearch).toEqual(['customer3@example.com']);
      for (const shortSearch of ['ян', 'bo customer4@'])
        expect(await findOrders(db, shortSearch), shortSearch).toEqual(['customer4@example.com']);
    });

    test('treats wildcard characters literally and refuses a search without two letters in a row', async () => {
      const { db } = await fresh();
      await seedOrders(db, { orders: 12, photos: 0 });
      await db.update(orders).set({ firstName: '100%_\\ pure' }).where(eq(orders.email, 'customer7@example.com'));
      for (const literalSearch of ['100%', '100%_\\', '100％ PURE'])
        expect(await findOrders(db, literalSearch), literalSearch).toEqual(['customer7@example.com']);
      expect(await findOrders(db, 'custo_er7')).toEqual([]);
      expect(await findOrders(db, 'cus%er7')).toEqual([]);
      for (const refusedSearch of ['%', '%%%', '___', 'a', '--- ???', '\\', 'a b c d'])
        await expect(listOrders(db, { q: refusedSearch }), refusedSearch).rejects.toMatchObject({
          code: 'search-too-short',
        });
    });

    test('returns the exact total of a search only on the last page', async () => {
      const { db } = await fresh();
      await seedOrders(db, { orders: 30, photos: 0 });
      const firstPage = await listOrders(db, { q: 'example', limit: 20 });
      expect([firstPage.total, firstPage.isTotalExact]).toEqual([20, false]);
      const lastPage = await listOrders(db, { q: 'example', limit: 20, after: firstPage.next! });
      expect([lastPage.rows.length, lastPage.total, lastPage.isTotalExact]).toEqual([10, 30, true]);
    });
  });

  test('refuses a changed page cursor, or a cursor of another query, with page-unknown', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 30, photos: 1 });
    const { next } = await listOrders(db, { limit: 10 });
    const expectPageUnknown = (question: Question) =>
      expect(listOrders(db, question), JSON.stringify(question)).rejects.toMatchObject({ code: 'page-unknown' });
    await expectPageUnknown({ after: next!, sort: 'date' });
    await expectPageUnknown({ after: next!, filter: 'shipped' });
    await expectPageUnknown({ after: next!, q: 'anna' });
    for (const invalidCursor of [
      '',
      'x',
      '\0',
      next!.slice(0, -2),
      next!.slice(1),
      `x${next!.slice(1)}`,
      `${next}AAAA`,
    ])
      await expectPageUnknown({ after: invalidCursor });
    const cursorText = Buffer.from(next!, 'base64url').toString();
    const forgedCursor = cursorText.replace(/\["[^"]+"/, '["2031-01-01"');
    await expectPageUnknown({ after: Buffer.from(forgedCursor).toString('base64url') });
    await expect(listPhotos(db, { after: next! })).rejects.toMatchObject({ code: 'page-unknown' });
    expect((await listOrders(db, { after: next!, limit: 20 } satisfies ListQuery<'date', never>)).rows).toHaveLength(
      20,
    );
  });
});
