// What moves in each gallery picture. The worlds are modelled in art/blender/gallery.py.
import { createCanvas } from '@napi-rs/canvas';
import { noise, random, smoothstep } from '../noise.ts';
import { spot, spots } from '../places.ts';
import {
  type Act,
  type Ctx,
  birds,
  breeze,
  clouds,
  type Draw,
  falling,
  flame,
  glow,
  HEIGHT,
  mirror,
  motes,
  openStage,
  outline,
  place,
  plume,
  ripples,
  snowfall,
  type Sprite,
  TAU,
  vignette,
  wash,
  WIDTH,
} from './stage.ts';

const WATER = 1;
const LEAVES = 2;
const GRASS = 3;
const CLOTH = 4;

const at = ([x, y]: [number, number, number]) => [x * WIDTH, y * HEIGHT] as const;

/** Light lies over the picture: dark corners, and warmth from one side. */
function evening(x: number, y: number, colour: string, warmth: number, corners: number): Draw {
  return (g) => {
    glow(g, x, y, 900, colour, warmth);
    vignette(g, corners);
  };
}

async function kite(): Promise<Act> {
  const stage = await openStage('kite');
  const toy = await stage.sprite('kite-toy');
  const [hx, hy] = at(spot(stage.note, 'hand'));
  const shape = outline(toy);
  const [kx, ky] = [shape.left + (shape.right - shape.left) * 0.52, shape.top + (shape.bottom - shape.top) * 0.4];
  const [tx, ty] = [shape.lowestX, shape.bottom - 2];
  const horizon = HEIGHT * 0.47;
  const sky = clouds({
    seed: 12,
    horizon,
    cover: 0.5,
    lit: [255, 244, 224],
    shade: [196, 178, 190],
    sunX: 1220,
    sunY: 60,
  });
  return {
    behind(g, t) {
      wash(g, [
        [0, '#5b93c7'],
        [0.22, '#93bada'],
        [0.38, '#d6d2cb'],
        [0.5, '#f4d9b0'],
      ]);
      sky(g, t, 60);
      glow(g, 1240, 60, 760, '#ffe3ac', 0.55);
    },
    waves: [...breeze(await stage.mask(GRASS, 2), 3.4, 2), ...ripples(await stage.mask(WATER, 2), horizon, 1.8, 0.14)],
    front(g, t) {
      const a = TAU * t;
      const dx = 26 * Math.sin(a);
      const dy = 13 * Math.sin(2 * a + 0.6);
      const turn = 0.1 * Math.sin(a + 1.1);
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const swing = (x: number, y: number) =>
        [kx + dx + (x - kx) * c - (y - ky) * s, ky + dy + (x - kx) * s + (y - ky) * c] as const;
      const [lx, ly] = swing(tx, ty);
      const [mx, my] = swing(kx, ky);
      place(g, toy, dx, dy, turn, [(kx - toy.x) / toy.width, (ky - toy.y) / toy.height]);
      g.strokeStyle = 'rgba(255,250,238,.8)';
      g.lineWidth = 1.3;
      g.beginPath();
      g.moveTo(hx, hy);
      g.quadraticCurveTo((hx + mx) / 2 + 30 + 10 * Math.sin(a - 0.6), (hy + my) / 2 + 70 + 6 * Math.cos(a), mx, my);
      g.stroke();
      const tail = (q: number) =>
        [lx - 52 * q + (4 + 15 * q) * Math.sin(q * 6.4 - 3 * a), ly + 92 * q + 6 * Math.cos(q * 5 - 2 * a)] as const;
      g.strokeStyle = '#8c3a24';
      g.lineWidth = 2;
      g.beginPath();
      g.moveTo(lx, ly);
      for (let i = 1; i <= 26; i++) g.lineTo(...tail(i / 26));
      g.stroke();
      for (const [i, q] of [0.3, 0.58, 0.86].entries()) {
        const [x, y] = tail(q);
        g.save();
        g.translate(x, y);
        g.rotate(0.5 * Math.sin(3 * a - q * 6) + 0.3);
        g.fillStyle = i % 2 ? '#35576d' : '#e3a83a';
        g.beginPath();
        g.moveTo(0, 0);
        g.lineTo(-11, -6);
        g.lineTo(-11, 6);
        g.lineTo(11, -6);
        g.lineTo(11, 6);
        g.fill();
        g.restore();
      }
      flock(g, t);
    },
    grade: evening(1250, 40, '#ffcf8a', 0.26, 0.26),
  };
}

const flock = birds(
  [
    { x: 880, y: 225, size: 10, phase: 0 },
    { x: 925, y: 205, size: 8, phase: 0.9 },
    { x: 850, y: 198, size: 7, phase: 1.7 },
  ],
  'rgba(70,66,80,.65)',
  70,
);

