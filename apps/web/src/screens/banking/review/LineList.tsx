import type { BankLine } from '@evenkeel/contract/statements';
import { cents, formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { IconCheck, IconEqual, IconEqualNot } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Banks } from '../../../parts/banking/moves.ts';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { useNarrow } from '../../../ui/hooks/media.ts';
import { singly } from '../../../ui/hooks/once.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { EmptyState, ErrorState } from '../../../ui/show/EmptyState.tsx';
import { ICON } from '../../../ui/show/icons.ts';
import { counted } from '../../../ui/show/words.ts';
import type { AccountReview } from './AccountCards.tsx';
import { type KeysBarProps, PhoneActs } from './KeysBar.tsx';
import { LineRow } from './LineRow.tsx';
import { BankWords, OpenLine } from './OpenLine.tsx';
import type { Rights } from './rights.ts';
import { type Lines, PART_LABELS, type ReviewPlace } from './useLines.ts';
import { isTaken, type Review } from './useReview.ts';
import type { Names } from './work.ts';

interface LineListProps {
  review: Review;
  read: Lines;
  names: Names;
  banks: Banks;
  rights: Rights;
  accept: (line: BankLine) => void;
  keys: KeysBarProps;
  place: ReviewPlace;
  isReady: boolean;
  onImport: (() => void) | undefined;
  /** The balances and open work of all accounts. */
  reviews: readonly AccountReview[];
}

/** The list of bank transactions, one of which can be open. */
export function LineList(props: LineListProps) {
  const { review, read, isReady } = props;
  if (read.error !== undefined) return <ErrorState message={read.error} onRetry={read.retry} />;
  if (!isReady) {
    return (
      <p className="rv-wait ek-muted" role="status">
        Loading...
      </p>
    );
  }
  if (review.lines.length === 0) return <NoLines {...props} />;
  return (
    <>
      <div className="rv-columns" aria-hidden="true">
        <span>Bank Description</span>
        <span>Amount</span>
        <span>In Your Books</span>
      </div>
      <ol className="rv-list" aria-label="Bank transactions">
        {review.lines.map((line) => (
          <OneLine key={line.id} line={line} {...props} />
        ))}
        {read.more !== undefined && (
          <li className="rv-more">
            <Button variant="default" onClick={read.more}>
              Show more
            </Button>
            <span className="ek-muted ek-small">{`${read.lines.length} of ${counted(read.total, LINES)}`}</span>
          </li>
        )}
      </ol>
    </>
  );
}

const LINES = { one: 'line', many: 'lines' };

const WHY_NOT = 'To pay this invoice or bill, you need permission to manage billing or expenses';

type OneLineProps = LineListProps & { line: BankLine };

function OneLine(props: OneLineProps) {
  const { line, review, names, rights, accept } = props;
  const note = review.noteOf(line.id);
  const isOpen = review.open?.id === line.id;
  const picked = review.pickOf(line);
  const isOff = picked !== undefined && !rights.mayDo(line, picked);
  // After the action, the next bank transaction moves under the pointer.
  const onClick = singly(() => {
    if (isTaken(note)) review.seen(line.id);
    else if (line.state === 'review') accept(line);
    else review.undo(line);
  });
  return (
    <LineRow
      {...{ line, names, note, isOpen, picked }}
      isTyping={isOpen && review.way !== undefined && !isTaken(note)}
      act={rights.acts ? { onClick, isOff, why: isOff ? WHY_NOT : undefined } : undefined}
      onOpen={() => review.setOpen(isOpen ? undefined : line.id)}
    >
      {isOpen && <Beneath {...props} />}
    </LineRow>
  );
}

/**
 * The content below the open bank transaction: the bank's text, and either the suggested matches or the input fields.
 * On a phone, it also includes the actions.
 */
