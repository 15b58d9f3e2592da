/** The specified x-user-id: the page's `session` query value, or demo-user. A label only; the server trusts cookies. */
export function visitorId(): string {
  const session = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('session');
  // A header carries Latin-1 only.
  return session && /^[\x21-\x7e]{1,200}$/.test(session) ? session : 'demo-user';
}
