/** Lets at most `places` pieces of work run at once; the others wait in order of arrival. */
export function takeTurns(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((called) => waiting.push(called));
    try {
      return await work();
    } finally {
      // A place is handed straight to the next in line, so nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