async function garden(): Promise<Act> {
  const stage = await openStage('garden');
  const sky = clouds({
    seed: 31,
    horizon: 400,
    cover: 0.5,
    size: 0.9,
    lit: [255, 252, 240],
    shade: [206, 208, 214],
    sunX: -60,
    sunY: 40,
  });
  const cloth = await stage.mask(CLOTH, 2);
  const butterfly =
    (cx: number, cy: number, rx: number, ry: number, k: number, phase: number, colour: string): Draw =>
    (g, t) => {
      const a = TAU * t;
      const x = cx + rx * Math.sin(a * k + phase) + 12 * Math.sin(a * 3 + phase);
      const y = cy + ry * Math.sin(a * k * 2 + phase) + 7 * Math.cos(a * 4 + phase);
      const open = 0.25 + 0.75 * Math.abs(Math.sin(a * 14 + phase));
      g.save();
      g.translate(x, y);
      g.rotate(0.5 * Math.cos(a * k + phase));
      g.fillStyle = colour;
      for (const side of [-1, 1]) {
        g.beginPath();
        g.ellipse(side * 5 * open, -3, 6 * open, 7, side * 0.5, 0, TAU);
        g.ellipse(side * 4 * open, 5, 4.4 * open, 5, side * -0.4, 0, TAU);
        g.fill();
      }
      g.fillStyle = '#3a2a20';
      g.fillRect(-1, -6, 2, 13);
      g.restore();
    };
  const wings = [
    butterfly(905, 590, 90, 26, 1, 0.4, '#f4b63f'),
    butterfly(690, 520, 60, 34, 2, 2.1, '#f7f1e2'),
    butterfly(1060, 520, 70, 22, 1, 4, '#d9643a'),
  ];
  const petals = falling(16, 5, ['#f6d8dc', '#f9ebe6', '#efc2cb'], [3.2, 5.6], 170);
  const chimney = at(spot(stage.note, 'chimney'));
  return {
    behind(g, t) {
      wash(g, [
        [0, '#6fa6d2'],
        [0.3, '#b7d2df'],
        [0.55, '#f2e8cf'],
      ]);
      sky(g, t, 40);
    },
    waves: [
      ...breeze(await stage.mask(LEAVES, 3), 2.4, 4),
      ...breeze(await stage.mask(GRASS, 2), 2.2, 7),
      { cycles: 3, reach: (x, y) => cloth(x, y) * 6, phase: (x, y) => x * 0.045 + y * 0.03, dx: 1, dy: 0.2 },
      { cycles: 4, reach: (x, y) => cloth(x, y) * 0.09, phase: (x, y) => x * 0.09 + y * 0.035, light: true },
    ],
    front(g, t) {
      plume(g, chimney[0], chimney[1], t, { rise: 150, from: 8, to: 46, alpha: 0.22, lean: 60, count: 12, cycles: 1 });
      for (const w of wings) w(g, t);
      petals(g, t);
    },
    grade: evening(60, 20, '#ffe2a8', 0.3, 0.24),
  };
}

async function autumn(): Promise<Act> {
  const stage = await openStage('autumn');
  const leaves = ['#c9652a', '#dd9c34', '#a8402a', '#e6bd5c', '#b9742f'];
  const near = falling(16, 6, leaves, [9, 15], 210, [1, 2]);
  const far = falling(44, 14, leaves, [3, 7], 130, [1, 1]);
  return {
    behind(g) {
      wash(g, [
        [0, '#a9c4d4'],
        [0.3, '#e6dcc0'],
        [0.55, '#f9e2b0'],
      ]);
    },
    waves: [...breeze(await stage.mask(LEAVES, 3), 2.9, 3), ...breeze(await stage.mask(GRASS, 2), 2, 8)],
    front(g, t) {
      far(g, t);
      shafts(g, t);
      near(g, t);
    },
    grade: evening(760, 260, '#ffd894', 0.36, 0.34),
  };
}

/** Sun between the trees: soft beams, drawn once, breathing each on its own. */
const beams = Array.from({ length: 6 }, (_, i) => {
  const beam = createCanvas(WIDTH, HEIGHT);
  const g = beam.getContext('2d');
  const x = 640 + i * 80;
  const fill = g.createLinearGradient(x, 0, x - 330, 700);
  fill.addColorStop(0, 'rgba(255,226,160,0)');
  fill.addColorStop(0.3, 'rgba(255,226,160,.9)');
  fill.addColorStop(1, 'rgba(255,226,160,0)');
  g.filter = 'blur(16px)';
  g.fillStyle = fill;
  g.beginPath();
  g.moveTo(x - 10, -20);
  g.lineTo(x + 36, -20);
  g.lineTo(x - 330, HEIGHT);
  g.lineTo(x - 440, HEIGHT);
  g.fill();
  return beam;
});

function shafts(g: Ctx, t: number) {
  g.save();
  g.globalCompositeOperation = 'screen';
  beams.forEach((beam, i) => {
    g.globalAlpha = 0.1 + 0.07 * Math.sin(TAU * t * (1 + (i % 2)) + i * 1.9);
    g.drawImage(beam, 0, 0);
  });
  g.restore();
}

