import { clamp, smoothRamp, type Size } from '../../../seeing/grid.ts';
import { boundingBoxOfPoints, faceMeshPoints, type FaceMesh } from '../../../seeing/mesh.ts';
import { computeSwing } from '../motion.ts';
import type { WarpGrid } from '../warp/camera.ts';

/** Offset of each corner of a grid at the end of a movement, across and down alternately. */
type OffsetField = Float32Array;
const movements = ['yaw', 'pitch', 'roll', 'breath'] as const;
export type MovementFields = Record<(typeof movements)[number], OffsetField>;
/** Amount of each movement, -1 to 1 (breath: 0 to 1). */
type MovementAmounts = Record<(typeof movements)[number], number>;

/**
 * How people move: cut out in front of a filled background, or inside the picture. Inside the picture only the face
 * moves, because everything around it would bend with it.
 */
export type HeadMotionMode = 'cut-out' | 'in-picture';

/** Maximum angles of the head, in radians. Visible from two meters on a 10-inch panel, and still believable. */
const mostRadians = { yaw: 0.075, pitch: 0.05, roll: 0.022 };
/**
 * Faces narrower than this many plate pixels move by larger angles, at most by this factor. Otherwise their movements
 * would be invisible.
 */
const smallFaceLimits = { wide: 150, most: 1.8 };
/** A head that is not cut out turns by this fraction of the maximum angles. */
const attachedHeadFactor = 0.7;

/** A face on the plate, with the values needed to move its head. */
interface MovableHead {
  mesh: FaceMesh;
  left: number;
  right: number;
  /** Size of the face: ear to ear, and chin to brow. */
  wide: number;
  high: number;
  chin: { x: number; y: number };
  /** Center of the sphere that approximates the head. */
  middle: { x: number; y: number };
  round: { x: number; y: number };
  /** How much more than other heads it moves. */
  lively: number;
  /** The axis that the head rotates around, as a depth (z) of the mesh. */
  axis: number;
  neck: { x: number; y: number };
}

function createMovableHead(mesh: FaceMesh): MovableHead {
  const meshPointAt = (index: number) => mesh.points[index]!;
  const [left, right, chin, top] = [
    meshPointAt(faceMeshPoints.left),
    meshPointAt(faceMeshPoints.right),
    meshPointAt(faceMeshPoints.chin),
    meshPointAt(faceMeshPoints.top),
  ];
  const headWidth = Math.hypot(left.x - right.x, left.y - right.y);
  const headHeight = Math.hypot(chin.x - top.x, chin.y - top.y);
  const face = boundingBoxOfPoints(mesh.points);
  return {
    mesh,
    left: face.left - headWidth / 2,
    right: face.left + face.width + headWidth / 2,
    wide: headWidth,
    high: headHeight,
    chin,
    middle: { x: (left.x + right.x) / 2, y: (chin.y + top.y) / 2 - 0.12 * headHeight },
    round: { x: 0.86 * headWidth, y: 0.9 * headHeight },
    lively: clamp(smallFaceLimits.wide / headWidth, 1, smallFaceLimits.most),
    axis: (left.z + right.z) / 2,
    neck: { x: chin.x, y: chin.y + 0.25 * headHeight },
  };
}

/**
 * Computes how each person can move: the head by the depth of its face, less in the hair and down the neck; chest and
 * shoulders by breath. Points between two people are shared by distance, because their movements would otherwise add
 * up.
 *
 * @param plate its height is the lower edge of the photo, where breath moves people least
 */
export function computeMovementFields(
  meshes: FaceMesh[],
  warpGrid: WarpGrid,
  plate: Size,
  manner: HeadMotionMode = 'cut-out',
): MovementFields[] {
  const movableHeads = meshes.map(createMovableHead);
  const fields = movableHeads.map((): MovementFields => {
    const createEmptyField = () => new Float32Array(2 * warpGrid.width * warpGrid.height);
    return { yaw: createEmptyField(), pitch: createEmptyField(), roll: createEmptyField(), breath: createEmptyField() };
  });
  for (let row = 0; row < warpGrid.height; row++)
    for (let column = 0; column < warpGrid.width; column++) {
      const [x, y, to] = [column * warpGrid.cell, row * warpGrid.cell, 2 * (row * warpGrid.width + column)];
      const distancesToHeads = movableHeads.map(({ middle, round }) =>
        Math.hypot((x - middle.x) / round.x, (y - middle.y) / round.y),
      );
      const nearnessToHeads = distancesToHeads.map((it) => Math.exp(-2 * it * it) + 1e-9);
      const headWeights = movableHeads.map(({ chin, wide }) => Math.exp(-(((x - chin.x) / (1.7 * wide)) ** 2)) + 1e-9);
      const [allNear, allNearby] = [computeSum(nearnessToHeads), computeSum(headWeights)];
      for (const [person, head] of movableHeads.entries()) {
        const personsField = fields[person]!;
        const movementShare = (head.lively * nearnessToHeads[person]!) / allNear;
        if (manner === 'in-picture') {
          if (distancesToHeads[person]! < 1)
            addHeadTurn(
              personsField,
              to,
              head,
              { x, y },
              distancesToHeads[person]!,
              movementShare * attachedHeadFactor,
              0,
            );
          continue;
        }
        addBreathing(personsField.breath, to, head, { x, y }, plate, (head.lively * headWeights[person]!) / allNearby);
        if (distancesToHeads[person]! < 1.7)
          addHeadTurn(personsField, to, head, { x, y }, distancesToHeads[person]!, movementShare);
      }
    }
  // Smooths the fields, because steps in depth would tear the picture.
  for (const movementField of fields)
    for (const name of ['yaw', 'pitch'] as const)
      movementField[name] = smoothField(smoothField(movementField[name], warpGrid), warpGrid);
  return fields;
}

