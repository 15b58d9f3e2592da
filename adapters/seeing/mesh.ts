import type { Box, Picture } from './grid.ts';
import { boundingBox } from './grid.ts';
import type { Models, RunModel } from './models.ts';

/** A point in the picture's pixels. z grows away from the camera, in the same unit. */
export interface Point {
  x: number;
  y: number;
  z: number;
}
/** The points of both lids of an eye, from its outer to its inner corner, including the corners. */
export interface Eye {
  upper: Point[];
  lower: Point[];
}
export interface FaceMesh {
  /** 468 points, in MediaPipe's order. */
  points: Point[];
  eyes: Eye[];
  /** The confidence that this is a face. Below 0.5 it is no face. */
  sure: number;
}

/**
 * The points of each eye's outer and inner corner. The model for eyes was trained on one eye, so the other eye is
 * mirrored.
 */
const eyeCorners = [
  { outer: 33, inner: 133, isMirrored: false },
  { outer: 263, inner: 362, isMirrored: true },
];
/** Indexes of the mesh's points, by name. */
export const faceMeshPoints = { nose: 1, top: 10, chin: 152, left: 234, right: 454, innerEyes: [133, 362] } as const;

/** The minimum confidence for a face that may move. */
const minFaceConfidence = 0.9;
/** Only this many of the largest faces can move. */
export const maxFaceMeshes = 10;

export async function findFaceMeshes(models: Models, picture: Picture, faces: Box[]): Promise<FaceMesh[]> {
  if (faces.length === 0) return [];
  const meshes = await models.useModel('mesh', async (run) => {
    const foundMeshes: (Omit<FaceMesh, 'eyes'> & { tilt: number })[] = [];
    for (const face of faces) {
      let first = await findMeshInView(run, { picture, ...computeSquareAround(face), tilt: 0 }, 192);
      // The face of a person who lies on a side is only recognized upright.
      for (const tilt of first.sure < minFaceConfidence ? [Math.PI / 2, -Math.PI / 2] : []) {
        const tiltedMesh = await findMeshInView(run, { picture, ...computeSquareAround(face), tilt }, 192);
        if (tiltedMesh.sure > first.sure) first = tiltedMesh;
      }
      // The model runs again on the upright face, at the scale that the model was trained on.
      const tilt = Math.atan2(first.points[263]!.y - first.points[33]!.y, first.points[263]!.x - first.points[33]!.x);
      foundMeshes.push({
        ...(await findMeshInView(
          run,
          { picture, ...computeSquareAround(boundingBoxOfPoints(first.points)), tilt },
          192,
        )),
        tilt,
      });
    }
    return foundMeshes;
  });
  return await models.useModel('eyes', async (run) => {
    const foundMeshes: FaceMesh[] = [];
    for (const { points, sure, tilt } of meshes) {
      const eyes: Eye[] = [];
      for (const { outer, inner, isMirrored } of eyeCorners) {
        const [a, b] = [points[outer]!, points[inner]!];
        const eyeReach = 1.15 * Math.hypot(a.x - b.x, a.y - b.y);
        const view = { picture, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, reach: eyeReach, tilt, isMirrored };
        const eyePoints = (await findMeshInView(run, view, 64)).points;
        eyes.push({ lower: eyePoints.slice(0, 9), upper: [eyePoints[0]!, ...eyePoints.slice(9, 16), eyePoints[8]!] });
      }
      foundMeshes.push({ points, eyes, sure });
    }
    return foundMeshes;
  });
}

export const boundingBoxOfPoints = (points: Point[]): Box =>
  boundingBox(points.map(({ x, y }) => ({ left: x, top: y, width: 0, height: 0 })));

const computeSquareAround = ({ left, top, width, height }: Box) => ({
  x: left + width / 2,
  y: top + height / 2,
  reach: 0.75 * Math.max(width, height, 4),
});

interface MeshView {
  picture: Picture;
  x: number;
  y: number;
  /** Half the side of the square that the model sees. */
  reach: number;
  tilt: number;
  isMirrored?: boolean;
}

async function findMeshInView(run: RunModel, view: MeshView, side: number): Promise<{ points: Point[]; sure: number }> {
  const modelOutputs = await run({
    input_1: { type: 'float32', data: readSquare(view, side), shape: [1, 3, side, side] },
  });
  const values = modelOutputs['Identity_2'] ?? modelOutputs['Identity']!;
  const [cos, sin, scale] = [Math.cos(view.tilt), Math.sin(view.tilt), (2 * view.reach) / side];
  const points: Point[] = [];
  for (let at = 0; at + 2 < values.length; at += 3) {
    const horizontalOffset = (values[at]! - side / 2) * scale * (view.isMirrored ? -1 : 1);
    const verticalOffset = (values[at + 1]! - side / 2) * scale;
    points.push({
      x: view.x + horizontalOffset * cos - verticalOffset * sin,
      y: view.y + horizontalOffset * sin + verticalOffset * cos,
      z: values[at + 2]! * scale,
    });
  }
  return { points, sure: modelOutputs['Identity_1']?.[0] ?? 1 };
}

