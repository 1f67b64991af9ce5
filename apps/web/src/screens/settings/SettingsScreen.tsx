import './settings.css';
import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router';
import { EntityModal } from '../../parts/entities/EntityModal.tsx';
import { useAddressChoice, useAddressText, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { LoadedModal } from '../../records/RecordModal.tsx';
import { oneOf } from '../../records/records.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { useRead } from '../../client/api.ts';
import { CHARGES, ChargesCard } from './ChargesCard.tsx';
import { COMPANY_INFO } from './companyForm.ts';
import { ExportCard, ProofCard } from './ExportCard.tsx';
import { KeptCards } from './KeptCard.tsx';
import { KeysCard } from './KeysCard.tsx';
import { MoneyPart } from './MoneyPart.tsx';
import { MoveInCard } from './MoveInCard.tsx';
import { Pane } from './Pane.tsx';
import { foundSettings, type Part, PARTS } from './parts.ts';
import { useSettingsPage } from './queries.ts';
import { REMINDERS, RemindersCard } from './RemindersCard.tsx';
import { SalesTaxModal } from './SalesTaxModal.tsx';
import { SendingCard } from './SendingCard.tsx';
import { CompanyCard, SalesTaxCard } from './SettingsCards.tsx';
import { SignInCard } from './SignInCard.tsx';
import { TaxRulesCard } from './TaxRulesCard.tsx';

const TABS = PARTS.map(({ id, label }) => ({ value: id, label }));
const IDS: readonly [Part, ...Part[]] = ['company', ...TABS.map(({ value }) => value).filter((id) => id !== 'company')];

/** The settings: a menu of categories, and the sections of one category in a column. */
export function SettingsScreen() {
  const page = useSettingsPage();
  const narrow = useNarrow();
  const [part, choose] = usePart();
  const [text, setText] = useAddressText('q');
  const [isSearching, setSearching] = useState(false);
  /** Whether the category was opened from the search results, which then disappear. */
  const [isFound, setFound] = useState(false);
  const isLoaded = page.isLoaded;
  const type = (typed: string) => {
    setFound(false);
    setText(typed);
  };
  const search = <FilterBox placeholder="Search Settings..." value={text} onChange={type} />;
  const aside = narrow ? (
    <ActionIcon
      aria-label="Search Settings"
      aria-expanded={isSearching}
      onClick={() => {
        setText('');
        setSearching(!isSearching);
      }}
    >
      <IconSearch {...ICON} />
    </ActionIcon>
  ) : (
    <div className="st-search">{search}</div>
  );
  return (
    <Page
      title="Settings"
      aside={isLoaded ? aside : undefined}
      tabs={narrow && isLoaded ? { tabs: TABS, value: part, onChange: choose } : undefined}
      filter={narrow && isSearching ? search : undefined}
    >
      {!isLoaded ? (
        <div className="ek-page-pad">
          {page.hasFailed ? <ErrorState message="settingserror" onRetry={page.retry} /> : <Loading />}
        </div>
      ) : (
        <div className="st-settings">
          {!narrow && <Menu part={text.trim() === '' ? part : undefined} onOpen={() => setFound(false)} />}
          {text.trim() === '' ? (
            <Column key={part} part={part} page={page} takesFocus={isFound} />
          ) : (
            <Found
              text={text}
              onOpen={(found) => {
                setText('');
                setSearching(false);
                setFound(true);
                choose(found);
              }}
            />
          )}
        </div>
      )}
    </Page>
  );
}

/**
 * Returns the category in the URL. The category of an open record takes precedence, and stays open when the record
 * closes.
 */
function usePart(): [Part, (part: Part) => void] {
  const { query } = usePlace();
  const [part, choose] = useAddressChoice('tab', IDS);
  const opened = PARTS.find(({ records }) => records.some((name) => query.get(name) !== null))?.id;
  const follow = useEffectEvent(() => {
    if (opened !== undefined && opened !== part) choose(opened);
  });
  useEffect(() => follow(), [opened]);
  return [opened ?? part, choose];
}

function Menu({ part, onOpen }: { part: Part | undefined; onOpen: () => void }) {
  const place = usePlace();
  return (
    <nav className="st-menu" aria-label="Settings">
      {PARTS.map(({ id, label, Icon }) => (
        <Link
          key={id}
          to={place.to({ tab: id === IDS[0] ? undefined : id, q: undefined })}
          aria-current={id === part ? 'page' : undefined}
          onClick={onOpen}
        >
          <Icon {...ICON} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** The settings that match the search, each with its category. */
function Found({ text, onOpen }: { text: string; onOpen: (part: Part) => void }) {
  const found = foundSettings(text);
  return (
    <Pane label="Search results">
      {found.length === 0 && <EmptyState title="No settings match your search" />}
      <ul className="st-found" hidden={found.length === 0}>
        {found.map(({ setting, part, label }) => (
          <li key={`${part} ${setting}`}>
            <button type="button" className="ek-link" onClick={() => onOpen(part)}>
              {setting}
            </button>
            <span className="ek-muted">{label}</span>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

type LoadedPage = Extract<ReturnType<typeof useSettingsPage>, { isLoaded: true }>;

function Column({ part, page, takesFocus }: { part: Part; page: LoadedPage; takesFocus: boolean }) {
  const { company, settings, accounts, scenarios } = page;
  const editCompany = useOpenRecord('company');
  const editFinancial = useOpenRecord('financial');
  const editTax = useOpenRecord('salestax');
  if (part === 'money') {
    const { id, open, close } = editFinancial;
    const edit = { isEdited: id !== undefined, onEdit: () => open(company.id), onClose: close };
    return <MoneyPart {...{ settings, accounts, takesFocus }} {...edit} />;
  }
  return (
    <Pane label={PARTS.find(({ id }) => id === part)?.label ?? ''} takesFocus={takesFocus}>
      {part === 'company' && <CompanyCard company={company} onEdit={() => editCompany.open(company.id)} />}
      {part === 'taxes' && (
        <>
          <SalesTaxCard scenarios={scenarios.value ?? []} accounts={accounts} onEdit={editTax.open} />
          <TaxRulesCard home={company.state} />
        </>
      )}
      {part === 'email' && <SendingCard />}
      {part === 'reminders' && <RemindersAndCharges />}
      {part === 'lists' && <KeptCards />}
      {part === 'security' && (
        <>
          <KeysCard />
          <SignInCard />
        </>
      )}
      {part === 'movein' && <MoveInCard />}
      {part === 'export' && (
        <>
          <ExportCard />
          <ProofCard />
        </>
      )}
      {editCompany.id !== undefined && (
        <EntityModal
          kind={COMPANY_INFO}
          id={company.id}
          onClose={editCompany.close}
          onSaved={() => undefined}
          onDeleted={() => undefined}
        />
      )}
      {editTax.id !== undefined && (
        <LoadedModal
          id={editTax.id}
          read={oneOf(scenarios, ({ id }) => id === editTax.id)}
          title="Sales Tax"
          onClose={editTax.close}
        >
          {(scenario) => <SalesTaxModal scenario={scenario} accounts={accounts} onClose={editTax.close} />}
        </LoadedModal>
      )}
    </Pane>
  );
}

/**
 * The two sections appear at the same time, because otherwise the first section could appear later and move the second
 * one down. Each section shows its own error.
 */
function RemindersAndCharges() {
  const reads = [useRead(REMINDERS), useRead(CHARGES)];
  if (!reads.every((read) => read.isAnswered)) return null;
  return (
    <>
      <RemindersCard />
      <ChargesCard />
    </>
  );
}

function Loading() {
  return (
    <p className="ek-muted" role="status">
      Loading...
    </p>
  );
}
