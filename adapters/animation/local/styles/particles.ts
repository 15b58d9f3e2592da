import { clamp } from '../../../seeing/grid.ts';
import {
  fullTurnRadians,
  createRandom,
  computeRiseAndFall,
  computeSwing,
  type VideoDimensions,
  type SceneRenderer,
} from '../motion.ts';
import { drawBackground, type RenderContext } from '../render-context.ts';
import { setLayerView } from '../warp/camera.ts';
import { createCompositor } from '../warp/compositor.ts';
import { paintColorInBox, convertRgbToYuv } from '../warp/video-planes.ts';
import { limitZoom } from './camera-work.ts';
import { createPeopleLayers } from './parallax.ts';

type ParticleKind = 'snow' | 'motes' | 'leaves';
const colors: Record<ParticleKind, [number, number, number][]> = {
  snow: [[250, 252, 255]],
  motes: [[255, 236, 190]],
  leaves: [
    [214, 120, 36],
    [190, 74, 26],
    [226, 168, 58],
  ],
};
const counts: Record<ParticleKind, number> = { snow: 190, motes: 120, leaves: 26 };

interface Particle {
  /** 0 is far, 1 is near. */
  depth: number;
  x: number;
  y: number;
  /** How often the particle falls through the picture in a loop (a whole number), and how often it swings. */
  falls: number;
  swings: number;
  wide: number;
  late: number;
  size: number;
  color: [number, number, number];
}

/** Snow, dust or leaves, behind and in front of the people in the photo. */
export const createSnowScene = (stage: RenderContext) => createParticleScene(stage, 'snow');
export const createMotesScene = (stage: RenderContext) => createParticleScene(stage, 'motes');
export const createLeavesScene = (stage: RenderContext) => createParticleScene(stage, 'leaves');

async function createParticleScene(stage: RenderContext, kind: ParticleKind): Promise<SceneRenderer> {
  const { film, framing } = stage;
  const allParticles = createParticles(kind, film);
  const layers = await createPeopleLayers(stage, { push: 0.05, sway: 0.6 });
  if (layers) {
    const [far, near] = [allParticles.filter((it) => it.depth < 0.62), allParticles.filter((it) => it.depth >= 0.62)];
    return (moment) => {
      const drawParticles = (some: Particle[]) =>
        drawAllParticles(layers.compositor.planes, film, some, kind, moment.phase);
      layers.draw(moment, () => drawParticles(far));
      drawParticles(near);
      return layers.compositor.planes;
    };
  }
  const compositor = createCompositor(film, [{ plate: drawBackground(stage, stage.picture) }]);
  const extraZoom = limitZoom(framing, 1.05) - 1;
  return ({ phase }) => {
    setLayerView(compositor.layers[0]!, film, {
      zoom: 1 + extraZoom * computeRiseAndFall(phase),
      towards: framing.towards,
    });
    compositor.layers[0]!.take();
    drawAllParticles(compositor.planes, film, allParticles, kind, phase);
    return compositor.planes;
  };
}

function createParticles(kind: ParticleKind, film: VideoDimensions): Particle[] {
  const random = createRandom(kind.length * 101);
  const sizeFactor = Math.hypot(film.width, film.height) / Math.hypot(1280, 800);
  return Array.from({ length: counts[kind] }, () => {
    const depth = random();
    const size = { snow: 1 + 4.2 * depth ** 2, motes: 0.9 + 2.4 * depth ** 2, leaves: 5 + 10 * depth }[kind];
    return {
      depth,
      x: random(),
      y: random(),
      falls: kind === 'motes' ? 0 : kind === 'snow' && depth > 0.6 ? 2 : 1,
      swings: 1 + Math.floor(3 * random()),
      wide: 0.01 + 0.03 * random(),
      late: fullTurnRadians * random(),
      size: size * sizeFactor,
      color: colors[kind][Math.floor(random() * colors[kind].length)]!,
    };
  });
}

function drawAllParticles(
  planes: Uint8Array,
  film: VideoDimensions,
  all: Particle[],
  kind: ParticleKind,
  phase: number,
): void {
  const { width, height } = film;
  for (const { depth, x, y, falls, swings, wide, late, size, color } of all) {
    const particleX = ((((x + wide * computeSwing(phase, swings, late)) * width) % width) + width) % width;
    const positionInFall = (y + falls * phase) % 1;
    const particleY = (1.1 * positionInFall - 0.05 + (falls ? 0 : 0.03 * computeSwing(phase, 1, late))) * height;
    const particleOpacity =
      kind === 'motes' ? 0.22 + 0.2 * computeSwing(phase, 2, late) : kind === 'snow' ? 0.4 + 0.45 * depth : 0.92;
    const spin = swings * fullTurnRadians * phase + late;
    // A leaf rotates about its length, so it looks wide and narrow in turn.
    const thinness = kind === 'leaves' ? 0.3 + 0.4 * Math.abs(computeSwing(phase, swings, late)) : 1;
    const [cos, sin] = [Math.cos(spin), Math.sin(spin)];
    const shade = kind === 'leaves' ? 0.8 + 0.2 * computeSwing(phase, swings, late + 1) : 1;
    const halfBoxSize = Math.ceil(1.5 * size);
    const box = {
      left: particleX - halfBoxSize,
      top: particleY - halfBoxSize,
      width: 2 * halfBoxSize + 1,
      height: 2 * halfBoxSize + 1,
    };
    const [red, green, blue] = color;
    const computeShapeOpacity = kind === 'leaves' ? computeLeafOpacity : computeDiscOpacity;
    paintColorInBox(planes, film, box, convertRgbToYuv(red * shade, green * shade, blue * shade), (u, v) => {
      const part = particleOpacity * computeShapeOpacity(u - particleX, v - particleY);
      return part <= 0.01 ? 0 : part;
    });

    function computeDiscOpacity(u: number, v: number): number {
      const distance = (u * u + v * v) / (1.96 * size * size);
      return distance < 1 ? discFadeTable[Math.floor(distance * discFadeTable.length)]! : 0;
    }
    /** A leaf gets narrower toward its ends. */
    function computeLeafOpacity(u: number, v: number): number {
      if (u * u + v * v > 1.17 * size * size) return 0;
      const [a, b] = [u * cos + v * sin, v * cos - u * sin];
      const distance = Math.hypot(a, b / (thinness * Math.max(0.15, 1 - (a / size) ** 2))) / size;
      return clamp((1.08 - distance) / 0.2);
    }
  }
}

/** How a soft disc fades from its middle to its edge, by the squared distance. */
const discFadeTable = Float32Array.from({ length: 256 }, (_, at) => (1 - Math.sqrt(at / 256)) ** 1.4);
