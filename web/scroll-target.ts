import { storeInSessionStorage, takeFromSessionStorage } from './data/tab-memory.ts';
import { preferredScrollBehavior } from './ui/media-queries.ts';

/** The section of the home page to scroll to when the page appears. Survives navigation and a reload. */
const key = 'scrollTarget';

export const rememberScrollTarget = (sectionId: string) => storeInSessionStorage(key, sectionId);
export const takeScrollTarget = (): string | null => takeFromSessionStorage(key);

/** Scrolls to a section and moves the focus there too. */
export function scrollToSection(sectionId: string, behavior: ScrollBehavior = preferredScrollBehavior()) {
  const section = document.getElementById(sectionId);
  if (!section) return;
  section.scrollIntoView({ block: 'start', behavior });
  section.focus({ preventScroll: true });
}
