import encodeQr from 'qr';

/** A QR code as one SVG path, always dark on light. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const rows = encodeQr(text, 'raw', { border: 2 });
  const size = rows.length;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
