import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as Drawing,
  type ChartConfiguration,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef } from 'react';

Drawing.register(
  BarController,
  BarElement,
  CategoryScale,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

type Color = 'accent' | 'good' | 'edge' | 'warn';
export interface ChartProps {
  kind: 'line' | 'bar';
  /** A summary of the chart for screen readers. A table on the page contains the figures. */
  words: string;
  points: readonly { label: string; name: string }[];
  series: readonly { name: string; color: Color; values: readonly number[] }[];
  format: (value: number) => string;
  /**
   * The smallest maximum of the y-axis. Without it, a series of zeros would be a line through the middle of the chart.
   */
  room?: number;
}

/** A chart without animations. It is drawn again after each change. */
export function Chart(props: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const drawing = new Drawing(canvas.current!, createConfiguration(props));
    return () => drawing.destroy();
    // oxlint-disable-next-line react/exhaustive-deps -- draw again when a figure changes, not on every render
  }, [JSON.stringify([props.kind, props.points, props.series])]);
  return (
    <div className="relative h-52 sm:h-64">
      <canvas ref={canvas} role="img" aria-label={props.words} />
    </div>
  );
}

function createConfiguration({
  kind,
  points,
  series,
  format,
  room = 4,
}: ChartProps): ChartConfiguration<'line' | 'bar'> {
  const style = getComputedStyle(document.documentElement);
  const readColor = (name: string) => style.getPropertyValue(`--color-${name}`).trim();
  const font = { family: getComputedStyle(document.body).fontFamily, size: 13 };
  const ticks = { color: readColor('muted'), font };
  return {
    type: kind,
    data: {
      labels: points.map((it) => it.label),
      datasets: series.map((it) => ({
        label: it.name,
        data: [...it.values],
        borderColor: readColor(it.color),
        backgroundColor: kind === 'line' ? `${readColor(it.color)}1f` : readColor(it.color),
        ...(kind === 'line'
          ? { fill: true, borderWidth: 2, tension: 0.25, cubicInterpolationMode: 'monotone', pointRadius: 0 }
          : { borderRadius: 3, maxBarThickness: 36 }),
        ...(kind === 'line' && points.length <= 31 && { pointRadius: 3, pointBackgroundColor: readColor(it.color) }),
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          stacked: kind === 'bar',
          grid: { display: false },
          border: { color: readColor('hair') },
          ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 },
        },
        y: {
          stacked: kind === 'bar',
          beginAtZero: true,
          suggestedMax: room,
          grid: { color: readColor('hair') },
          border: { display: false },
          ticks: { ...ticks, precision: 0, maxTicksLimit: 6, callback: (value) => format(Number(value)) },
        },
      },
      plugins: {
        tooltip: {
          backgroundColor: readColor('night'),
          titleColor: readColor('paper'),
          bodyColor: readColor('paper'),
          titleFont: { ...font, weight: 600 },
          bodyFont: font,
          padding: 12,
          cornerRadius: 10,
          boxPadding: 6,
          callbacks: {
            title: ([item]) => (item ? (points[item.dataIndex]?.name ?? '') : ''),
            label: ({ dataset, parsed }) => ` ${dataset.label}: ${format(parsed.y ?? 0)}`,
          },
        },
      },
    },
  };
}
