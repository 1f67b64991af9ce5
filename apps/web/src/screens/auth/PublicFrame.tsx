import './auth.css';
import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import type { FormEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { Mark } from '../../ui/show/Mark.tsx';

/** Eight hulls on one waterline, the product's only illustration. */
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
  /** An error that stays visible next to the form until the next attempt. */
  error?: string | null | undefined;
  notice?: string | null | undefined;
  /** Submits the form. Omitted if the page has its own forms. */
  onSubmit?: (() => void) | undefined;
  /** Whether the content needs more than one column of fields. */
  isWide?: boolean;
  children: ReactNode;
}

/** The layout of the sign-in pages: the harbor illustration, one form, and links to the terms and privacy policy. */
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

/** The next step after an emailed link has failed: requesting a new email, or going to the sign-in page. */
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

/** Loads the installation's settings: whether it is empty, who can register, and the minimum password length. */
export function useInstallation() {
  return useRead(ask(authCalls.installation, {})).value;
}
