/** A 3 x 3 matrix, for color conversions. */
export type Matrix = readonly [Vector, Vector, Vector];
export type Vector = readonly [number, number, number];

export const createVector = (at: (index: number) => number): Vector => [at(0), at(1), at(2)];
export const createMatrix = (at: (row: number, column: number) => number): Matrix => {
  const rowOf = (row: number) => createVector((column) => at(row, column));
  return [rowOf(0), rowOf(1), rowOf(2)];
};

export const multiplyMatrixByVector = (matrix: Matrix, [x, y, z]: Vector): Vector =>
  createVector((row) => matrix[row]![0] * x + matrix[row]![1] * y + matrix[row]![2] * z);

export const multiplyMatrices = (left: Matrix, right: Matrix): Matrix => {
  const columns = createMatrix((row, column) => right[column]![row]!).map((column) =>
    multiplyMatrixByVector(left, column),
  );
  return createMatrix((row, column) => columns[column]![row]!);
};

export function computeDeterminant([[a, b, c], [d, e, f], [g, h, i]]: Matrix): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

export function invertMatrix(matrix: Matrix): Matrix {
  const [[a, b, c], [d, e, f], [g, h, i]] = matrix;
  const cofactors: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  const determinant = computeDeterminant(matrix);
  return createMatrix((row, column) => cofactors[row]![column]! / determinant);
}
