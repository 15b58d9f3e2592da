import { useState } from 'react';
import { joinClassNames } from '../../ui/classes.ts';
import { VideoOverStill } from '../../ui/video-over-still.tsx';
import { Picture } from '../../ui/picture.tsx';

/** The `sizes` of the large picture. `cropped` is for several pictures: it covers a taller area and loses its sides. */
const largeSizes = {
  alone: '(min-width: 80rem) 42rem, (min-width: 64rem) 52vw, 92vw',
  cropped: '(min-width: 80rem) 55rem, (min-width: 64rem) 69vw, 109vw',
};

interface Props {
  name: string;
  images: string[];
  /** Videos by the URL of the picture on which they play. A video shows the same view as its picture. */
  films?: Readonly<Record<string, string>>;
}

/** One large picture, with a video if there is one, and the other pictures to choose from. */
export function ProductPictures({ name, images, films }: Props) {
  const [shown, setShown] = useState(0);
  const image = images[shown] ?? '';
  const film = films?.[image];
  // If there are several pictures, crop the large one, so that it is as high as the column next to it.
  const crop = images.length > 1 ? 'object-[65%_50%]' : undefined;
  const largePicture = (
    <Picture
      // The key creates a new element for each picture. Otherwise the old picture would stay while the new one loads.
      key={image}
      src={image}
      alt={images.length > 1 ? `${name}, picture ${shown + 1} of ${images.length}` : name}
      sizes={images.length > 1 ? largeSizes.cropped : largeSizes.alone}
      priority={shown === 0}
      className={joinClassNames('size-full', crop)}
    />
  );
  return (
    <div>
      <div
        className={joinClassNames(
          'relative w-full overflow-hidden rounded-xl',
          images.length > 1 ? 'aspect-3/2 lg:aspect-4/3' : 'aspect-8/5',
        )}
      >
        {film ? (
          <VideoOverStill
            src={film}
            label={`${name}, a photo moving in it`}
            plays={name}
            still={image}
            className={crop}
          >
            {largePicture}
          </VideoOverStill>
        ) : (
          largePicture
        )}
      </div>
      {images.length > 1 && (
        <ul aria-label="Pictures" className="mt-4 grid grid-cols-3 gap-3 sm:grid-cols-6">
          {images.map((image, index) => (
            <li key={image}>
              <button
                type="button"
                aria-label={`Show picture ${index + 1}`}
                aria-pressed={index === shown}
                onClick={() => setShown(index)}
                className={joinClassNames(
                  'answers-by-script block w-full overflow-hidden rounded-md ring-offset-3 ring-offset-paper transition-shadow focus-visible:rounded-md',
                  index === shown ? 'ring-2 ring-accent' : 'hover:ring-2 hover:ring-edge',
                )}
              >
                <Picture src={image} alt="" sizes="7.5rem" className="aspect-3/2 min-h-11 w-full" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
