import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

export interface NameLinkProps extends Pick<LinkProps, 'to' | 'state' | 'onClick'> {
  label?: string;
  isNumber?: boolean;
  children: ReactNode;
}

/** The name or number of a record as a real link: it opens here by a click, and in a new tab as links do. */
export function NameLink({ label, isNumber = false, children, ...link }: NameLinkProps) {
  return (
    <Link {...link} className={isNumber ? 'ek-link ek-num' : 'ek-link ek-name'} aria-label={label}>
      {children}
    </Link>
  );
}
