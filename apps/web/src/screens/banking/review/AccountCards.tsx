import type { BankingAccount } from '@evenkeel/contract/banking';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import type { statementCalls as calls } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { NOTHING } from '@evenkeel/core/nothing';
import { Amount } from '../../../ui/show/Amount.tsx';

export type AccountReview = ReplyOf<typeof calls.reviewAccounts>[number];

export interface AccountCardsProps {
  /** Undefined while loading. The cards' space is then reserved. */
  reviews: readonly AccountReview[] | undefined;
  banks: readonly BankingAccount[];
  /** The account whose bank transactions are shown, or undefined for all accounts. */
  chosen: number | undefined;
  onChoose: (bankAccountId: number | undefined) => void;
}

/** One card for each account: the book and bank balances, the number for review, and the last reconciliation. */
export function AccountCards({ reviews, banks, chosen, onChoose }: AccountCardsProps) {
  return (
    <div className="rv-cards" role="group" aria-label="Bank accounts">
      {reviews?.map((review) => {
        const bank = banks.find(({ bankingAccountID }) => bankingAccountID === review.bankAccountId);
        const isChosen = chosen === review.bankAccountId;
        return (
          <button
            key={review.bankAccountId}
            type="button"
            className="rv-card"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? undefined : review.bankAccountId)}
          >
            <span className="rv-card-head">
              <span className="ek-ellipsis">
                <span className="ek-semi">{bank?.name ?? 'Bank account'}</span> <Ending bank={bank} />
              </span>
              <span className="rv-left">{`${review.reviewCount.toLocaleString('en-US')} for review`}</span>
            </span>
            <span className="rv-figures">
              <Figure label="Books">
                <Amount value={review.booksBalance} />
              </Figure>
              <Figure label="Bank">
                {review.bankBalance === null ? NOTHING : <Amount value={review.bankBalance} />}
              </Figure>
              <span className="rv-figure rv-last">
                <span className="ek-muted ek-small">Last reconciled</span>
                <span className="ek-second ek-num">
                  {bank === undefined || bank.lastReconciledDate === null
                    ? 'Never'
                    : formatDate(bank.lastReconciledDate)}
                </span>
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The last four digits of the account number. */
function Ending({ bank }: { bank: BankingAccount | undefined }) {
  const digits = /\d{4}$/.exec(bank?.accountNumber ?? '')?.[0];
  return digits === undefined ? null : <span className="rv-ending ek-muted ek-small ek-num">{`ending ${digits}`}</span>;
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <span className="rv-figure">
      <span className="ek-muted ek-small">{label}</span>
      <span className="rv-amount ek-num">{children}</span>
    </span>
  );
}
