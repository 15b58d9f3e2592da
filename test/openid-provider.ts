import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Provider, type Configuration } from 'oidc-provider';

export const ownersSubject = 'owner-4711';
export const clientId = 'kinframe-shop';
export const clientSecret = 'a-secret-between-shop-and-provider';

const generateKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const toJwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'the-key' });

type Claims = Record<string, unknown>;
/**
 * Changes each ID token before it is sent. The provider's own key is available for tokens with a valid signature but
 * wrong claims.
 */
type TamperWithToken = (token: {
  claims: Claims;
  signedBy: (key: 'own' | 'another' | 'none', claims: Claims) => string;
}) => string;

/**
 * A real OpenID Connect provider (oidc-provider) on loopback. Its sign-in page accepts any name as the subject.
 *
 * @param redirectUri the shop's address, the only one to which the provider redirects
 */
export async function openProvider(redirectUri: string, { isPublicClient = false, port = 0 } = {}) {
  const server = createServer((request, response) => void handleRequest(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const issuer = issuerAt(address.port);
  const key = generateKey();
  let tamper: TamperWithToken | undefined;
  let status: number | undefined;

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        ...(isPublicClient
          ? { token_endpoint_auth_method: 'none' }
          : { client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_basic' }),
      },
    ],
    jwks: { keys: [toJwk(key)] as NonNullable<Configuration['jwks']>['keys'] },
    cookies: { keys: ['a-key-of-the-tests'] },
    pkce: { required: () => true },
    // Any account can claim to have the owner's email address, verified or not.
    claims: { openid: ['sub', 'email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: 'owner@example.com', email_verified: sub.endsWith('-verified') }),
    }),
    ttl: { AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600, AccessToken: 600 },
  });
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (tamper && body?.id_token) body.id_token = tamper(readToken(body.id_token, key));
  });
  const handleProviderRequest = provider.callback();
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    if (status === undefined) return handleProviderRequest(request, response);
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Try again later</h1>');
  };

  return {
    settings: createSettings(address.port, { isPublicClient }),
    tamper: (with_: TamperWithToken | undefined) => (tamper = with_),
    /** Every request gets this status. Undefined restores normal responses. */
    failWith: (with_: number | undefined) => (status = with_),
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
/** The shop's settings for a provider at this port. */
export const createSettings = (port: number, { isPublicClient = false } = {}): Record<string, string> => ({
  OWNER_OIDC_ISSUER: issuerAt(port),
  OWNER_OIDC_CLIENT_ID: clientId,
  OWNER_OIDC_SUBJECT: ownersSubject,
  ...(!isPublicClient && { OWNER_OIDC_CLIENT_SECRET: clientSecret }),
});
const issuerAt = (port: number) => `http://localhost:${port}`;
export type TestProvider = Awaited<ReturnType<typeof openProvider>>;

/** Signs in on the provider's own pages like a browser. Returns the address of the redirect back. */
export async function signInAt(address: string, subject: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  const fetchWithCookies = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    return response;
  };
  let response = await fetchWithCookies(address);
  for (let steps = 0; steps < 12; steps++) {
    const location = response.headers.get('location');
    if (location?.startsWith(redirectUri)) return location;
    if (location) {
      response = await fetchWithCookies(new URL(location, response.url || address).href);
      continue;
    }
    const page = await response.text();
    const [, action] = /<form[^>]+action="([^"]+)"/.exec(page) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (!action || !prompt) throw new Error(`the provider shows no form: ${response.status} ${page.slice(0, 500)}`);
    response = await fetchWithCookies(action, { prompt, login: subject, password: 'any' });
  }
  throw new Error('the provider does not send back');
}

const encodeJson = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
function readToken(token: string, own: KeyObject): Parameters<TamperWithToken>[0] {
  const [head, body] = token.split('.') as [string, string];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
  return {
    claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims,
    signedBy(whose, claims) {
      if (whose === 'none') return `${encodeJson({ ...header, alg: 'none' })}.${encodeJson(claims)}.`;
      const text = `${encodeJson(header)}.${encodeJson(claims)}`;
      const key = whose === 'own' ? own : generateKey();
      return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
    },
  };
}
