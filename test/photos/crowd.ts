/** Very simple drawings of people that the face model still detects as people. */
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';

const fullTurn = 2 * Math.PI;

/** Draws `count` people in rows who look at the camera. */
export function paintCrowd(count: number, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#8a9aa0';
  context.fillRect(0, 0, width, height);
  const columnCount = Math.ceil(Math.sqrt((count * width) / height));
  const [across, down] = [width / columnCount, height / Math.ceil(count / columnCount)];
  for (let at = 0; at < count; at++) {
    const [x, y] = [(at % columnCount) + 0.5, Math.floor(at / columnCount) + 0.5];
    paintPerson(context, x * across, y * down, 0.6 * Math.min(across, down));
  }
  return canvas;
}

function paintPerson(context: SKRSContext2D, x: number, y: number, faceHeight: number): void {
  context.save();
  context.translate(x, y);
  context.scale(faceHeight, faceHeight);
  const drawOval = (u: number, v: number, across: number, down: number, fill: SKRSContext2D['fillStyle']) => {
    context.fillStyle = fill;
    context.beginPath();
    context.ellipse(u, v, across, down, 0, 0, fullTurn);
    context.fill();
  };
  const [hair, lips] = ['#3a261a', '#a8483f'];
  drawOval(0, -0.12, 0.46, 0.56, hair);
  drawOval(0, 1, 0.75, 0.45, '#35506e');
  context.fillStyle = '#c89478';
  context.fillRect(-0.16, 0.35, 0.32, 0.32);
  const skin = context.createRadialGradient(-0.08, -0.08, 0.05, 0, 0, 0.6);
  skin.addColorStop(0, '#f0c8ac');
  skin.addColorStop(0.7, '#d9a589');
  skin.addColorStop(1, '#a8745a');
  drawOval(0, 0.02, 0.37, 0.5, skin);
  context.lineWidth = 0.03;
  for (const eyeOffset of [-0.16, 0.16]) {
    drawOval(eyeOffset, -0.06, 0.1, 0.065, 'rgba(120,70,50,0.45)');
    drawOval(eyeOffset, -0.05, 0.075, 0.035, '#f4efe8');
    drawOval(eyeOffset, -0.05, 0.034, 0.034, hair);
    context.strokeStyle = hair;
    context.beginPath();
    context.arc(eyeOffset, 0.02, 0.17, -2.3, -0.85);
    context.stroke();
  }
  context.strokeStyle = 'rgba(120,70,50,0.7)';
  context.beginPath();
  context.moveTo(-0.04, 0);
  context.lineTo(-0.06, 0.14);
  context.lineTo(0.05, 0.15);
  context.stroke();
  drawOval(0, 0.28, 0.13, 0.045, lips);
  context.restore();
}
