/** Renders the content of an email to its subject, HTML and text. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { LetterContent } from '#contract/letters.ts';
import type { LetterPicture } from '#shop/ports/mailer.ts';
import {
  accountNews,
  emailChange,
  emailChanged,
  emailConfirmation,
  passwordReset,
  signInLinkEmail,
  newSignIn,
} from './accounts.tsx';
import {
  addonReceipt,
  addressChanged,
  finishRegistration,
  framesBack,
  paymentReleased,
  receiptEmail,
  orderCanceled,
  refundEmail,
  shippedEmail,
} from './orders.tsx';
import {
  ownerDaySheet,
  ownerDispute,
  ownerFailedJob,
  ownerFraudWarning,
  ownerPaymentMismatch,
  ownerRefundFailed,
  ownerSale,
  ownerSecondPaymentRefunded,
  ownerCodesLocked,
  ownerNewSignIn,
  ownerSecondStep,
  staffInvitation,
  ownerSweepStopped,
  ownerTicket,
} from './owner.tsx';
import { cartReminder, paymentLink } from './carts.tsx';
import { giftCard, giftCardReceipt, ownerGiftCard } from './gift-cards.tsx';
import { photosErased, photosErasedSoon } from './erasure.tsx';
import { createEmailPictureReader } from './pictures.ts';
import { EmailContents, EmailLayout } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import {
  collectLink,
  trialVideo,
  creditsGiven,
  finalizedEmail,
  photoReminder,
  uploadLink,
  videosReady,
  proofReady,
  videoAgain,
} from './photos.tsx';
import { plainTextOf } from './plain-text.ts';
import { ownerReturn, returnNews } from './returns.tsx';
import { reviewRequest } from './reviews.tsx';
import { ticketAnswered, ticketReceived } from './support.tsx';
import { sanitizeContent } from './sanitize-content.ts';

export interface RenderedLetter {
  subject: string;
  html: string;
  text: string;
  pictures: LetterPicture[];
}

/**
 * Returns a function that renders emails with the shop's own pictures from `publicFolder`. The function throws for
 * invalid content: amounts that are not whole cents, invalid dates, links that are not web addresses.
 */
export function letterRenderer(publicFolder: string) {
  const picture = createEmailPictureReader(publicFolder);
  return async (content: LetterContent, posters: LetterPicture[] = []): Promise<RenderedLetter> => {
    const letter = sanitizeContent(content);
    const draft = draftOf(letter);
    const ownPicture = draft.picture === undefined || posters.length > 0 ? undefined : picture(draft.picture);
    const mark = draft.isToOwner ? undefined : picture('mark');
    const page = createElement(EmailLayout, { shop: letter.shop, draft, mark, picture: ownPicture, posters });
    const html = inPlainLines(`<!DOCTYPE html>${renderToStaticMarkup(page)}`);
    const text = plainTextOf(createElement(EmailContents, { shop: letter.shop, draft, isFramed: false }));
    const pictures = [mark, ownPicture, ...posters].filter((it) => it !== undefined);
    return { subject: shortenSubject(draft.subject), html, text, pictures };
  };
}

/**
 * Makes the HTML ASCII with short lines, because email can carry such HTML unencoded. Starts a new line before every
 * style attribute. This changes no text, because quotation marks in text are entities.
 */
const inPlainLines = (html: string) =>
  html.replaceAll(' style="', '\nstyle="').replaceAll(/[^\n -~]/gu, (letter) => `&#${letter.codePointAt(0)};`);

function draftOf(letter: LetterContent): EmailDraft {
  switch (letter.kind) {
    case 'receipt':
      return receiptEmail(letter);
    case 'finish-registration':
      return finishRegistration(letter);
    case 'addon-receipt':
      return addonReceipt(letter);
    case 'photo-reminder':
      return photoReminder(letter);
    case 'finalized':
      return finalizedEmail(letter);
    case 'proof-ready':
      return proofReady(letter);
    case 'video-again':
      return videoAgain(letter);
    case 'videos-ready':
      return videosReady(letter);
    case 'review-request':
      return reviewRequest(letter);
    case 'shipped':
      return shippedEmail(letter);
    case 'address-changed':
      return addressChanged(letter);
    case 'order-canceled':
      return orderCanceled(letter);
    case 'refund':
      return refundEmail(letter);
    case 'return-news':
      return returnNews(letter);
    case 'payment-released':
      return paymentReleased(letter);
    case 'gift-card':
      return giftCard(letter);
    case 'gift-card-receipt':
      return giftCardReceipt(letter);
    case 'owner-gift-card':
      return ownerGiftCard(letter);
    case 'frames-back':
      return framesBack(letter);
    case 'cart-reminder':
      return cartReminder(letter);
    case 'payment-link':
      return paymentLink(letter);
    case 'ticket-received':
      return ticketReceived(letter);
    case 'ticket-answered':
      return ticketAnswered(letter);
    case 'password-reset':
      return passwordReset(letter);
    case 'email-confirmation':
      return emailConfirmation(letter);
    case 'upload-link':
      return uploadLink(letter);
    case 'collect-link':
      return collectLink(letter);
    case 'trial-film':
      return trialVideo(letter);
    case 'sign-in-link':
      return signInLinkEmail(letter);
    case 'email-change':
      return emailChange(letter);
    case 'email-changed':
      return emailChanged(letter);
    case 'account-news':
      return accountNews(letter);
    case 'credits-given':
      return creditsGiven(letter);
    case 'photos-erased-soon':
      return photosErasedSoon(letter);
    case 'photos-erased':
      return photosErased(letter);
    case 'owner-sale':
      return ownerSale(letter);
    case 'owner-ticket':
      return ownerTicket(letter);
    case 'owner-return':
      return ownerReturn(letter);
    case 'owner-failed-job':
      return ownerFailedJob(letter);
    case 'owner-dispute':
      return ownerDispute(letter);
    case 'owner-fraud-warning':
      return ownerFraudWarning(letter);
    case 'owner-refund-failed':
      return ownerRefundFailed(letter);
    case 'owner-payment-mismatch':
      return ownerPaymentMismatch(letter);
    case 'owner-sweep-stopped':
      return ownerSweepStopped(letter);
    case 'owner-second-step':
      return ownerSecondStep(letter);
    case 'staff-invitation':
      return staffInvitation(letter);
    case 'new-sign-in':
      return newSignIn(letter);
    case 'owner-new-sign-in':
      return ownerNewSignIn(letter);
    case 'owner-codes-locked':
      return ownerCodesLocked(letter);
    case 'owner-day-sheet':
      return ownerDaySheet(letter);
    case 'owner-second-payment-refunded':
      return ownerSecondPaymentRefunded(letter);
  }
}

function shortenSubject(subject: string): string {
  const letters = Array.from(subject);
  return letters.length <= 150 ? subject : `${letters.slice(0, 149).join('')}…`;
}
