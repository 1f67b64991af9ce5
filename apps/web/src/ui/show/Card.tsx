import './show.css';
import { type ReactNode, useId } from 'react';

export interface CardProps {
  title: string;
  /** Shown to the right of the title: period, info, and close. */
  actions?: ReactNode;
  /** Shown directly after the title, for example an info button. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A card with a title, which is its accessible name. */
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
