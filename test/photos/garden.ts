import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';

/**
 * A painted photograph for tests: a garden in the evening with a fence, a tree and flowers. It has enough detail to
 * show motion, blur and color shifts. We drew it, so it may be in the repository, and it is identical at every call.
 */
export function paintGarden(width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const g = canvas.getContext('2d', { alpha: false });
  const unit = Math.min(width, height) / 1200;
  const random = createRandomFrom(7);
  const horizon = height * 0.52;

  paintSky(g, width, horizon);
  paintHills(g, width, horizon, unit);
  paintLawn(g, width, height, horizon, unit, random);
  paintFence(g, width, horizon + 60 * unit, unit);
  paintTree(g, width * 0.78, horizon + 130 * unit, unit, random);
  paintFlowers(g, width, height, horizon + 190 * unit, unit, random);
  return canvas;
}

function paintSky(g: SKRSContext2D, width: number, horizon: number) {
  const sky = g.createLinearGradient(0, 0, 0, horizon);
  sky.addColorStop(0, '#5f9bc9');
  sky.addColorStop(0.6, '#b9d3da');
  sky.addColorStop(1, '#f7dcb0');
  g.fillStyle = sky;
  g.fillRect(0, 0, width, horizon + 2);
  const sun = g.createRadialGradient(width * 0.3, horizon * 0.62, 0, width * 0.3, horizon * 0.62, horizon * 0.8);
  sun.addColorStop(0, 'rgba(255,248,220,1)');
  sun.addColorStop(0.1, 'rgba(255,240,200,0.9)');
  sun.addColorStop(1, 'rgba(255,225,170,0)');
  g.fillStyle = sun;
  g.fillRect(0, 0, width, horizon + 2);
}

function paintHills(g: SKRSContext2D, width: number, horizon: number, unit: number) {
  const ranges = [
    { color: '#9db7b0', lift: 130, wave: 0.0021 },
    { color: '#7f9f86', lift: 80, wave: 0.0034 },
    { color: '#5f8563', lift: 40, wave: 0.0052 },
  ];
  for (const { color, lift, wave } of ranges) {
    g.fillStyle = color;
    g.beginPath();
    g.moveTo(0, horizon + 80 * unit);
    for (let x = 0; x <= width + 8; x += 8) {
      const swell = Math.sin((x / unit) * wave + lift) + 0.4 * Math.sin((x / unit) * wave * 2.7);
      g.lineTo(x, horizon - (lift * (0.6 + 0.4 * swell) - 20) * unit);
    }
    g.lineTo(width, horizon + 80 * unit);
    g.fill();
  }
}

function paintLawn(
  g: SKRSContext2D,
  width: number,
  height: number,
  horizon: number,
  unit: number,
  random: () => number,
) {
  const lawn = g.createLinearGradient(0, horizon, 0, height);
  lawn.addColorStop(0, '#8fae5c');
  lawn.addColorStop(1, '#3f6b34');
  g.fillStyle = lawn;
  g.fillRect(0, horizon + 20 * unit, width, height);
  const bladeCount = Math.round((width * (height - horizon)) / (420 * unit * unit));
  for (let i = 0; i < bladeCount; i++) {
    const nearness = random();
    const x = random() * width;
    const y = horizon + 30 * unit + nearness * (height - horizon);
    g.strokeStyle = `hsla(${80 + random() * 40}, 42%, ${26 + random() * 26}%, 0.55)`;
    g.lineWidth = (0.8 + 2 * nearness) * unit;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + (random() - 0.5) * 12 * unit, y - (8 + 30 * nearness) * unit);
    g.stroke();
  }
}

function paintFence(g: SKRSContext2D, width: number, top: number, unit: number) {
  g.fillStyle = '#efe6d6';
  g.fillRect(0, top + 34 * unit, width, 10 * unit);
  g.fillRect(0, top + 84 * unit, width, 10 * unit);
  for (let x = 12 * unit; x < width; x += 46 * unit) {
    g.fillStyle = '#fbf5ea';
    g.beginPath();
    g.moveTo(x, top + 120 * unit);
    g.lineTo(x, top + 14 * unit);
    g.lineTo(x + 11 * unit, top);
    g.lineTo(x + 22 * unit, top + 14 * unit);
    g.lineTo(x + 22 * unit, top + 120 * unit);
    g.fill();
    g.fillStyle = 'rgba(90,80,60,0.25)';
    g.fillRect(x + 17 * unit, top + 14 * unit, 5 * unit, 106 * unit);
  }
}

function paintTree(g: SKRSContext2D, x: number, foot: number, unit: number, random: () => number) {
  g.fillStyle = '#5a4634';
  g.beginPath();
  g.moveTo(x - 26 * unit, foot);
  g.quadraticCurveTo(x - 8 * unit, foot - 160 * unit, x - 20 * unit, foot - 330 * unit);
  g.lineTo(x + 20 * unit, foot - 330 * unit);
  g.quadraticCurveTo(x + 6 * unit, foot - 150 * unit, x + 30 * unit, foot);
  g.fill();
  for (let i = 0; i < 900; i++) {
    const angle = random() * Math.PI * 2;
    const leafDistance = Math.sqrt(random());
    const leafX = x + Math.cos(angle) * leafDistance * 210 * unit;
    const leafY = foot - 420 * unit + Math.sin(angle) * leafDistance * 170 * unit;
    const lightness = 30 + 22 * (1 - (Math.sin(angle) * leafDistance + 1) / 2) + 10 * random();
    g.fillStyle = `hsl(${82 + random() * 38}, 38%, ${lightness}%)`;
    g.beginPath();
    g.ellipse(leafX, leafY, 15 * unit, 8 * unit, random() * Math.PI, 0, Math.PI * 2);
    g.fill();
  }
}

function paintFlowers(
  g: SKRSContext2D,
  width: number,
  height: number,
  top: number,
  unit: number,
  random: () => number,
) {
  const colors = ['#d9455f', '#f2b33d', '#f7f1e3', '#a667b8', '#ef7f5a'];
  const flowers = Array.from({ length: Math.round((130 * width) / (1600 * unit)) }, () => random()).toSorted(
    (a, b) => a - b,
  );
  for (const nearFlower of flowers) {
    const x = random() * width;
    const y = top + nearFlower * (height - top);
    const size = (6 + 15 * nearFlower) * unit;
    g.strokeStyle = '#35592c';
    g.lineWidth = 3 * unit;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + 4 * unit, y + size * 3.2);
    g.stroke();
    g.fillStyle = colors[Math.floor(random() * colors.length)] ?? '#d9455f';
    for (let petal = 0; petal < 6; petal++) {
      const angle = (petal * Math.PI) / 3;
      g.beginPath();
      g.ellipse(
        x + Math.cos(angle) * size * 0.6,
        y + Math.sin(angle) * size * 0.6,
        size * 0.5,
        size * 0.32,
        angle,
        0,
        Math.PI * 2,
      );
      g.fill();
    }
    g.fillStyle = '#6b4a1e';
    g.beginPath();
    g.arc(x, y, size * 0.28, 0, Math.PI * 2);
    g.fill();
  }
}

function createRandomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
