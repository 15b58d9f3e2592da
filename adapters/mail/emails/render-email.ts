/** Renders the content of an email to its subject, HTML and text. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { EmailContent } from '#contract/emails.ts';
import type { EmailPicture } from '#shop/ports/mailer.ts';
import {
  composeAccountNewsEmail,
  composeEmailChangeRequest,
  composeEmailChangedNotice,
  composeEmailConfirmation,
  composePasswordResetEmail,
  composeSignInLinkEmail,
  composeNewSignInEmail,
} from './accounts.tsx';
import {
  composeAddonReceiptEmail,
  composeAddressChangedEmail,
  composeFinishRegistrationEmail,
  composeFramesBackEmail,
  composePaymentReleasedEmail,
  composeReceiptEmail,
  composeOrderCanceledEmail,
  composeRefundEmail,
  composeShippedEmail,
} from './orders.tsx';
import {
  composeOwnerDaySheetEmail,
  composeOwnerDisputeEmail,
  composeOwnerFailedJobEmail,
  composeOwnerFraudWarningEmail,
  composeOwnerPaymentMismatchEmail,
  composeOwnerRefundFailedEmail,
  composeOwnerSaleEmail,
  composeSecondPaymentRefundedEmail,
  composeOwnerCodesLockedEmail,
  composeOwnerNewSignInEmail,
  composeOwnerSecondStepEmail,
  composeStaffInvitationEmail,
  composeOwnerSweepStoppedEmail,
  composeOwnerTicketEmail,
} from './owner.tsx';
import { composeCartReminderEmail, composePaymentLinkEmail } from './carts.tsx';
import { composeGiftCardEmail, composeGiftCardReceiptEmail, composeOwnerGiftCardEmail } from './gift-cards.tsx';
import { composePhotosErasedEmail, composeErasureWarningEmail } from './erasure.tsx';
import { createEmailPictureReader } from './pictures.ts';
import { EmailBody, EmailLayout } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import {
  composeCollectLinkEmail,
  composeTrialVideoEmail,
  composeCreditsGivenEmail,
  composeFinalizedEmail,
  composePhotoReminderEmail,
  composeUploadLinkEmail,
  composeVideosReadyEmail,
  composeProofReadyEmail,
  composeVideoAgainEmail,
} from './photos.tsx';
import { plainTextOf } from './plain-text.ts';
import { composeOwnerReturnEmail, composeReturnNewsEmail } from './returns.tsx';
import { composeReviewRequestEmail } from './reviews.tsx';
import { composeTicketAnsweredEmail, composeTicketReceivedEmail } from './support.tsx';
import { sanitizeContent } from './sanitize-content.ts';

export interface RenderedEmail {
  subject: string;
  html: string;
  text: string;
  pictures: EmailPicture[];
}

/**
 * Returns a function that renders emails with the shop's own pictures from `publicFolder`. The function throws for
 * invalid content: amounts that are not whole cents, invalid dates, links that are not web addresses.
 */
export function createEmailRenderer(publicFolder: string) {
  const readPicture = createEmailPictureReader(publicFolder);
  return async (content: EmailContent, posters: EmailPicture[] = []): Promise<RenderedEmail> => {
    const sanitizedContent = sanitizeContent(content);
    const draft = composeEmail(sanitizedContent);
    const ownPicture = draft.picture === undefined || posters.length > 0 ? undefined : readPicture(draft.picture);
    const wordMarkPicture = draft.isToOwner ? undefined : readPicture('mark');
    const page = createElement(EmailLayout, {
      shop: sanitizedContent.shop,
      draft,
      mark: wordMarkPicture,
      picture: ownPicture,
      posters,
    });
    const html = toPlainLines(`<!DOCTYPE html>${renderToStaticMarkup(page)}`);
    const text = plainTextOf(createElement(EmailBody, { shop: sanitizedContent.shop, draft, isFramed: false }));
    const pictures = [wordMarkPicture, ownPicture, ...posters].filter((it) => it !== undefined);
    return { subject: shortenSubject(draft.subject), html, text, pictures };
  };
}

/**
 * Makes the HTML ASCII with short lines, because email can carry such HTML unencoded. Starts a new line before every
 * style attribute. This changes no text, because quotation marks in text are entities.
 */
