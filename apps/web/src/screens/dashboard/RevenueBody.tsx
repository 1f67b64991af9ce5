import type { RevenueCard } from '@evenkeel/contract/dashboard';
import { CUSTOM_PERIOD } from '@evenkeel/core/cards';
import { cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import { ExplainButton } from '../../parts/ledger/ExplainButton.tsx';
import { useSeesLedger } from '../../parts/ledger/seesLedger.ts';
import { useMay } from '../../client/session.ts';
import { Opener } from '../../ui/lazy/Opener.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { Columns } from './charts.tsx';
import { compact, monthText, shareText } from './words.ts';

const load = async () => (await import('./TargetBox.tsx')).TargetBox;

/** Revenue against its target, by month; the target is edited here. */
export function RevenueBody({ card }: { card: RevenueCard }) {
  const { revenueAmount, target, months, periodType } = card;
  const may = useMay();
  const seesLedger = useSeesLedger();
  const mayEdit =
    (may('Manage Dashboard') || may('Manage Accounting')) && periodType !== null && periodType !== CUSTOM_PERIOD;
  const isMany = months.length > 7;
  const columns = months.map(({ month, amount }, index) => ({
    key: month,
    name: `revenue.month-${month}`,
    title: `${monthText(month, false)} ${month.slice(0, 4)}: ${formatAmount(amount)}`,
    label: monthText(month, isMany),
    text: isMany || amount === 0 ? '' : compact(amount),
    amount,
    isLast: index === months.length - 1,
  }));
  return (
    <>
      <Figure
        note={
          target === null ? undefined : (
            <ExplainButton name="revenue.target" isAllowed={seesLedger}>
              {noteOf(target)}
            </ExplainButton>
          )
        }
      >
        <ExplainButton name="revenue.revenue" isAllowed={seesLedger}>
          <Amount value={revenueAmount} sign />
        </ExplainButton>
      </Figure>
      <Columns columns={columns} label="Revenue by month" isExplained={seesLedger} />
      <div className="db-foot">
        <span className="ek-second ek-num">
          <ExplainButton name="revenue.progress" isAllowed={seesLedger && target !== null}>
            {progress(card)}
          </ExplainButton>
        </span>
        {mayEdit && (
          <Opener
            popup="dialog"
            load={load}
            box={{ card, period: periodType }}
            button={
              <button type="button" className="ek-link db-to">
                {target === null || target.computed ? 'Set target' : 'Edit target'}
              </button>
            }
          />
        )}
      </div>
    </>
  );
}

function noteOf({ amount, computed }: NonNullable<RevenueCard['target']>): string {
  return `of ${formatUsd(amount)} ${computed ? 'expected' : 'target'}`;
}

/** The progress of revenue: "50.50% of target, $346,610.85 to go". */
function progress({ revenueAmount, target }: RevenueCard): string {
  if (target === null) return 'No target yet';
  const share = shareText(revenueAmount, target.amount, true);
  const rest = cents(target.amount - revenueAmount);
  const words = rest > 0 ? `${formatUsd(rest)} to go` : `${formatUsd(cents(-rest))} above`;
  const of = target.computed ? `${share} reached` : `${share} of target`;
  return rest === 0 ? of : `${of}, ${words}`;
}
