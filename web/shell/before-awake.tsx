import { useEffect } from 'react';
import { stringifySearch } from '../search.ts';
import { useAddress } from '../ui/navigation.tsx';

declare global {
  interface Window {
    /** Does the first of the clicks that were kept; false, and no more are kept, once there is none. There until the page is awake. */
    doEarlyClick?: () => boolean;
    /**
     * Loads the page anew, of which a part is not in the shop any more, as after an update. Rejects, and stays, where that
     * was in vain a moment ago, or the shop cannot be reached or does not stand.
     */
    loadAnew: () => Promise<void>;
    /** Says that code of the page has not come: it is loaded anew, or words say so. */
    loseCode: () => void;
  }
}

/** Keeps clicks on buttons that cannot answer yet, from React too: it listens before it is ready, and would count them twice. */
const keepClicks = `const kept=[],keep=e=>{const it=e.target.closest('button[type=button]');it&&(e.stopImmediatePropagation(),kept.push(it))},listen=()=>addEventListener('click',keep,true);listen();window.doEarlyClick=()=>{removeEventListener('click',keep,true);const it=kept.shift();it&&(it.isConnected&&it.click(),listen());return!!it};`;

/** What was done a moment ago is remembered by the tab. */
const loadAnew = `window.loadAnew=async()=>{const last='loadedAnewAt',now=Date.now();if(now-(sessionStorage[last]||0)<6e4)throw 0;if((await fetch(location.href,{method:'HEAD'})).status>499)throw 0;sessionStorage[last]=now;location.reload()};`;

const notWhole = 'not-whole';
/** Where the code or the style of a page does not come, it is loaded anew; where that is in vain, words, until there is a line again. */
const lose = `const lose=window.loseCode=()=>loadAnew().catch(()=>{const line=document.getElementById('${notWhole}');if(line)line.hidden=false;addEventListener('online',lose,{once:true})});addEventListener('error',({target:it})=>{window.doEarlyClick&&(it.type==='module'||it.rel==='stylesheet')&&lose()},true);`;

/**
 * Calls the code of a page that was sent asleep (server/pages/asleep.ts): when somebody touches it, or once it stands
 * there whole and the browser rests; a pointer that lies where the page appears has touched nothing. Its picture is
 * painted first: decoded, and a moment for the screen, or code would take the line before it is seen. Where a picture
 * does not come, it is not waited for. The code runs under the whole style, of which the page has only what it shows.
 */
const wake = `const find=it=>document.querySelectorAll(it),signs=['pointerdown','pointermove','touchstart','keydown','focusin'],sign=it=>{(it.type!=='pointermove'||it.movementX||it.movementY)&&wake()},wake=()=>{signs.forEach(it=>removeEventListener(it,sign,true));const styled=[];for(const it of find('link[rel=asleep]'))it.as?(styled.push(new Promise(done=>it.onload=done)),it.rel='stylesheet'):it.rel='modulepreload';for(const it of find('script[type="text/asleep"]'))Promise.all(styled).then(()=>import(it.src)).catch(lose)};signs.forEach(it=>addEventListener(it,sign,{capture:true,passive:true}));const rest=()=>setTimeout(()=>(window.requestIdleCallback||setTimeout)(wake),200);addEventListener('load',()=>{const [it]=find('img[fetchpriority=high]');it?it.decode().then(rest,rest):rest()});setTimeout(wake,5e3);`;

/**
 * A page that the browser kept whole and shows again, as after "back", an hour later or more: prices, days of arrival and
 * who is signed in may be others. It is loaded anew, unless something was typed or chosen on it, which is worth more. Heard
 * from the first, and before React, which lets no word pass to a part that is not awake yet.
 */
const keptPage = `const shownAt=Date.now();let isTouched=false;addEventListener('input',()=>isTouched=true,true);addEventListener('pageshow',({persisted})=>{persisted&&Date.now()-shownAt>36e5&&!isTouched&&location.reload()});`;

/** On a slow phone the page is seen long before it is awake. What is clicked in between is kept. */
export const BeforeAwake = ({ nonce }: { nonce: string | undefined }) => (
  <script
    nonce={nonce}
    dangerouslySetInnerHTML={{ __html: `(()=>{${keepClicks}${loadAnew}${lose}${keptPage}${wake}})()` }}
  />
);

/** In a page: what was clicked before is done once it is awake. */
export function EarlyClicks() {
  useEffect(() => {
    // Not within this very update: React wakes the part of the page that a click falls on, but never while it is at work.
    // And each by itself, as they came: of two at once on a counter, both would add one to the same number. What is clicked
    // meanwhile is kept too, or it would be done before what was clicked first.
    const next = () => {
      if (window.doEarlyClick?.()) setTimeout(next);
      else delete window.doEarlyClick;
    };
    setTimeout(next);
  }, []);
  return null;
}

/** Of a page whose code does not come: shown by its first lines, for nothing else of it answers. */
export function NotWhole() {
  const { pathname, search } = useAddress();
  return (
    <p
      id={notWhole}
      hidden
      role="alert"
      className="border-b border-hair bg-linen px-5 py-3 text-center text-[0.9375rem]"
    >
      This page has not come whole: the connection may be lost.{' '}
      <a href={pathname + stringifySearch(search)} className="link font-semibold">
        Load it again
      </a>
    </p>
  );
}