async function sailboat(): Promise<Act> {
  const stage = await openStage('sailboat');
  const fleet = await Promise.all([3, 2, 1].map((i) => stage.sprite(`sailboat-${i}`)));
  const lines = spots(stage.note, 'water').map(at).reverse();
  const horizon = HEIGHT * 0.515;
  const sky = clouds({
    seed: 5,
    horizon,
    cover: 0.52,
    lit: [255, 253, 246],
    shade: [188, 204, 218],
    sunX: -80,
    sunY: 60,
  });
  const gulls = birds(
    [
      { x: 470, y: 190, size: 17, phase: 0.2 },
      { x: 560, y: 150, size: 13, phase: 1.3 },
      { x: 950, y: 120, size: 10, phase: 2.6 },
    ],
    'rgba(250,250,246,.95)',
    90,
  );
  return {
    behind(g, t) {
      wash(g, [
        [0, '#4f93cb'],
        [0.3, '#9bc6de'],
        [0.52, '#e9e6d6'],
      ]);
      sky(g, t, 56);
    },
    waves: ripples(await stage.mask(WATER, 2), horizon, 2.6, 0.13),
    front(g, t) {
      const a = TAU * t;
      sparkle(g, t, horizon);
      fleet.forEach((boat, i) => {
        const [x, y] = lines[i]!;
        const size = [1.6, 2.6, 5][i]!;
        const dx = [30, -18, 14][i]! * Math.sin(a + i * 2);
        const dy = size * 0.6 * Math.sin(2 * a + i * 1.7);
        const turn = [0.02, 0.022, 0.03][i]! * Math.sin(2 * a + i * 2.2);
        mirror(g, boat, y + 1, t, 0.36, dx, 0.72, 736);
        g.save();
        g.beginPath();
        g.rect(0, 0, WIDTH, y + size * 0.9);
        g.clip();
        place(g, boat, dx, dy, turn, [(x - boat.x) / boat.width, (y - boat.y) / boat.height]);
        g.restore();
        g.save();
        g.globalAlpha = 0.5;
        g.strokeStyle = '#f3f8f4';
        g.lineWidth = size * 0.35;
        for (const k of [0, 1]) {
          g.beginPath();
          g.ellipse(
            x + dx,
            y + 3 + k * size,
            boat.width * (0.42 + 0.08 * k + 0.02 * Math.sin(3 * a + k)),
            size * 1.1 + k * 2,
            0,
            0.15,
            Math.PI - 0.15,
          );
          g.stroke();
        }
        g.restore();
      });
      gulls(g, t);
    },
    grade: evening(-40, 20, '#fff0c8', 0.3, 0.22),
  };
}

const sparkle = (() => {
  const r = random(14);
  const list = Array.from({ length: 210 }, () => {
    const d = r() ** 1.8;
    return { x: 250 + r() * 1000, d, k: 1 + Math.floor(r() * 4), p: r() * TAU };
  });
  return (g: Ctx, t: number, horizon: number) => {
    g.fillStyle = '#fffdf0';
    for (const s of list) {
      const b = Math.max(0, Math.sin(TAU * s.k * t + s.p)) ** 6;
      if (b < 0.05) continue;
      g.globalAlpha = b * 0.85;
      g.beginPath();
      g.ellipse(s.x, horizon + 8 + s.d * 215, 1.5 + s.d * 6, 0.7 + s.d * 1.2, 0, 0, TAU);
      g.fill();
    }
    g.globalAlpha = 1;
  };
})();

function stars(count: number, seed: number, bottom: number): Draw {
  const r = random(seed);
  const list = Array.from({ length: count }, () => ({
    x: r() * WIDTH,
    y: r() ** 1.15 * bottom,
    s: 0.45 + r() ** 6 * 1.9,
    k: 1 + Math.floor(r() * 4),
    p: r() * TAU,
    warm: r() > 0.75,
  }));
  return (g, t) => {
    for (const s of list) {
      g.globalAlpha = (0.5 + 0.42 * Math.sin(TAU * s.k * t + s.p)) * smoothstep(bottom, bottom * 0.5, s.y);
      g.fillStyle = s.warm ? '#ffe9cf' : '#e6eeff';
      g.beginPath();
      g.arc(s.x, s.y, s.s, 0, TAU);
      g.fill();
      if (s.s > 1.5) glow(g, s.x, s.y, s.s * 7, '#cfdcff', 0.35 * g.globalAlpha);
    }
    g.globalAlpha = 1;
  };
}

async function cabin(): Promise<Act> {
  const stage = await openStage('cabin');
  const chimney = at(spot(stage.note, 'chimney'));
  const panes = spots(stage.note, 'windows').map(at);
  const sky = clouds({
    seed: 8,
    horizon: 480,
    cover: 0.44,
    lit: [255, 196, 168],
    shade: [104, 108, 156],
    sunX: 1200,
    sunY: 480,
    opacity: 0.8,
  });
  const night = stars(90, 4, 300);
  const snow = snowfall(330, 6);
  return {
    behind(g, t) {
      wash(g, [
        [0, '#2a3f78'],
        [0.28, '#6a7db1'],
        [0.48, '#c79fae'],
        [0.62, '#f2b894'],
      ]);
      night(g, t);
      sky(g, t, 44);
    },
    front(g, t) {
      plume(g, chimney[0], chimney[1] + 4, t, { rise: 250, from: 12, to: 78, alpha: 0.34, lean: 110, count: 18 });
      panes.forEach(([x, y], i) => {
        const flicker = 0.25 + 0.05 * Math.sin(TAU * 5 * t + i * 2) + 0.035 * Math.sin(TAU * 9 * t + i);
        glow(g, x, y, 150, '#ffb052', flicker);
      });
      snow(g, t);
    },
    grade: (g) => vignette(g, 0.4, '#101a3a'),
  };
}

