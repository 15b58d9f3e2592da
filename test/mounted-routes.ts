import type { TestShop } from './shop.ts';

/**
 * Returns every address of the server with its methods, read from the router's tree. It skips wildcard routes (`*`),
 * which respond only with 404.
 */
export function listMountedRoutes({ app }: TestShop): { path: string; methods: string[] }[] {
  const parentSegments: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, branch, part] = /^(.*── )(\S+)/.exec(line) ?? [];
      if (branch === undefined || part === undefined) return [];
      parentSegments.splice(branch.length / 4 - 1, Infinity, part);
      const [, methods] = /\(([A-Z, ]+)\)$/.exec(line) ?? [];
      return methods !== undefined && part !== '*'
        ? [{ path: parentSegments.join(''), methods: methods.split(', ') }]
        : [];
    });
}
