import type { CashPositions } from '@evenkeel/contract/dashboard';
import { formatDate } from '@evenkeel/core/dates';
import { BALANCE_SHEET } from '@evenkeel/core/reports/names';
import { Link } from 'react-router';
import { useMay } from '../../../client/session.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { counted } from '../../../ui/show/words.ts';
import { ALL_OTHER, type BodyProps, cardKind, Explain, type ExplainedFigure, linesFigure } from './kind.tsx';

export const cashPositions = cardKind('cashPositions', {
  about: 'The balance of your bank and cash accounts today. Credit card balances are not subtracted.',
  report: BALANCE_SHEET,
  isAsOf: true,
  Body: CashBody,
  explain: lineFigure,
});

const BANK_LINES = { one: 'bank transaction', many: 'bank transactions' };

/** The number of banks that have their own line. The other banks share one line. */
const CASH_LINES = 6;

/** Returns the source of one bank's amount, or of the line for all other banks. */
function lineFigure(name: string, { items }: CashPositions): ExplainedFigure | undefined {
  const lines = name === 'item-0' ? items.slice(CASH_LINES) : items.filter((one) => `item-${one.accountId}` === name);
  const [line] = lines;
  return line && linesFigure(lines.length > 1 ? ALL_OTHER : line.label, lines);
}

function CashBody({ card }: Pick<BodyProps<CashPositions>, 'card'>) {
  const seesAccounts = useMay()('View Accounting');
  const { items, total, cardsOwed, reviewCount = 0 } = card;
  return (
    <>
      <ul className="db-lines" data-dense={items.length > 4 ? '' : undefined}>
        {items.map(({ accountId, label, amount, bankBalance, bankDate }) => (
          <li key={accountId}>
            {seesAccounts && accountId > 0 ? (
              <Link className="ek-ellipsis" to={`/accounting?account=${accountId}`} title={label}>
                {label}
              </Link>
            ) : (
              <span className="ek-ellipsis" title={label}>
                {label}
              </span>
            )}
            <span className="db-sides">
              <Explain name={`cashPositions.item-${accountId}`}>
                <Amount value={amount} />
              </Explain>
              {bankBalance !== undefined && bankDate !== undefined && (
                <span className="ek-second ek-small" title={`Bank balance as of ${formatDate(bankDate)}`}>
                  Bank <Amount value={bankBalance} />
                </span>
              )}
            </span>
          </li>
        ))}
        <li className="db-sum">
          <span>Total</span>
          <Explain name="cashPositions.total">
            <Amount value={total} sign />
          </Explain>
        </li>
      </ul>
      {cardsOwed.total !== 0 && (
        <div className="db-foot">
          <span className="ek-second">Credit Card Balances</span>
          <span className="ek-second">
            <Explain name="cashPositions.owed">
              <Amount value={cardsOwed.total} />
            </Explain>
          </span>
        </div>
      )}
      {reviewCount > 0 && (
        <div className="db-foot">
          <Link to="/banking?tab=review" className="db-to">
            {counted(reviewCount, BANK_LINES)} to review
          </Link>
        </div>
      )}
    </>
  );
}
