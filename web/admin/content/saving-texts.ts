/** The texts of a form whose earlier versions are stored and can be restored. */
export interface SavingTexts {
  savedTitle: string;
  /** What happens after a version was saved or restored. */
  effect: string;
  /** The badge of the current version. */
  current: string;
  /** The texts of the dialog about a conflict. Default: the texts for content. */
  conflict?: { title: string; description: string };
  /** What applies until the first save. */
  unsaved: string;
}

/** The texts for what visitors see. */
export const contentTexts: SavingTexts = {
  savedTitle: 'Content saved',
  effect: 'Visitors can see it now.',
  current: 'What visitors see',
  unsaved: 'Visitors see the built-in content.',
};
