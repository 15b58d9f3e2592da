/** Sample emails to customers and guests about accounts and support. */
import { sampleEmailShop, sampleLinkToken, type EmailSample } from './sample-people.ts';

export const samplesAboutAccounts: EmailSample[] = [
  {
    name: 'Finish registration',
    content: {
      kind: 'finish-registration',
      shop: sampleEmailShop,
      firstName: 'Anna',
      orderNumber: 'KF-7Q2M9',
      finishRegistrationUrl: `https://kinframe.example/complete-registration?token=${sampleLinkToken}`,
    },
  },
  {
    name: 'Ticket received',
    content: {
      kind: 'ticket-received',
      shop: sampleEmailShop,
      name: 'Anna',
      ticketNumber: 'T-9K4WX2',
      subject: 'The frame can’t find my Wi-Fi',
    },
  },
  {
    name: 'Ticket answered',
    content: {
      kind: 'ticket-answered',
      shop: sampleEmailShop,
      name: 'Anna',
      ticketNumber: 'T-9K4WX2',
      subject: 'The frame can’t find my Wi-Fi',
      answer:
        'Thank you for your patience.\n\nThe frame speaks 2.4 GHz only. Many routers have a second network for this:\n1. Open the settings of your router.\n2. Switch on the 2.4 GHz network.\n3. Choose it on the frame.\n\nWarm regards\nMaya',
      supportUrl: 'https://kinframe.example/support',
    },
  },
  {
    name: 'Password reset',
    content: {
      kind: 'password-reset',
      shop: sampleEmailShop,
      firstName: 'Anna',
      resetUrl: `https://kinframe.example/auth/reset-password?token=${sampleLinkToken}`,
    },
  },
  {
    name: 'Email confirmation',
    content: {
      kind: 'email-confirmation',
      shop: sampleEmailShop,
      firstName: 'Anna',
      confirmUrl: `https://kinframe.example/auth/confirm-email?token=${sampleLinkToken}`,
    },
  },
  {
    name: 'Sign-in link',
    content: {
      kind: 'sign-in-link',
      shop: sampleEmailShop,
      firstName: 'Anna',
      signInUrl: `https://kinframe.example/auth/link?token=${sampleLinkToken}`,
    },
  },
  {
    name: 'Confirm new email',
    content: {
      kind: 'email-change',
      shop: sampleEmailShop,
      firstName: 'Anna',
      confirmUrl: `https://kinframe.example/auth/change-email?token=${sampleLinkToken}`,
    },
  },
  {
    name: 'Email changed',
    content: {
      kind: 'email-changed',
      shop: sampleEmailShop,
      firstName: 'Anna',
      changedAt: '2026-11-21T08:17:00Z',
      supportUrl: 'https://kinframe.example/support',
    },
  },
  {
    name: 'Password changed',
    content: {
      kind: 'account-news',
      shop: sampleEmailShop,
      firstName: 'Anna',
      what: 'password-changed',
      happenedAt: '2026-11-21T08:17:00Z',
      accountUrl: 'https://kinframe.example/account',
    },
  },
  {
    name: 'Passkey added',
    content: {
      kind: 'account-news',
      shop: sampleEmailShop,
      firstName: 'Anna',
      what: 'passkey-added',
      passkeyName: 'My phone',
      happenedAt: '2026-11-21T08:17:00Z',
      accountUrl: 'https://kinframe.example/account',
    },
  },
  {
    name: 'Sign-in from a new browser',
    content: {
      kind: 'new-sign-in',
      shop: sampleEmailShop,
      firstName: 'Anna',
      happenedAt: '2026-11-21T08:17:00Z',
      device: 'Chrome on Windows',
      endUrl: `https://kinframe.example/auth/end-sign-in?token=${sampleLinkToken}`,
    },
  },
];
