import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWorkflow, readWorkflow } from './workflow.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'workflow-'))));
afterAll(() => rmSync(folder, { recursive: true }));
function writeWorkflowFile(content: unknown): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const loadImage = { class_type: 'LoadImage', inputs: { image: '{{image}}' } };
const createPromptNode = (text: string) => ({ class_type: 'CLIPTextEncode', inputs: { text } });

test.each([
  ['a file that is not JSON', '{"1":', 'names a file that is not JSON'],
  ['a list', [], 'is no workflow in the API format'],
  ['an empty workflow', {}, 'is no workflow in the API format'],
  ['the format of the editor', { nodes: [{ id: 1 }], links: [] }, 'in ComfyUI, use File, Export Workflow (API)'],
  ['no photo', { '1': createPromptNode('{{prompt}}') }, 'has no {{image}}'],
  [
    'an unknown placeholder',
    { '1': loadImage, '2': createPromptNode('{{prompt}} for {{ name }}') },
    'has unknown placeholders: {{name}}. Known: {{image}}, {{prompt}}, {{seconds}}, {{seed}}',
  ],
  ['more than 1 MB', { '1': loadImage, '2': createPromptNode('a'.repeat(1024 * 1024)) }, 'it is larger than 1 MB'],
])('refuses a workflow with %s', (_name, content, message) => {
  expect(() => readWorkflow(writeWorkflowFile(content))).toThrow(message);
});

test('refuses a missing file with an error that contains its name', () => {
  const path = join(folder, 'missing.json');
  expect(() => readWorkflow(path)).toThrow(`names a file that cannot be read: ${path} (ENOENT)`);
});

test('replaces placeholders with numbers and texts, but none inside a value that was filled in', () => {
  const workflow = readWorkflow(
    writeWorkflowFile({
      '1': loadImage,
      '2': createPromptNode('{{prompt}} {{seed}}'),
      '3': { class_type: 'K', inputs: { seed: ' {{seed}} ' } },
    }),
  );
  const filledWorkflow = fillWorkflow(workflow, {
    image: 'a "{{seed}}".jpg',
    prompt: '$& {{image}}',
    seconds: 8,
    seed: 7,
  });
  expect(filledWorkflow).toEqual({
    '1': { class_type: 'LoadImage', inputs: { image: 'a "{{seed}}".jpg' } },
    '2': createPromptNode('$& {{image}} 7'),
    '3': { class_type: 'K', inputs: { seed: 7 } },
  });
});
