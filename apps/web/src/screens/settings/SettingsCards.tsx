import type { AccountItem } from '@evenkeel/contract/ledger';
import type { Company } from '@evenkeel/contract/company';
import type { SalesTaxScenario } from '@evenkeel/contract/settings';
import { countries, UNITED_STATES } from '@evenkeel/core/geography.data';
import { filingFrequencies, salesTaxTypes } from '@evenkeel/core/documents/salestax';
import { NOTHING } from '@evenkeel/core/nothing';
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StoredPicture } from '../../parts/attachments/StoredPicture.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { type Fact, Facts } from '../../ui/show/Facts.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Lines } from '../../ui/show/Lines.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { placeLine } from './companyForm.ts';
import { Section } from './Section.tsx';
import { totalPercentage } from './taxForm.ts';

/** Opens the card's form. */
export function EditButton({ of, onEdit }: { of: string; onEdit: () => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPencil {...ICON_SMALL} />}
      onClick={onEdit}
      aria-label={`Edit ${of}`}
    >
      Edit
    </Button>
  );
}

/** The values of a section's settings. */
export function SettingFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <div className="st-facts">
      <Facts facts={facts} />
    </div>
  );
}

const none = <span className="ek-muted">{NOTHING}</span>;

/** The company details that appear on invoices, and the time zone. */
export function CompanyCard({ company, onEdit }: { company: Company; onEdit: () => void }) {
  const { logo } = company;
  const country = countries.find((each) => each.countryId === company.countryId)?.countryName ?? '';
  const abroad = company.countryId === UNITED_STATES ? '' : country;
  const address = [company.address1, company.address2, placeLine(company), abroad].filter((line) => line !== '');
  return (
    <Section title="Company Info" actions={<EditButton of="Company Info" onEdit={onEdit} />}>
      <SettingFacts
        facts={[
          { label: 'Company Name', value: company.displayname },
          ...(logo === null
            ? []
            : [{ label: 'Logo', value: <StoredPicture {...logo} alt={`Logo, ${logo.documentName}`} /> }]),
          { label: 'Mailing Address', value: address.length === 0 ? none : <Lines texts={address} /> },
          { label: 'Email Address', value: company.emailAddress || none },
          { label: 'Phone', value: company.phone || none },
          { label: 'Time Zone', value: company.timeZone.replaceAll('_', ' ') },
        ]}
      />
    </Section>
  );
}

function labelOf(accounts: readonly AccountItem[], id: string | number): ReactNode {
  return accounts.find((account) => account.customerAccountID === Number(id))?.displayAccountLabel ?? none;
}

export interface SalesTaxCardProps {
  scenarios: readonly SalesTaxScenario[];
  accounts: readonly AccountItem[];
  onEdit: (id: number) => void;
}

/**
 * Sales tax with account, frequency, and items. The first scenario is the default. Each other scenario has its own Edit
 * button.
 */
export function SalesTaxCard({ scenarios, accounts, onEdit }: SalesTaxCardProps) {
  const [first, ...others] = scenarios;
  if (first === undefined) {
    const action = <Button onClick={() => onEdit(0)}>Set up sales tax</Button>;
    return (
      <Section title="Sales Tax">
        <EmptyState
          title="No sales tax yet"
          hint="Enter the tax you charge and the account it posts to."
          action={action}
        />
      </Section>
    );
  }
  return (
    <>
      <Section
        title="Sales Tax"
        beside={first.name !== '' && <span className="ek-second">{first.name}</span>}
        actions={
          <>
            <Button variant="default" size="xs" onClick={() => onEdit(0)}>
              Add Scenario
            </Button>
            <EditButton of="Sales Tax" onEdit={() => onEdit(first.id)} />
          </>
        }
      >
        <Scenario scenario={first} accounts={accounts} />
      </Section>
      {others.map((scenario, index) => {
        const title = scenario.name || `Sales Tax, scenario ${index + 2}`;
        return (
          <Section
            key={scenario.id}
            title={title}
            actions={<EditButton of={title} onEdit={() => onEdit(scenario.id)} />}
          >
            <Scenario scenario={scenario} accounts={accounts} />
          </Section>
        );
      })}
    </>
  );
}

const TAX_COLUMNS: readonly MiniColumn<SalesTaxScenario['salesTaxItems'][number]>[] = [
  { header: 'Label', render: (item) => item.displayLabel },
  { header: 'Type', render: (item) => salesTaxTypes[item.salesTaxType]?.displayName, className: 'ek-second' },
  { header: 'Percentage', render: (item) => item.displayValue, right: true },
];

function Scenario({ scenario, accounts }: { scenario: SalesTaxScenario; accounts: readonly AccountItem[] }) {
  const items = scenario.salesTaxItems.filter((item) => !item.deleted);
  const frequency = filingFrequencies.find((each) => each.id === scenario.filingFrequency)?.displayName;
  return (
    <>
      <SettingFacts
        facts={[
          { label: 'GL Account', value: labelOf(accounts, scenario.glAccountId) },
          { label: 'Filing Frequency', value: frequency ?? none },
        ]}
      />
      {items.length === 0 ? (
        <p className="ek-muted">No sales tax is charged.</p>
      ) : (
        <MiniTable
          label="Sales tax items"
          className="st-tax"
          columns={TAX_COLUMNS}
          rows={items}
          keyOf={(item) => item.id}
          total={{ label: 'Total', value: totalPercentage(items.map((item) => item.percentage)) }}
        />
      )}
    </>
  );
}
