import { computeRiseAndFall, computeSwing, type LoopPosition, type SceneRenderer } from '../motion.ts';
import {
  computeMovementLimits,
  drawBackground,
  cutOutPlate,
  estimateNearness,
  matShade,
  darkenPlateCorners,
  type RenderContext,
} from '../render-context.ts';
import { setLayerView, createWarpGrid, type WarpGrid } from '../warp/camera.ts';
import { createCompositor, type Compositor, type Layer, type DrawnArea } from '../warp/compositor.ts';
import type { Plate } from '../warp/plates.ts';
import { limitZoom, createTravelPath, type CameraPath } from './camera-work.ts';
import { setLightGrid, chooseLightColor } from './light.ts';
import sharp from 'sharp';

/**
 * The sideways shift of the background and of the people, and the additional shift of near parts, in pixels of a video
 * 1280 pixels wide.
 */
const sway = { far: -8, near: 9, relief: 7 };
/** How much more the people grow than the background: always, and in addition when the camera is close. */
const planeRise = { rest: 0.008, more: 0.016 };

export interface PeopleLayers {
  compositor: Compositor;
  ground: Layer;
  soft: Layer | undefined;
  people: Layer;
  peoplePlate: Plate;
  /** The area of the video with people, including their movement. */
  reach: DrawnArea;
  /** Additional movement of the people's plate. Set it before each picture. */
  more: WarpGrid;
  /** Draws a frame. `between` runs after the background and before the people, so its drawing is behind the people. */
  draw(moment: LoopPosition, between?: () => void): void;
}

interface ParallaxOptions {
  /** Zoom of the camera, and amount of sway relative to the default. */
  push: number;
  sway: number;
  /** Blur of the background, in plate pixels. */
  blur?: number;
  /** A camera that replaces the default camera, which slowly zooms in. */
  viewAt?: CameraPath | undefined;
}

/** Opens layers that show people in front of a filled background. Undefined if the people could not be cut out. */
export async function createPeopleLayers(
  stage: RenderContext,
  manner: ParallaxOptions,
  extra: Plate[] = [],
): Promise<PeopleLayers | undefined> {
  const { film, framing, cut, size, scale, inner } = stage;
  if (!cut?.people || !cut.behind) return undefined;
  const background = drawBackground(stage, cut.behind);
  if (framing.isWhole) darkenPlateCorners(background, matShade);
  const peoplePlate = cutOutPlate(stage, cut.people, cut.behind);
  const blurredBackground = manner.blur ? await blurPlate(background, manner.blur) : undefined;
  const compositor = createCompositor(film, [
    { plate: background },
    { plate: peoplePlate, rise: 8 },
    ...(blurredBackground ? [{ plate: blurredBackground }] : []),
    ...extra.map((plate) => ({ plate })),
  ]);
  const [ground, people] = compositor.layers as [Layer, Layer];
  const softLayer = blurredBackground && compositor.layers[2];
  const { warpGrid: far, at: freedom } = computeMovementLimits(stage);
  const nearGrid = createWarpGrid(size);
  const moreGrid = createWarpGrid(size);
  const nearnessMap = estimateNearness(stage, far);
  const sizeFactor = (scale * Math.hypot(film.width, film.height)) / Math.hypot(1280, 800);
  const base = framing.isWhole ? 1 : 1.028;
  const push = Math.max(0, limitZoom(framing, base * (1 + manner.push)) / base - 1);
  const focusPoint = { x: framing.focus.x * size.width, y: framing.focus.y * size.height };
  const wholeArea: DrawnArea = { top: 0, bottom: film.height, left: 0, right: film.width };
  const peopleArea = manner.viewAt ? wholeArea : computeDrawnArea(peoplePlate, scale, 1 + push + 0.06, 40 * sizeFactor);

  return {
    compositor,
    ground,
    soft: softLayer,
    people,
    peoplePlate,
    reach: peopleArea,
    more: moreGrid,
    draw({ phase }, between) {
      const [closer, side, up] = [computeRiseAndFall(phase), computeSwing(phase), computeSwing(phase, 1, Math.PI / 2)];
      const shift = sizeFactor * manner.sway * side;
      const growth = planeRise.rest + planeRise.more * closer * manner.sway;
      for (let row = 0, i = 0; row < far.height; row++)
        for (let column = 0; column < far.width; column++, i++) {
          const movementLimit = freedom[i]!;
          const depthShift = sway.relief * nearnessMap[i]! * shift;
          far.moves[2 * i] = movementLimit * (sway.far * shift + depthShift);
          far.moves[2 * i + 1] = movementLimit * 0.3 * sway.relief * nearnessMap[i]! * sizeFactor * manner.sway * up;
          nearGrid.moves[2 * i] =
            movementLimit * (sway.near * shift + 0.6 * depthShift + (column * nearGrid.cell - focusPoint.x) * growth) +
            moreGrid.moves[2 * i]!;
          nearGrid.moves[2 * i + 1] =
            movementLimit * ((row * nearGrid.cell - focusPoint.y) * growth) + moreGrid.moves[2 * i + 1]!;
        }
      const view = manner.viewAt?.(phase) ?? { zoom: base * (1 + push * closer), towards: framing.towards };
      setLayerView(ground, film, view, far);
      ground.take();
      if (softLayer) {
        softLayer.places.set(ground.places);
        softLayer.drawLayer(0.3 + 0.7 * closer);
      }
      between?.();
      setLayerView(people, film, view, nearGrid, peopleArea);
      people.drawLayer(1, peopleArea);
    },
  };

  /** The area of the video that the people's plate covers, with room for all its movement. */
  function computeDrawnArea({ width, pixels }: Plate, by: number, grow: number, room: number): DrawnArea {
    const box = { top: Infinity, bottom: 0, left: Infinity, right: 0 };
    for (let y = inner.top; y < inner.top + inner.height; y += 4)
      for (let x = inner.left; x < inner.left + inner.width; x += 4)
        if (pixels[4 * (y * width + x) + 3]! > 0) {
          box.top = Math.min(box.top, y);
          box.bottom = Math.max(box.bottom, y);
          box.left = Math.min(box.left, x);
          box.right = Math.max(box.right, x);
        }
    const [u, v] = [framing.towards.x * film.width, framing.towards.y * film.height];
    const zoomedPosition = (at: number, about: number, spread: number) => about + (at / by - about) * spread;
    return {
      top: Math.min(zoomedPosition(box.top, v, 1), zoomedPosition(box.top, v, grow)) - room,
      bottom: Math.max(zoomedPosition(box.bottom, v, 1), zoomedPosition(box.bottom, v, grow)) + room,
      left: Math.min(zoomedPosition(box.left, u, 1), zoomedPosition(box.left, u, grow)) - room,
      right: Math.max(zoomedPosition(box.right, u, 1), zoomedPosition(box.right, u, grow)) + room,
    };
  }
}