function Beneath({ line, review, names, banks, rights, keys }: OneLineProps) {
  const narrow = useNarrow();
  const bank = banks.value?.find(({ bankingAccountID }) => bankingAccountID === line.bankAccountId);
  return (
    <>
      <BankWords line={line} />
      <OpenLine
        {...{ review, line, names, banks }}
        glAccountId={bank?.glAccountID ?? 0}
        mayAct={rights.acts}
        mayPay={rights.mayPay(line.amount)}
      />
      {narrow && <PhoneActs {...keys} line={line} />}
    </>
  );
}

/** The empty state: no results, nothing imported yet, or everything reviewed. */
function NoLines({ read, place, onImport, reviews, names, rights }: LineListProps) {
  const isAny = Object.values(read.parts).some(({ count }) => count > 0);
  const action = onImport && <Button onClick={onImport}>Import Statement</Button>;
  if (place.q.trim() !== '') {
    return <EmptyState title="No bank transactions found" hint="You can search by description, date, or amount." />;
  }
  if (place.part !== 'review') {
    return (
      <EmptyState
        title={`No ${PART_LABELS[place.part].toLowerCase()} bank transactions`}
        hint="Bank transactions appear here after you review them."
      />
    );
  }
  if (isAny) return <Reviewed place={place} reviews={reviews} names={names} action={action} mayAct={rights.acts} />;
  return (
    <EmptyState
      title="No bank transactions"
      hint="Download a statement from your bank’s website in OFX or CSV format, and then import it here."
      action={action}
    />
  );
}

interface ReviewedProps extends Pick<LineListProps, 'place' | 'reviews' | 'names'> {
  action: ReactNode;
  mayAct: boolean;
}

/**
 * Shown after the last bank transaction: suggests reconciling the account if it has a bank balance, or going to the
 * next account.
 */
function Reviewed({ place, reviews, names, action, mayAct }: ReviewedProps) {
  const reconcile = useOpenRecord('reconcile', { hasNew: false });
  const only = reviews.length === 1 ? reviews[0] : undefined;
  const account = reviews.find(({ bankAccountId }) => bankAccountId === place.bankAccountId) ?? only;
  const next = reviews.find(({ reviewCount }) => reviewCount > 0);
  const bank = account?.bankBalance ?? null;
  const difference = account === undefined || bank === null ? undefined : cents(bank - account.booksBalance);
  const words =
    bank === null || difference === undefined
      ? undefined
      : difference === 0
        ? `Reconcile: Both Show ${formatAmount(bank)}`
        : `Reconcile: Difference ${formatAmount(difference)}`;
  return (
    <EmptyState
      title="All bank transactions have been reviewed"
      icon={<IconCheck {...ICON} />}
      hint={
        words === undefined || account === undefined ? (
          'Import the next statement from your bank.'
        ) : (
          <Balances account={account} isLevel={difference === 0} />
        )
      }
      action={
        <>
          {next !== undefined && (
            <Button variant="default" onClick={() => place.choose(next.bankAccountId)}>
              {`Next: ${names.bank(next.bankAccountId)}, ${next.reviewCount.toLocaleString('en-US')} to Review`}
            </Button>
          )}
          {words !== undefined && account !== undefined && mayAct && (
            <Button
              variant={difference === 0 ? 'filled' : 'default'}
              onClick={() => reconcile.open(account.bankAccountId)}
            >
              {words}
            </Button>
          )}
          {words === undefined && action}
        </>
      }
    />
  );
}

/** The account's balances at the bank and in the books, with a balance indicator between them if they are equal. */
function Balances({ account, isLevel }: { account: AccountReview; isLevel: boolean }) {
  return (
    <span className="rv-level" data-level={isLevel ? '' : undefined}>
      <span>
        <span className="ek-muted ek-small">Bank</span>
        <Amount value={account.bankBalance} />
      </span>
      {isLevel ? <IconEqual {...ICON} aria-hidden /> : <IconEqualNot {...ICON} aria-hidden />}
      <span>
        <span className="ek-muted ek-small">Books</span>
        <Amount value={account.booksBalance} />
      </span>
    </span>
  );
}
