import type { BankingAccount } from '@evenkeel/contract/banking';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import type { statementCalls as calls } from '@evenkeel/contract/statements';
import { NOTHING } from '@evenkeel/core/nothing';
import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { useRef } from 'react';
import { useHidden } from '../../../ui/hooks/hidden.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ICON, ICON_SMALL } from '../../../ui/show/icons.ts';
import { endingOf } from '../banking.ts';

export type AccountReview = ReplyOf<typeof calls.reviewAccounts>[number];

export interface AccountCardsProps {
  /** The accounts. While they load, the value is undefined, and only the space for the cards is reserved. */
  reviews: readonly AccountReview[] | undefined;
  banks: readonly BankingAccount[];
  /** The account whose bank transactions are shown, or undefined for all accounts. */
  chosen: number | undefined;
  onChoose: (bankAccountId: number | undefined) => void;
}

/** The width in px of a card, including the gap after it. */
const CARD = 260;

/**
 * One card for each account, with the bank balance, the book balance, and the number of transactions for review. The
 * cards never shrink. If they need more space, they scroll.
 */
export function AccountCards({ reviews, banks, chosen, onChoose }: AccountCardsProps) {
  const place = useRef<HTMLDivElement>(null);
  const { hasMore, onScroll } = useHidden(place, reviews?.length);
  const next = () => {
    const { current } = place;
    current?.scrollBy({ left: Math.max(1, Math.floor(current.clientWidth / CARD) - 1) * CARD, behavior: 'smooth' });
  };
  return (
    <div className="rv-accounts" data-more={hasMore ? '' : undefined}>
      <div ref={place} className="rv-cards" role="group" aria-label="Bank accounts" onScroll={onScroll}>
        {reviews?.map((review) => {
          const bank = banks.find(({ bankingAccountID }) => bankingAccountID === review.bankAccountId);
          const isChosen = chosen === review.bankAccountId;
          const name = bank?.name ?? 'Bank account';
          return (
            <button
              key={review.bankAccountId}
              type="button"
              className="rv-card"
              aria-pressed={isChosen}
              onClick={() => onChoose(isChosen ? undefined : review.bankAccountId)}
            >
              <span className="rv-card-head">
                <span className="ek-ellipsis" title={name}>
                  <span className="ek-semi">{name}</span> <Ending bank={bank} />
                </span>
                <Left count={review.reviewCount} />
              </span>
              <span className="rv-figures">
                <Figure label="Bank">
                  {review.bankBalance === null ? NOTHING : <Amount value={review.bankBalance} />}
                </Figure>
                <Figure label="Books">
                  <Amount value={review.booksBalance} />
                </Figure>
              </span>
            </button>
          );
        })}
      </div>
      {hasMore && (
        // The cards can be reached with Tab, so the button is only for the mouse.
        <button type="button" className="rv-next" aria-hidden="true" tabIndex={-1} onClick={next}>
          <IconChevronRight {...ICON} />
        </button>
      )}
    </div>
  );
}

/** The number of transactions for review, or Done. */
function Left({ count }: { count: number }) {
  if (count === 0) {
    return (
      <span className="rv-left" data-done="">
        <IconCheck {...ICON_SMALL} />
        Done
      </span>
    );
  }
  return (
    <span className="rv-left">
      {count.toLocaleString('en-US')}
      <span className="ek-vh"> for review</span>
    </span>
  );
}

/** The last four digits of the account number. */
function Ending({ bank }: { bank: BankingAccount | undefined }) {
  const digits = bank && endingOf(bank);
  return digits === undefined ? null : <span className="rv-ending ek-muted ek-small ek-num">{digits}</span>;
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <span className="rv-figure">
      <span className="ek-muted ek-small">{label}</span>
      <span className="rv-amount ek-num">{children}</span>
    </span>
  );
}