async function birthday(): Promise<Act> {
  const stage = await openStage('birthday');
  const bunch = await Promise.all([1, 2, 3, 4].map((i) => stage.sprite(`birthday-${i}`)));
  const flames = spots(stage.note, 'flames').map((f) => [f[0] * WIDTH, f[1] * HEIGHT, f[2]] as const);
  const r = random(21);
  const bokeh = Array.from({ length: 34 }, (_, i) => ({
    x: (i + r()) * 39 - 20,
    y: 70 + 120 * Math.sin((i / 33) * Math.PI * 3) ** 2 + r() * 36,
    s: 13 + r() * 15,
    k: 1 + Math.floor(r() * 2),
    p: r() * TAU,
    warm: r(),
  }));
  return {
    front(g, t) {
      const a = TAU * t;
      g.save();
      g.globalCompositeOperation = 'screen';
      for (const b of bokeh) {
        const alpha = 0.3 + 0.16 * Math.sin(a * b.k + b.p);
        const fill = g.createRadialGradient(b.x, b.y, 0, b.x, b.y, b.s);
        const rgb = b.warm > 0.5 ? '255,206,130' : b.warm > 0.25 ? '255,168,120' : '255,232,190';
        fill.addColorStop(0, `rgba(${rgb},${alpha * 0.8})`);
        fill.addColorStop(0.82, `rgba(${rgb},${alpha})`);
        fill.addColorStop(1, `rgba(${rgb},0)`);
        g.fillStyle = fill;
        g.fillRect(b.x - b.s, b.y - b.s, b.s * 2, b.s * 2);
      }
      g.restore();
      g.save();
      g.beginPath();
      g.rect(0, 0, WIDTH, 545); // strings end behind the table
      g.clip();
      bunch.forEach((b, i) =>
        place(
          g,
          b,
          7 * Math.sin(a + i * 1.9) + (i === 3 ? 36 : 0),
          11 * Math.sin(a + i * 1.3),
          0.035 * Math.sin(a + i * 2.2),
          [0.5, 0.9],
        ),
      );
      g.restore();
      const breath = 0.05 * Math.sin(a * 7) + 0.03 * Math.sin(a * 11);
      glow(g, 640, 290, 430, '#ffb45e', 0.24 + breath);
      for (const [i, [x, y]] of [...flames].sort((p, q) => q[2] - p[2]).entries()) {
        glow(g, x, y - 10, 70, '#ffb050', 0.55 + breath);
        flame(g, x, y + 2, 30, t, i + 1);
      }
    },
    grade: (g) => vignette(g, 0.5, '#1c0a06'),
  };
}

async function cat(): Promise<Act> {
  const stage = await openStage('cat');
  const tail = await stage.sprite('cat-tail');
  const cup = at(spot(stage.note, 'cup'));
  const cloth = await stage.mask(CLOTH, 3);
  const leaves = falling(26, 12, ['#c9652a', '#dd9c34', '#b9742f', '#e6bd5c'], [5, 10], 200, [1, 2]);
  const view = gardenBehindGlass();
  return {
    behind(g, t) {
      view(g, t);
      leaves(g, t);
      glow(g, 980, 90, 560, '#ffe9bd', 0.5);
    },
    waves: [
      {
        cycles: 1,
        reach: (x, y) => cloth(x, y) * 5 * smoothstep(0, 700, y),
        phase: (x, y) => x * 0.012 + y * 0.004,
        dx: 1,
      },
      { cycles: 2, reach: (x, y) => cloth(x, y) * 0.04, phase: (x, y) => x * 0.05 + y * 0.004, light: true },
    ],
    front(g, t) {
      const a = TAU * t;
      g.save();
      g.translate(655, 680);
      g.scale(1, 0.1);
      glow(g, 0, 0, 130, '#3a1c08', 0.55, 'multiply');
      g.restore();
      g.save();
      g.beginPath();
      g.rect(561, 0, WIDTH, HEIGHT); // the root is hidden in the fur
      g.clip();
      swish(g, tail, tail.y + tail.height * 0.72, 0.16 * Math.sin(a * 2) + 0.07 * Math.sin(a * 3 + 1), t);
      g.restore();
      plume(g, cup[0], cup[1] + 6, t, { rise: 150, from: 9, to: 36, alpha: 0.34, lean: 14, count: 12, cycles: 2 });
      motes(18, 3, [380, 90, 1180, 560], '#ffe6b0', [1.2, 2.6], 0.5)(g, t);
    },
    grade: evening(960, 80, '#ffe2ae', 0.34, 0.3),
  };
}

