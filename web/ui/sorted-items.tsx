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
import { memo, type ReactNode } from 'react';
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
}

/** List items in an order that is changed by dragging their grip, or by Space and the arrow keys on it. */
export function SortedItems<Item>({ noun, items, idOf, nameOf, isLocked, onOrder, tile }: Props<Item>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates, scrollBehavior: 'instant' }),
  );
  if (isLocked || items.length < 2)
    return items.map((item) => (
      <li key={idOf(item)} className="relative min-w-0">
        {tile(item)}
      </li>
    ));
  const ids = items.map(idOf);
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
          <SortedItem key={idOf(item)} id={idOf(item)} name={nameOf(item)}>
            <Tile item={item} tile={tile as (item: unknown) => ReactNode} />
          </SortedItem>
        ))}
      </SortableContext>
    </DndContext>
  );
}

/** Drawn again only when its item changes, not with every move of another. */
const Tile = memo(({ item, tile }: { item: unknown; tile: (item: unknown) => ReactNode }) => tile(item));

function SortedItem({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Transform.toString(transform), transition }}
      className={classes('relative min-w-0', isDragging && 'z-10 opacity-90 shadow-lifted')}
    >
      {children}
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={`Move ${name}`}
        className="absolute top-2 left-2 grid size-11 cursor-grab touch-none place-items-center rounded-full bg-paper/95 text-ink shadow-soft focus-visible:rounded-full"
      >
        <GripVertical aria-hidden className="size-5" />
      </button>
    </li>
  );
}
