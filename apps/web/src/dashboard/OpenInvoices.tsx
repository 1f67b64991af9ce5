import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { cents } from '@evenkeel/core/money';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Amount } from '../ui/show/Amount.tsx';
import { Card } from '../ui/show/Card.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { overdueShare, type OpenFigures, openFigures } from './figures.ts';
import { InvoiceTable } from './InvoiceTable.tsx';
import { useOpenInvoices } from './queries.ts';

/** How many overdue invoices are named. */
const MOST = 6;

function useOpenFigures() {
  const { rows, error, retry } = useOpenInvoices();
  const figures = useMemo(() => (rows === undefined ? undefined : openFigures(rows, MOST)), [rows]);
  return { figures, error, retry };
}

/** What customers owe, and how much of it is past due. */
export function OpenInvoicesCard() {
  const { figures, error, retry } = useOpenFigures();
  return (
    <Card title="Open Invoices" actions={<Link to="/billing">Billing</Link>}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && figures === undefined && <p role="status">Loading...</p>}
      {error === undefined && figures !== undefined && <OpenBody figures={figures} />}
    </Card>
  );
}

function OpenBody({ figures }: { figures: OpenFigures }) {
  const { count, drafts, overdueCount } = figures;
  const noted = [
    `${count} ${count === 1 ? 'invoice' : 'invoices'}`,
    ...(drafts > 0 ? [`besides ${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`] : []),
  ];
  if (figures.unpaid === 0 && count === 0) {
    return (
      <Figure note={drafts > 0 ? `unpaid, ${noted.slice(1).join(', ')}` : 'Nothing is unpaid'}>
        <Amount value={figures.unpaid} sign />
      </Figure>
    );
  }
  return (
    <>
      <Figure note={`unpaid, ${noted.join(', ')}`}>
        <Amount value={figures.unpaid} sign />
      </Figure>
      <svg className="db-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect className="db-bar-rest" x="0" y="0" width="100" height="10" />
        <rect className="db-bar-late" x={100 - overdueShare(figures)} y="0" width={overdueShare(figures)} height="10" />
      </svg>
      <dl className="db-split">
        <div>
          <dt data-key="rest">Not yet due</dt>
          <dd>
            <Amount value={minus(figures)} zero="dash" />
          </dd>
        </div>
        <div>
          <dt data-key="late">Overdue{overdueCount > 0 ? `, ${overdueCount}` : ''}</dt>
          <dd>
            <Amount value={figures.overdue} zero="dash" />
          </dd>
        </div>
      </dl>
    </>
  );
}

function minus({ unpaid, overdue }: OpenFigures) {
  return cents(unpaid - overdue);
}

/** The invoices that are past due the longest. */
export function AttentionCard() {
  const { figures } = useOpenFigures();
  if (figures === undefined || figures.attention.length === 0) return null;
  const rows: readonly BillingInvoiceRow[] = figures.attention;
  const more = figures.overdueCount - rows.length;
  return (
    <Card title="Needs Attention" actions={more > 0 ? <Link to="/billing">{`${more} more`}</Link> : undefined}>
      <InvoiceTable label="Overdue invoices" rows={rows} show="openAmount" />
    </Card>
  );
}
