/** Letters about how long photos and videos are kept. */
import { momentWords } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import type { LetterOf } from '#contract/letters.ts';
import { Action, Facts, Note, TextLink, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { count, greeting } from './words.ts';

export function photosErasedSoon(letter: LetterOf<'photos-erased-soon'>): Draft {
  const { firstName, frameName, orderNumber, endsAt, daysBefore, deliveryUrl, keepUrl } = letter;
  const isLast = daysBefore <= Math.min(...lifetimes.erasureWarningDays);
  const left = count(daysBefore, 'day');
  return {
    subject: isLast
      ? `A last reminder: your videos for ${frameName} go in ${left}`
      : `Your videos for ${frameName} are erased in ${left}`,
    preview: 'Save what you would like to keep, or ask us to keep it.',
    overline: `${frameName} · Order ${orderNumber}`,
    postersUrl: deliveryUrl,
    title: isLast ? 'Your videos are about to be erased' : 'Save your videos in time',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {`We keep photos and videos for ${lifetimes.deliveryDays} days after delivery, or for longer where you ask us to, so that nobody’s family pictures stay with us forever. Those for ${frameName} are erased after ${momentWords(endsAt)}. What plays on your frame stays there.`}
        </Words>
        <Action href={deliveryUrl}>Save your videos</Action>
        {keepUrl && (
          <Words>
            {`Would you rather have us keep them, for ${lifetimes.keptYears} years or until you say otherwise?`}{' '}
            <TextLink href={keepUrl}>Keep them in your account</TextLink>
          </Words>
        )}
        <Note>
          {isLast
            ? 'This is our last reminder. What is erased cannot be brought back, by you or by us.'
            : `We will remind you once more, ${count(Math.min(...lifetimes.erasureWarningDays), 'day')} before.`}
        </Note>
      </>
    ),
  };
}

const becauseOf = {
  asked: 'You asked us to erase your photos and videos. It is done.',
  'time-over': `As we told you, photos and videos are erased ${lifetimes.deliveryDays} days after delivery, or when the time is over for which you had us keep them. It is done.`,
  'account-deleted': 'You asked us to delete your account. It is gone, and so are your photos and videos.',
};

export function photosErased({ firstName, reason, frames, erasedAt }: LetterOf<'photos-erased'>): Draft {
  const isAccount = reason === 'account-deleted';
  return {
    subject: isAccount ? 'Your account is deleted' : 'Your photos and videos are erased',
    preview: 'What was erased, for your records.',
    title: isAccount ? 'Your account is gone' : 'Erased for good',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>{becauseOf[reason]}</Words>
        <Facts
          facts={{
            ...Object.fromEntries(
              frames.map(({ frameName, orderNumber, photos, videos }) => [
                `${frameName}, ${orderNumber}`,
                `${count(photos, 'photo')}, ${count(videos, 'video')}`,
              ]),
            ),
            Erased: momentWords(erasedAt),
          }}
        />
        <Words>
          The originals, the copies made from them and the videos are deleted from our store, and links to them open
          nothing any more. Nobody can bring them back.
        </Words>
        {isAccount && (
          <Words>
            {`The law makes a shop keep its bills: what was bought, when, for how much, and where it was taxed stay for ${lifetimes.keptYears} years, without your name. Your name, addresses, telephone number and everything else are gone.`}
          </Words>
        )}
        {reason === 'time-over' && <Note>Your order and its bill stay in your account.</Note>}
      </>
    ),
  };
}
