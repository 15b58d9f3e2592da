/** Letters about what buyers say of us. */
import type { LetterOf } from '#contract/letters.ts';
import { Action, Note, TextLink, Words } from './paper.tsx';
import type { Draft } from './paper.tsx';
import { greeting, isHarmless } from './words.ts';

export function reviewRequest(letter: LetterOf<'review-request'>): Draft {
  const { firstName, productName, isService, orderNumber, recipientName, reviewUrl, unsubscribeUrl } = letter;
  const whose = recipientName && isHarmless(recipientName, 60) ? recipientName : undefined;
  return {
    subject: whose ? 'How did they like your present?' : 'How do you like it by now?',
    preview: 'A few stars and words help the next family to choose.',
    overline: `Order ${orderNumber}`,
    title: whose ? 'How did they like your present?' : 'How do you like it?',
    picture: recipientName ? 'gift' : isService ? 'service' : 'frame',
    body: (
      <>
        <Words>{greeting(firstName)}</Words>
        <Words>
          {whose
            ? `Everything for ${whose} arrived two weeks ago. Would you tell others how the ${productName} was received?`
            : `Everything you ordered arrived two weeks ago. Would you tell others how you like the ${productName}?`}
        </Words>
        <Words>
          Stars and a few sentences are enough: what you hoped for, and what came of it. What was not right helps us as
          much as what was.
        </Words>
        <Action href={reviewUrl}>Write a review</Action>
        <Note>
          We read each review before it stands on our page, under the name you choose. One of your videos is shown with
          it only if you say so. The same link lets you take all of it back, whenever you like.
        </Note>
        <Note>
          We ask once. Rather not hear from us like this again?{' '}
          <TextLink href={unsubscribeUrl}>No more such mails</TextLink>
        </Note>
      </>
    ),
  };
}
