import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { CookieJar } from './cookies.ts';

async function openJar(baseUrl: string) {
  const jar = new CookieJar(baseUrl);
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(cookie);
  app.get('/set', async (_request, reply) => {
    jar.setContributor(reply, 'link1', 'new', 60);
    return 'set';
  });
  app.get('/read', async (request) => ({
    one: jar.readContributor(request, 'link1') ?? null,
    all: jar.readContributors(request),
  }));
  return {
    set: async () => String((await app.inject('/set')).headers['set-cookie']),
    read: async (cookies: Record<string, string>) => (await app.inject({ url: '/read', cookies })).json(),
  };
}

test('on https, the contributor’s cookie is bound to the host, and the earlier name is still read', async () => {
  const { set, read } = await openJar('https://kinframe.example');
  expect(await set()).toBe('__Host-contributor-link1=new; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax');
  expect(await read({ '__Host-contributor-link1': 'new' })).toEqual({ one: 'new', all: ['new'] });
  expect(await read({ 'contributor-link1': 'old' })).toEqual({ one: 'old', all: ['old'] });
  // Another host of the domain could have set a cookie without the prefix.
  expect((await read({ 'contributor-link1': 'old', '__Host-contributor-link1': 'new' })).one).toBe('new');
});

test('on plain http, the contributor’s cookie has no prefix, because browsers refuse it there', async () => {
  const { set, read } = await openJar('http://localhost:3000');
  expect(await set()).toBe('contributor-link1=new; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
  expect(await read({ 'contributor-link1': 'new' })).toEqual({ one: 'new', all: ['new'] });
});
