import { limits } from '#contract/limits.ts';
import type { RefusalTexts } from './refusal-texts.ts';

/** Refusals about emails, finished videos and support. */
export const supportRefusals = {
  'mail-not-resendable': {
    status: 409,
    words: 'This email can’t be sent again because we deleted its content or its link has expired.',
  },
  'sandbox-refused': { status: 409, words: (facts: { words: string }) => facts.words },
  'videos-not-ready': {
    status: 409,
    words: 'The videos of this frame are not ready yet. We will email you as soon as they are.',
  },
  'no-earlier-video': { status: 409, words: 'There is no earlier approved video to go back to.' },
  'video-not-ready': { status: 409, words: 'This video isn’t ready yet.' },
  'no-email-to-answer': {
    status: 409,
    words: 'The person who wrote this deleted their account, so there is no email address to reply to.',
  },
  'answer-file-missing': { status: 400, words: 'Please choose a file.' },
  'answer-file-type': { status: 415, words: 'Please choose a PDF file or an image.' },
  'answer-file-too-large': {
    status: 413,
    words: `Please choose a file of at most ${limits.answerFileMegabytes} MB.`,
  },
  'answer-file-gone': {
    status: 409,
    words: 'One of the files is not available anymore. Please remove it and add it again.',
  },
  'too-many-replies': {
    status: 409,
    words: `There are ${limits.savedReplies} saved replies. Please delete one first.`,
  },
  'honeypot-filled': { status: 400, words: 'We couldn’t send your message.' },
} as const satisfies RefusalTexts;
