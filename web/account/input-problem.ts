/** Why the chosen or entered data is not sent to the shop. Shown to the user. */
export interface InputProblem {
  title: string;
  words: string;
}
