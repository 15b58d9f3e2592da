import { createContext, use } from 'react';
import type { PublicPageValues } from './public-page.tsx';

/** The id of the element that contains a public page. */
export const containerId = 'page';

interface StandalonePage {
  /** The rendered page, without the document around it. */
  html: string;
  given: PublicPageValues;
  /** The address of the script that hydrates the page. */
  entry: string;
  nonce: string | undefined;
}

/** The server provides this context when it renders the document of a public page. Undefined for all other pages. */
export const StandalonePageContext = createContext<StandalonePage | undefined>(undefined);

/** Contains a public page as a separate React root, in place of the page that the router would render. */
export function PublicContainer() {
  const { html, given } = use(StandalonePageContext)!;
  return <div id={containerId} data-given={JSON.stringify(given)} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The script that hydrates a public page, in place of the router's scripts. */
export function PublicScript() {
  const { entry, nonce } = use(StandalonePageContext)!;
  return <script type="module" src={entry} nonce={nonce} />;
}
