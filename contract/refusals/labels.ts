import type { RefusalTexts } from './refusal-texts.ts';

interface LabelServiceReason {
  /** The label service's own text, without a period. */
  reason: string;
}

/** The texts about two fields of the customs form, which the form and the call share. */
export const customsValueText = (paid: string) =>
  `Please enter at most ${paid}, because the customer paid that for each frame`;
export const customsWeightText = 'The frames can’t weigh more than the whole package';

/** Refusals about shipping labels that are bought in the panel. */
export const labelsRefusals = {
  'label-sender-missing': {
    status: 409,
    words:
      'The label needs the address that you ship from. Set SHIP_FROM_NAME, SHIP_FROM_STREET, SHIP_FROM_CITY, SHIP_FROM_STATE and SHIP_FROM_ZIP on the server.',
  },
  'label-country': {
    status: 409,
    words: 'Labels can be bought here only for the United States and Canada. Please use the address as CSV.',
  },
  'label-customs-missing': {
    status: 400,
    words: 'A package to Canada needs a customs form. Please fill it in and confirm it.',
  },
  'label-customs-value': {
    status: 400,
    words: ({ paid }: { paid: string }) => `${customsValueText(paid)}.`,
  },
  'label-customs-weight': {
    status: 400,
    words: `${customsWeightText}.`,
  },
  'label-exists': {
    status: 409,
    words: 'This order already has a label. Void it before you buy another one.',
  },
  'label-no-rates': {
    status: 409,
    words: ({ reason }: LabelServiceReason) =>
      `No carrier has a price for this package${reason && ` (${reason})`}. Please check the address, the weight and the size.`,
  },
  'label-refused': {
    status: 409,
    words: ({ reason }: LabelServiceReason) => `The label service refused this: ${reason}. Nothing was bought.`,
  },
  'label-no-money': {
    status: 409,
    words: ({ reason }: LabelServiceReason) =>
      `The label service could not charge your account: ${reason}. Nothing was bought. Please add money to your account there, then get the prices again.`,
  },
  'label-service-busy': {
    status: 503,
    words: 'The label service isn’t responding right now. Nothing was bought. Please try again in a minute.',
  },
  'label-unsure': {
    status: 503,
    words:
      'The label service didn’t answer in time, so we don’t know yet whether the label was bought. We check every minute, and this order shows the result. Please don’t buy another label.',
  },
  'label-outdated': {
    status: 409,
    words: 'The address has changed, or these prices have expired. Please get the prices again.',
  },
  'label-changed': {
    status: 409,
    words: 'This label has changed in the meantime. Please look at it again.',
  },
  'label-void-refused': {
    status: 409,
    words: ({ reason }: LabelServiceReason) =>
      `The label service did not void this label: ${reason}. The label stays valid.`,
  },
} as const satisfies RefusalTexts;