async function blurPlate({ width, height, pixels }: Plate, sigma: number): Promise<Plate> {
  const rawOptions = { raw: { width, height, channels: 4 } } as const;
  return { width, height, pixels: await sharp(pixels, rawOptions).blur(sigma).raw().toBuffer() };
}

/** People and background shift against each other a little while the camera zooms in. */
export async function createParallaxScene(stage: RenderContext): Promise<SceneRenderer | undefined> {
  const layers = await createPeopleLayers(stage, { push: 0.09, sway: 1, viewAt: createTravelPath(stage) });
  return layers && ((moment) => (layers.draw(moment), layers.compositor.planes));
}

/** A photographer's light brightens the people, while the background becomes blurred and dark. */
export async function createPortraitLightScene(stage: RenderContext): Promise<SceneRenderer | undefined> {
  const layers = await createPeopleLayers(stage, { push: 0.06, sway: 0.55, blur: 7 });
  if (!layers) return undefined;
  const { film, framing } = stage;
  const { compositor } = layers;
  const headBoxes =
    framing.faces.length > 0
      ? framing.faces
      : [{ left: film.width * 0.4, top: film.height * 0.3, width: film.width * 0.2, height: film.height * 0.3 }];
  // The places where light is added and where it is removed. They are the same for all frames.
  const [lit, dim] = [new Float32Array(compositor.light.length / 4), new Float32Array(compositor.light.length / 4)];
  const color = chooseLightColor(stage, { red: 1, green: 0.93, blue: 0.84 });
  setLightGrid(compositor, film, color, (x, y, place) => {
    for (const { left, top, width, height } of headBoxes) {
      // The light comes from the upper left, as from a window.
      const [u, v] = [(x - left - 0.35 * width) / (2.1 * width), (y - top - 0.4 * height) / (1.9 * height)];
      lit[place] = Math.max(lit[place]!, Math.exp(-(u * u + v * v)));
    }
    const distanceFromFocus = Math.hypot(x / film.width - framing.focus.x, y / film.height - framing.focus.y);
    dim[place] = Math.min(1, 1.3 * distanceFromFocus) * (1 - lit[place]!);
    return 0;
  });
  return (moment) => {
    layers.draw(moment);
    const glow = computeRiseAndFall(moment.phase);
    const [up, down] = [0.55 * (0.25 + 0.75 * glow), 0.5 * (0.35 + 0.65 * glow)];
    setLightGrid(compositor, film, color, (_x, _y, place) => up * lit[place]! - down * dim[place]!);
    compositor.shine();
    return compositor.planes;
  };
}
