import { createContext, use } from 'react';
import type { PublicGiven } from './public-page.tsx';

/** The element that a public page stands in. */
export const containerId = 'page';

interface Standing {
  /** The page as it was written, apart from the document. */
  html: string;
  given: PublicGiven;
  /** What wakes it. */
  entry: string;
  nonce: string | undefined;
}

/** On the server, around a document whose page stands alone. */
export const StandingAlone = createContext<Standing | undefined>(undefined);

/** In place of what the router would render. */
export function PublicContainer() {
  const { html, given } = use(StandingAlone)!;
  return <div id={containerId} data-given={JSON.stringify(given)} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** In place of the router's scripts. */
export function PublicScript() {
  const { entry, nonce } = use(StandingAlone)!;
  return <script type="module" src={entry} nonce={nonce} />;
}
