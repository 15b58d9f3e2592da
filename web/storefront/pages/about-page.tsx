import { useQuery } from '@tanstack/react-query';
import { builtInAbout } from '#contract/built-in-about.ts';
import type { Content } from '#contract/content.ts';
import { aboutQuery } from '../../data/queries.ts';
import { isVideo } from '../../media.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { aboutIcons } from '../../ui/icon-names.ts';
import { Picture } from '../../ui/picture.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';
import { VideoLoop } from '../../ui/video-loop.tsx';

type AboutContentSection = Content<'about'>[number];
type Name = AboutContentSection['section'];

const defaultIcons = { 'values-1': 'heart', 'values-2': 'shield', 'values-3': 'zap' } as const;
const valueSectionNames = Object.keys(defaultIcons) as (keyof typeof defaultIcons)[];

/** /about: eight sections that the owner can edit separately. A missing section uses its built-in text. */
export function AboutPage() {
  const { data } = useQuery(aboutQuery());
  const aboutSections = Array.isArray(data) ? data : [];
  const findSection = (name: Name) => {
    const defaultSection = builtInAbout.find((it) => it.section === name);
    return aboutSections.find((it) => it.section === name) ?? defaultSection;
  };
  const hero = findSection('hero');
  const cta = findSection('cta');
  return (
    <>
      {hero && (
        <section className="wrap pt-14 sm:pt-24">
          <div className="grid items-end gap-8 lg:grid-cols-[1.6fr_1fr]">
            <h1 className="title-1">{hero.title}</h1>
            <div>
              {hero.subtitle && <p className="text-lg font-semibold">{hero.subtitle}</p>}
              <p className="lede mt-3 whitespace-pre-line">{hero.content}</p>
              {hero.buttonText && hero.buttonUrl && (
                <LinkButton to={hero.buttonUrl} className="mt-6">
                  {hero.buttonText}
                </LinkButton>
              )}
            </div>
          </div>
          <Media
            part={hero}
            priority
            sizes="(min-width: 80rem) 76rem, (min-width: 40rem) 94vw, 108vw"
            className="mt-14 aspect-4/3 rounded-xl sm:aspect-21/9"
          />
        </section>
      )}
      <div className="wrap band space-y-16 lg:space-y-24">
        <Story part={findSection('story-1')} />
        <Story part={findSection('story-2')} mirrored />
      </div>
      <section className="bg-linen">
        <div className="wrap band">
          <h2 className="title-2 mb-12">What we care about</h2>
          <ul className="grid gap-10 md:grid-cols-3">
            {valueSectionNames.map((name) => {
              const valueSection = findSection(name);
              if (!valueSection) return null;
              const Icon = aboutIcons[valueSection.iconType ?? defaultIcons[name]];
              return (
                <li key={name} className="border-t border-ink/80 pt-6">
                  <Icon aria-hidden className="size-7 text-accent" strokeWidth={1.6} />
                  <h3 className="title-3 mt-5">{valueSection.title}</h3>
                  {valueSection.subtitle && <p className="mt-1 font-semibold">{valueSection.subtitle}</p>}
                  <p className="mt-2.5 whitespace-pre-line text-muted">{withoutLineBreaks(valueSection.content)}</p>
                  {valueSection.imageUrl && (
                    <Media
                      part={valueSection}
                      sizes="(min-width: 48rem) 24rem, 92vw"
                      className="mt-5 aspect-4/3 rounded-lg"
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      </section>
      <div className="wrap band">
        <Story part={findSection('team')} />
      </div>
      {cta && (
        <section className="on-night bg-accent text-white">
          <div className="wrap band flex flex-col items-center text-center">
            <h2 className="title-2 max-w-3xl">{cta.title}</h2>
            {cta.subtitle && <p className="mt-3 text-lg font-semibold">{cta.subtitle}</p>}
            <p className="lede mt-4 max-w-xl whitespace-pre-line text-white">{cta.content}</p>
            {cta.imageUrl && (
              <Media
                part={cta}
                sizes="(min-width: 64rem) 56rem, 92vw"
                className="mt-10 aspect-video w-full max-w-4xl rounded-xl"
              />
            )}
            <div className="mt-9 flex flex-wrap justify-center gap-3">
              <LinkButton size="large" look="on-night" to={cta.buttonUrl || paths.kinframe}>
                {cta.buttonText || 'Shop Kinframe'}
              </LinkButton>
              <LinkButton size="large" look="on-accent" to={paths.gallery}>
                View the gallery
              </LinkButton>
            </div>
          </div>
        </section>
      )}
    </>
  );
}

function Story({
  part: storySection,
  mirrored = false,
}: {
  part: AboutContentSection | undefined;
  mirrored?: boolean;
}) {
  if (!storySection) return null;
  return (
    <section
      className={joinClassNames('grid items-center gap-10', storySection.imageUrl && 'lg:grid-cols-2 lg:gap-20')}
    >
      {storySection.imageUrl && (
        <Media
          part={storySection}
          sizes="(min-width: 80rem) 43rem, (min-width: 64rem) 53vw, 110vw"
          className={joinClassNames('aspect-4/3 w-full rounded-xl', mirrored && 'lg:order-2')}
        />
      )}
      <div>
        {storySection.subtitle && <p className="font-semibold text-accent-deep">{storySection.subtitle}</p>}
        <h2 className="title-2 mt-2">{storySection.title}</h2>
        <p className="lede mt-5 whitespace-pre-line">{withoutLineBreaks(storySection.content)}</p>
        {storySection.buttonText && storySection.buttonUrl && (
          <LinkButton look="secondary" to={storySection.buttonUrl} className="mt-7">
            {storySection.buttonText}
          </LinkButton>
        )}
      </div>
    </section>
  );
}

/** The video or picture of a section. */
function Media(props: { part: AboutContentSection; sizes: string; priority?: boolean; className: string }) {
  const { part: renderPart, sizes, priority = false, className } = props;
  return isVideo(renderPart.imageUrl) ? (
    <VideoLoop
      src={renderPart.imageUrl}
      label={renderPart.imageAlt || renderPart.title}
      className={joinClassNames('bg-clay', className)}
    />
  ) : (
    <Picture
      src={renderPart.imageUrl}
      alt={renderPart.imageAlt}
      sizes={sizes}
      priority={priority}
      className={joinClassNames('w-full', className)}
    />
  );
}
