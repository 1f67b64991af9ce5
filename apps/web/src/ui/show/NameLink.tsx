import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

export interface NameLinkProps extends Pick<LinkProps, 'to' | 'state' | 'onClick'> {
  label?: string;
  /** The tooltip of a name that may be truncated. */
  title?: string;
  isNumber?: boolean;
  children: ReactNode;
}

/**
 * A link that shows a record's name or number. A click opens the record in place, and other clicks use the browser's
 * link behavior.
 */
export function NameLink({ label, title, isNumber = false, children, ...link }: NameLinkProps) {
  return (
    <Link {...link} className={isNumber ? 'ek-link ek-num' : 'ek-link ek-name'} aria-label={label} title={title}>
      {children}
    </Link>
  );
}
