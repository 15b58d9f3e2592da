/** All positions and sizes are fractions of the upright photo's width and height, 0 to 1 from the top left. */
export interface PhotoPoint {
  x: number;
  y: number;
}
export interface PhotoArea {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface DetectedFace extends PhotoArea {
  /** Confidence, 0 to 1. */
  sure: number;
  /** Whether this is one of the people that the picture is about, not a passer-by. */
  isMain: boolean;
  /** Whether the face is seen from the front and large enough to be turned a little. */
  mayTurn: boolean;
  /** Whether the eyes are open and without glasses, so that they may blink. */
  mayBlink: boolean;
}
/** A place that glows. Flames flicker; all other lights only change slowly. */
export interface DetectedLight extends PhotoPoint {
  /** The radius as a fraction of the picture's width. */
  radius: number;
  isFlame: boolean;
}
/** What a model detects in a photo. It contains no names, and no data with which a person could be identified. */
export interface PhotoAnalysis {
  /** The version of the detector. After the version has changed, the photo is analyzed again. */
  version: string;
  /** The size of the analyzed copy, in pixels. */
  width: number;
  height: number;
  /** The detected faces, largest first, at most sixty. */
  faces: DetectedFace[];
  /** The fraction of the picture that people cover; 0 if they cannot be cut out. */
  people: number;
  /**
   * The bottom edge of the sky, its fraction of the picture, and whether it has clouds whose motion would be visible.
   */
  sky?: { horizon: number; part: number; hasClouds: boolean };
  /** The fraction of the picture that is probably water. This is a guess: roads and haze look similar. */
  water?: { part: number };
  glows: DetectedLight[];
  /** The picture inside the paper border, if the photo shows an old print. */
  printArea?: PhotoArea;
  /** The sharpness: 0 is completely blurred, 1 is sharp. */
  sharpness: number;
  light: {
    /** Mean brightness, 0 to 1. */
    mean: number;
    /** The fractions of the picture that are nearly black and nearly white. */
    dark: number;
    burnt: number;
    /** How colorful the photo is; 0 for gray. */
    color: number;
  };
}

export interface PhotoAnalyzerPort {
  /**
   * The version of the models and the method in use; undefined if detection is not available. Plain camera motions need
   * no detection.
   */
  version(): Promise<string | undefined>;
  /**
   * Analyzes a display copy (upright JPEG on local disk) in a separate process, one photo at a time. Returns undefined
   * if detection is not available or fails. A video can be made without the result.
   */
  analyzePhoto(path: string, signal?: AbortSignal): Promise<PhotoAnalysis | undefined>;
  /** For the operator: what can be detected here, and what is missing. */
  describe(): Promise<string>;
}
