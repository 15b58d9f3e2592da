import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

declare global {
  interface Window {
    /** Ends the keeping; answers the buttons clicked until now. There until the page is awake. */
    takeEarlyClicks?: () => HTMLElement[];
  }
}

/** Runs before the page's code has arrived: keeps clicks on buttons that cannot answer yet. */
const keepClicks = `(()=>{const kept=[],keep=e=>{const it=e.target.closest('button[type=button]');it&&kept.push(it)};addEventListener('click',keep,true);window.takeEarlyClicks=()=>{removeEventListener('click',keep,true);return kept.splice(0)}})()`;

/** On a slow phone the page is seen long before it is awake. What is clicked in between is done once it is. */
export function EarlyClicks() {
  const { nonce } = useRouter().options.ssr ?? {};
  useEffect(() => {
    const clicked = window.takeEarlyClicks?.() ?? [];
    delete window.takeEarlyClicks;
    // Not within this very update: React wakes the part of the page that a click falls on, but never while it is at work.
    setTimeout(() => clicked.forEach((button) => button.isConnected && button.click()));
  }, []);
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: keepClicks }} />;
}
