import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

export interface NameLinkProps extends Pick<LinkProps, 'to' | 'state' | 'onClick'> {
  label?: string;
  isNumber?: boolean;
  children: ReactNode;
}

/**
 * A link that shows a record's name or number. A click opens the record in place, and other clicks use the browser's
 * link behavior.
 */
export function NameLink({ label, isNumber = false, children, ...link }: NameLinkProps) {
  return (
    <Link {...link} className={isNumber ? 'ek-link ek-num' : 'ek-link ek-name'} aria-label={label}>
      {children}
    </Link>
  );
}
