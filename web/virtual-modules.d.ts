declare module 'virtual:generated-pictures' {
  /** By name: width, height, the widths that exist (ascending), and the picture's average color. */
  const pictures: Record<string, [width: number, height: number, widths: number[], color: string]>;
  export default pictures;
}
declare module 'virtual:public-files' {
  /** The script that hydrates a public page, and the preloads of each page in the order of web/public-pages.ts. */
  const files: { entry: string; preloads: string[][] } | undefined;
  export default files;
}
