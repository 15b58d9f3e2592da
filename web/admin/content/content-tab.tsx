import { useQuery } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { aboutSections } from '#contract/content-forms.ts';
import { query, send } from '../../data/api.ts';
import { joinClassNames } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { RoleNotice } from '../role-notice.tsx';
import { type AdminSearch, type ContentPart, contentPartAreas, contentParts, type OnSearch } from '../search.ts';
import { GiftCardsPart } from '../gift-cards/gift-cards-part.tsx';
import { ReviewsPart } from '../reviews/reviews-part.tsx';
import { uncachedQueryOptions, useMayUseArea, useSessionEndOn } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';
import { sectionEditingQuery, useRefreshAfterSave } from './editing.ts';
import { FaqPreview } from './faq-preview.tsx';
import {
  AboutPreview,
  FeaturesPreview,
  FramePreview,
  HeroPreview,
  PromosPreview,
  SitePreview,
  StepsPreview,
} from './page-previews.tsx';
import { PromotionUses } from './promotion-uses.tsx';
import { ListForm, ObjectForm } from './section-form.tsx';
import { StockPart } from '../stock/stock-part.tsx';
import {
  aboutPageSection,
  aboutLabels,
  sectionFormSchemas,
  giftCardsTexts,
  listSections,
  objectSections,
  reviewsTexts,
  stockTexts,
  withServerValues,
} from './sections.ts';
import { UnreadableSectionNotice } from './unreadable.tsx';

const sections = {
  ...objectSections,
  ...listSections,
  about: aboutPageSection,
  reviews: reviewsTexts,
  stock: stockTexts,
  'gift-cards': giftCardsTexts,
};
const isObjectSection = (section: ContentPart): section is keyof typeof objectSections => section in objectSections;
/** Previews of unsaved sections, as visitors would see them. */
const objectPreviews = { hero: HeroPreview, site: SitePreview, frame: FramePreview };
const previews = { features: FeaturesPreview, steps: StepsPreview, promos: PromosPreview, faqs: FaqPreview };
/** Content: the texts and pictures of the public pages, by section. */
export default function ContentTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const mayUseArea = useMayUseArea();
  const allowedParts = contentParts.filter((part) => mayUseArea(contentPartAreas[part]));
  const { section = allowedParts[0] ?? 'hero' } = search;
  const { label, where } = sections[section];
  const isAllowed = allowedParts.includes(section);
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[14rem_minmax(0,72rem)]">
      <Chooser
        label="Sections"
        chosen={section}
        options={allowedParts.map((value) => ({ value, label: sections[value].label }))}
        onChoose={(next) =>
          onSearch({
            section: next,
            part: undefined,
            q: undefined,
            filter: undefined,
            sort: undefined,
            after: undefined,
          })
        }
      />
      <div>
        <h2 className="title-3">{label}</h2>
        <p className="mt-1 mb-5 text-muted">{where}</p>
        {isAllowed ? (
          <ContentPartEditor section={section} search={search} onSearch={onSearch} />
        ) : (
          <RoleNotice area={contentPartAreas[section]} />
        )}
      </div>
    </div>
  );
}

function ContentPartEditor({
  section,
  search,
  onSearch,
}: {
  section: ContentPart;
  search: AdminSearch;
  onSearch: OnSearch;
}) {
  if (section === 'about') return <AboutSections part={search.part ?? 'hero'} onSearch={onSearch} />;
  if (section === 'reviews') return <ReviewsPart search={search} onSearch={onSearch} />;
  if (section === 'stock') return <StockPart />;
  if (section === 'gift-cards') return <GiftCardsPart search={search} onSearch={onSearch} />;
  return <FileSection key={section} section={section} />;
}