/** A sprite drawn in thin rows, each moved a little further the higher it is: the raised tail of a resting cat. */
function swish(g: Ctx, s: Sprite, base: number, bend: number, t: number) {
  const rows = 2;
  const ratio = s.image.height / s.height;
  for (let k = 0; k < s.height; k += rows) {
    const y = s.y + k;
    const q = Math.max(0, (base - y) / (base - s.y));
    const dx = bend * q ** 1.6 * 200 + 5 * q * Math.sin(TAU * 2 * t - q * 2.4);
    g.drawImage(s.image, 0, k * ratio, s.image.width, rows * ratio, s.x + dx, y, s.width, rows + 0.3);
  }
}

/** An autumn garden out of focus: soft discs of colour in rows, brighter towards the sky. */
function gardenBehindGlass(): Draw {
  const r = random(77);
  const discs: { x: number; y: number; s: number; c: string; p: number }[] = [];
  const rows: [number, number, number, string[]][] = [
    [330, 130, 120, ['#d9b36a', '#c98f4a', '#b9783c', '#e0c07c']],
    [420, 90, 95, ['#b9803c', '#8f8a46', '#a8652f', '#c99a4a']],
    [520, 70, 85, ['#8a8c45', '#75803f', '#a1924a', '#6a7538']],
    [640, 80, 90, ['#8f9a4c', '#7b8a42', '#a3a558', '#6d7c3a']],
  ];
  for (const [y, spread, size, colours] of rows) {
    for (let i = 0; i < 60; i++)
      discs.push({
        x: r() * 1400 - 60,
        y: y + (r() - 0.5) * spread * 1.6,
        s: size * (0.45 + r() * 0.7),
        c: colours[Math.floor(r() * colours.length)]!,
        p: r() * TAU,
      });
  }
  return (g, t) => {
    wash(g, [
      [0, '#a8cbdc'],
      [0.26, '#dfe2d2'],
      [0.5, '#f4dca6'],
      [1, '#8d9a50'],
    ]);
    for (const d of discs) {
      const x = d.x + 5 * Math.sin(TAU * t + d.p);
      const fill = g.createRadialGradient(x, d.y, 0, x, d.y, d.s);
      fill.addColorStop(0, `${d.c}99`);
      fill.addColorStop(0.7, `${d.c}66`);
      fill.addColorStop(1, `${d.c}00`);
      g.fillStyle = fill;
      g.fillRect(x - d.s, d.y - d.s, d.s * 2, d.s * 2);
    }
  };
}

async function campfire(): Promise<Act> {
  const stage = await openStage('campfire');
  const [fire, above] = spots(stage.note, 'fire').map(at);
  const [fx, fy] = fire!;
  const tall = fy - above![1];
  const tent = at(spot(stage.note, 'tent'));
  const night = stars(520, 2, 520);
  const fireflies = motes(26, 9, [80, 430, 1200, 690], '#e6f08a', [2, 3.6], 0.9);
  const grass = await stage.mask(GRASS, 2);
  const r = random(30);
  const sparks = Array.from({ length: 46 }, () => ({
    at: r(),
    x: (r() - 0.5) * 50,
    lean: (r() - 0.35) * 130,
    rise: 150 + r() * 260,
    s: 0.8 + r() * 1.5,
    k: 1 + Math.floor(r() * 2),
    p: r() * TAU,
  }));
  return {
    behind(g, t) {
      wash(g, [
        [0, '#0d1838'],
        [0.3, '#1b2c5c'],
        [0.55, '#3b4f85'],
        [0.66, '#6d719a'],
      ]);
      milkyWay(g);
      night(g, t);
      shootingStar(g, t);
    },
    waves: [
      {
        cycles: 6,
        reach: (x, y) => 0.12 * Math.exp(-(((x - fx) / 330) ** 2) - ((y - fy) / 210) ** 2),
        phase: () => 0,
        light: true,
      },
      {
        cycles: 11,
        reach: (x, y) => 0.07 * Math.exp(-(((x - fx) / 330) ** 2) - ((y - fy) / 210) ** 2),
        phase: () => 1.3,
        light: true,
      },
      {
        cycles: 2,
        reach: (x, y) => grass(x, y) * 1.6,
        phase: (x, y) => x * 0.012 + 4 * noise(x / 120, y / 120),
        dx: 1,
      },
    ],
    front(g, t) {
      const a = TAU * t;
      const breath = 0.05 * Math.sin(a * 6) + 0.04 * Math.sin(a * 11 + 1.3);
      plume(g, fx, fy - tall * 0.6, t, { rise: 300, from: 16, to: 80, alpha: 0.09, lean: 70, count: 12 });
      glow(g, fx, fy - tall * 0.3, 420, '#ff8a3a', 0.3 + breath);
      glow(g, tent[0], tent[1], 190, '#ffb45e', 0.2 + 0.02 * Math.sin(a * 2));
      g.save();
      g.filter = 'blur(2.2px)';
      for (const [i, [dx, size]] of [
        [-34, 0.3],
        [33, 0.32],
        [-24, 0.46],
        [22, 0.5],
        [-12, 0.62],
        [11, 0.58],
        [0, 0.72],
      ].entries())
        flame(g, fx + dx!, fy + 3 - (i % 3) * 3, tall * size!, t, i * 1.7 + 1, 0.34);
      g.restore();
      g.save();
      g.globalCompositeOperation = 'lighter';
      for (const s of sparks) {
        const q = (s.at + t * s.k) % 1;
        g.globalAlpha = (1 - q) ** 1.4;
        g.fillStyle = q < 0.4 ? '#ffd98a' : '#ff9a4a';
        g.beginPath();
        g.arc(fx + s.x + s.lean * q + 12 * Math.sin(q * 9 + s.p), fy - 30 - s.rise * q, s.s, 0, TAU);
        g.fill();
      }
      g.restore();
      fireflies(g, t);
    },
    grade: (g) => vignette(g, 0.45, '#040818'),
  };
}

