import './settings.css';
import { useState } from 'react';
import { Page } from '../ui/page/Page.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { CompanyCard, FinancialCard, SalesTaxCard } from './SettingsCards.tsx';
import { CompanyModal } from './CompanyModal.tsx';
import { FinancialModal } from './FinancialModal.tsx';
import { useSettingsPage } from './queries.ts';
import { SalesTaxModal } from './SalesTaxModal.tsx';

/** What is being edited; a sales tax scenario by its id, 0 for a new one. */
type Editing = 'company' | 'financial' | { scenarioId: number } | undefined;

/** Company Info, Financial Info and Sales Tax, each with Edit (Specification part 2 §2 "Settings page cards"). */
export function SettingsScreen() {
  const page = useSettingsPage();
  const [editing, setEditing] = useState<Editing>();
  const { company, settings, scenarios, accounts } = page;
  const close = () => setEditing(undefined);
  const isLoaded = company !== undefined && settings !== undefined && scenarios !== undefined && accounts !== undefined;
  if (!isLoaded) {
    return (
      <Page title="Settings" scroll>
        {page.hasFailed ? <ErrorState message="settingserror" onRetry={page.retry} /> : <Loading />}
      </Page>
    );
  }
  const scenarioId = typeof editing === 'object' ? editing.scenarioId : undefined;
  return (
    <Page title="Settings" scroll>
      <div className="ek-page-pad st-cards">
        <div className="st-column">
          <CompanyCard company={company} onEdit={() => setEditing('company')} />
          <FinancialCard settings={settings} accounts={accounts} onEdit={() => setEditing('financial')} />
        </div>
        <div className="st-column">
          <SalesTaxCard scenarios={scenarios} accounts={accounts} onEdit={(id) => setEditing({ scenarioId: id })} />
        </div>
      </div>
      {editing === 'company' && <CompanyModal company={company} onClose={close} />}
      {editing === 'financial' && <FinancialModal settings={settings} accounts={accounts} onClose={close} />}
      {scenarioId !== undefined && (
        <SalesTaxModal
          scenario={scenarios.find((scenario) => scenario.id === scenarioId)}
          accounts={accounts}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Loading() {
  return (
    <p className="ek-page-pad ek-muted" role="status">
      Loading...
    </p>
  );
}
