import { useEffect } from 'react';
import { stringifySearch } from '../search.ts';
import { useAddress } from '../ui/navigation.tsx';

declare global {
  interface Window {
    /**
     * Replays the first of the clicks that were kept until hydration. When no click is left, returns false and stops
     * keeping clicks. The function is deleted after that.
     */
    doEarlyClick?: () => boolean;
    /**
     * Reloads the page. Call it when a file of the page is no longer on the server, for example after an update.
     * Rejects without a reload if this function reloaded the page less than a minute ago, if the server is unreachable,
     * or if the server returns a 5xx.
     */
    loadAnew: () => Promise<void>;
    /** Counts the page view if the visitor leaves before hydration. The listener is removed after hydration. */
    countOnLeaving?: () => void;
    /** Call this when code of the page failed to load. Reloads the page, or shows a message if that is not possible. */
    loseCode: () => void;
  }
}

/**
 * Keeps clicks on buttons until hydration. Also hides these clicks from React: React listens before hydration is done
 * and replays the clicks, so each click would count twice.
 */
const bufferClicks = `const kept=[],keep=e=>{const it=e.target.closest('button[type=button]');it&&(e.stopImmediatePropagation(),kept.push(it))},listen=()=>addEventListener('click',keep,true);listen();window.doEarlyClick=()=>{removeEventListener('click',keep,true);const it=kept.shift();it&&(it.isConnected&&it.click(),listen());return!!it};`;

/** Counts the view of a visitor who leaves before hydration, because this visitor has seen the page too. */
const countOnLeaving = `const leave=window.countOnLeaving=()=>{const from=document.referrer;fetch('/api/page-views',{method:'POST',keepalive:true,headers:{'content-type':'application/json'},body:JSON.stringify({pagePath:location.pathname.slice(0,500),referrer:from&&!from.startsWith(location.origin+'/')?from.slice(0,1e3):null,userAgent:navigator.userAgent.slice(0,500)})}).catch(()=>{})};addEventListener('pagehide',leave,{once:true});`;

/** Stores the time of the last reload in session storage, so that a page does not reload in a loop. */
const reloadScript = `window.loadAnew=async()=>{const last='loadedAnewAt',now=Date.now();if(now-(sessionStorage[last]||0)<6e4)throw 0;if((await fetch(location.href,{method:'HEAD'})).status>499)throw 0;sessionStorage[last]=now;removeEventListener('pagehide',leave);location.reload()};`;

const incompletePageId = 'not-whole';
/**
 * If the code or the stylesheet of a page fails to load, reloads the page. If that does not help, shows a message and
 * tries again when the browser is back online.
 */
const loseCodeScript = `const lose=window.loseCode=()=>loadAnew().catch(()=>{const line=document.getElementById('${incompletePageId}');if(line)line.hidden=false;addEventListener('online',lose,{once:true})});addEventListener('error',({target:it})=>{window.doEarlyClick&&(it.type==='module'||it.rel==='stylesheet')&&lose()},true);`;

/**
 * Loads the deferred code of a page (server/pages/defer-scripts.ts) at the first interaction, or when the page has
 * loaded and the browser is idle, or after five seconds. A pointermove event without a movement is no interaction.
 * Without an interaction, the script waits until the lead picture is decoded and 200 ms more. Otherwise the code would
 * use the connection before the picture is visible. A picture that fails to load does not delay the code. The page
 * first contains only the styles of its visible part, so the code runs after the whole stylesheet has loaded.
 */
const hydrateScript = `const find=it=>document.querySelectorAll(it),signs=['pointerdown','pointermove','touchstart','keydown','focusin'],sign=it=>{(it.type!=='pointermove'||it.movementX||it.movementY)&&wake()},wake=()=>{signs.forEach(it=>removeEventListener(it,sign,true));const styled=[];for(const it of find('link[rel=asleep]'))it.as?(styled.push(new Promise(done=>it.onload=done)),it.rel='stylesheet'):it.rel='modulepreload';for(const it of find('script[type="text/asleep"]'))Promise.all(styled).then(()=>import(it.src)).catch(lose)};signs.forEach(it=>addEventListener(it,sign,{capture:true,passive:true}));const rest=()=>setTimeout(()=>(window.requestIdleCallback||setTimeout)(wake),200);addEventListener('load',()=>{const [it]=find('img[fetchpriority=high]');it?it.decode().then(rest,rest):rest()});setTimeout(wake,5e3);`;

/**
 * Reloads a page that comes out of the back/forward cache after an hour or more, because prices, delivery days and the
 * signed-in customer may have changed. Does not reload if the visitor typed or chose something on the page, because a
 * reload would lose that input. This inline script listens before React does, because React stops events to elements
 * that are not hydrated yet.
 */
const reloadStalePage = `const shownAt=Date.now();let isTouched=false;addEventListener('input',()=>isTouched=true,true);addEventListener('pageshow',({persisted})=>{persisted&&Date.now()-shownAt>36e5&&!isTouched&&location.reload()});`;

/** An inline script for the time before hydration, because on a slow phone a page is visible long before hydration. */
export const BeforeHydration = ({ nonce }: { nonce: string | undefined }) => (
  <script
    nonce={nonce}
    dangerouslySetInnerHTML={{
      __html: `(()=>{${bufferClicks}${countOnLeaving}${reloadScript}${loseCodeScript}${reloadStalePage}${hydrateScript}})()`,
    }}
  />
);

/** Every page renders this component. After hydration it replays the clicks that the inline script has kept. */
export function ReplayEarlyClicks() {
  useEffect(() => {
    // Wait for the end of this update: a click makes React hydrate the clicked part of the page, but not during an
    // update. Replay the clicks one by one: two clicks on a counter in one update would both add one to the same
    // number. New clicks are kept during the replay, otherwise they would be handled before the earlier clicks.
    const replayNextClick = () => {
      if (window.doEarlyClick?.()) setTimeout(replayNextClick);
      else delete window.doEarlyClick;
    };
    setTimeout(replayNextClick);
  }, []);
  return null;
}

/** The message for a page whose code failed to load. The inline script shows it, because no other code runs. */
export function PageLoadFailed() {
  const { pathname, search } = useAddress();
  return (
    <p
      id={incompletePageId}
      hidden
      role="alert"
      className="border-b border-hair bg-linen px-5 py-3 text-center text-[0.9375rem]"
    >
      This page did not load completely. Your connection may be lost.{' '}
      <a href={pathname + stringifySearch(search)} className="link font-semibold">
        Reload the page
      </a>
    </p>
  );
}
