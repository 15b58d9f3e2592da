/** The standalone page where a buyer approves or declines a payment. It has no script and loads no other file. */
import { createHash } from 'node:crypto';
import type { CardAuthentication } from './authentication.ts';

const style = `
:root { color-scheme: light; --paper: #f7f2ea; --ink: #2b2622; --quiet: #6b6158; --line: #ddd2c3; --accent: #9c4221 }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
main { width: 100%; max-width: 420px; padding: 32px; background: #fffdf9; border: 1px solid var(--line); border-radius: 16px }
h1 { margin: 0 0 8px; font: 600 26px/1.2 ui-serif, Georgia, 'Times New Roman', serif }
p { margin: 0 0 16px }
dl { margin: 24px 0; padding: 16px 0; border: solid var(--line); border-width: 1px 0; display: grid; grid-template-columns: auto 1fr; gap: 8px 16px }
dt { color: var(--quiet) } dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums }
button, a.button { display: block; width: 100%; min-height: 48px; margin: 0 0 12px; padding: 11px 16px; border: 1px solid var(--ink);
  border-radius: 10px; background: transparent; color: var(--ink); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.main { background: var(--accent) !important; border-color: var(--accent) !important; color: #fff !important }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
small { display: block; margin-top: 12px; color: var(--quiet); font-size: 14px }
`;

/**
 * The page may not load or run anything, and no other page may embed it in a frame. Its own style is allowed by its
 * hash.
 */
export const authenticationPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  // The URL contains the client secret. `same-origin` keeps the form's Origin header; `no-referrer` would not.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

export function renderAuthenticationPage(authentication: CardAuthentication): string {
  if (authentication.state === 'waiting') return renderQuestionPage(authentication);
  return authentication.state === 'paid'
    ? renderEndPage(
        'Payment approved',
        'This payment is complete. You can go back to the shop.',
        authentication.returnTo,
      )
    : renderEndPage(
        'Nothing to approve',
        'This payment isn’t waiting for your approval anymore. You can go back to the shop.',
        authentication.returnTo,
      );
}

export const renderUnknownPaymentPage = () =>
  renderEndPage('No such payment', 'There’s no payment at this address. Please start again from the shop.', undefined);

function renderQuestionPage({ intentId, clientSecret, amountCents, cardLast4 }: CardAuthentication): string {
  return renderPage(
    'Confirm your payment',
    `<h1>Confirm your payment</h1>
<p>Your bank wants to make sure this payment is yours.</p>
<dl>
<dt>Amount</dt><dd>${escapeHtml(formatDollars(amountCents))}</dd>
${cardLast4 === undefined ? '' : `<dt>Card</dt><dd><span aria-hidden="true">•••• </span>ending in ${escapeHtml(cardLast4)}</dd>`}
</dl>
<form method="post" action="${escapeHtml(intentId)}">
<input type="hidden" name="client_secret" value="${escapeHtml(clientSecret)}">
<button class="main" name="decision" value="approve">Approve payment</button>
<button name="decision" value="decline">Decline</button>
</form>
<small>This is a payment sandbox: no bank is asked and no money moves.</small>`,
  );
}

function renderEndPage(title: string, words: string, returnTo: string | undefined): string {
  return renderPage(
    title,
    `<h1>${title}</h1>
<p>${words}</p>
<a class="button main" href="${escapeHtml(returnTo ?? '/')}">Back to the shop</a>`,
  );
}

function renderPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

const usDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const formatDollars = (cents: number) => usDollars.format(cents / 100);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
