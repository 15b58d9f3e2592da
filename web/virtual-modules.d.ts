declare module 'virtual:made-pictures' {
  /** By name: width, height, the widths that exist (ascending), and the picture's mean colour. */
  const pictures: Record<string, [width: number, height: number, widths: number[], color: string]>;
  export default pictures;
}
declare module 'virtual:public-files' {
  /** What wakes a public page, and by the order of web/public-pages.ts what else comes with each. */
  const files: { entry: string; preloads: string[][] } | undefined;
  export default files;
}
