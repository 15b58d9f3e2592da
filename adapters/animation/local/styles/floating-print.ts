import type { Size } from '../../../seeing/grid.ts';
import { degreesToRadians, computeSwing, type SceneRenderer } from '../motion.ts';
import { computePaperHeightBelowPhoto, drawPrint, printPlateScale } from '../print.ts';
import type { RenderContext } from '../render-context.ts';
import { layOutTitle, type TitleLayout } from '../title.ts';
import { setLayerView } from '../warp/camera.ts';
import { createCompositor, type Layer, type DrawnArea } from '../warp/compositor.ts';

const border = 14;
const centerPoint = { x: 0.5, y: 0.5 };
/** How far the print moves, as fractions of the video; how much it zooms; and how much it tilts. */
const travelLimits = { x: 0.012, y: 0.008 };
const zoomRange = 0.018;
const leanRadians = degreesToRadians(0.5);

/**
 * The fraction of the video that the print takes, and the minimum width for the title's lines, as a fraction of the
 * video's shorter side.
 */
const printShare = 0.84;
const leastRoom = 0.5;

/**
 * Shows the whole photo as a paper print with a white border and its title, in front of a blurred enlargement of the
 * photo.
 */
export async function createFloatingPrintScene({ photo, film }: RenderContext, words?: string): Promise<SceneRenderer> {
  const { width, height } = film;
  const print = fitPrint(photo, film, words);
  const plates = await drawPrint(photo, film, { ...print, border, dark: 0.2 });
  const compositor = createCompositor(film, [{ plate: plates.backdrop }, { plate: plates.print }]);
  const [backdrop, paper] = compositor.layers as [Layer, Layer];
  const openAreas = roundWhatIsCovered(plates.size, film);
  return ({ phase }) => {
    // The two movements are a quarter cycle apart, so that print and backdrop move on small circles in opposite
    // directions.
    const swingSideways = computeSwing(phase);
    const swingUpwards = computeSwing(phase, 1, Math.PI / 2);
    setLayerView(backdrop, film, {
      zoom: 1.075 - 0.02 * swingUpwards,
      towards: centerPoint,
      shift: { x: -swingSideways * width * 0.022, y: -swingUpwards * height * 0.012 },
    });
    for (const openArea of openAreas) backdrop.take(openArea);
    setLayerView(paper, film, {
      zoom: printPlateScale * (1 - zoomRange * swingUpwards),
      towards: centerPoint,
      shift: { x: swingSideways * width * travelLimits.x, y: swingUpwards * height * travelLimits.y },
      tilt: leanRadians * computeSwing(phase, 1, 0.8),
    });
    paper.drawLayer();
    return compositor.planes;
  };
}

/** The visible parts of the backdrop: everything except the area that a moving print of this size always covers. */
function roundWhatIsCovered({ width, height }: Size, film: Size): DrawnArea[] {
  const computeCoveredHalf = (size: number, across: number, length: number, part: number) =>
    Math.max(0, ((1 - zoomRange) * size - leanRadians * across) / 2 - part * length - 2);
  const coveredHalfWidth = computeCoveredHalf(width, height, film.width, travelLimits.x);
  const coveredHalfHeight = computeCoveredHalf(height, width, film.height, travelLimits.y);
  const [left, right] = [film.width / 2 - coveredHalfWidth, film.width / 2 + coveredHalfWidth];
  const [top, bottom] = [film.height / 2 - coveredHalfHeight, film.height / 2 + coveredHalfHeight];
  // `take` widens a reach to whole blocks. These reaches end where the covered area begins, so they widen into it.
  return [
    { top: 0, bottom: top, left: 0, right: film.width },
    { top, bottom, left: 0, right: left },
    { top, bottom, left: right, right: film.width },
    { top: bottom, bottom: film.height, left: 0, right: film.width },
  ];
}

/** The largest print that the video allows, with room on the paper for all lines of the title. */
function fitPrint(photo: Size, film: Size, words: string | undefined) {
  const computePrintScale = (title: TitleLayout | undefined) =>
    Math.min(
      (printShare * film.width) / photo.width,
      (printShare * film.height + border - computePaperHeightBelowPhoto(border, title)) / photo.height,
    );
  let title: TitleLayout | undefined;
  for (let scale = computePrintScale(undefined), lineCount = 0; ;) {
    if (words === undefined || title?.lines.length === lineCount) return { scale, title };
    lineCount = title?.lines.length ?? 0;
    title = layOutTitle(words, film, {
      room: Math.max(photo.width * scale, leastRoom * Math.min(film.width, film.height)),
    });
    scale = computePrintScale(title);
  }
}
