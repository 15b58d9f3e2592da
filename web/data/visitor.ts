/**
 * The value of the specified x-user-id header: the page's `session` search param, or demo-user. The value is only a
 * label, because the server identifies visitors by cookies.
 */
export function visitorId(): string {
  const session = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('session');
  // A header value can contain only Latin-1.
  return session && /^[\x21-\x7e]{1,200}$/.test(session) ? session : 'demo-user';
}
