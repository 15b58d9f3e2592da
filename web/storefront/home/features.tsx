import { useQuery } from '@tanstack/react-query';
import { builtInFeatures } from '#contract/built-in-content.ts';
import { featuresQuery } from '../../data/queries.ts';
import { featureIcons } from '../../ui/icon-names.ts';
import { Picture } from '../../ui/picture.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';

/** The benefits, one card each. */
export function Features() {
  const { data } = useQuery(featuresQuery());
  const features = Array.isArray(data) && data.length > 0 ? data : builtInFeatures;
  return (
    <section aria-label="Why Kinframe" className="wrap band">
      <ul className="grid gap-x-10 gap-y-12 sm:grid-cols-2 lg:grid-cols-4">
        {features.map(({ icon = 'Star', title, description, image }) => {
          const Icon = featureIcons[icon];
          return (
            <li key={title} className="border-t border-ink/80 pt-6">
              {image ? (
                <Picture
                  src={image}
                  alt=""
                  sizes="(min-width: 64rem) 20rem, 90vw"
                  className="mb-5 aspect-4/3 rounded-lg"
                />
              ) : (
                <Icon aria-hidden className="size-7 text-accent" strokeWidth={1.6} />
              )}
              <h2 className="title-3 mt-5">{withoutLineBreaks(title)}</h2>
              <p className="mt-2.5 text-muted">{withoutLineBreaks(description)}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