function milkyWay(g: Ctx) {
  g.save();
  g.translate(820, 210);
  g.rotate(-0.55);
  const r = random(3);
  for (let i = 0; i < 90; i++)
    glow(g, (r() - 0.5) * 1200, (r() + r() - 1) * 85, 40 + r() * 80, r() > 0.6 ? '#8f88b8' : '#6d7fc0', 0.045);
  g.fillStyle = '#e9eeff';
  for (let i = 0; i < 900; i++) {
    g.globalAlpha = 0.12 + r() * 0.4;
    g.fillRect((r() - 0.5) * 1300, (r() + r() + r() - 1.5) * 110, 1, 1);
  }
  g.restore();
}

function shootingStar(g: Ctx, t: number) {
  const q = (t - 0.55) / 0.09;
  if (q < 0 || q > 1) return;
  const x = 330 + 250 * q;
  const y = 90 + 95 * q;
  const trail = g.createLinearGradient(x - 90, y - 34, x, y);
  trail.addColorStop(0, 'rgba(255,255,255,0)');
  trail.addColorStop(1, `rgba(255,252,240,${Math.sin(Math.PI * q)})`);
  g.strokeStyle = trail;
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(x - 90, y - 34);
  g.lineTo(x, y);
  g.stroke();
}

async function promenade(): Promise<Act> {
  const stage = await openStage('promenade');
  const horizon = HEIGHT * 0.455;
  const sky = clouds({
    seed: 19,
    horizon,
    cover: 0.54,
    lit: [252, 250, 244],
    shade: [176, 178, 184],
    sunX: -60,
    sunY: 60,
  });
  const gulls = birds(
    [
      { x: 560, y: 170, size: 16, phase: 0 },
      { x: 650, y: 130, size: 12, phase: 1.2 },
      { x: 850, y: 190, size: 9, phase: 2.4 },
    ],
    'rgba(60,56,54,.85)',
    110,
  );
  const lamps = spots(stage.note, 'lamps').map(at);
  const scratches = oldPrint();
  return {
    behind(g, t) {
      wash(g, [
        [0, '#9fbacb'],
        [0.46, '#eee8da'],
      ]);
      sky(g, t, 60);
    },
    waves: ripples(await stage.mask(WATER, 1.5), horizon, 2.2, 0.13),
    front(g, t) {
      for (const [i, [x, y]] of lamps.entries()) pennant(g, x + 6, y + 52, t, i);
      gulls(g, t);
    },
    grade(g, t) {
      g.save();
      g.globalCompositeOperation = 'saturation';
      g.fillStyle = '#808080';
      g.fillRect(0, 0, WIDTH, HEIGHT);
      g.globalCompositeOperation = 'soft-light';
      g.fillStyle = 'rgba(255,250,240,.4)';
      g.fillRect(0, 0, WIDTH, HEIGHT);
      g.globalCompositeOperation = 'multiply';
      g.fillStyle = '#fbe9cb';
      g.fillRect(0, 0, WIDTH, HEIGHT);
      g.globalCompositeOperation = 'lighten';
      g.fillStyle = '#3b2a1c';
      g.fillRect(0, 0, WIDTH, HEIGHT);
      g.globalCompositeOperation = 'color';
      g.fillStyle = 'rgba(178,124,66,.4)';
      g.fillRect(0, 0, WIDTH, HEIGHT);
      g.restore();
      scratches(g, t);
      vignette(g, 0.42, '#2b1808');
    },
  };
}

function pennant(g: Ctx, x: number, y: number, t: number, seed: number) {
  const points = Array.from({ length: 15 }, (_, i) => {
    const q = i / 14;
    return [q * 92, 7 * q * Math.sin(q * 7 - TAU * 4 * t + seed) + 8 * q, 15 * (1 - q)] as const;
  });
  g.fillStyle = seed ? '#8a3a2a' : '#a8452f';
  g.beginPath();
  g.moveTo(x, y - 15);
  for (const [px, py, h] of points) g.lineTo(x + px, y + py - h);
  for (const [px, py, h] of [...points].reverse()) g.lineTo(x + px, y + py + h);
  g.fill();
}

