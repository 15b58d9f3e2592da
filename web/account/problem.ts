/** Why the chosen or entered data is not sent to the shop. Shown in a toast. */
export interface Problem {
  title: string;
  words: string;
}
