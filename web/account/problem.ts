/** Why something is not sent, as a toast says it. */
export interface Problem {
  title: string;
  words: string;
}
