import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';

/**
 * A painted photograph for tests: a garden in the evening with a fence, a tree and flowers. It has enough detail to
 * show motion, blur and color shifts. We drew it, so it may be in the repository, and it is identical at every call.
 */
export function paintGarden(width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  const unit = Math.min(width, height) / 1200;
  const random = createRandomFrom(7);
  const horizon = height * 0.52;

  paintSky(context, width, horizon);
  paintHills(context, width, horizon, unit);
  paintLawn(context, width, height, horizon, unit, random);
  paintFence(context, width, horizon + 60 * unit, unit);
  paintTree(context, width * 0.78, horizon + 130 * unit, unit, random);
  paintFlowers(context, width, height, horizon + 190 * unit, unit, random);
  return canvas;
}

function paintSky(context: SKRSContext2D, width: number, horizon: number) {
  const sky = context.createLinearGradient(0, 0, 0, horizon);
  sky.addColorStop(0, '#5f9bc9');
  sky.addColorStop(0.6, '#b9d3da');
  sky.addColorStop(1, '#f7dcb0');
  context.fillStyle = sky;
  context.fillRect(0, 0, width, horizon + 2);
  const sun = context.createRadialGradient(width * 0.3, horizon * 0.62, 0, width * 0.3, horizon * 0.62, horizon * 0.8);
  sun.addColorStop(0, 'rgba(255,248,220,1)');
  sun.addColorStop(0.1, 'rgba(255,240,200,0.9)');
  sun.addColorStop(1, 'rgba(255,225,170,0)');
  context.fillStyle = sun;
  context.fillRect(0, 0, width, horizon + 2);
}

function paintHills(context: SKRSContext2D, width: number, horizon: number, unit: number) {
  const ranges = [
    { color: '#9db7b0', lift: 130, wave: 0.0021 },
    { color: '#7f9f86', lift: 80, wave: 0.0034 },
    { color: '#5f8563', lift: 40, wave: 0.0052 },
  ];
  for (const { color, lift, wave } of ranges) {
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, horizon + 80 * unit);
    for (let x = 0; x <= width + 8; x += 8) {
      const swell = Math.sin((x / unit) * wave + lift) + 0.4 * Math.sin((x / unit) * wave * 2.7);
      context.lineTo(x, horizon - (lift * (0.6 + 0.4 * swell) - 20) * unit);
    }
    context.lineTo(width, horizon + 80 * unit);
    context.fill();
  }
}

function paintLawn(
  context: SKRSContext2D,
  width: number,
  height: number,
  horizon: number,
  unit: number,
  random: () => number,
) {
  const lawn = context.createLinearGradient(0, horizon, 0, height);
  lawn.addColorStop(0, '#8fae5c');
  lawn.addColorStop(1, '#3f6b34');
  context.fillStyle = lawn;
  context.fillRect(0, horizon + 20 * unit, width, height);
  const bladeCount = Math.round((width * (height - horizon)) / (420 * unit * unit));
  for (let i = 0; i < bladeCount; i++) {
    const nearness = random();
    const x = random() * width;
    const y = horizon + 30 * unit + nearness * (height - horizon);
    context.strokeStyle = `hsla(${80 + random() * 40}, 42%, ${26 + random() * 26}%, 0.55)`;
    context.lineWidth = (0.8 + 2 * nearness) * unit;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + (random() - 0.5) * 12 * unit, y - (8 + 30 * nearness) * unit);
    context.stroke();
  }
}

function paintFence(context: SKRSContext2D, width: number, top: number, unit: number) {
  context.fillStyle = '#efe6d6';
  context.fillRect(0, top + 34 * unit, width, 10 * unit);
  context.fillRect(0, top + 84 * unit, width, 10 * unit);
  for (let x = 12 * unit; x < width; x += 46 * unit) {
    context.fillStyle = '#fbf5ea';
    context.beginPath();
    context.moveTo(x, top + 120 * unit);
    context.lineTo(x, top + 14 * unit);
    context.lineTo(x + 11 * unit, top);
    context.lineTo(x + 22 * unit, top + 14 * unit);
    context.lineTo(x + 22 * unit, top + 120 * unit);
    context.fill();
    context.fillStyle = 'rgba(90,80,60,0.25)';
    context.fillRect(x + 17 * unit, top + 14 * unit, 5 * unit, 106 * unit);
  }
}

function paintTree(context: SKRSContext2D, x: number, foot: number, unit: number, random: () => number) {
  context.fillStyle = '#5a4634';
  context.beginPath();
  context.moveTo(x - 26 * unit, foot);
  context.quadraticCurveTo(x - 8 * unit, foot - 160 * unit, x - 20 * unit, foot - 330 * unit);
  context.lineTo(x + 20 * unit, foot - 330 * unit);
  context.quadraticCurveTo(x + 6 * unit, foot - 150 * unit, x + 30 * unit, foot);
  context.fill();
  for (let i = 0; i < 900; i++) {
    const angle = random() * Math.PI * 2;
    const leafDistance = Math.sqrt(random());
    const leafX = x + Math.cos(angle) * leafDistance * 210 * unit;
    const leafY = foot - 420 * unit + Math.sin(angle) * leafDistance * 170 * unit;
    const lightness = 30 + 22 * (1 - (Math.sin(angle) * leafDistance + 1) / 2) + 10 * random();
    context.fillStyle = `hsl(${82 + random() * 38}, 38%, ${lightness}%)`;
    context.beginPath();
    context.ellipse(leafX, leafY, 15 * unit, 8 * unit, random() * Math.PI, 0, Math.PI * 2);
    context.fill();
  }
}

function paintFlowers(
  context: SKRSContext2D,
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
  for (const flowerNearness of flowers) {
    const x = random() * width;
    const y = top + flowerNearness * (height - top);
    const size = (6 + 15 * flowerNearness) * unit;
    context.strokeStyle = '#35592c';
    context.lineWidth = 3 * unit;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 4 * unit, y + size * 3.2);
    context.stroke();
    context.fillStyle = colors[Math.floor(random() * colors.length)] ?? '#d9455f';
    for (let petal = 0; petal < 6; petal++) {
      const angle = (petal * Math.PI) / 3;
      context.beginPath();
      context.ellipse(
        x + Math.cos(angle) * size * 0.6,
        y + Math.sin(angle) * size * 0.6,
        size * 0.5,
        size * 0.32,
        angle,
        0,
        Math.PI * 2,
      );
      context.fill();
    }
    context.fillStyle = '#6b4a1e';
    context.beginPath();
    context.arc(x, y, size * 0.28, 0, Math.PI * 2);
    context.fill();
  }
}

function createRandomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
