// The pictures of the gallery, with their acts and texts. The scenes are modeled in art/blender/gallery.py.
import { createAutumnAnimation } from './acts/autumn.ts';
import { createBalloonsAnimation } from './acts/balloons.ts';
import { createBirthdayAnimation } from './acts/birthday.ts';
import { createCabinAnimation } from './acts/cabin.ts';
import { createCampfireAnimation } from './acts/campfire.ts';
import { createCatAnimation } from './acts/cat.ts';
import { createGardenAnimation } from './acts/garden.ts';
import { createKiteAnimation } from './acts/kite.ts';
import { createPaperBoatsAnimation } from './acts/paper-boats.ts';
import { definePortraitAnimation } from './acts/portrait.ts';
import { createPromenadeAnimation } from './acts/promenade.ts';
import { createSailboatAnimation } from './acts/sailboat.ts';
import type { GalleryAnimation } from './stage.ts';

export interface GalleryEntry {
  act: () => Promise<GalleryAnimation>;
  title: string;
  caption: string;
  alt: string;
}

export const galleryEntries: Record<string, GalleryEntry> = {
  kite: {
    act: createKiteAnimation,
    title: 'Kite at the lake',
    caption: 'The sky drifts on over the mountains.',
    alt: 'A grandfather and a girl fly a red and yellow kite from a flowering hill above a mountain lake.',
  },
  garden: {
    act: createGardenAnimation,
    title: 'Grandparents’ garden',
    caption: 'Motes of light float through the summer air.',
    alt: 'Two grandparents on a bench under an apple tree and a small child with open arms, before a small white house in a garden full of flowers.',
  },
  autumn: {
    act: createAutumnAnimation,
    title: 'October avenue',
    caption: 'Leaves come down in the low sun.',
    alt: 'An avenue of orange trees; a grandmother and a small child sit on a bench while a boy throws up leaves on the path.',
  },
  sailboat: {
    act: createSailboatAnimation,
    title: 'Sailboat bay',
    caption: 'Light runs over the moving water.',
    alt: 'Three small sailing boats in a turquoise bay below a red and white lighthouse.',
  },
  cabin: {
    act: createCabinAnimation,
    title: 'Cabin in the snow',
    caption: 'Snow falls, before the cabin and behind it.',
    alt: 'A log cabin with lit windows at dusk; two children and a snowman stand in the snow before it.',
  },
  laughter: {
    act: definePortraitAnimation(900, 60, '#ffe0a0'),
    title: 'Three laughing',
    caption: 'Everyone in one picture, and the picture breathes.',
    alt: 'Two white-haired grandparents and a curly-headed boy between them laugh in a garden.',
  },
  newborn: {
    act: definePortraitAnimation(120, 80, '#ffe9c8'),
    title: 'On her arm',
    caption: 'Held once, and held again every morning.',
    alt: 'A mother with short curls smiles down at the baby on her arm, who laughs into the camera.',
  },
  'best-friends': {
    act: definePortraitAnimation(420, 60, '#ffd894'),
    title: 'Best friends',
    caption: 'Both held still for a second.',
    alt: 'A girl with two puffs of hair has her arms around a golden dog; both look into the camera.',
  },
  birthday: {
    act: createBirthdayAnimation,
    title: 'Birthday table',
    caption: 'Seven candles flicker, just before the wish.',
    alt: 'A two-tier cream cake with berries and seven lit candles, presents and balloons around it.',
  },
  cat: {
    act: createCatAnimation,
    title: 'Cat on the windowsill',
    caption: 'Dust dances in the light of the window.',
    alt: 'A ginger cat sits on an oak windowsill and looks out into an autumn garden beside a cup of tea.',
  },
  campfire: {
    act: createCampfireAnimation,
    title: 'Campfire under the stars',
    caption: 'The fire flickers under the stars.',
    alt: 'Three sit on logs around a campfire beside a lit tent, fir trees and a starry sky behind them.',
  },
  promenade: {
    act: createPromenadeAnimation,
    title: 'Seaside, long ago',
    caption: 'A faded print, mended and brought back.',
    alt: 'An old sepia picture of a couple and two children in their best clothes on a seaside promenade, striped beach huts and parasols behind them.',
  },
  balloons: {
    act: createBalloonsAnimation,
    title: 'Balloon morning',
    caption: 'The morning sky drifts by.',
    alt: 'Three striped hot-air balloons float over misty hills and farmhouses at sunrise.',
  },
  'paper-boats': {
    act: createPaperBoatsAnimation,
    title: 'Paper boats',
    caption: 'Folded on the bench, launched on the pond.',
    alt: 'Three folded paper boats drift between lily pads on a garden pond.',
  },
};
