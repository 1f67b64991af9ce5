import type { BankingAccount } from '@evenkeel/contract/banking';
import { formatDate } from '@evenkeel/core/dates';
import { cents, sum } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { inAlert, useRead } from '../../client/api.ts';
import { useUndeposited } from '../../parts/banking/moves.ts';
import { useManages } from '../../records/active.tsx';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import type { PageProps, PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
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
}

type Reviews = ReadonlyMap<number, AccountReview>;

/**
 * The bank accounts. Each row shows the book and bank balances, the number of transactions for review, and the last
 * reconciliation.
 */
export function AccountList({ tabs, secondary }: AccountListProps) {
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
      density="relaxed"
      after={<Undeposited canDeposit={manages} />}
    />
  );
}

function listOf(reviews: Reviews, manages: boolean): KeptList<BankingAccount> {
  const reviewOf = (one: BankingAccount) => reviews.get(one.bankingAccountID);
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
        width: '124px',
        rank: 3,
      },
      {
        id: 'currentBalance',
        header: 'Current Balance',
        kind: 'amount',
        value: (one) => one.currentBalance,
        width: '136px',
        total: 'sum',
      },
      {
        id: 'difference',
        header: 'Difference',
        kind: 'amount',
        value: (one) => differenceOf(reviewOf(one)),
        render: (one) => <Difference of={reviewOf(one)} />,
        width: '116px',
        total: 'sum',
        rank: 4,
      },
      {
        id: 'reviewCount',
        header: 'To Review',
        kind: 'number',
        value: (one) => reviewOf(one)?.reviewCount,
        render: (one) => <ToReview of={reviewOf(one)} />,
        width: '104px',
        rank: 2,
      },
      {
        id: 'lastReconciledDate',
        header: 'Last Reconciled Date',
        kind: 'date',
        value: (one) => one.lastReconciledDate,
        width: '176px',
        rank: 5,
      },
      {
        id: 'lastReconciledBalance',
        header: 'Last Reconciled Balance',
        kind: 'amount',
        value: (one) => (one.lastReconciledDate === null ? null : one.lastReconciledBalance),
        width: '196px',
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
  width: '124px',
  render: (one) => one.active && <ReconcileButton account={one} />,
};

/** The account's name, and below it the end of its number. */
function AccountLink({ account }: { account: BankingAccount }) {
  const ending = endingOf(account);
  return (
    <div className="bk-account">
      <NameLink {...useOpenRecord('bankaccount').link(account.bankingAccountID)}>{account.name}</NameLink>
      {ending !== undefined && <div className="ek-muted ek-small">{`Ending ${ending}`}</div>}
    </div>
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

const PAYMENTS = { one: 'receipt', many: 'receipts' };

/** The receipts that are not in any deposit yet. Hidden if there are none. */
function Undeposited({ canDeposit }: { canDeposit: boolean }) {
  const { value: receipts = [] } = useUndeposited(inAlert('Error Loading Receipts'));
  const deposit = useOpenRecord('deposit');
  if (receipts.length === 0) return null;
  return (
    <section className="bk-undeposited" aria-label="Undeposited Funds">
      <span className="bk-undeposited-name">
        <span className="ek-semi">Undeposited Funds</span>
        <span className="ek-muted ek-small">{counted(receipts.length, PAYMENTS)}</span>
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