/** Chest and shoulders rise, the head rises with them, and the photo's lower edge moves least. */
function addBreathing(
  field: OffsetField,
  to: number,
  head: MovableHead,
  { x, y }: { x: number; y: number },
  plate: Size,
  share: number,
) {
  const { chin, wide, high } = head;
  const nearbyFade = Math.exp(-(((x - chin.x) / (1.7 * wide)) ** 4)) * share;
  const shoulderFade = smoothRamp(0, 1, (y - chin.y + 0.1 * high) / (0.75 * high));
  const floorFade = smoothRamp(0, 1, (plate.height - y) / (0.35 * plate.height));
  field[to] = 0.004 * wide * clamp((x - chin.x) / wide, -1.5, 1.5) * shoulderFade * floorFade * nearbyFade;
  field[to + 1] = -0.022 * wide * (0.4 + 0.6 * shoulderFade) * (0.25 + 0.75 * floorFade) * nearbyFade;
}

function addHeadTurn(
  personsField: MovementFields,
  to: number,
  head: MovableHead,
  { x, y }: { x: number; y: number },
  away: number,
  share: number,
  rolls = 1,
) {
  const { mesh, chin, high, wide, neck, axis } = head;
  const fadeBelowChin = 1 - smoothRamp(0, 1, (y - chin.y + 0.05 * high) / (0.45 * high));
  const headShare = (1 - smoothRamp(0.95, 1.7, away)) * fadeBelowChin * share;
  personsField.roll[to] = -(y - neck.y) * mostRadians.roll * headShare * rolls;
  personsField.roll[to + 1] = (x - neck.x) * mostRadians.roll * headShare * rolls;
  // Mixes two depths: from the sphere of the head, and from the mesh of the face.
  const sphereDepth = 0.42 * wide * Math.max(0, 1 - away * away);
  const softness = 2 * (0.06 * wide) ** 2;
  let [depth, weight] = [0, 0];
  if (x > head.left && x < head.right)
    for (const point of mesh.points) {
      const squaredDistance = ((point.x - x) ** 2 + (point.y - y) ** 2) / softness;
      if (squaredDistance > 9) continue;
      const pointWeight = Math.exp(-squaredDistance);
      depth += pointWeight * Math.max(0, axis - point.z);
      weight += pointWeight;
    }
  const depthCertainty = weight / (weight + 0.35);
  const nearShare =
    (depthCertainty * (weight > 0 ? depth / weight : 0) + (1 - depthCertainty) * sphereDepth) * fadeBelowChin * share;
  personsField.yaw[to] = nearShare * mostRadians.yaw;
  personsField.pitch[to + 1] = nearShare * mostRadians.pitch;
}

const computeSum = (values: number[]) => values.reduce((all, one) => all + one, 0);

function smoothField(field: OffsetField, { width, height }: Size): OffsetField {
  const smoothedField = field.slice();
  for (let row = 1; row < height - 1; row++)
    for (let column = 1; column < width - 1; column++)
      for (let at = 2 * (row * width + column), end = at + 2; at < end; at++) {
        const [up, down] = [at - 2 * width, at + 2 * width];
        const neighborSum = field[at - 2]! + field[at + 2]! + field[up]! + field[down]!;
        const corners = field[up - 2]! + field[up + 2]! + field[down - 2]! + field[down + 2]!;
        smoothedField[at] = (4 * field[at]! + 2 * neighborSum + corners) / 16;
      }
  return smoothedField;
}

/** A person's posture at a phase of the loop: a sum of whole cycles, so that the end meets the start. */
function computePosture(phase: number, person: number): MovementAmounts {
  const computePersonSwing = (turns: number, late: number) =>
    computeSwing(phase, turns, 2 * Math.PI * (late + 0.37 * person));
  // Neighbors move by different amounts.
  const amplitude = 0.8 + 0.2 * Math.cos(2.4 * person);
  return {
    yaw: amplitude * (0.72 * computePersonSwing(1, 0.1) + 0.28 * computePersonSwing(2, 0.45)),
    pitch: amplitude * (0.65 * computePersonSwing(1, 0.42) + 0.35 * computePersonSwing(3, 0.2)),
    roll: amplitude * (0.7 * computePersonSwing(1, 0.85) + 0.3 * computePersonSwing(2, 0.1)),
    breath: (1 + computePersonSwing(2, 0)) / 2,
  };
}

/** Writes the offset of every corner at a phase of the loop. */
export function applyMovements(
  people: MovementFields[],
  warpGrid: WarpGrid,
  phase: number,
  freedom: Float32Array,
): void {
  const { moves } = warpGrid;
  moves.fill(0);
  people.forEach((fields, person) => {
    const { yaw, pitch, roll, breath } = computePosture(phase, person);
    for (let at = 0; at < moves.length; at++)
      moves[at]! +=
        fields.yaw[at]! * yaw + fields.pitch[at]! * pitch + fields.roll[at]! * roll + fields.breath[at]! * breath;
  });
  for (let at = 0; at < moves.length; at++) moves[at]! *= freedom[at >> 1]!;
}
