import type { BankingAccount } from '@evenkeel/contract/banking';
import type { Receipt } from '@evenkeel/contract/transfers';
import { formatDate } from '@evenkeel/core/dates';
import { capital } from '@evenkeel/core/documents/side';
import { cents, sum } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { Button } from '@mantine/core';
import { IconPigMoney } from '@tabler/icons-react';
import { useMemo } from 'react';
import { inAlert, useRead } from '../../client/api.ts';
import { useUndeposited } from '../../parts/banking/moves.ts';
import { useManages } from '../../records/active.tsx';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import type { PageProps, PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { BankAccountModal } from './BankAccountModal.tsx';
import { bankAccounts, endingOf } from './banking.ts';
import type { BankingTab } from './banking.ts';
import type { AccountReview } from './review/AccountCards.tsx';
import { reviewAccounts } from './statements/statements.ts';

interface AccountListProps {
  tabs: PageTabs<BankingTab>;
  secondary: NonNullable<PageProps<BankingTab>['secondary']>;
  primary: PageProps<BankingTab>['primary'];
}

type Reviews = ReadonlyMap<number, AccountReview>;

/**
 * The bank accounts. Each row shows the book and bank balances, the number of transactions for review, and the last
 * reconciliation.
 */
export function AccountList({ tabs, secondary, primary }: AccountListProps) {
  const { value } = useRead(reviewAccounts, { keep: true, ...inAlert('Error Loading Accounts') });
  const manages = useManages('Manage Banking');
  const list = useMemo(
    () => listOf(new Map(value?.map((review) => [review.bankAccountId, review])), manages),
    [value, manages],
  );
  return (
    <KeptListScreen<BankingAccount, BankingTab>
      title="Banking"
      address="bankaccount"
      list={list}
      tabs={tabs}
      secondary={secondary}
      primary={primary}
      density="relaxed"
      after={<Undeposited canDeposit={manages} />}
    />
  );
}

function listOf(reviews: Reviews, manages: boolean): KeptList<BankingAccount> {
  const reviewOf = (one: BankingAccount) => reviews.get(one.bankingAccountID);
  // Without the bank balance of every account, the totals would not add up.
  const total = [...reviews.values()].every(({ bankBalance }) => bankBalance !== null) ? 'sum' : null;
  return {
    title: 'Accounts',
    of: bankAccounts,
    manager: 'Manage Banking',
    columns: [
      {
        id: 'name',
        header: 'Name',
        value: (one) => one.name,
        render: (one) => <AccountLink account={one} />,
      },
      {
        id: 'bankBalance',
        header: 'Bank Balance',
        kind: 'amount',
        value: (one) => reviewOf(one)?.bankBalance,
        render: (one) => <BankBalance of={reviewOf(one)} />,
        width: '116px',
        total,
        rank: 3,
      },
      {
        id: 'currentBalance',
        header: 'Current Balance',
        kind: 'amount',
        value: (one) => one.currentBalance,
        width: '124px',
        total: 'sum',
      },
      {
        id: 'difference',
        header: 'Difference',
        kind: 'amount',
        value: (one) => differenceOf(reviewOf(one)),
        render: (one) => <Difference of={reviewOf(one)} />,
        width: '104px',
        total,
        rank: 4,
      },
      {
        id: 'reviewCount',
        header: 'To Review',
        kind: 'number',
        value: (one) => reviewOf(one)?.reviewCount,
        render: (one) => <ToReview of={reviewOf(one)} />,
        width: '92px',
        total: 'sum',
        rank: 2,
      },
      {
        id: 'lastReconciledDate',
        header: 'Last Reconciled Date',
        kind: 'date',
        value: (one) => one.lastReconciledDate,
        render: (one) => <LastReconciled account={one} />,
        width: '152px',
        rank: 5,
      },
      {
        id: 'lastReconciledBalance',
        header: 'Last Reconciled Balance',
        kind: 'amount',
        value: (one) => (one.lastReconciledDate === null ? null : one.lastReconciledBalance),
        width: '172px',
        rank: 6,
      },
      ...(manages ? [RECONCILE] : []),
    ],
    phoneRow: (one) => {
      const waiting = reviewOf(one)?.reviewCount ?? 0;
      const reconciled =
        one.lastReconciledDate === null ? 'Never reconciled' : `Reconciled ${formatDate(one.lastReconciledDate)}`;
      return {
        title: one.name,
        amount: <Amount value={one.currentBalance} />,
        detail: waiting === 0 ? reconciled : `${waiting} to review \u00b7 ${reconciled}`,
      };
    },
    add: 'Add Account',
    hint: 'Add your bank accounts and credit cards.',
    Modal: BankAccountModal,
  };
}

const RECONCILE: Column<BankingAccount> = {
  id: 'reconcile',
  header: 'Reconcile',
  kind: 'action',
  width: '116px',
  render: (one) => one.active && <ReconcileButton account={one} />,
};

/** The account's name, and below it the end of its number, for example `Credit card, ending 6620`. */
function AccountLink({ account }: { account: BankingAccount }) {
  const ending = endingOf(account);
  const words = [account.creditCards ? 'credit card' : '', ending === undefined ? '' : `ending ${ending}`];
  const detail = capital(words.filter(Boolean).join(', '));
  return (
    <div className="bk-account">
      <NameLink {...useOpenRecord('bankaccount').link(account.bankingAccountID)}>{account.name}</NameLink>
      {detail !== '' && <div className="ek-muted ek-small">{detail}</div>}
    </div>
  );
}

function LastReconciled({ account: { lastReconciledDate } }: { account: BankingAccount }) {
  return lastReconciledDate === null ? (
    <span className="bk-differs">Never</span>
  ) : (
    <DateText value={lastReconciledDate} />
  );
}

function ReconcileButton({ account }: { account: BankingAccount }) {
  const reconcile = useOpenRecord('reconcile', { hasNew: false });
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Reconcile ${account.name}`}
      onClick={(event) => {
        event.stopPropagation();
        reconcile.open(account.bankingAccountID);
      }}
    >
      Reconcile
    </Button>
  );
}

/** The bank's balance, and below it the date of the last statement. */
function BankBalance({ of }: { of: AccountReview | undefined }) {
  if (of === undefined || of.bankBalance === null || of.bankDate === null) return NOTHING;
  return (
    <>
      <Amount value={of.bankBalance} />
      <div className="ek-muted ek-small ek-num">
        <span className="ek-vh">Last statement </span>
        <DateText value={of.bankDate} />
      </div>
    </>
  );
}

/** The bank's balance less the book balance. Undefined before the first statement. */
function differenceOf(review: AccountReview | undefined) {
  if (review === undefined || review.bankBalance === null) return undefined;
  return cents(review.bankBalance - review.booksBalance);
}

function Difference({ of }: { of: AccountReview | undefined }) {
  const difference = differenceOf(of);
  if (difference === undefined || difference === 0) return NOTHING;
  return (
    <span className="bk-differs">
      <Amount value={difference} />
    </span>
  );
}

function ToReview({ of }: { of: AccountReview | undefined }) {
  const { to, go } = usePlace();
  if (of === undefined || of.reviewCount === 0) return NOTHING;
  const place = { tab: 'review', of: of.bankAccountId, q: undefined, sort: undefined, show: undefined };
  return (
    <NameLink
      isNumber
      to={to(place)}
      onClick={(event) => {
        event.stopPropagation();
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(place);
      }}
    >
      {of.reviewCount.toLocaleString('en-US')}
    </NameLink>
  );
}

const RECEIPTS = { one: 'receipt', many: 'receipts' };

/** Returns the dates of the first and last receipt, for example `received 11/23/2026 – 11/25/2026`. */
function datesOf(receipts: readonly Pick<Receipt, 'receiptDate'>[]): string {
  const dates = receipts.map(({ receiptDate }) => receiptDate).toSorted();
  const ends = [...new Set([dates[0], dates.at(-1)])].filter((date) => date !== undefined);
  return `received ${ends.map((date) => formatDate(date)).join(' – ')}`;
}

/** The receipts that are not in any deposit yet. Hidden if there are none. */
function Undeposited({ canDeposit }: { canDeposit: boolean }) {
  const { value: receipts = [] } = useUndeposited(inAlert('Error Loading Receipts'));
  const deposit = useOpenRecord('deposit');
  if (receipts.length === 0) return null;
  return (
    <section className="bk-undeposited" aria-label="Undeposited Funds">
      <IconPigMoney {...ICON} />
      <span className="bk-undeposited-name">
        <span className="ek-semi">Undeposited Funds</span>
        <span className="ek-muted ek-small">{`${counted(receipts.length, RECEIPTS)}, ${datesOf(receipts)}`}</span>
      </span>
      <span className="ek-semi ek-num">
        <Amount value={sum(receipts.map(({ amount }) => amount))} />
      </span>
      {canDeposit && (
        <Button variant="default" onClick={() => deposit.open(0)}>
          Make Deposit
        </Button>
      )}
    </section>
  );
}
