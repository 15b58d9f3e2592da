import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import { memo, type ReactNode, useMemo } from 'react';
import { classes } from './classes.ts';

interface Props<Item> {
  /** What is moved, as a noun: photo. */
  noun: string;
  items: readonly Item[];
  idOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Where they stay as they are, nothing can be moved. */
  isLocked: boolean;
  onOrder: (ids: string[]) => void;
  /** An item's tile; the same function as long as nothing about items changes. */
  tile: (item: Item) => ReactNode;
  itemClass?: string;
}

const byPointer = { activationConstraint: { distance: 4 } };
const byKeys = { coordinateGetter: sortableKeyboardCoordinates, scrollBehavior: 'instant' } as const;

/** List items in an order that is changed by dragging their grip, or by Space and the arrow keys on it. */
export function SortedItems<Item>({ noun, items, idOf, nameOf, isLocked, onOrder, tile, itemClass }: Props<Item>) {
  const sensors = useSensors(useSensor(PointerSensor, byPointer), useSensor(KeyboardSensor, byKeys));
  const all = items.map(idOf);
  // The same list as long as the order is: a new one draws every item again.
  // oxlint-disable-next-line react/exhaustive-deps -- the ids are what it says
  const ids = useMemo(() => all, [all.join()]);
  if (isLocked || items.length < 2)
    return items.map((item) => (
      <li key={idOf(item)} className={classes('relative min-w-0', itemClass)}>
        {tile(item)}
      </li>
    ));
  const names = new Map(items.map((it) => [idOf(it), nameOf(it)]));
  const named = (id: string | number) => names.get(String(id)) ?? `the ${noun}`;
  const placeOf = (id: string | number) => `place ${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  const end = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id)
      onOrder(arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))));
  };
  return (
    <DndContext
      id={`${noun}s`}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{
        // What it tells is no item of the list it stands in.
        ...(typeof document !== 'undefined' && { container: document.body }),
        screenReaderInstructions: {
          draggable: `Press Space to pick the ${noun} up, the arrow keys to move it, Space to put it down, Escape to leave it.`,
        },
        announcements: {
          onDragStart: ({ active }) => `Picked up ${named(active.id)}, at ${placeOf(active.id)}.`,
          onDragOver: ({ active, over }) => (over ? `${named(active.id)} is now at ${placeOf(over.id)}.` : undefined),
          onDragEnd: ({ active, over }) => `${named(active.id)} is put down${over ? ` at ${placeOf(over.id)}` : ''}.`,
          onDragCancel: ({ active }) => `${named(active.id)} stays where it was.`,
        },
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        {items.map((item) => (
          <SortedItem
            key={idOf(item)}
            id={idOf(item)}
            name={nameOf(item)}
            item={item}
            tile={tile as (item: unknown) => ReactNode}
            className={itemClass}
          />
        ))}
      </SortableContext>
    </DndContext>
  );
}

interface SortedItemProps {
  id: string;
  name: string;
  item: unknown;
  tile: (item: unknown) => ReactNode;
  className: string | undefined;
}

/** Drawn again only when its item changes or something is moved, its tile in the first case alone. */
const SortedItem = memo(({ id, name, item, tile, className }: SortedItemProps) => {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Transform.toString(transform), transition }}
      className={classes('relative min-w-0', className, isDragging && 'z-10 opacity-90 shadow-lifted')}
    >
      <Tile item={item} tile={tile} />
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={`Move ${name}`}
        className="absolute top-2 left-2 grid size-11 cursor-grab touch-none place-items-center rounded-full bg-paper/95 text-ink shadow-soft focus-visible:rounded-full"
      >
        {grip}
      </button>
    </li>
  );
});

/** One for all: React passes over what it has seen. */
const grip = <GripVertical aria-hidden className="size-5" />;

const Tile = memo(({ item, tile }: Pick<SortedItemProps, 'item' | 'tile'>) => tile(item));
