import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';
import { publicPages as served } from '#server/pages/public-pages.ts';
import { publicPages } from './public-pages.ts';
import { routeTree } from './routeTree.gen.ts';

vi.mock('virtual:generated-pictures', () => ({ default: {} }));

test('server and web list the same public pages, and each has the same component as its route', async () => {
  expect(Object.keys(publicPages).toSorted()).toEqual([...served].toSorted());
  const routes = Object.values(routeTree.children!) as {
    id?: string;
    options: { id?: string; path?: string; component?: unknown };
  }[];
  for (const [path, load] of Object.entries<() => Promise<ComponentType>>(publicPages)) {
    const route = routes.find((it) => it.options.id === path || it.options.path === path);
    expect(route?.options.component, path).toBe(await load());
  }
});
