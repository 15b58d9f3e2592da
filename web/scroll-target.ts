import { keepInTab, takeFromTab } from './data/tab-memory.ts';
import { gently } from './ui/media-queries.ts';

/** Which section of the home page to show once it is there; survives the way from another page, or a reload. */
const key = 'scrollTarget';

export const rememberScrollTarget = (sectionId: string) => keepInTab(key, sectionId);
export const takeScrollTarget = (): string | null => takeFromTab(key);

/** Scroll to a section, and move the keyboard there too. */
export function scrollToSection(sectionId: string, behavior: ScrollBehavior = gently()) {
  const section = document.getElementById(sectionId);
  if (!section) return;
  section.scrollIntoView({ block: 'start', behavior });
  section.focus({ preventScroll: true });
}
