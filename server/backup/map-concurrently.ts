/**
 * Run `make` for each item, at most `concurrency` at the same time, and yield the results in the order of the items.
 * After an error, start no more items and wait until all started ones have ended.
 */
export async function* mapConcurrently<T, R>(
  some: AsyncIterable<T>,
  concurrency: number,
  make: (one: T) => Promise<R>,
): AsyncGenerator<{ one: T; made: R }> {
  const pendingItems: { one: T; made: Promise<R> }[] = [];
  const awaitFirst = async () => {
    const { one, made: makingItem } = pendingItems.shift()!;
    return { one, made: await makingItem };
  };
  try {
    for await (const item of some) {
      const resultPromise = make(item);
      resultPromise.catch(() => {}); // prevents an unhandled rejection until `awaitFirst` awaits this promise
      pendingItems.push({ one: item, made: resultPromise });
      if (pendingItems.length === concurrency) yield await awaitFirst();
    }
    while (pendingItems.length > 0) yield await awaitFirst();
  } finally {
    await Promise.allSettled(pendingItems.map((it) => it.made));
  }
}
