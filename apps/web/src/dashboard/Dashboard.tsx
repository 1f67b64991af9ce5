import './dashboard.css';
import { formatLongDate } from '@evenkeel/core/dates';
import { useMay } from '../session.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { Page } from '../ui/page/Page.tsx';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { CashCard } from './CashCard.tsx';
import { NextSteps } from './NextSteps.tsx';
import { AttentionCard, OpenInvoicesCard } from './OpenInvoices.tsx';
import { useDashboard } from './queries.ts';
import { RecentInvoices } from './RecentInvoices.tsx';

/** What is owed to the company and what it has: sums of what stands on the pages that it links to. */
export function Dashboard() {
  const may = useMay();
  const today = useToday();
  const seesBilling = may('View Billing');
  const seesCash = may('View Accounting') || may('View Banking');
  return (
    <Page title="Dashboard" meta={formatLongDate(today)} scroll>
      <div className="ek-page-pad db-cards">
        {seesBilling && <Steps />}
        {seesBilling && <OpenInvoicesCard />}
        {seesCash && <CashCard />}
        {seesBilling && <AttentionCard />}
        {seesBilling && <RecentInvoices />}
        {!seesBilling && !seesCash && (
          <EmptyState title="Nothing to show" hint="Your role has no figures on this page. The menu has the rest." />
        )}
      </div>
    </Page>
  );
}

/** Only in a company that has never billed. */
function Steps() {
  const { figures } = useDashboard();
  return figures?.billing?.recent.length === 0 ? <NextSteps /> : null;
}
