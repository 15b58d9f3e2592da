import { accountsRefusals } from './refusals/accounts.ts';
import { buyingRefusals } from './refusals/buying.ts';
import { generalRefusals } from './refusals/general.ts';
import { labelsRefusals } from './refusals/labels.ts';
import { photosRefusals } from './refusals/photos.ts';
import { supportRefusals } from './refusals/support.ts';
import type { RefusalTexts } from './refusals/refusal-texts.ts';

/** The code, status and text of every refusal. Texts from the specification are kept exactly. */
export const refusals = {
  ...generalRefusals,
  ...buyingRefusals,
  ...accountsRefusals,
  ...photosRefusals,
  ...labelsRefusals,
  ...supportRefusals,
} as const satisfies RefusalTexts;

export type RefusalName = keyof typeof refusals;
/** Refusals with a fixed text. */
export type PlainRefusalName = {
  [N in RefusalName]: (typeof refusals)[N]['words'] extends string ? N : never;
}[RefusalName];
export type RefusalFacts<N extends RefusalName> = (typeof refusals)[N]['words'] extends (facts: infer F) => string
  ? [facts: F]
  : [];

/** An expected refusal. The business code throws it, and the server responds with its status and text. */
export class Refusal<N extends RefusalName = RefusalName> extends Error {
  override name = 'Refusal';
  readonly code: N;
  readonly status: number;
  /** The same number as `status`, under the name that Fastify's error handlers read. */
  readonly statusCode: number;
  /** Extra data for the screen. The response includes it. */
  details?: Record<string, unknown>;
  /** When a retry makes sense, if known. */
  readonly retryAfterSeconds: number | undefined;
  constructor(code: N, ...facts: RefusalFacts<N>) {
    const { words, status } = refusals[code] as { status: number; words: string | ((facts: unknown) => string) };
    super(typeof words === 'string' ? words : words(facts[0]));
    this.code = code;
    this.status = status;
    this.statusCode = status;
    this.retryAfterSeconds = (facts[0] as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds;
  }
}
