import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { aboutSections } from '#contract/content-forms.ts';
import { query, send } from '../../data/api.ts';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { type AdminSearch, type ContentPart, contentParts, type OnSearch } from '../search.ts';
import { fresh, useSessionEndOn } from '../session.ts';
import { PromotionUses } from './promotion-uses.tsx';
import { ListForm, ObjectForm } from './section-form.tsx';
import { about, aboutWords, formOf, lists, objects } from './sections.ts';

const sections = { ...objects, ...lists, about };
/** Read once while it is edited: what is typed must not be written over. */
const once = { ...fresh, refetchOnWindowFocus: false, refetchOnReconnect: false, gcTime: 0 } as const;

/** Content: what visitors read on the public pages, section by section. */
export default function ContentTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const { section = 'hero' } = search;
  const { label, where } = sections[section];
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[14rem_minmax(0,44rem)]">
      <Chooser
        label="Sections"
        chosen={section}
        options={contentParts.map((value) => ({ value, label: sections[value].label }))}
        onChoose={(next) => onSearch({ section: next, part: undefined })}
      />
      <div>
        <h2 className="title-3">{label}</h2>
        <p className="mt-1 mb-5 text-muted">{where}</p>
        {section === 'about' ? (
          <About part={search.part ?? 'hero'} onSearch={onSearch} />
        ) : (
          <File key={section} section={section} />
        )}
      </div>
    </div>
  );
}

function File({ section }: { section: Exclude<ContentPart, 'about'> }) {
  const path = `/api/admin/content/${section}.json` as const;
  const { data, error, refetch } = useQuery({ ...query(path), ...once });
  useSessionEndOn(error);
  const published = usePublished();
  if (error && !data) return <NotLoaded title="We could not load this section" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-96 rounded-xl" />;
  const put = (body: unknown) => send(`PUT ${path}` as 'PUT /api/admin/content/hero.json', { body: body as never });
  const common = { label: sections[section].label, schema: formOf[section], fallbackWords: 'Failed to update content' };
  if (section === 'hero' || section === 'site')
    return (
      <ObjectForm
        {...common}
        fields={objects[section].fields}
        values={data}
        save={(values) => published(put(values), `/data/${section}.json`)}
      />
    );
  return (
    <ListForm
      {...common}
      fields={lists[section].fields}
      words={lists[section]}
      values={{ items: data }}
      save={async ({ items }) => ({
        items: await published(put(numbered(section, items as FieldValues[])), `/data/${section}.json`),
      })}
      {...(section === 'promos' && { More: PromotionUses })}
    />
  );
}

/** Steps are numbered as they stand, and a new promotion gets the next number. */
function numbered(section: keyof typeof lists, items: FieldValues[]): FieldValues[] {
  if (section === 'steps') return items.map((it, at) => ({ ...it, number: at + 1 }));
  if (section !== 'promos') return items;
  let highest = Math.max(0, ...items.map((it) => Number(it['id'] ?? 0)));
  return items.map((it) => ({ ...it, id: (it['id'] as number | undefined) ?? ++highest }));
}

function About({ part, onSearch }: { part: (typeof aboutSections)[number]; onSearch: OnSearch }) {
  const { data, error, refetch } = useQuery({ ...query('/api/admin/about-content'), ...once });
  useSessionEndOn(error);
  const published = usePublished();
  if (error && !data) return <NotLoaded title="We could not load this section" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-96 rounded-xl" />;
  const blank = {
    section: part,
    title: '',
    subtitle: '',
    content: '',
    imageUrl: '',
    imageAlt: '',
    buttonText: '',
    buttonUrl: '',
  };
  const kept = data.find((it) => it.section === part) ?? blank;
  return (
    <>
      <Chooser
        label="Parts of the about page"
        chosen={part}
        options={aboutSections.map((value) => ({ value, label: aboutWords[value] }))}
        onChoose={(next) => onSearch({ part: next })}
        inARow
      />
      <ObjectForm
        key={part}
        label={`About Us, ${aboutWords[part]}`}
        schema={formOf.about}
        fields={about.fields.filter((it) => it.name !== 'iconType' || part.startsWith('values'))}
        values={kept}
        save={async (values) => {
          const body = { ...values, section: part } as typeof kept;
          const answer = await published(
            send('PUT /api/admin/about-content/:section', { params: { section: part }, body }),
            '/api/about-content',
          );
          await refetch();
          return answer.find((it) => it.section === part)!;
        }}
        fallbackWords="Failed to update about content"
      />
    </>
  );
}

/** This browser's own copy of the public content is read anew, too. */
function usePublished() {
  const queryClient = useQueryClient();
  return async <T,>(saving: Promise<T>, path: string): Promise<T> => {
    const saved = await saving;
    const [first, ...rest] = path.slice(1).split('/');
    void queryClient.invalidateQueries({ queryKey: [`/${first}`, ...rest] });
    return saved;
  };
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
      <ul className={classes('flex flex-wrap gap-1', !props.inARow && 'lg:flex-col')}>
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
