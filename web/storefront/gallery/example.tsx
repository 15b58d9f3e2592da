import { BeforeAfter } from '../../ui/before-after.tsx';

interface Props {
  /** Of the gallery's own films (public/media/gallery): one that the shop's animator made from the still beside it. */
  name: string;
  title: string;
  caption: string;
}

/** One photo and its video in one place, to be compared by hand. */
export function Example({ name, title, caption }: Props) {
  const file = `/media/gallery/${name}`;
  return (
    <figure>
      <div className="relative aspect-8/5 w-full overflow-hidden rounded-lg bg-clay">
        <BeforeAfter
          title={title}
          photoUrl={`${file}-1280.webp`}
          photoFit="cover"
          videoUrl={`${file}.mp4`}
          posterUrl={`${file}-1280.webp`}
        />
      </div>
      <figcaption className="mt-3 text-[0.9375rem]">
        {caption} <span className="needs-script">Drag the line to compare.</span>
      </figcaption>
    </figure>
  );
}
