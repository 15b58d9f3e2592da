import type { ReactNode, Ref } from 'react';
import { Card } from '../../ui/surfaces.tsx';

/** A single card in the middle of the page. */
export function AuthLayout(props: {
  title: string;
  /** A ref for the heading. Set it if this content replaces other content, so that the heading can get the focus. */
  heading?: Ref<HTMLHeadingElement>;
  lede?: ReactNode;
  children?: ReactNode;
  after?: ReactNode;
}) {
  return (
    <section className="wrap flex justify-center py-10 sm:py-16 lg:py-20">
      <div className="w-full max-w-lg">
        <h1 className="title-2 text-center outline-none" {...(props.heading && { ref: props.heading, tabIndex: -1 })}>
          {props.title}
        </h1>
        {props.lede && <p className="lede mt-3 text-center">{props.lede}</p>}
        {props.children && <Card className="mt-8 sm:mt-10">{props.children}</Card>}
        {props.after && <div className="mt-6 text-center text-[0.9375rem] text-muted">{props.after}</div>}
      </div>
    </section>
  );
}
