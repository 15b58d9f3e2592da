import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '#contract/account.ts';
import { Button } from '../../ui/button.tsx';
import { useLostFocus } from '../../ui/lost-focus.ts';
import { Badge } from '../../ui/surfaces.tsx';

/** A person's sessions. The current session is marked. All other sessions have a button to sign them out. */
export function SessionList<S extends SessionView>(props: {
  sessions: S[];
  /** Lines of text below the browser's name. */
  facts: (session: S) => string[];
  onEnd: (session: S) => Promise<unknown>;
}) {
  const { sessions, facts, onEnd } = props;
  const [endingId, setEndingId] = useState<string>();
  const { target: list, press } = useLostFocus<HTMLUListElement>(sessions.length);
  const endOneSession = async (session: S) => {
    setEndingId(session.id);
    press();
    await onEnd(session);
    setEndingId(undefined);
  };
  return (
    <ul ref={list} tabIndex={-1} className="divide-y divide-hair">
      {sessions.map((session) => {
        const Icon = /iPhone|iPad|Android/.test(session.device ?? '') ? Smartphone : Laptop;
        return (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
            <Icon aria-hidden className="size-6 shrink-0 text-muted" strokeWidth={1.5} />
            <p className="min-w-0 flex-1 basis-44">
              <span className="block font-medium">{session.device ?? 'A browser'}</span>
              {facts(session).map((line) => (
                <span key={line} className="block text-[0.9375rem] text-muted">
                  {line}
                </span>
              ))}
            </p>
            <div className="max-sm:ml-10">
              {session.isThis ? (
                <Badge tone="good">This browser</Badge>
              ) : (
                <Button
                  look="secondary"
                  size="small"
                  aria-label={`Sign out ${session.device ?? 'a browser'}`}
                  busy={session.id === endingId}
                  onClick={() => void endOneSession(session)}
                >
                  Sign Out
                </Button>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
