declare module 'heic-decode' {
  export interface HeicImage {
    /** Size upright, known from the container before anything is decoded. */
    width: number;
    height: number;
    /** RGBA, upright: the container's rotation and mirroring are applied. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;
  }
  const decode: {
    all(source: { buffer: Uint8Array }): Promise<HeicImage[] & { dispose(): void }>;
  };
  export default decode;
}