const toPlainLines = (html: string) =>
  html.replaceAll(' style="', '\nstyle="').replaceAll(/[^\n -~]/gu, (character) => `&#${character.codePointAt(0)};`);

function composeEmail(content: EmailContent): EmailDraft {
  switch (content.kind) {
    case 'receipt':
      return composeReceiptEmail(content);
    case 'finish-registration':
      return composeFinishRegistrationEmail(content);
    case 'addon-receipt':
      return composeAddonReceiptEmail(content);
    case 'photo-reminder':
      return composePhotoReminderEmail(content);
    case 'finalized':
      return composeFinalizedEmail(content);
    case 'proof-ready':
      return composeProofReadyEmail(content);
    case 'video-again':
      return composeVideoAgainEmail(content);
    case 'videos-ready':
      return composeVideosReadyEmail(content);
    case 'review-request':
      return composeReviewRequestEmail(content);
    case 'shipped':
      return composeShippedEmail(content);
    case 'address-changed':
      return composeAddressChangedEmail(content);
    case 'order-canceled':
      return composeOrderCanceledEmail(content);
    case 'refund':
      return composeRefundEmail(content);
    case 'return-news':
      return composeReturnNewsEmail(content);
    case 'payment-released':
      return composePaymentReleasedEmail(content);
    case 'gift-card':
      return composeGiftCardEmail(content);
    case 'gift-card-receipt':
      return composeGiftCardReceiptEmail(content);
    case 'owner-gift-card':
      return composeOwnerGiftCardEmail(content);
    case 'frames-back':
      return composeFramesBackEmail(content);
    case 'cart-reminder':
      return composeCartReminderEmail(content);
    case 'payment-link':
      return composePaymentLinkEmail(content);
    case 'ticket-received':
      return composeTicketReceivedEmail(content);
    case 'ticket-answered':
      return composeTicketAnsweredEmail(content);
    case 'password-reset':
      return composePasswordResetEmail(content);
    case 'email-confirmation':
      return composeEmailConfirmation(content);
    case 'upload-link':
      return composeUploadLinkEmail(content);
    case 'collect-link':
      return composeCollectLinkEmail(content);
    case 'trial-film':
      return composeTrialVideoEmail(content);
    case 'sign-in-link':
      return composeSignInLinkEmail(content);
    case 'email-change':
      return composeEmailChangeRequest(content);
    case 'email-changed':
      return composeEmailChangedNotice(content);
    case 'account-news':
      return composeAccountNewsEmail(content);
    case 'credits-given':
      return composeCreditsGivenEmail(content);
    case 'photos-erased-soon':
      return composeErasureWarningEmail(content);
    case 'photos-erased':
      return composePhotosErasedEmail(content);
    case 'owner-sale':
      return composeOwnerSaleEmail(content);
    case 'owner-ticket':
      return composeOwnerTicketEmail(content);
    case 'owner-return':
      return composeOwnerReturnEmail(content);
    case 'owner-failed-job':
      return composeOwnerFailedJobEmail(content);
    case 'owner-dispute':
      return composeOwnerDisputeEmail(content);
    case 'owner-fraud-warning':
      return composeOwnerFraudWarningEmail(content);
    case 'owner-refund-failed':
      return composeOwnerRefundFailedEmail(content);
    case 'owner-payment-mismatch':
      return composeOwnerPaymentMismatchEmail(content);
    case 'owner-sweep-stopped':
      return composeOwnerSweepStoppedEmail(content);
    case 'owner-second-step':
      return composeOwnerSecondStepEmail(content);
    case 'staff-invitation':
      return composeStaffInvitationEmail(content);
    case 'new-sign-in':
      return composeNewSignInEmail(content);
    case 'owner-new-sign-in':
      return composeOwnerNewSignInEmail(content);
    case 'owner-codes-locked':
      return composeOwnerCodesLockedEmail(content);
    case 'owner-day-sheet':
      return composeOwnerDaySheetEmail(content);
    case 'owner-second-payment-refunded':
      return composeSecondPaymentRefundedEmail(content);
  }
}

function shortenSubject(subject: string): string {
  const characters = Array.from(subject);
  return characters.length <= 150 ? subject : `${characters.slice(0, 149).join('')}…`;
}
