/** Everything is told in parts of the upright photo's width and height, 0 to 1 from the left top. */
export interface Place {
  x: number;
  y: number;
}
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface SeenFace extends Area {
  /** 0 to 1. */
  sure: number;
  /** One of those whom the picture is about; passers-by are not. */
  isMain: boolean;
  /** Seen from the front and large enough to be turned a little. */
  mayTurn: boolean;
  /** Its eyes are open and bare, so that it may blink. */
  mayBlink: boolean;
}
/** A place that glows: a flame dances, anything else only breathes. */
export interface SeenGlow extends Place {
  /** In parts of the width. */
  radius: number;
  isFlame: boolean;
}
/** What a photo shows, as far as a machine can tell: no names, nothing to know a person again by. */
export interface Seen {
  /** Of what looked; what another version saw is looked at again. */
  version: string;
  /** Pixels of the copy that was looked at. */
  width: number;
  height: number;
  /** Largest first, at most sixty. */
  faces: SeenFace[];
  /** Which part of the picture its people cover, where they can be cut out of it; 0 where they cannot. */
  people: number;
  /** Where the sky ends, which part of the picture it is, and whether it holds what would be seen to drift. */
  sky?: { horizon: number; part: number; hasClouds: boolean };
  /** Which part is likely water. A guess: roads and haze look alike. */
  water?: { part: number };
  glows: SeenGlow[];
  /** 0 for blurred all over, 1 for crisp. */
  sharpness: number;
  light: {
    /** Mean, 0 to 1. */
    mean: number;
    /** Which parts are nearly black, and nearly white. */
    dark: number;
    burnt: number;
    /** How colourful, 0 for grey. */
    colour: number;
  };
}

export interface Seeing {
  /** What looks here, models and manner; undefined where nothing can: plain motion needs nothing seen. */
  version(): Promise<string | undefined>;
  /**
   * Look at a display copy (upright JPEG on local disk), in a process of its own, one photo at a time. Undefined where
   * nothing can look, or the looking fails: no photo waits for it.
   */
  look(path: string, signal?: AbortSignal): Promise<Seen | undefined>;
  /** For the operator: what can be seen here, and what is missing. */
  describe(): Promise<string>;
}
