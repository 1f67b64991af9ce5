import './auth.css';
import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import type { FormEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { Mark } from '../../ui/show/Mark.tsx';

/** Eight hulls under one waterline; the only picture of the product. */
const HULLS = Array.from({ length: 8 }, (_, index) => {
  const [left, right, depth] = [-60 + 34 * index, 700 - 34 * index, 760 - 22 * index];
  return `M${left} 470C${left + 100} ${depth} ${right - 100} ${depth} ${right} 470`;
});

function Harbor() {
  return (
    <section className="ek-harbor" aria-hidden="true">
      <svg className="ek-keelart" viewBox="0 0 640 900" preserveAspectRatio="xMidYMid slice">
        {HULLS.map((path) => (
          <path key={path} d={path} />
        ))}
        <path className="ek-waterline" d="M-20 470H660" />
        <path d="M320 470V722" />
      </svg>
      <div className="ek-signin-brand">
        <Mark size={28} />
        Evenkeel
      </div>
      <p className="ek-say">
        Every dollar in its place,
        <br />
        both sides level.
      </p>
    </section>
  );
}

export interface PublicFrameProps {
  title: string;
  /** Stays beside the form until the next try. */
  error?: string | null | undefined;
  notice?: string | null | undefined;
  /** Absent where the page has forms of its own. */
  onSubmit?: (() => void) | undefined;
  /** Its content takes more than one column of fields. */
  isWide?: boolean;
  children: ReactNode;
}

/** Shared by the sign-in pages: the harbor, one form, the way to terms and privacy. */
export function PublicFrame({ title, error, notice, onSubmit, isWide = false, children }: PublicFrameProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const Body = onSubmit === undefined ? 'div' : 'form';
  const asForm = onSubmit === undefined ? {} : { onSubmit: submit, noValidate: true };
  return (
    <div className="ek-signin">
      <Harbor />
      <main className="ek-signin-main">
        <Body className="ek-signin-form" data-wide={isWide ? '' : undefined} {...asForm}>
          <div className="ek-signin-brand ek-signin-mobile">
            <Mark size={26} />
            Evenkeel
          </div>
          <h1>{title}</h1>
          {typeof notice === 'string' && <InlineAlert kind="Info">{notice}</InlineAlert>}
          {typeof error === 'string' && <InlineAlert kind="Error">{error}</InlineAlert>}
          {children}
          <p className="ek-legal">
            <Link to="/TOS">Terms of service</Link> and <Link to="/privacy-policy">privacy policy</Link>
          </p>
        </Body>
      </main>
    </div>
  );
}

/** The way on from a mailed link that does not work: a new letter, or the sign-in page. */
export function LinkFailed({ action }: { action: string }) {
  return (
    <>
      <Button component={Link} to="/forgot-password" size="md">
        {action}
      </Button>
      <p className="ek-legal">
        <Link to="/login">Sign in</Link>
      </p>
    </>
  );
}

/** Facts of the installation: empty or not, who may register, how long a password is. */
export function useInstallation() {
  return useRead(ask(authCalls.installation, {})).value;
}
