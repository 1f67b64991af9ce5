import type { ChartAccount } from '@evenkeel/contract/ledger';
import { isMoneyAccount } from '@evenkeel/core/books/accounts';
import { formatDate, PERIODS, periodRange } from '@evenkeel/core/dates';
import { ActionIcon, Button, Menu, UnstyledButton } from '@mantine/core';
import { IconCalendarTime, IconChevronDown, IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useBooksSettings } from '../../parts/choices/booksSettings.ts';
import { typeOf } from '../../parts/ledger/accountType.ts';
import { useChart } from '../../parts/ledger/queries.ts';
import { SettledDate } from '../../parts/ledger/SettledDate.tsx';
import type { LedgerOpens } from './LedgerLinks.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import { useWide } from '../../ui/hooks/media.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { AccountDetails } from './AccountDetails.tsx';
import { AccountLedger } from './AccountLedger.tsx';
import type { AccountAsk } from './useAccountingPlace.ts';

export interface AccountViewProps {
  ask: AccountAsk;
  onAsk: (patch: Partial<AccountAsk>) => void;
  onClose: () => void;
  /** The transaction that is shown on top of the screen. */
  opens: LedgerOpens;
  onEditAccount: (accountId: number) => void;
  onSignOffs: (accountId: number) => void;
}

/** An account with its label, Details panel, and register. */
export function AccountView(props: AccountViewProps) {
  const { ask, onClose, opens } = props;
  const titleId = useId();
  const wide = useWide();
  const today = useToday();
  const { value: rows } = useChart(true);
  const account = rows?.find((row) => row.customerAccountID === ask.accountId);
  const info = account && typeOf(account);
  const isReconciled = info !== undefined && isMoneyAccount(info);
  return (
    // Hidden until the type of account is known, because controls that appear later would move the register. The type
    // and the register load together.
    <aside className="ek-panel ac-account" aria-labelledby={titleId} data-waits={rows === undefined ? '' : undefined}>
      <Head titleId={titleId} account={account} onClose={onClose} />
      {rows !== undefined && account === undefined ? (
        <EmptyState title="Account not found" hint="Choose another account from the chart of accounts." />
      ) : (
        <>
          {!wide && (account === undefined || account.balance !== undefined) && (
            <div className="ac-figure">
              <div className="ek-muted ek-small">Balance {formatDate(today)}</div>
              <Figure>
                {account?.balance === undefined ? (
                  <span className="ek-sk" aria-hidden="true" />
                ) : (
                  <Amount value={account.balance} sign />
                )}
              </Figure>
            </div>
          )}
          <Controls {...props} account={account} isReconciled={isReconciled} />
          <AccountLedger {...ask} isReconciled={isReconciled} opens={opens} onClose={onClose} />
        </>
      )}
    </aside>
  );
}

interface HeadProps {
  titleId: string;
  account: ChartAccount | undefined;
  onClose: () => void;
}

function Head({ titleId, account, onClose }: HeadProps) {
  const wide = useWide();
  // If the chart is shown next to the account, the page already has a title. Otherwise, the account provides the page
  // title.
  const Title = wide ? 'h2' : 'h1';
  return (
    <div className="ek-panel-head">
      {!wide && (
        <ActionIcon aria-label="Back to the chart of accounts" onClick={onClose}>
          <IconChevronLeft {...ICON} />
        </ActionIcon>
      )}
      <Title id={titleId} className="ek-ellipsis">
        {account?.displayAccountLabel ?? 'Account'}
      </Title>
      {account !== undefined && <Status look="plain">{account.displayAccountType}</Status>}
      {account?.active === false && <Status look="void">Removed</Status>}
      <span className="ek-grow" />
      {wide && (
        <ActionIcon aria-label="Close" onClick={onClose}>
          <IconX {...ICON} />
        </ActionIcon>
      )}
    </div>
  );
}

interface ControlsProps extends AccountViewProps {
  account: ChartAccount | undefined;
  /** Whether the account's entries can be reconciled with bank or card statements. */
  isReconciled: boolean;
}

function Controls(props: ControlsProps) {
  const { account, ask, onAsk, isReconciled } = props;
  const [details, setDetails] = useLocalChoice('accountDetails', ['open', 'closed'] as const, 'closed');
  const panelId = useId();
  const isOpen = details === 'open';
  return (
    <>
      <div className="ac-controls">
        <FilterBox placeholder="Search entries..." value={ask.find} onChange={(find) => onAsk({ find })} />
        <UnstyledButton
          className="ac-disclose"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setDetails(isOpen ? 'closed' : 'open')}
        >
          {isOpen ? <IconChevronDown {...ICON_SMALL} /> : <IconChevronRight {...ICON_SMALL} />}
          Details
        </UnstyledButton>
        <UnstyledButton className="ac-disclose" onClick={() => props.onSignOffs(ask.accountId)}>
          Sign-Offs
        </UnstyledButton>
        <div className="ac-range">
          {isReconciled && <ClearedMenu cleared={ask.cleared} onAsk={onAsk} />}
          <CheckField
            label="Show reversed"
            value={ask.showReversed}
            onChange={(showReversed) => onAsk({ showReversed })}
          />
          {ask.find !== '' ? <span className="ek-muted ek-small">All dates</span> : <Dates {...props} />}
        </div>
      </div>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && account !== undefined && (
          <AccountDetails
            key={account.customerAccountID}
            account={account}
            onEdit={() => props.onEditAccount(account.customerAccountID)}
          />
        )}
      </div>
    </>
  );
}

const CLEARED = [
  { label: 'All entries', cleared: undefined },
  { label: 'Cleared', cleared: 'true' },
  { label: 'Uncleared', cleared: 'false' },
] as const;

/** A menu that limits the register to entries that are in saved reconciliations, or to entries that are not. */
function ClearedMenu({ cleared, onAsk }: Pick<AccountAsk, 'cleared'> & Pick<AccountViewProps, 'onAsk'>) {
  const chosen = CLEARED.find((each) => each.cleared === cleared)?.label;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronDown {...ICON_SMALL} />}
          aria-label={`Entries: ${chosen}`}
        >
          {chosen}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {CLEARED.map((each) => (
          <Menu.Item key={each.label} onClick={() => onAsk({ cleared: each.cleared })}>
            {each.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The date range, which a search ignores. */
function Dates({ ask, onAsk }: Pick<AccountViewProps, 'ask' | 'onAsk'>) {
  return (
    <>
      <SettledDate
        label="From"
        placeholder="From"
        value={ask.from ?? null}
        onChange={(from) => onAsk({ from: from ?? undefined })}
      />
      <SettledDate
        label="To"
        placeholder="To"
        value={ask.to ?? null}
        onChange={(to) => onAsk({ to: to ?? undefined })}
      />
      <PeriodMenu onAsk={onAsk} />
    </>
  );
}

const PRESETS = ['This Month', 'This Year', 'Last Month', 'Last 12 Months'] as const;

/** A menu of named date ranges. */
function PeriodMenu({ onAsk }: Pick<AccountViewProps, 'onAsk'>) {
  const today = useToday();
  const { fyStartMonth } = useBooksSettings();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label="Choose a period">
          <IconCalendarTime {...ICON} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAsk({ from: undefined, to: undefined })}>All dates</Menu.Item>
        {PRESETS.map((name) => (
          <Menu.Item key={name} onClick={() => onAsk(periodRange(PERIODS.indexOf(name), today, fyStartMonth))}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
