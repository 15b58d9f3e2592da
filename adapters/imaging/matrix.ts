/** A 3 x 3 matrix, for color conversions. */
export type Matrix = readonly [Vector, Vector, Vector];
export type Vector = readonly [number, number, number];

export const vectorOf = (at: (index: number) => number): Vector => [at(0), at(1), at(2)];
export const matrixOf = (at: (row: number, column: number) => number): Matrix => {
  const rowOf = (row: number) => vectorOf((column) => at(row, column));
  return [rowOf(0), rowOf(1), rowOf(2)];
};

export const multiplyMatrixByVector = (matrix: Matrix, [x, y, z]: Vector): Vector =>
  vectorOf((row) => matrix[row]![0] * x + matrix[row]![1] * y + matrix[row]![2] * z);

export const multiplyMatrices = (left: Matrix, right: Matrix): Matrix => {
  const columns = matrixOf((row, column) => right[column]![row]!).map((column) => multiplyMatrixByVector(left, column));
  return matrixOf((row, column) => columns[column]![row]!);
};

export function determinantOf([[a, b, c], [d, e, f], [g, h, i]]: Matrix): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

export function invertMatrix(matrix: Matrix): Matrix {
  const [[a, b, c], [d, e, f], [g, h, i]] = matrix;
  const cofactors: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  const determinant = determinantOf(matrix);
  return matrixOf((row, column) => cofactors[row]![column]! / determinant);
}
