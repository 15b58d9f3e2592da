import { BeforeAfter } from '../../ui/before-after.tsx';

interface Props {
  /**
   * The name of a photo and its video in public/media/gallery. The shop's animator made the video from the photo.
   */
  name: string;
  title: string;
  caption: string;
}

/** A photo and its video with a slider to compare them. */
export function PhotoVideoComparison({ name, title, caption }: Props) {
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