/** Age: a soft crease, specks and a faint breathing of the light, the same in every loop. */
function oldPrint(): Draw {
  const r = random(55);
  const specks = Array.from({ length: 150 }, () => ({
    x: r() * WIDTH,
    y: r() * HEIGHT,
    s: 0.4 + r() ** 3 * 1.7,
    light: r() > 0.35,
  }));
  const hairs = Array.from({ length: 7 }, () => ({
    x: r() * WIDTH,
    y: r() * HEIGHT,
    a: r() * TAU,
    l: 14 + r() * 40,
    c: (r() - 0.5) * 30,
  }));
  return (g, t) => {
    for (const s of specks) {
      g.fillStyle = s.light ? 'rgba(255,246,226,.5)' : 'rgba(50,30,14,.4)';
      g.beginPath();
      g.arc(s.x, s.y, s.s, 0, TAU);
      g.fill();
    }
    g.strokeStyle = 'rgba(255,246,226,.35)';
    g.lineWidth = 0.8;
    for (const h of hairs) {
      g.beginPath();
      g.moveTo(h.x, h.y);
      g.quadraticCurveTo(
        h.x + h.l * 0.5 * Math.cos(h.a) + h.c,
        h.y + h.l * 0.5 * Math.sin(h.a),
        h.x + h.l * Math.cos(h.a),
        h.y + h.l * Math.sin(h.a),
      );
      g.stroke();
    }
    g.fillStyle = `rgba(255,240,214,${0.03 + 0.025 * Math.sin(TAU * 3 * t) + 0.015 * Math.sin(TAU * 7 * t)})`;
    g.fillRect(0, 0, WIDTH, HEIGHT);
  };
}

async function balloons(): Promise<Act> {
  const stage = await openStage('balloons');
  const fleet = await Promise.all([4, 3, 2, 1].map((i) => stage.sprite(`balloons-${i}`)));
  const sky = clouds({
    seed: 41,
    horizon: 430,
    cover: 0.5,
    size: 0.8,
    lit: [255, 232, 206],
    shade: [190, 172, 196],
    sunX: 1300,
    sunY: 360,
    opacity: 0.85,
  });
  const swallows = birds(
    [
      { x: 330, y: 300, size: 9, phase: 0 },
      { x: 372, y: 288, size: 8, phase: 0.7 },
      { x: 300, y: 276, size: 7, phase: 1.5 },
    ],
    'rgba(80,70,90,.7)',
    90,
  );
  const leaves = await stage.mask(LEAVES, 3);
  return {
    behind(g, t) {
      wash(g, [
        [0, '#7fa3cf'],
        [0.22, '#b9bfd8'],
        [0.4, '#efcfbc'],
        [0.55, '#f8dab0'],
      ]);
      sky(g, t, 40);
      glow(g, 1240, 380, 620, '#ffd698', 0.7);
    },
    waves: breeze(leaves, 1.4, 2),
    front(g, t) {
      const a = TAU * t;
      mist(g, t);
      fleet.forEach((b, i) => {
        const size = [0.5, 0.45, 0.7, 1.2][i]!;
        place(
          g,
          b,
          16 * size * Math.sin(a + i * 1.7),
          24 * size * Math.sin(a + i * 2.3),
          0.018 * Math.sin(a + i),
          [0.5, 0.4],
        );
        const burn = Math.max(0, Math.sin(a * 2 + i * 2.1)) ** 8;
        if (burn > 0.05)
          glow(
            g,
            b.x + b.width / 2 + 16 * size * Math.sin(a + i * 1.7),
            b.y + b.height * 0.72 + 24 * size * Math.sin(a + i * 2.3),
            b.width * 0.5,
            '#ffb85a',
            burn * 0.55,
          );
      });
      swallows(g, t);
    },
    grade: evening(1240, 340, '#ffce90', 0.34, 0.26),
  };
}

const banks = (() => {
  const r = random(66);
  return Array.from({ length: 26 }, () => ({
    x: r() * WIDTH,
    y: 505 + r() ** 1.5 * 190,
    s: 120 + r() * 190,
    p: r() * TAU,
    d: 30 + r() * 50,
  }));
})();

/** Morning mist lying in the hollows. */
function mist(g: Ctx, t: number) {
  for (const b of banks) {
    const x = b.x + b.d * Math.sin(TAU * t + b.p);
    const alpha = 0.1 + 0.035 * Math.sin(TAU * t * 2 + b.p);
    g.save();
    g.translate(x, b.y);
    g.scale(1, 0.17);
    glow(g, 0, 0, b.s, '#fde6d2', alpha, 'source-over');
    g.restore();
  }
}

async function paperBoats(): Promise<Act> {
  const stage = await openStage('paper-boats');
  const fleet = await Promise.all([3, 2, 1].map((i) => stage.sprite(`paper-boats-${i}`)));
  const lines = spots(stage.note, 'water').map(at).reverse();
  const pads = await stage.mask(5, 4);
  const petals = falling(12, 8, ['#f2ccd4', '#f9e6e2'], [4, 7], 150);
  return {
    waves: [
      ...ripples(await stage.mask(WATER, 2), 250, 2.4, 0.13),
      { cycles: 1, reach: (x, y) => pads(x, y) * 3, phase: (x, y) => x * 0.004 + y * 0.01, dx: 1, dy: 0.5 },
      ...breeze(await stage.mask(LEAVES, 3), 2, 6),
      ...breeze(await stage.mask(GRASS, 2), 3, 2),
    ],
    front(g, t) {
      const a = TAU * t;
      fleet.forEach((b, i) => {
        const [x, y] = lines[i]!;
        const k = [0.5, 0.75, 1][i]!;
        const dx = 26 * k * Math.sin(a + i * 1.9);
        const dy = 4 * k * Math.sin(2 * a + i);
        rings(g, x + dx, y + 6 * k, b.width * 0.42, t, k);
        mirror(g, b, y + 8 * k, t, 0.5, dx, 0.6);
        place(g, b, dx, dy, 0.045 * Math.sin(2 * a + i * 2.4), [(x - b.x) / b.width, (y - b.y) / b.height]);
      });
      petals(g, t);
    },
    grade: evening(200, 20, '#fff0c2', 0.34, 0.36),
  };
}

