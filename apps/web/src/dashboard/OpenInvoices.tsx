import { cents } from '@evenkeel/core/money';
import { Link } from 'react-router';
import { Amount } from '../ui/show/Amount.tsx';
import { Card } from '../ui/show/Card.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { type BillingFigures, overdueShare } from './figures.ts';
import { InvoiceTable } from './InvoiceTable.tsx';

/** What customers owe, and how much of it is past due. */
export function OpenInvoicesCard({ figures }: { figures: BillingFigures }) {
  return (
    <Card title="Open Invoices" actions={<Link to="/billing">Billing</Link>}>
      <OpenBody figures={figures} />
    </Card>
  );
}

function OpenBody({ figures }: { figures: BillingFigures }) {
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

function minus({ unpaid, overdue }: BillingFigures) {
  return cents(unpaid - overdue);
}

/** The invoices that are past due the longest. */
export function AttentionCard({ figures }: { figures: BillingFigures }) {
  const { attention, overdueCount } = figures;
  if (attention.length === 0) return null;
  const more = overdueCount - attention.length;
  return (
    <Card title="Needs Attention" actions={more > 0 ? <Link to="/billing">{`${more} more`}</Link> : undefined}>
      <InvoiceTable label="Overdue invoices" rows={attention} show="openAmount" />
    </Card>
  );
}
