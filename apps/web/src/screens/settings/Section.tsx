import { type ReactNode, useId } from 'react';

export interface SectionProps {
  title: string;
  /** The sentence below the title. */
  hint?: string;
  /** Shown directly after the title, for example the name of a scenario. */
  beside?: ReactNode;
  /** The buttons to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the settings, whose rows have a name on the left and a control on the right. */
export function Section({ title, hint, beside, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className="st-section" aria-labelledby={id}>
      <div className="st-section-head">
        <h2 id={id}>{title}</h2>
        {beside}
        {actions !== undefined && <div className="st-section-actions">{actions}</div>}
      </div>
      {hint !== undefined && <p className="st-section-hint">{hint}</p>}
      {children}
    </section>
  );
}
