import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';

export interface SectionProps {
  title: string;
  /** The sentence below the title. */
  hint?: string;
  /** The name that opens the section from a URL, for example `charges` in `/settings?tab=reminders#charges`. */
  anchor?: string;
  /** Shown directly after the title, for example the name of a scenario. */
  beside?: ReactNode;
  /** The buttons to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the settings, whose rows have a name on the left and a control on the right. */
export function Section({ title, hint, anchor, beside, actions, children }: SectionProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const isAsked = useLocation().hash === `#${anchor ?? ''}` && anchor !== undefined;
  useEffect(() => {
    if (isAsked) section.current?.focus();
  }, [isAsked]);
  return (
    <section ref={section} className="st-section" aria-labelledby={id} tabIndex={anchor === undefined ? undefined : -1}>
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