function FileSection({ section }: { section: Exclude<ContentPart, 'about' | 'reviews' | 'stock' | 'gift-cards'> }) {
  const path = `/api/admin/content/${section}.json` as const;
  const { data, error, refetch } = useQuery(
    sectionEditingQuery(section, () => send(`GET ${path}` as 'GET /api/admin/content/hero.json')),
  );
  useSessionEndOn(error);
  const { data: settings } = useQuery({
    ...query('/api/admin/shipping-settings'),
    ...uncachedQueryOptions,
    enabled: section === 'shipping',
  });
  const refreshAfterSave = useRefreshAfterSave();
  if (error && !data) return <LoadErrorNotice title="We couldn’t load this section" error={error} onRetry={refetch} />;
  if (!data || (section === 'shipping' && !settings)) return <Skeleton className="h-96 rounded-xl" />;
  const saveSectionBody = async (body: unknown, version = data.versions[section]): Promise<unknown> => {
    // Only one section needs a step-up, but sendWithStepUp works for all sections.
    const route = `PUT ${path}` as 'PUT /api/admin/content/hero.json';
    await refreshAfterSave(
      sendWithStepUp(route, { query: { version }, body: body as never }),
      section === 'frame' ? '/data/products.json' : `/data/${section}.json`,
    );
    return (await refetch({ throwOnError: true })).data!.value;
  };
  const commonProps = {
    section,
    label: sections[section].label,
    schema: sectionFormSchemas[section],
    fallbackText: 'Failed to update content',
  };
  return (
    <>
      {data.isUnreadable && <UnreadableSectionNotice />}
      {isObjectSection(section) ? (
        <ObjectForm
          {...commonProps}
          fields={
            section === 'shipping'
              ? withServerValues(objectSections.shipping.fields, settings?.setByServer ?? {})
              : objectSections[section].fields
          }
          values={data.value}
          {...(section !== 'shipping' && { Preview: objectPreviews[section] })}
          save={async (values, version) => (await saveSectionBody(values, version)) as FieldValues}
        />
      ) : (
        <ListForm
          {...commonProps}
          fields={listSections[section].fields}
          words={listSections[section]}
          values={{ items: data.value }}
          save={async ({ items }, version) => ({
            items: await saveSectionBody(numberItems(section, items as FieldValues[]), version),
          })}
          {...(section === 'promos' && { More: PromotionUses })}
          Preview={previews[section]}
        />
      )}
    </>
  );
}

/** Numbers steps by their position. Gives a new promotion the next free id. */
function numberItems(section: keyof typeof listSections, items: FieldValues[]): FieldValues[] {
  if (section === 'steps') return items.map((it, at) => ({ ...it, number: at + 1 }));
  if (section !== 'promos') return items;
  let highestId = Math.max(0, ...items.map((it) => Number(it['id'] ?? 0)));
  return items.map((it) => ({ ...it, id: (it['id'] as number | undefined) ?? ++highestId }));
}

function AboutSections({ part, onSearch }: { part: (typeof aboutSections)[number]; onSearch: OnSearch }) {
  const { data, error, refetch } = useQuery(sectionEditingQuery('about', () => send('GET /api/admin/about-content')));
  useSessionEndOn(error);
  const refreshAfterSave = useRefreshAfterSave();
  if (error && !data) return <LoadErrorNotice title="We couldn’t load this section" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-96 rounded-xl" />;
  const blankPromotion = {
    section: part,
    title: '',
    subtitle: '',
    content: '',
    imageUrl: '',
    imageAlt: '',
    buttonText: '',
    buttonUrl: '',
  };
  const savedSection = data.value.find((it) => it.section === part) ?? blankPromotion;
  return (
    <>
      {data.isUnreadable && <UnreadableSectionNotice />}
      <Chooser
        label="Parts of the about page"
        chosen={part}
        options={aboutSections.map((value) => ({ value, label: aboutLabels[value] }))}
        onChoose={(next) => onSearch({ part: next })}
        inARow
      />
      <ObjectForm
        key={part}
        label={`About Us, ${aboutLabels[part]}`}
        section={`about/${part}`}
        schema={sectionFormSchemas.about}
        fields={aboutPageSection.fields.filter((it) => it.name !== 'iconType' || part.startsWith('values'))}
        values={savedSection}
        Preview={AboutPreview}
        save={async (values, version = data.versions[`about/${part}`]) => {
          const request = {
            params: { section: part },
            query: { version },
            body: { ...values, section: part } as typeof savedSection,
          };
          await refreshAfterSave(send('PUT /api/admin/about-content/:section', request), '/api/about-content');
          const refetched = await refetch({ throwOnError: true });
          return refetched.data!.value.find((it) => it.section === part)!;
        }}
        fallbackText="Failed to update about content"
      />
    </>
  );
}

function Chooser<V extends string>(props: {
  label: string;
  chosen: V;
  options: { value: V; label: string }[];
  onChoose: (value: V) => void;
  inARow?: boolean;
}) {
  return (
    <nav aria-label={props.label} className="mb-6">
      <ul className={joinClassNames('flex flex-wrap gap-1', !props.inARow && 'lg:flex-col')}>
        {props.options.map(({ value, label }) => (
          <li key={value}>
            <button
              type="button"
              aria-current={value === props.chosen ? 'true' : undefined}
              onClick={() => props.onChoose(value)}
              className="min-h-11 w-full rounded-full px-4 text-left font-medium text-muted transition-colors hover:text-ink focus-visible:rounded-full aria-[current]:bg-linen aria-[current]:text-ink"
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
