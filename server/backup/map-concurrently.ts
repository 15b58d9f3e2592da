/**
 * Run `make` for each item, at most `concurrency` at the same time, and yield the results in the order of the items.
 * After an error, start no more items and wait until all started ones have ended.
 */
export async function* mapConcurrently<T, R>(
  some: AsyncIterable<T>,
  concurrency: number,
  make: (one: T) => Promise<R>,
): AsyncGenerator<{ one: T; made: R }> {
  const coming: { one: T; made: Promise<R> }[] = [];
  const first = async () => {
    const { one, made } = coming.shift()!;
    return { one, made: await made };
  };
  try {
    for await (const one of some) {
      const made = make(one);
      made.catch(() => {}); // `first` awaits it later: until then, prevent an unhandled rejection
      coming.push({ one, made });
      if (coming.length === concurrency) yield await first();
    }
    while (coming.length > 0) yield await first();
  } finally {
    await Promise.allSettled(coming.map((it) => it.made));
  }
}
