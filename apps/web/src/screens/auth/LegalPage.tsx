import './auth.css';
import type { authCalls } from '@evenkeel/contract/auth';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { FileView } from '../../ui/overlay/FileView.tsx';
import { Mark } from '../../ui/show/Mark.tsx';

export interface LegalPageProps {
  title: string;
  document: typeof authCalls.termsOfService | typeof authCalls.privacyPolicy;
  other: { to: string; label: string };
  children?: ReactNode;
}

/** One of the installation's legal documents in a frame, with a link to the other document. */
export function LegalPage({ title, document, other, children }: LegalPageProps) {
  const { value, error, retry } = useRead(ask(document, {}));
  const file = useMemo(
    () => (value === undefined ? null : new Blob([value.slice()], { type: 'application/pdf' })),
    [value],
  );
  return (
    <main className="ek-legal-page">
      <header>
        <Link to="/" className="ek-signin-brand" aria-label="Evenkeel">
          <Mark size={24} />
        </Link>
        <h1>{title}</h1>
        <Link to={other.to}>{other.label}</Link>
      </header>
      <div className="ek-legal-paper" tabIndex={0} role="region" aria-label={title}>
        {error !== undefined && (
          <InlineAlert kind="Error" action={{ label: 'Retry', run: () => void retry() }}>
            {`Error Loading Document: ${error}`}
          </InlineAlert>
        )}
        {file === null && error === undefined && <p role="status">Loading...</p>}
        {file !== null && <FileView file={file} name={`${title}.pdf`} />}
      </div>
      <footer>{children}</footer>
    </main>
  );
}
