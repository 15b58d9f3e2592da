/** Emails about how long photos and videos are kept. */
import { momentText } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import type { EmailOf } from '#contract/emails.ts';
import { EmailButton, LabelValueTable, EmailNote, TextLink, Paragraph } from './email-layout.tsx';
import type { EmailDraft } from './email-layout.tsx';
import { mailCountText, formatGreeting } from './email-text.ts';

export function composeErasureWarningEmail(content: EmailOf<'photos-erased-soon'>): EmailDraft {
  const { firstName, frameName, orderNumber, endsAt, daysBefore, deliveryUrl, keepUrl } = content;
  const isLast = daysBefore <= Math.min(...lifetimes.erasureWarningDays);
  const daysLeftText = mailCountText(daysBefore, 'day');
  return {
    subject: isLast
      ? `Last reminder: we’ll delete your videos for ${frameName} in ${daysLeftText}`
      : `We’ll delete your videos for ${frameName} in ${daysLeftText}`,
    preview: 'Save the videos you want to keep, or ask us to keep them.',
    overline: `${frameName} · Order ${orderNumber}`,
    postersUrl: deliveryUrl,
    title: isLast ? 'Your videos will be deleted soon' : 'Save your videos in time',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>
          {`To protect your privacy, we keep photos and videos for ${lifetimes.deliveryDays} days after delivery, or longer if you ask us to. We’ll delete the ones for ${frameName} after ${momentText(endsAt)}. The videos on your frame stay there.`}
        </Paragraph>
        <EmailButton href={deliveryUrl}>Save your videos</EmailButton>
        {keepUrl && (
          <Paragraph>
            {`Would you like us to keep them for ${lifetimes.keptYears} years, or until you tell us otherwise?`}{' '}
            <TextLink href={keepUrl}>Keep them in your account</TextLink>
          </Paragraph>
        )}
        <EmailNote>
          {isLast
            ? 'This is our last reminder. Once they’re deleted, no one can get them back, not even us.'
            : `We’ll remind you one more time, ${mailCountText(Math.min(...lifetimes.erasureWarningDays), 'day')} before.`}
        </EmailNote>
      </>
    ),
  };
}

const textsByReason = {
  asked: 'You asked us to delete your photos and videos. They are now deleted.',
  'time-over': `As we wrote to you, we delete photos and videos ${lifetimes.deliveryDays} days after delivery, or when the longer time you chose is over. Yours are now deleted.`,
  'order-canceled': 'Your order was canceled, and its photos and videos are now deleted.',
  'account-deleted': 'You asked us to delete your account. Your account, photos and videos are now deleted.',
};

export function composePhotosErasedEmail({
  firstName,
  reason,
  frames,
  erasedAt,
}: EmailOf<'photos-erased'>): EmailDraft {
  const isAccount = reason === 'account-deleted';
  return {
    subject: isAccount ? 'Your account is deleted' : 'Your photos and videos are deleted',
    preview: 'What we deleted, for your records.',
    title: isAccount ? 'Your account is deleted' : 'Deleted for good',
    body: (
      <>
        <Paragraph>{formatGreeting(firstName)}</Paragraph>
        <Paragraph>{textsByReason[reason]}</Paragraph>
        <LabelValueTable
          facts={{
            ...Object.fromEntries(
              frames.map(({ frameName, orderNumber, photos, videos }) => [
                `${frameName}, ${orderNumber}`,
                `${mailCountText(photos, 'photo')}, ${mailCountText(videos, 'video')}`,
              ]),
            ),
            Erased: momentText(erasedAt),
          }}
        />
        <Paragraph>
          We deleted the originals, all copies and the videos. Links to them no longer work, and they can’t be restored.
        </Paragraph>
        {isAccount && (
          <Paragraph>
            {`The law requires us to keep sales records for ${lifetimes.keptYears} years: what was bought, when, for how much and where it was taxed, without your name. Your name, addresses, phone number and everything else are deleted.`}
          </Paragraph>
        )}
        {reason === 'time-over' && <EmailNote>Your order and its receipt stay in your account.</EmailNote>}
      </>
    ),
  };
}
