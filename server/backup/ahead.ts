/** Make something of each, this many at a time, and give it in their order. Whatever goes wrong, none is left at work. */
export async function* ahead<T, R>(
  some: AsyncIterable<T>,
  atOnce: number,
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
      made.catch(() => {}); // heard when its turn comes
      coming.push({ one, made });
      if (coming.length === atOnce) yield await first();
    }
    while (coming.length > 0) yield await first();
  } finally {
    await Promise.allSettled(coming.map((it) => it.made));
  }
}
