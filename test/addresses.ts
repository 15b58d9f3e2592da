import type { TestShop } from './shop.ts';

/**
 * Returns every address of the server, read from the router's tree. It skips wildcard routes (`*`), which respond only
 * with 404.
 */
export function listServerPaths({ app }: TestShop): string[] {
  const parentSegments: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, branch, part] = /^(.*── )(\S+)/.exec(line) ?? [];
      if (branch === undefined || part === undefined) return [];
      parentSegments.splice(branch.length / 4 - 1, Infinity, part);
      return line.endsWith(')') && part !== '*' ? [parentSegments.join('')] : [];
    });
}
