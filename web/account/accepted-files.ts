import { photoTypes } from '#contract/photo-types.ts';

/** The file extensions of photos, without a dot. */
export const photoFileExtensions: readonly string[] = Object.values(photoTypes).flat();

/** The types in the file chooser. Includes file extensions, because many computers do not know a MIME type for HEIC. */
export const acceptedFiles = [...Object.keys(photoTypes), ...photoFileExtensions.map((it) => `.${it}`)].join(',');
