declare module 'libheif-js/wasm-bundle.js' {
  interface DecodedPixels {
    data: Uint8ClampedArray<ArrayBuffer>;
    width: number;
    height: number;
  }
  interface HeifImage {
    /** The width of the upright picture, from the container, without decoding. */
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Decodes into `into` as upright RGBA; passes null on failure. */
    display(into: DecodedPixels, done: (shown: DecodedPixels | null) => void): void;
  }
  const libheif: {
    ready: Promise<unknown> | undefined;
    HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  };
  export default libheif;
}
