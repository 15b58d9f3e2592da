import type { MotionStyle } from '#contract/motion.ts';
import { createAnimationError } from '../hosted/failures.ts';
import { createVideoPrompt } from '../hosted/prompt.ts';

/** One input of a model, from its OpenAPI schema. */
interface Property {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  allOf?: { $ref?: string }[];
  $ref?: string;
}
interface Schema {
  components?: { schemas?: Record<string, { properties?: Record<string, Property>; required?: string[] } & Property> };
}

/** The names that models use for the video's first picture, and for its last picture. */
const firstPictureNames = [
  'image',
  'first_frame_image',
  'start_image',
  'input_image',
  'first_frame',
  'img',
  'image_url',
];
const lastPictureNames = ['last_frame', 'last_frame_image', 'end_image', 'tail_image'];
const durationNames = ['duration', 'seconds', 'video_length'];
const audioNames = ['generate_audio', 'audio', 'enable_audio'];

/**
 * Builds a model's input for this photo. The names come from the model's published schema, because models have
 * different names for the same data. If a model accepts a last picture, it gets the photo again, so that the video ends
 * as it starts.
 */
export function createReplicateInput(
  schema: unknown,
  { image, style, seconds }: { image: string; style: MotionStyle; seconds: number },
): Record<string, unknown> {
  const schemas = (schema as Schema | null)?.components?.schemas ?? {};
  const { properties = {}, required = [] } = schemas['Input'] ?? {};
  const pictureInputName = findPropertyName(properties, firstPictureNames);
  if (!pictureInputName) throw createAnimationError('input', 'The model in REPLICATE_MODEL takes no photo.');
  const input: Record<string, unknown> = { [pictureInputName]: image };
  const setFirstProperty = (names: string[], value: (property: Property) => unknown) => {
    const name = findPropertyName(properties, names);
    if (name) input[name] = value(resolveProperty(properties[name]!, schemas));
  };
  setFirstProperty(lastPictureNames, () => image);
  setFirstProperty(['prompt', 'text_prompt'], () => createVideoPrompt(style));
  setFirstProperty(['negative_prompt'], () => 'distorted faces, changed faces, text, camera shake, cuts');
  setFirstProperty(durationNames, (property) => chooseDuration(property, seconds));
  setFirstProperty(audioNames, () => false);
  const missingNames = required.filter((name) => !(name in input) && properties[name]?.default === undefined);
  if (missingNames.length > 0)
    throw createAnimationError(
      'input',
      `The model in REPLICATE_MODEL asks for ${missingNames.join(', ')}, which is not known here.`,
    );
  return input;
}

const findPropertyName = (properties: Record<string, Property>, names: string[]) =>
  names.find((name) => name in properties);

function resolveProperty(property: Property, schemas: Record<string, Property>): Property {
  const ref = property.$ref ?? property.allOf?.[0]?.$ref;
  const name = ref?.split('/').at(-1);
  return name ? { ...schemas[name], ...property } : property;
}

/** Returns the closest length that the model supports. */
function chooseDuration(property: Property, seconds: number): unknown {
  const allowedValues = property.enum;
  if (allowedValues && allowedValues.length > 0)
    return allowedValues.reduce((best, it) =>
      Math.abs(Number.parseFloat(String(it)) - seconds) < Math.abs(Number.parseFloat(String(best)) - seconds)
        ? it
        : best,
    );
  return Math.min(Math.max(seconds, property.minimum ?? 1), property.maximum ?? seconds);
}
