/** The status and the text of refusals, by code. A text with facts is a function of them. */
export type RefusalTexts = Record<string, { status: number; words: string | ((facts: never) => string) }>;