/**
 * Reads a rotated square of the picture as color planes with values from 0 to 1. Each value is the mean of the area it
 * covers. The area beyond the picture's edges is black.
 */
function readSquare({ picture, x, y, reach, tilt, isMirrored }: MeshView, side: number): Float32Array {
  const { rgb, width, height } = picture;
  const square = new Float32Array(3 * side * side);
  const step = (2 * reach) / side;
  const [cos, sin, times] = [Math.cos(tilt), Math.sin(tilt), Math.max(1, Math.ceil(step))];
  const sampleWeight = 1 / 255 / times / times;
  for (let v = 0; v < side * times; v++)
    for (let u = 0; u < side * times; u++) {
      const horizontalOffset = ((u + 0.5) / times - side / 2) * step * (isMirrored ? -1 : 1);
      const verticalOffset = ((v + 0.5) / times - side / 2) * step;
      const px = Math.floor(x + horizontalOffset * cos - verticalOffset * sin);
      const py = Math.floor(y + horizontalOffset * sin + verticalOffset * cos);
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const sumIndex = Math.floor(v / times) * side + Math.floor(u / times);
      for (let c = 0; c < 3; c++) square[c * side * side + sumIndex]! += rgb[3 * (py * width + px) + c]! * sampleWeight;
    }
  return square;
}

/**
 * Minimum width in video pixels of a face, ear to ear, and of an eye, corner to corner. The motion of smaller faces and
 * eyes would only flicker.
 */
const leastWide = { face: 36, eye: 14 };
/** The cosine of the largest tilt of a head that may turn. */
const minTiltCosine = 0.75;

/** Whether a face may turn and may blink. The video shows the face `scale` times as large as `picture`. */
export function findAllowedMovements(
  mesh: FaceMesh,
  picture: Picture,
  scale: number,
): { turn: boolean; blink: boolean } {
  const [nose, left, right] = [
    mesh.points[faceMeshPoints.nose]!,
    mesh.points[faceMeshPoints.left]!,
    mesh.points[faceMeshPoints.right]!,
  ];
  const faceWidth = Math.hypot(left.x - right.x, left.y - right.y);
  const sidewaysTurn = Math.abs(left.z - right.z) / faceWidth;
  const isClear = mesh.sure >= minFaceConfidence && faceWidth * scale >= leastWide.face;
  // Heads move on necks below them, so the head of a person who lies down keeps still. Its eyes may blink.
  const isUpright = right.x - left.x > minTiltCosine * faceWidth;
  const eyeOpenness = mesh.eyes.map(computeEyeOpenness);
  const eyeWide = scale * Math.min(...mesh.eyes.map(computeEyeWidth));
  const noseAlong = ((nose.x - left.x) * (right.x - left.x) + (nose.y - left.y) * (right.y - left.y)) / faceWidth ** 2;
  const isFrontal = noseAlong > 0 && noseAlong < 1 && sidewaysTurn <= 0.4;
  const areOpen = Math.min(...eyeOpenness) >= 0.24 && Math.max(...eyeOpenness) <= 0.6;
  const hasLargeEyes = eyeWide >= leastWide.eye;
  return {
    turn: isClear && isUpright && sidewaysTurn <= 0.7,
    blink: isClear && isFrontal && areOpen && hasLargeEyes && measureBridgeColorStep(mesh, picture) <= 0.15,
  };
}

const computeEyeWidth = ({ lower }: Eye): number => Math.hypot(lower[0]!.x - lower[8]!.x, lower[0]!.y - lower[8]!.y);
const computeEyeOpenness = (eye: Eye): number =>
  Math.hypot(eye.upper[4]!.x - eye.lower[4]!.x, eye.upper[4]!.y - eye.lower[4]!.y) / computeEyeWidth(eye);

/**
 * How much darker a bar across the top of the nose is than the skin above and below it. A high value means that the
 * person wears glasses, whose bridge is dark.
 */
function measureBridgeColorStep(mesh: FaceMesh, { rgb, width, height }: Picture): number {
  const [a, b] = [mesh.points[faceMeshPoints.innerEyes[0]]!, mesh.points[faceMeshPoints.innerEyes[1]]!];
  const distance = Math.hypot(b.x - a.x, b.y - a.y);
  const eyeAxis = { x: (b.x - a.x) / distance, y: (b.y - a.y) / distance };
  const rows = Array.from({ length: 28 }, (_, row) => {
    const v = 0.04 * row - 0.5;
    let sum = 0;
    for (let u = 0.35; u <= 0.651; u += 0.03) {
      const x = Math.round(a.x + distance * (u * eyeAxis.x - v * eyeAxis.y));
      const y = Math.round(a.y + distance * (u * eyeAxis.y + v * eyeAxis.x));
      const pixelIndex = 3 * (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x)));
      sum += rgb[pixelIndex]! + rgb[pixelIndex + 1]! + rgb[pixelIndex + 2]!;
    }
    return sum;
  });
  const steps = rows.slice(4, -4).map((sum, at) => {
    const skin = Math.min(Math.max(rows[at]!, rows[at + 1]!), Math.max(rows[at + 7]!, rows[at + 8]!));
    return 1 - sum / Math.max(1, skin);
  });
  return Math.max(0, ...steps);
}
