import { gently } from './ui/media-queries.ts';

/** Which section of the home page to show once it is there; survives the way from another page, or a reload. */
const key = 'scrollTarget';

export function rememberScrollTarget(sectionId: string) {
  try {
    sessionStorage.setItem(key, sectionId);
  } catch {
    // Storage is switched off: the page opens at its top instead.
  }
}

export function takeScrollTarget(): string | null {
  try {
    const target = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return target;
  } catch {
    return null;
  }
}

/** Scroll to a section, and move the keyboard there too. */
export function scrollToSection(sectionId: string, behavior: ScrollBehavior = gently()) {
  const section = document.getElementById(sectionId);
  if (!section) return;
  section.scrollIntoView({ block: 'start', behavior });
  section.focus({ preventScroll: true });
}
