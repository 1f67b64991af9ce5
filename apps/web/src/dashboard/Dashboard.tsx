import './dashboard.css';
import { formatLongDate } from '@evenkeel/core/dates';
import { useMay } from '../session.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { Page } from '../ui/page/Page.tsx';
import { EmptyState, ErrorState } from '../ui/show/EmptyState.tsx';
import { CashCard } from './CashCard.tsx';
import { NextSteps } from './NextSteps.tsx';
import { AttentionCard, OpenInvoicesCard } from './OpenInvoices.tsx';
import { useDashboard } from './queries.ts';
import { RecentInvoices } from './RecentInvoices.tsx';

/** What is owed to the company and what it has: sums of what stands on the pages that it links to. */
export function Dashboard() {
  const may = useMay();
  const today = useToday();
  const seesFigures = may('View Billing') || may('View Accounting') || may('View Banking');
  return (
    <Page title="Dashboard" meta={formatLongDate(today)} scroll>
      <div className="ek-page-pad db-cards">
        {seesFigures ? (
          <Cards />
        ) : (
          <EmptyState title="Nothing to show" hint="Your role has no figures on this page. The menu has the rest." />
        )}
      </div>
    </Page>
  );
}

/** All at once: a card that grew when its figures came would move those below it. */
function Cards() {
  const { figures, error, retry } = useDashboard();
  if (error !== undefined) {
    return (
      <div className="db-wide">
        <ErrorState message={error} onRetry={retry} />
      </div>
    );
  }
  if (figures === undefined) return <p role="status">Loading...</p>;
  const { billing, cash } = figures;
  return (
    <>
      {billing?.recent.length === 0 && <NextSteps />}
      {billing && <OpenInvoicesCard figures={billing} />}
      {cash && <CashCard cash={cash} />}
      {billing && <AttentionCard figures={billing} />}
      {billing && <RecentInvoices rows={billing.recent} />}
    </>
  );
}
