import { useEffect, useEffectEvent, useState } from 'react';
import { minutesText } from '#contract/refusals/phrases.ts';
import { Notice } from '../ui/surfaces.tsx';

interface Props {
  /** When the shop accepts a payment again, in ms. */
  until: number;
  onOver: () => void;
}

/** Shown while the shop accepts no payment, because of too many changes. Continues by itself when the wait is over. */
export function WaitNotice({ until, onOver }: Props) {
  const [secondsLeft, setSecondsLeft] = useState(() => computeSecondsLeft(until));
  const handleOver = useEffectEvent(onOver);
  useEffect(() => {
    const timer = setInterval(() => {
      setSecondsLeft(computeSecondsLeft(until));
      if (Date.now() >= until) {
        clearInterval(timer);
        handleOver();
      }
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <Notice tone="warn" title={`Please wait ${minutesText(secondsLeft)}`} className="mt-6">
      <p className="mt-1">
        Too many changes came from your internet connection in a short time. Nothing was charged. This page continues by
        itself in {minutesText(secondsLeft)}, and then you can pay.
      </p>
    </Notice>
  );
}

const computeSecondsLeft = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1000));
