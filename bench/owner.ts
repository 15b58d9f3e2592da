/** A signed-in client for the owner's requests to a shop of the bench. Throws if a request is refused. */
export interface OwnerClient {
  origin: string;
  cookie: string;
  request: (path: string) => Promise<Response>;
}

export async function signInOwner(origin: string): Promise<OwnerClient> {
  const signInResponse = await fetch(`${origin}/api/admin/auth/password`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'correct-horse-battery' }),
  });
  const cookie = signInResponse.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ');
  return {
    origin,
    cookie,
    async request(path) {
      const response = await fetch(origin + path, { headers: { cookie } });
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      return response;
    },
  };
}
