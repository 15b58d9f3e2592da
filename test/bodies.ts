import type * as z from 'zod/v4/core';
import type { Api, Route } from '#contract/api.ts';
import { builtInAbout } from '#contract/built-in-about.ts';
import { builtInFeatures, builtInHero, builtInSteps } from '#contract/built-in-content.ts';
import { builtInSite } from '#contract/built-in-site.ts';
import { anna } from './people.ts';

type WithBody = { [R in Route]: Api[R] extends { body: z.$ZodType } ? R : never }[Route];
/** A good body for every operation that takes one. A new operation adds its own. */
export const goodBodies: { [R in WithBody]: z.input<Extract<Api[R], { body: z.$ZodType }>['body']> } = {
  'POST /api/create-payment-intent': {
    productId: 'kinframe',
    quantity: 1,
    extraPackages: 0,
    customerDetails: { ...anna },
    promoCode: '',
  },
  'POST /api/check-promo-code': { productId: 'kinframe', quantity: 1, extraPackages: 0, promoCode: 'NONE' },
  'POST /api/verify-payment': { paymentIntentId: 'pi_none' },
  'POST /api/auth/login': { email: 'nobody@example.com', password: 'not-a-password' },
  'POST /api/auth/register': {
    firstName: 'Ben',
    lastName: 'Ode',
    email: 'ben@example.com',
    password: 'Kite-over-sea-4',
  },
  'POST /api/auth/forgot-password': { email: 'nobody@example.com' },
  'POST /api/auth/reset-password': { token: 'none', password: 'Kite-over-sea-4' },
  'POST /api/auth/confirm-email': { token: 'none' },
  'POST /api/complete-registration': { password: 'Kite-over-sea-4', token: 'none' },
  'POST /api/uploads/finalize': { deviceId: 'none' },
  'POST /api/devices/:id/move-package': { toDeviceId: 'none' },
  'POST /api/support-tickets': {
    name: 'Ben',
    email: 'ben@example.com',
    phone: '1',
    smsConsent: false,
    subject: 'My frame',
    message: 'It does not wake up.',
    _honeypot: '',
    kind: 'support',
  },
  'POST /api/page-views': { pagePath: '/', referrer: null, userAgent: 'Mozilla/5.0' },
  'POST /api/admin/auth/password': { password: 'not-the-password' },
  'PUT /api/admin/orders/:id': { status: 'pending', notes: '' },
  'POST /api/admin/orders/:id/refunds': {
    amountCents: 1,
    reason: 'A test',
    withdrawPhotos: false,
    key: crypto.randomUUID(),
  },
  'POST /api/admin/orders/:id/shipment': {
    carrier: 'UPS',
    trackingNumber: '1Z999',
    tellAgain: false,
    key: crypto.randomUUID(),
  },
  'POST /api/sandbox/payments/:id/refund': { amountCents: 1 },
  'POST /api/sandbox/outage': { seconds: 1 },
  'POST /api/admin/videos/:id/redo': { style: 'drift' },
  'PUT /api/admin/content/hero.json': builtInHero,
  'PUT /api/admin/content/features.json': builtInFeatures.slice(0, 1),
  'PUT /api/admin/content/steps.json': builtInSteps.slice(0, 1),
  'PUT /api/admin/content/site.json': builtInSite,
  'PUT /api/admin/content/promos.json': [
    { message: 'Ten off', startDate: '2026-01-01', endDate: '2026-01-31', discountCode: 'TEN', discountPercent: 10 },
  ],
  'PUT /api/admin/content/faqs.json': [{ question: 'Why?', answer: 'Because.' }],
  'PUT /api/admin/about-content/:section': builtInAbout[0]!,
};
