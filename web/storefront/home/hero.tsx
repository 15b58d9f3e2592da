import { useQuery } from '@tanstack/react-query';
import { builtInHero } from '#contract/built-in-content.ts';
import { kinframe, includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import { heroQuery } from '../../data/queries.ts';
import { LinkButton } from '../../ui/button.tsx';
import { VideoOverStill } from '../../ui/video-over-still.tsx';
import { Picture } from '../../ui/picture.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';
import { paths } from '../../paths.ts';
import { heroPicture, chooseHeroStillPicture } from './hero-picture.ts';
import { isVideo } from '../../media.ts';

/** The price and the delivery time, visible without scrolling. */
const offerText = `$${pricesInCents[kinframe] / 100} with ${includedPhotoCounts.device} photos. Free shipping. Ready in 24-72 hours.`;

/** The hero: the frame on a sideboard with a moving photo. */
export function Hero({ onChoose }: { onChoose: () => void }) {
  const { data } = useQuery(heroQuery());
  const hero = data?.title ? data : builtInHero;
  const opensProductChoice = hero.ctaUrl.startsWith('/?select-product') || hero.ctaUrl === paths.productsSection;
  return (
    <section className="relative isolate overflow-hidden bg-paper lg:aspect-video lg:max-h-[calc(100svh-4.5rem)] lg:min-h-[44rem] lg:w-full">
      <div className="wrap pointer-events-none relative z-10 pt-9 pb-8 sm:pt-16 sm:pb-10 lg:pt-[clamp(1.75rem,2.8vw,4.5rem)]">
        <div className="max-w-3xl">
          <p className="mb-3 text-[0.9375rem] font-medium text-balance">{withoutLineBreaks(offerText)}</p>
          <h1 className="title-1">
            {hero.title} <span className="block text-accent-deep">{hero.titleHighlight}</span>
          </h1>
          <p className="mt-5 max-w-[33rem] text-[clamp(1.125rem,1.05rem+0.3vw,1.25rem)] leading-relaxed text-pretty lg:max-w-[26rem] xl:max-w-[29rem]">
            {hero.subtitle}
          </p>
          <div className="pointer-events-auto mt-7 flex w-fit flex-wrap gap-2 sm:mt-8 sm:gap-3 lg:mt-6 xl:mt-8">
            <LinkButton
              size="large"
              to={hero.ctaUrl}
              className="max-sm:px-5"
              onClick={(event) => {
                if (!opensProductChoice) return;
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
        {isVideo(hero.backgroundVideo) ? (
          <VideoOverStill
            src={hero.backgroundVideo}
            label="A family photo moves inside the frame"
            plays="the photo in the frame"
            still={heroPicture.src}
            className="object-[72%_40%]"
            // The play button is on the picture frame that the photo shows.
            buttonClassName="left-[38%] bg-transparent hover:bg-transparent lg:top-[24%] lg:left-[34%]"
          >
            <HeroStill of={heroPicture} />
          </VideoOverStill>
        ) : (
          <HeroStill of={chooseHeroStillPicture(hero.backgroundVideo)} />
        )}
      </div>
    </section>
  );
}

/** The hero's picture. The owner's own picture has no description, so its alt text is empty. */
const HeroStill = ({ of }: { of: typeof heroPicture }) => (
  <Picture
    alt={of === heroPicture ? 'An oak picture frame on a sideboard in morning light.' : ''}
    {...of}
    priority
    className="absolute inset-0 size-full object-[72%_40%]"
  />
);