function rings(g: Ctx, x: number, y: number, r: number, t: number, k: number) {
  g.save();
  g.strokeStyle = '#eef6ee';
  for (let i = 0; i < 3; i++) {
    const q = (t * 2 + i / 3) % 1;
    g.globalAlpha = 0.24 * Math.sin(Math.PI * q);
    g.lineWidth = 1.6 * k;
    g.beginPath();
    g.ellipse(x, y, r * (1 + 0.75 * q), r * 0.24 * (1 + 0.75 * q), 0, 0, TAU);
    g.stroke();
  }
  g.restore();
}

/** People, close: the picture is whole as it comes from the camera; only its corners fall off. */
const portrait = (x: number, y: number, colour: string) => async (): Promise<Act> => ({
  behind: (g) => wash(g, [[0, '#f3e0a6']]),
  grade: evening(x, y, colour, 0.2, 0.3),
});

export interface Piece {
  act: () => Promise<Act>;
  title: string;
  caption: string;
  alt: string;
}

export const pieces: Record<string, Piece> = {
  kite: {
    act: kite,
    title: 'Kite at the lake',
    caption: 'The sky drifts on over the mountains.',
    alt: 'A grandfather and a girl fly a red and yellow kite from a flowering hill above a mountain lake.',
  },
  garden: {
    act: garden,
    title: 'Grandparents’ garden',
    caption: 'Motes of light float through the summer air.',
    alt: 'Two grandparents on a bench under an apple tree and a small child with open arms, before a small white house in a garden full of flowers.',
  },
  autumn: {
    act: autumn,
    title: 'October avenue',
    caption: 'Leaves come down in the low sun.',
    alt: 'An avenue of orange trees; a grandmother and a small child sit on a bench while a boy throws up leaves on the path.',
  },
  sailboat: {
    act: sailboat,
    title: 'Sailboat bay',
    caption: 'Light runs over the moving water.',
    alt: 'Three small sailing boats in a turquoise bay below a red and white lighthouse.',
  },
  cabin: {
    act: cabin,
    title: 'Cabin in the snow',
    caption: 'Snow falls, before the cabin and behind it.',
    alt: 'A log cabin with lit windows at dusk; two children and a snowman stand in the snow before it.',
  },
  laughter: {
    act: portrait(900, 60, '#ffe0a0'),
    title: 'Three laughing',
    caption: 'Everyone in one picture, and the picture breathes.',
    alt: 'Two white-haired grandparents and a curly-headed boy between them laugh in a garden.',
  },
  newborn: {
    act: portrait(120, 80, '#ffe9c8'),
    title: 'On her arm',
    caption: 'Held once, and held again every morning.',
    alt: 'A mother with short curls smiles down at the baby on her arm, who laughs into the camera.',
  },
  'best-friends': {
    act: portrait(420, 60, '#ffd894'),
    title: 'Best friends',
    caption: 'Both held still for a second.',
    alt: 'A girl with two puffs of hair has her arms around a golden dog; both look into the camera.',
  },
  birthday: {
    act: birthday,
    title: 'Birthday table',
    caption: 'Seven candles flicker, just before the wish.',
    alt: 'A two-tier cream cake with berries and seven lit candles, presents and balloons around it.',
  },
  cat: {
    act: cat,
    title: 'Cat on the windowsill',
    caption: 'Dust dances in the light of the window.',
    alt: 'A ginger cat sits on an oak windowsill and looks out into an autumn garden beside a cup of tea.',
  },
  campfire: {
    act: campfire,
    title: 'Campfire under the stars',
    caption: 'The fire flickers under the stars.',
    alt: 'Three sit on logs around a campfire beside a lit tent, fir trees and a starry sky behind them.',
  },
  promenade: {
    act: promenade,
    title: 'Seaside, long ago',
    caption: 'A faded print, mended and brought back.',
    alt: 'An old sepia picture of a couple and two children in their best clothes on a seaside promenade, striped beach huts and parasols behind them.',
  },
  balloons: {
    act: balloons,
    title: 'Balloon morning',
    caption: 'The morning sky drifts by.',
    alt: 'Three striped hot-air balloons float over misty hills and farmhouses at sunrise.',
  },
  'paper-boats': {
    act: paperBoats,
    title: 'Paper boats',
    caption: 'Folded on the bench, launched on the pond.',
    alt: 'Three folded paper boats drift between lily pads on a garden pond.',
  },
};
