import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { builtInHero } from '#contract/built-in-content.ts';
import { heroQuery } from '../../data/queries.ts';
import { LinkButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { prefersReducedMotion, useReducedMotion } from '../../ui/media-queries.ts';
import { Picture } from '../../ui/picture.tsx';
import { PlayButton, start } from '../../ui/video-loop.tsx';
import { paths } from '../../paths.ts';
import { heroPicture } from './hero-picture.ts';

/** The opening: the frame on a sideboard, a photo moving in it. */
export function Hero({ onChoose }: { onChoose: () => void }) {
  const { data } = useQuery(heroQuery());
  const hero = data?.title ? data : builtInHero;
  const choosesHere = hero.ctaUrl.startsWith('/?select-product') || hero.ctaUrl === paths.productsSection;
  return (
    <section className="relative isolate overflow-hidden bg-paper lg:aspect-video lg:max-h-[calc(100svh-4.5rem)] lg:min-h-[44rem] lg:w-full">
      <div className="wrap pointer-events-none relative z-10 pt-9 pb-8 sm:pt-16 sm:pb-10 lg:pt-[clamp(3rem,4.4vw,6rem)]">
        <div className="max-w-3xl">
          <h1 className="title-1">
            {hero.title} <span className="block text-accent-deep">{hero.titleHighlight}</span>
          </h1>
          <p className="mt-5 max-w-[33rem] text-[clamp(1.125rem,1.05rem+0.3vw,1.25rem)] leading-relaxed text-pretty lg:max-w-[26rem] xl:max-w-[29rem]">
            {hero.subtitle}
          </p>
          <div className="pointer-events-auto mt-7 flex w-fit flex-wrap gap-2 sm:mt-8 sm:gap-3">
            <LinkButton
              size="large"
              to={hero.ctaUrl}
              className="max-sm:px-5"
              onClick={(event) => {
                if (!choosesHere) return;
                event.preventDefault();
                onChoose();
              }}
            >
              {hero.ctaText}
            </LinkButton>
            <LinkButton size="large" look="secondary" to={paths.gallery} className="max-sm:px-5">
              See it move
            </LinkButton>
          </div>
        </div>
      </div>
      <div className="relative aspect-4/3 sm:aspect-video lg:absolute lg:inset-0 lg:-z-10 lg:aspect-auto">
        <HeroVideo src={hero.backgroundVideo} />
      </div>
    </section>
  );
}

/**
 * Hidden behind its still until it can play, then faded in. Where autoplay is refused, fails, or motion is not wanted,
 * the still stays under a play button.
 */
function HeroVideo({ src }: { src: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'hidden' | 'playing' | 'refused'>('hidden');
  const still = useReducedMotion() && state === 'hidden';

  useEffect(() => {
    if (prefersReducedMotion()) return;
    const begin = () => video.current && start(video.current, () => setState('refused'));
    // The still and the page come first on the wire.
    if (document.readyState === 'complete') begin();
    else addEventListener('load', begin, { once: true });
    return () => removeEventListener('load', begin);
  }, []);

  return (
    <>
      <Picture
        alt="An oak picture frame on a sideboard in morning light."
        {...heroPicture}
        priority
        className="absolute inset-0 size-full object-[72%_40%]"
      />
      <video
        ref={video}
        src={src}
        muted
        loop
        playsInline
        preload="none"
        aria-label="A family photo moves inside the frame"
        onPlaying={() => setState('playing')}
        onError={() => setState('refused')}
        className={classes(
          'absolute inset-0 size-full object-cover object-[72%_40%] transition-opacity duration-1000',
          state === 'playing' ? 'opacity-100' : 'opacity-0',
        )}
      >
        Your browser does not support the video tag.
      </video>
      {(still || state === 'refused') && (
        <PlayButton
          label="the photo in the frame"
          // Over the frame in the picture.
          className="left-[38%] bg-transparent hover:bg-transparent lg:top-[24%] lg:left-[34%]"
          onClick={() => video.current && start(video.current, () => setState('refused'))}
        />
      )}
    </>
  );
}
