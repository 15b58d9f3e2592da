import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type KeyboardCoordinateGetter,
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
import {
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useImperativeHandle,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
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

/** The id of the words that tell how to move one. */
const instructionsFor = (noun: string) => `${noun}s`;

const byPointer = { activationConstraint: { distance: 4 } };
/**
 * To the next item that way, seen from a pixel ahead: items beside the moved one may be measured while they move, and are
 * then a hair further on.
 */
const toNext: KeyboardCoordinateGetter = (event, { context, ...rest }) => {
  const [x = 0, y = 0] = steps[event.code] ?? [];
  const { collisionRect: at } = context;
  const ahead = at && { ...at, left: at.left + x, right: at.right + x, top: at.top + y, bottom: at.bottom + y };
  return sortableKeyboardCoordinates(event, { ...rest, context: { ...context, collisionRect: ahead } });
};
const steps: Record<string, [x: number, y: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
const byKeys = { coordinateGetter: toNext, scrollBehavior: 'instant' } as const;

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
      id={instructionsFor(noun)}
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
            noun={noun}
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
  noun: string;
  name: string;
  item: unknown;
  tile: (item: unknown) => ReactNode;
  className: string | undefined;
}

/**
 * Drawn again only when its item changes, or when it is picked up or put down. The library draws all it knows several
 * times for each key, so that it knows an item only while that is near the screen, or moved.
 */
const SortedItem = memo(({ id, noun, name, item, tile, className }: SortedItemProps) => {
  const place = useRef<HTMLLIElement>(null);
  const grip = useRef<HTMLButtonElement>(null);
  const listeners = useRef<Listeners>(undefined);
  const [isNear, setIsNear] = useState(false);
  const [isMoved, setIsMoved] = useState(false);
  useEffect(() => watchNearness(place.current!, setIsNear), []);
  const pass = (name: 'onKeyDown' | 'onPointerDown') => (event: SyntheticEvent) => {
    if (!listeners.current) flushSync(() => setIsNear(true)); // a grip may have the focus out of sight
    listeners.current?.[name]?.(event);
  };
  return (
    <li ref={place} className={classes('relative min-w-0', className, isMoved && 'z-10 opacity-90 shadow-lifted')}>
      <Tile item={item} tile={tile} />
      <button
        type="button"
        ref={grip}
        onKeyDown={pass('onKeyDown')}
        onPointerDown={pass('onPointerDown')}
        aria-label={`Move ${name}`}
        aria-roledescription="sortable"
        aria-describedby={instructionsFor(noun)}
        aria-pressed={isMoved || undefined}
        className="absolute top-2 left-2 grid size-11 cursor-grab touch-none place-items-center rounded-full bg-paper/95 text-ink shadow-soft focus-visible:rounded-full"
      >
        {gripIcon}
      </button>
      {(isNear || isMoved) && <Sorting ref={listeners} id={id} place={place} grip={grip} onMoved={setIsMoved} />}
    </li>
  );
});

interface SortingProps {
  /** What the grip is to tell, while the library knows its item. */
  ref: Ref<Listeners>;
  id: string;
  place: RefObject<HTMLLIElement | null>;
  grip: RefObject<HTMLButtonElement | null>;
  onMoved: (isMoved: boolean) => void;
}
type Listeners = ReturnType<typeof useSortable>['listeners'];

/** An item as the library knows it, without looks of its own: it comes and goes, and what people see stays. */
function Sorting({ ref, id, place, grip, onMoved }: SortingProps) {
  const sortable = useSortable({ id });
  const { setNodeRef, setActivatorNodeRef, listeners, isDragging } = sortable;
  const transform = CSS.Transform.toString(sortable.transform) ?? '';
  const transition = sortable.transition ?? '';
  useLayoutEffect(() => {
    setNodeRef(place.current);
    setActivatorNodeRef(grip.current);
  }, [setNodeRef, setActivatorNodeRef, place, grip]);
  useImperativeHandle(ref, () => listeners, [listeners]);
  // When React sets styles itself: before the library's layout effects measure what moves.
  useInsertionEffect(() => moveTo(place.current, transform, transition), [place, transform, transition]);
  useInsertionEffect(() => () => moveTo(place.current, '', ''), [place]);
  useLayoutEffect(() => onMoved(isDragging), [onMoved, isDragging]);
  return null;
}

function moveTo(element: HTMLElement | null, transform: string, transition: string): void {
  if (element) Object.assign(element.style, { transform, transition });
}

/** Tells whether an element is at most a screen away from what is seen, whenever that changes; answers how to stop it. */
function watchNearness(element: Element, tell: (isNear: boolean) => void): () => void {
  nearness ??= new IntersectionObserver(
    (changes) => changes.forEach(({ target, isIntersecting }) => watched.get(target)?.(isIntersecting)),
    { rootMargin: '100%' },
  );
  watched.set(element, tell);
  nearness.observe(element);
  return () => nearness?.unobserve(element);
}
/** One for all: each has its own price. */
let nearness: IntersectionObserver | undefined;
const watched = new WeakMap<Element, (isNear: boolean) => void>();

/** One for all: React passes over what it has seen. */
const gripIcon = <GripVertical aria-hidden className="size-5" />;

const Tile = memo(({ item, tile }: Pick<SortedItemProps, 'item' | 'tile'>) => tile(item));
