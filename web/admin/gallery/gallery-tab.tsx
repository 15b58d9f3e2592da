import { useQuery } from '@tanstack/react-query';
import { Film, ImageOff, Images, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { GalleryItem } from '#contract/content-forms.ts';
import { countText } from '#contract/count-text.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Picture } from '../../ui/picture.tsx';
import { SortedItems } from '../../ui/sorted-items.tsx';
import { Badge, EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { ConflictDialog } from '../content/conflict-dialog.tsx';
import { sectionEditingQuery } from '../content/editing.ts';
import { History } from '../content/history.tsx';
import { UnreadableSectionNotice } from '../content/unreadable.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { useSessionEndOn } from '../session.ts';
import { createBlankItem, listComparedItems, galleryItemFields, sortByIds, addOrReplaceItem } from './gallery-items.ts';
import { ItemDialog } from './item-dialog.tsx';
import { useSaveGallery } from './use-save-gallery.ts';

/** Gallery: the pictures of the gallery page. Each one is added, edited and deleted separately. */
export default function GalleryTab() {
  const { data, error, refetch } = useQuery(sectionEditingQuery('gallery', () => send('GET /api/admin/gallery')));
  useSessionEndOn(error);
  const { save, restore, conflict, keepMine, takeTheirs, editOn } = useSaveGallery(data?.versions['gallery'], refetch);
  const [edited, setEdited] = useState<GalleryItem>();
  const [moved, setMoved] = useState<GalleryItem[]>();
  const [toDelete, setToDelete] = useState<GalleryItem>();
  if (error && !data) return <LoadErrorNotice title="We couldn’t load the gallery" error={error} onRetry={refetch} />;
  if (!data) return <GallerySkeleton />;
  const items = moved ?? data.value;
  const saveSortedItems = async (sorted: GalleryItem[]) => {
    setMoved(sorted); // show the new order at once; if saving fails, the old order appears again
    await save(sorted, 'Order saved');
    setMoved(undefined);
  };
  const renderItem = (item: GalleryItem) => (
    <ItemCard item={item} onEdit={() => setEdited(item)} onDelete={() => setToDelete(item)} />
  );
  const isNew = edited !== undefined && !items.some((it) => it.id === edited.id);
  const closeAll = () => {
    setEdited(undefined);
    setToDelete(undefined);
  };
  return (
    <>
      {data.isUnreadable && <UnreadableSectionNotice />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">
          {countText(items.length, 'picture')} on the gallery page, in this order. The first ones also appear on the
          home page.
          {items.length > 1 && ' Drag one by its handle to move it.'}
        </p>
        <div className="flex gap-2">
          <History
            section="gallery"
            reading={{ fields: galleryItemFields, item: 'picture' }}
            isUnsaved={false}
            restore={(value, version) => restore(value as GalleryItem[], version)}
          />
          <Button size="small" onClick={() => setEdited(createBlankItem(items))}>
            <Plus aria-hidden className="size-4.5" />
            Add picture
          </Button>
        </div>
      </div>
      {items.length === 0 && (
        <EmptyState icon={<Images aria-hidden className="size-7" />} title="No pictures yet">
          Add the original photo and the video made from it.
        </EmptyState>
      )}
      <ul className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        <SortedItems
          noun="picture"
          items={items}
          idOf={(it) => String(it.id)}
          nameOf={(it) => it.title}
          isLocked={false}
          onOrder={(ids) => void saveSortedItems(sortByIds(items, ids))}
          tile={renderItem}
        />
      </ul>
      {edited && (
        <ItemDialog
          item={edited}
          isNew={isNew}
          onSave={async (item) => {
            if (await save(addOrReplaceItem(items, item), isNew ? 'Picture added' : 'Picture saved'))
              setEdited(undefined);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        open={toDelete !== undefined}
        onOpenChange={(open) => !open && setToDelete(undefined)}
        title={`Delete “${toDelete?.title ?? ''}”?`}
        description="Visitors won’t see it anymore. You can restore it from the gallery’s History."
        confirmLabel="Delete"
        busyLabel="Deleting..."
        destructive
        onConfirm={async () => {
          const remainingItems = items.filter((it) => it.id !== toDelete?.id);
          if (!(await save(remainingItems, 'Picture deleted'))) throw new Error('not deleted');
        }}
      />
      {conflict && (
        <ConflictDialog
          mine={listComparedItems(conflict.mine)}
          theirs={listComparedItems(conflict.theirs)}
          onKeepMine={async () => {
            if (await keepMine()) closeAll();
          }}
          onTakeTheirs={() => void takeTheirs().then(closeAll)}
          onClose={editOn}
        />
      )}
    </>
  );
}

interface CardProps {
  item: GalleryItem;
  onEdit: () => void;
  onDelete: () => void;
}
function ItemCard({ item, onEdit, onDelete }: CardProps) {
  const { title, caption, beforeImage, afterVideo } = item;
  return (
    <article className="flex h-full flex-col overflow-hidden rounded-lg border border-hair bg-card">
      <div className="relative">
        <Picture
          src={beforeImage}
          alt=""
          sizes="(min-width: 64rem) 25vw, (min-width: 40rem) 50vw, 100vw"
          className="aspect-4/3 w-full"
        />
        <Badge className="absolute bottom-2 left-2 bg-paper/95">
          {afterVideo ? <Film aria-hidden className="size-4" /> : <ImageOff aria-hidden className="size-4" />}
          {afterVideo ? 'With video' : 'No video yet'}
        </Badge>
      </div>
      <div className="flex flex-1 items-start gap-2 p-3 pl-4">
        <div className="min-w-0 flex-1 py-2">
          <h2 className="font-sans text-base font-semibold tracking-normal [overflow-wrap:anywhere]">{title}</h2>
          <p className="mt-0.5 line-clamp-2 text-[0.9375rem] break-words text-muted">{caption}</p>
        </div>
        <div className="flex">
          <IconButton words={`Edit ${title}`} icon={Pencil} disabled={false} onClick={onEdit} />
          <IconButton words={`Delete ${title}`} icon={Trash2} disabled={false} onClick={onDelete} />
        </div>
      </div>
    </article>
  );
}

const GallerySkeleton = () => (
  <div aria-hidden className="mt-15 grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
    {[1, 2, 3, 4, 5, 6].map((it) => (
      <Skeleton key={it} className="h-80 rounded-lg" />
    ))}
  </div>
);
