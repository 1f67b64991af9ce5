import './settings.css';
import { Page } from '../../ui/page/Page.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { ChargesCard } from './ChargesCard.tsx';
import { CompanyCard, FinancialCard, SalesTaxCard } from './SettingsCards.tsx';
import { EntityModal } from '../../parts/entities/EntityModal.tsx';
import { COMPANY_INFO } from './companyForm.ts';
import { KeptCards } from './KeptCard.tsx';
import { ExportCard } from './ExportCard.tsx';
import { FinancialModal } from './FinancialModal.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { LoadedModal } from '../../records/RecordModal.tsx';
import { oneOf } from '../../records/records.ts';
import { useSettingsPage } from './queries.ts';
import { RemindersCard } from './RemindersCard.tsx';
import { SendingCard } from './SendingCard.tsx';
import { SignInCard } from './SignInCard.tsx';
import { SalesTaxModal } from './SalesTaxModal.tsx';

/**
 * The settings: Company Info, Financial Info, and Sales Tax with Edit buttons, sign-in rules, payment types, and custom
 * fields.
 */
export function SettingsScreen() {
  const page = useSettingsPage();
  const editCompany = useOpenRecord('company');
  const editFinancial = useOpenRecord('financial');
  const editTax = useOpenRecord('salestax');
  const { company, settings, accounts } = page;
  const scenarios = page.scenarios.value;
  const isLoaded = company !== undefined && settings !== undefined && scenarios !== undefined && accounts !== undefined;
  if (!isLoaded) {
    return (
      <Page title="Settings" scroll>
        {page.hasFailed ? <ErrorState message="settingserror" onRetry={page.retry} /> : <Loading />}
      </Page>
    );
  }
  return (
    <Page title="Settings" scroll>
      <div className="ek-page-pad st-cards">
        <div className="st-column">
          <CompanyCard company={company} onEdit={() => editCompany.open(company.id)} />
          <FinancialCard settings={settings} accounts={accounts} onEdit={() => editFinancial.open(company.id)} />
          <SendingCard />
          <RemindersCard />
          <ChargesCard />
          <SignInCard />
        </div>
        <div className="st-column">
          <SalesTaxCard scenarios={scenarios} accounts={accounts} onEdit={editTax.open} />
          <ExportCard />
          <KeptCards />
        </div>
      </div>
      {editCompany.id !== undefined && (
        <EntityModal
          kind={COMPANY_INFO}
          id={company.id}
          onClose={editCompany.close}
          onSaved={() => undefined}
          onDeleted={() => undefined}
        />
      )}
      {editFinancial.id !== undefined && (
        <FinancialModal settings={settings} accounts={accounts} onClose={editFinancial.close} />
      )}
      {editTax.id !== undefined && (
        <LoadedModal
          id={editTax.id}
          read={oneOf(page.scenarios, ({ id }) => id === editTax.id)}
          title="Sales Tax"
          onClose={editTax.close}
        >
          {(scenario) => <SalesTaxModal scenario={scenario} accounts={accounts} onClose={editTax.close} />}
        </LoadedModal>
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
