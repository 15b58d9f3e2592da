// Input and output folders of the art scripts. Raw renders stay outside the repository (ART_RAW).
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const projectRootFolder = path.resolve(import.meta.dirname, '..');
export const rawFolder = process.env['ART_RAW'] ?? path.join(tmpdir(), 'kinframe-art');
export const mediaFolder = path.join(projectRootFolder, 'public/media');
export const sampleFolder = path.join(projectRootFolder, 'db/sample/photos');

export const rawFilePath = (name: string) => path.join(rawFolder, name);

export function prepareOutputPath(...parts: string[]) {
  const file = path.join(...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  return file;
}

type Point = [x: number, y: number];

/**
 * Blender's notes about a render: its size in pixels, and as fractions the corners of screens, named spots and a
 * sprite's position.
 */
export interface RenderNote {
  width: number;
  height: number;
  screens: Record<string, Point[]>;
  x?: number;
  y?: number;
  w?: number;
  h?: number;
  [spot: string]: unknown;
}

export const readRenderNote = (name: string) =>
  JSON.parse(readFileSync(rawFilePath(`${name}.json`), 'utf8')) as RenderNote;

export const readRenderNotePoint = (note: RenderNote, key: string) => note[key] as [number, number, number];
export const readRenderNotePoints = (note: RenderNote, key: string) => note[key] as [number, number, number][];
