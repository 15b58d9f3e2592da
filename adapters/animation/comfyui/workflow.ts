import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';

/** A ComfyUI workflow in the API format: nodes by id. */
const Workflow = z.record(
  z.string(),
  z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.json()) }),
);
export type Workflow = z.infer<typeof Workflow>;

/** What the shop writes in place of the placeholders. */
interface WorkflowValues {
  /** The photo's name on the server, for the node LoadImage. */
  image: string;
  prompt: string;
  seconds: number;
  seed: number;
}
const placeholderNames = ['image', 'prompt', 'seconds', 'seed'] as const satisfies (keyof WorkflowValues)[];
const placeholderPattern = /\{\{\s*([^{}]*?)\s*\}\}/g;
const maxWorkflowBytes = 1024 * 1024;

/** Reads a workflow file. Throws an Error whose message says what is wrong with it, for a list of wrong settings. */
export function readWorkflow(path: string): Workflow {
  const text = readWorkflowText(path);
  const { data: workflow } = Workflow.safeParse(parseJson(text));
  if (!workflow || Object.keys(workflow).length === 0)
    throw new Error('is no workflow in the API format: in ComfyUI, use File, Export Workflow (API)');
  const usedPlaceholders = new Set(
    Array.from(JSON.stringify(workflow).matchAll(placeholderPattern), ([, name = '']) => name),
  );
  const unknownPlaceholders = [...usedPlaceholders].filter((name) => !placeholderNames.some((it) => it === name));
  if (unknownPlaceholders.length > 0)
    throw new Error(
      `has unknown placeholders: ${unknownPlaceholders.map(formatPlaceholder).join(', ')}. Known: ${placeholderNames.map(formatPlaceholder).join(', ')}`,
    );
  if (!usedPlaceholders.has('image')) throw new Error('has no {{image}}: write it as the image of the node LoadImage');
  return workflow;
}

const formatPlaceholder = (name: string) => `{{${name}}}`;

function readWorkflowText(path: string): string {
  try {
    if (statSync(path).size > maxWorkflowBytes) throw new Error('it is larger than 1 MB');
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`names a file that cannot be read: ${path} (${code ?? message})`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error('names a file that is not JSON', { cause: error });
  }
}

/**
 * The workflow with values in place of the placeholders. A string that is only a placeholder becomes the value itself,
 * so that `"{{seed}}"` becomes a number.
 */
export function fillWorkflow(workflow: Workflow, values: WorkflowValues): Workflow {
  const getPlaceholderValue = (name: string) => values[name as keyof WorkflowValues];
  return JSON.parse(JSON.stringify(workflow), (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    const [only] = value.trim().matchAll(placeholderPattern);
    if (only && only[0] === value.trim()) return getPlaceholderValue(only[1] ?? '');
    return value.replaceAll(placeholderPattern, (_all, name: string) => String(getPlaceholderValue(name)));
  }) as Workflow;
}
