import './show.css';
import { type ReactNode, useId } from 'react';

export interface CardProps {
  title: string;
  /** At the right of the title: period, info, close. */
  actions?: ReactNode;
  /** Directly after the title, e.g. an info button. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A surface with a title, named by it. */
export function Card({ title, actions, beside, children }: CardProps) {
  const id = useId();
  return (
    <section className="ek-card" aria-labelledby={id}>
      <div className="ek-card-head">
        <h2 id={id}>{title}</h2>
        {beside}
        {actions !== undefined && <div className="ek-card-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
