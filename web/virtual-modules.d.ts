declare module 'virtual:made-pictures' {
  /** By name: width, height, the widths that exist (ascending), and the picture's mean colour. */
  const pictures: Record<string, [width: number, height: number, widths: number[], color: string]>;
  export default pictures;
}
