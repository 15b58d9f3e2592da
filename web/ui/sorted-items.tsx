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
import { joinClassNames } from './classes.ts';

interface Props<Item> {
  /** The noun for an item: photo. */
  noun: string;
  items: readonly Item[];
  idOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Whether the order is locked, so that no item can be moved. */
  isLocked: boolean;
  onOrder: (ids: string[]) => void;
  /** Renders an item. Pass the same function object on each render, otherwise every item renders again. */
  tile: (item: Item) => ReactNode;
  itemClass?: string;
}

/** The id of the DndContext, which is also the id of the element with the instructions for screen readers. */
const dragInstructionsFor = (noun: string) => `${noun}s`;

const pointerSensorOptions = { activationConstraint: { distance: 4 } };
/**
 * Moves the item to the next place in the direction of the arrow key. Starts to search one pixel further in that
 * direction: items that are still moving are measured slightly off their final position.
 */
const findNextCoordinates: KeyboardCoordinateGetter = (event, { context, ...rest }) => {
  const [x = 0, y = 0] = steps[event.code] ?? [];
  const { collisionRect: at } = context;
  const pointBoxAhead = at && { ...at, left: at.left + x, right: at.right + x, top: at.top + y, bottom: at.bottom + y };
  return sortableKeyboardCoordinates(event, { ...rest, context: { ...context, collisionRect: pointBoxAhead } });
};
const steps: Record<string, [x: number, y: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
const keyboardSensorOptions = { coordinateGetter: findNextCoordinates, scrollBehavior: 'instant' } as const;

/** List items that can be reordered by dragging their handle, or with Space and the arrow keys on the handle. */
export function SortedItems<Item>({ noun, items, idOf, nameOf, isLocked, onOrder, tile, itemClass }: Props<Item>) {
  const sensors = useSensors(
    useSensor(PointerSensor, pointerSensorOptions),
    useSensor(KeyboardSensor, keyboardSensorOptions),
  );
  const allIds = items.map(idOf);
  // Keep the same array as long as the order is the same. A new array would render every item again.
  // oxlint-disable-next-line react/exhaustive-deps -- the joined ids represent the array
  const ids = useMemo(() => allIds, [allIds.join()]);
  if (isLocked || items.length < 2)
    return items.map((item) => (
      <li key={idOf(item)} className={joinClassNames('relative min-w-0', itemClass)}>
        {tile(item)}
      </li>
    ));
  const names = new Map(items.map((it) => [idOf(it), nameOf(it)]));
  const nameOfItem = (id: string | number) => names.get(String(id)) ?? `the ${noun}`;
  const positionText = (id: string | number) => `place ${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  const endDrag = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id)
      onOrder(arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))));
  };
  return (
    <DndContext
      id={dragInstructionsFor(noun)}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={endDrag}
      accessibility={{
        // Put the live region into the body. Inside the list it would be invalid, because it is not a list item.
        ...(typeof document !== 'undefined' && { container: document.body }),
        screenReaderInstructions: {
          draggable: `Press Space to pick up the ${noun}, the arrow keys to move it, Space to drop it, and Escape to cancel.`,
        },
        announcements: {
          onDragStart: ({ active }) => `Picked up ${nameOfItem(active.id)}, at ${positionText(active.id)}.`,
          onDragOver: ({ active, over }) =>
            over ? `${nameOfItem(active.id)} is now at ${positionText(over.id)}.` : undefined,
          onDragEnd: ({ active, over }) =>
            `${nameOfItem(active.id)} was dropped${over ? ` at ${positionText(over.id)}` : ''}.`,
          onDragCancel: ({ active }) => `${nameOfItem(active.id)} stays where it was.`,
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
 * Renders again only when its item changes, or when the item is picked up or dropped. The library renders all
 * registered items several times for each key press. So register an item only while it is near the viewport or being
 * moved.
 */
const SortedItem = memo(({ id, noun, name, item, tile, className }: SortedItemProps) => {
  const itemElement = useRef<HTMLLIElement>(null);
  const dragHandle = useRef<HTMLButtonElement>(null);
  const listeners = useRef<Listeners>(undefined);
  const [isNear, setIsNear] = useState(false);
  const [isMoved, setIsMoved] = useState(false);
  useEffect(() => watchWhetherNearViewport(itemElement.current!, setIsNear), []);
  const passEventToHandle = (name: 'onKeyDown' | 'onPointerDown') => (event: SyntheticEvent) => {
    if (!listeners.current) flushSync(() => setIsNear(true)); // a focused handle may be far from the viewport
    listeners.current?.[name]?.(event);
  };
  return (
    <li
      ref={itemElement}
      className={joinClassNames('relative min-w-0', className, isMoved && 'z-10 opacity-90 shadow-lifted')}
    >
      <Tile item={item} tile={tile} />
      <button
        type="button"
        ref={dragHandle}
        onKeyDown={passEventToHandle('onKeyDown')}
        onPointerDown={passEventToHandle('onPointerDown')}
        aria-label={`Move ${name}`}
        aria-roledescription="sortable"
        aria-describedby={dragInstructionsFor(noun)}
        aria-pressed={isMoved || undefined}
        className="absolute top-2 left-2 grid size-11 cursor-grab touch-none place-items-center rounded-full bg-paper/95 text-ink shadow-soft focus-visible:rounded-full"
      >
        {gripIcon}
      </button>
      {(isNear || isMoved) && (
        <Sorting ref={listeners} id={id} place={itemElement} grip={dragHandle} onMoved={setIsMoved} />
      )}
    </li>
  );
});

interface SortingProps {
  /** Receives the library's event listeners for the handle, while the item is registered. */
  ref: Ref<Listeners>;
  id: string;
  place: RefObject<HTMLLIElement | null>;
  grip: RefObject<HTMLButtonElement | null>;
  onMoved: (isMoved: boolean) => void;
}
type Listeners = ReturnType<typeof useSortable>['listeners'];

/**
 * Registers an item with the library and renders nothing. It is a separate component, so that it can mount and unmount
 * while the visible item stays in the page.
 */
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
  // Insertion effects run before layout effects, so the styles are set before the library measures the items.
  useInsertionEffect(() => setTransform(place.current, transform, transition), [place, transform, transition]);
  useInsertionEffect(() => () => setTransform(place.current, '', ''), [place]);
  useLayoutEffect(() => onMoved(isDragging), [onMoved, isDragging]);
  return null;
}

function setTransform(element: HTMLElement | null, transform: string, transition: string): void {
  if (element) Object.assign(element.style, { transform, transition });
}

/**
 * Reports, on every change, whether an element is at most one screen away from the viewport. Returns the function that
 * stops this.
 */
function watchWhetherNearViewport(element: Element, onChange: (isNear: boolean) => void): () => void {
  nearObserver ??= new IntersectionObserver(
    (changes) => changes.forEach(({ target, isIntersecting }) => nearListeners.get(target)?.(isIntersecting)),
    { rootMargin: '100%' },
  );
  nearListeners.set(element, onChange);
  nearObserver.observe(element);
  return () => nearObserver?.unobserve(element);
}
/** One observer for all items, because many observers would be slow. */
let nearObserver: IntersectionObserver | undefined;
const nearListeners = new WeakMap<Element, (isNear: boolean) => void>();

/** One element for all items, because React skips an element that is the same object. */
const gripIcon = <GripVertical aria-hidden className="size-5" />;

const Tile = memo(({ item, tile }: Pick<SortedItemProps, 'item' | 'tile'>) => tile(item));
