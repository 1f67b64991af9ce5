import type {
  AgingCard,
  Cards,
  CashPositions,
  CurrentRatio,
  ExpenseBreakdown,
  ProfitMargin,
  ReturnOnAssets,
  RevenueVsExpense,
} from '@evenkeel/contract/dashboard';
import { type CardKey, chartLabel, GOOD_PERCENT, type Judgement, judgePercent, judgeRatio } from '@evenkeel/core/cards';
import { type Cents, formatAmount, formatUsd, sum } from '@evenkeel/core/money';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../session.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { Status } from '../ui/show/Status.tsx';
import { PartsBar, Track } from './charts.tsx';
import { RevenueBody } from './RevenueBody.tsx';
import { ToReport } from './ToReport.tsx';
import { LOOKS, percentText, ratioText, shareText } from './words.ts';

/** What a card may ask of its frame. */
export interface CardActions {
  choosePlType: (plType: number) => void;
}

/** What stands in each card, once its figures are there. */
export const BODIES: Readonly<Record<CardKey, (cards: Cards, actions: CardActions) => ReactNode>> = {
  incomingMoney: ({ incomingMoney: card }) =>
    card && (
      <AgingBody card={card} report="customerAging" words={['Customer Aging Report', 'Nobody owes you anything']} />
    ),
  outgoingMoney: ({ outgoingMoney: card }) =>
    card && <AgingBody card={card} report="unpaidBills" words={['Unpaid Bills', 'You owe nothing on bills']} />,
  revenue: ({ revenue: card }) => card && <RevenueBody card={card} />,
  cashPositions: ({ cashPositions: card }) => card && <CashBody card={card} />,
  expenseBreakdown: ({ expenseBreakdown: card }) => card && <ExpenseBody card={card} />,
  revenueVsExpense: ({ revenueVsExpense: card }) => card && <RevenueExpenseBody card={card} />,
  profitMargin: ({ profitMargin: card }, { choosePlType }) =>
    card && <MarginBody card={card} onPlType={choosePlType} />,
  currentRatio: ({ currentRatio: card }) => card && <RatioBody card={card} />,
  returnOnAssets: ({ returnOnAssets: card }) => card && <ReturnBody card={card} />,
};

interface AgingBodyProps {
  card: AgingCard;
  report: 'customerAging' | 'unpaidBills';
  /** The report's name, and what is said when nothing is open. */
  words: readonly [string, string];
}

function AgingBody({ card, report, words: [name, nothing] }: AgingBodyProps) {
  const { averageDaysOutstanding: days, totalAmount } = card;
  const buckets = [
    { tone: 'a0', label: 'Current', more: 'not due yet', amount: card.currentAmount },
    { tone: 'a1', label: '30', more: '1 to 30 days past due', amount: card.thirtyAmount },
    { tone: 'a2', label: '60', more: '31 to 60 days past due', amount: card.sixtyAmount },
    { tone: 'a3', label: '90+', more: '61 and more days past due', amount: card.ninetyAmount },
  ];
  const overdue = sum([card.thirtyAmount, card.sixtyAmount, card.ninetyAmount]);
  const isEmpty = buckets.every(({ amount }) => amount === 0);
  return (
    <>
      <Figure note={isEmpty ? nothing : `${days} ${days === 1 ? 'day' : 'days'} outstanding`}>
        <ToReport report={report} of={card} isFigure>
          <Amount value={totalAmount} sign />
        </ToReport>
      </Figure>
      <PartsBar parts={buckets} />
      <dl className="db-ages">
        {buckets.map(({ tone, label, more, amount }) => (
          <div key={tone} title={more}>
            <dt>
              <i className={`db-key db-${tone}`} />
              {label}
              <span className="ek-vh">, {more}</span>
            </dt>
            <dd>
              <Amount value={amount} zero="dash" />
            </dd>
          </div>
        ))}
      </dl>
      <div className="db-foot">
        <span className="ek-second ek-num">
          {overdue === 0 ? 'Nothing overdue' : `${formatAmount(overdue)} overdue`}
        </span>
        <ToReport report={report} of={card}>
          {name}
        </ToReport>
      </div>
    </>
  );
}

function CashBody({ card }: { card: CashPositions }) {
  const seesAccounts = useMay()('View Accounting');
  const { items, total, cardsOwed } = card;
  return (
    <>
      <ul className="db-lines" data-dense={items.length > 4 ? '' : undefined}>
        {items.map(({ accountId, label, amount }) => (
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
            <Amount value={amount} />
          </li>
        ))}
        <li className="db-sum">
          <span>Total</span>
          <ToReport report="balanceSheet" of={card} isFigure>
            <Amount value={total} sign />
          </ToReport>
        </li>
      </ul>
      {cardsOwed.total !== 0 && (
        <div className="db-foot">
          <span className="ek-second">Owed on cards</span>
          <span className="ek-second">
            <Amount value={cardsOwed.total} />
          </span>
        </div>
      )}
    </>
  );
}

/** How many categories have room. */
const MOST = 6;

function ExpenseBody({ card }: { card: ExpenseBreakdown }) {
  const { categories, total } = card;
  const rest = categories.slice(MOST - 1).map((one) => one.total);
  const shown =
    categories.length <= MOST
      ? categories
      : [...categories.slice(0, MOST - 1), { categoryName: 'All other', total: sum(rest) }];
  const most = Math.max(...shown.map((one) => one.total), 1);
  if (shown.length === 0) return <Nothing words="No expenses in this period" />;
  return (
    <>
      <ul className="db-categories">
        {shown.map(({ categoryName, total: amount }) => (
          <li key={categoryName}>
            <span title={categoryName}>
              <span aria-hidden="true">{chartLabel(categoryName)}</span>
              <span className="ek-vh">{categoryName}</span>
            </span>
            <Track share={amount / most} />
            <Amount value={amount} />
            <span className="ek-muted ek-num">{shareText(amount, total)}</span>
          </li>
        ))}
      </ul>
      <div className="db-foot">
        <span className="ek-second">Total</span>
        <ToReport report="profitAndLoss" of={card} isFigure>
          <Amount value={total} sign />
        </ToReport>
      </div>
    </>
  );
}

function RevenueExpenseBody({ card }: { card: RevenueVsExpense }) {
  const { revenue, totalExpense, otherIncome, netProfitLoss } = card;
  const most = Math.max(revenue, totalExpense, 1);
  const bars = [
    { name: 'Revenue', amount: revenue, tone: 'c1' },
    { name: 'Expense', amount: totalExpense, tone: 'c3' },
  ];
  return (
    <>
      <ul className="db-pair">
        {bars.map(({ name, amount, tone }) => (
          <li key={name}>
            <span className="ek-second">{name}</span>
            <Amount value={amount} />
            <Track share={amount / most} tone={tone} height={12} />
          </li>
        ))}
      </ul>
      <ul className="db-lines db-end">
        {otherIncome !== 0 && (
          <li>
            <span className="ek-second">Other income in revenue</span>
            <Amount value={otherIncome} />
          </li>
        )}
        <li className="db-sum">
          <span>{netProfitLoss < 0 ? 'Net loss' : 'Net profit'}</span>
          <ToReport report="profitAndLoss" of={card} isFigure>
            <Amount value={netProfitLoss} sign />
          </ToReport>
        </li>
      </ul>
    </>
  );
}

const PERCENT_WORDS: Readonly<Record<Judgement, string>> = {
  extreme: 'Loss, below 0%',
  bad: `Low, below ${GOOD_PERCENT}%`,
  good: `Good, ${GOOD_PERCENT}% or more`,
};
const METER_END = 50;

/** A percentage, its word, and where it stands between 0, good, and much. */
function Percent({ percent, of, none }: { percent: number | null; of: ProfitMargin | ReturnOnAssets; none: string }) {
  const judgement = percent === null ? undefined : judgePercent(percent);
  return (
    <>
      <div className="ek-figure">
        <span className="ek-figure-value">
          <ToReport report="profitAndLoss" of={of} isFigure>
            {percent === null ? '–' : percentText(percent)}
          </ToReport>
        </span>
        {judgement === undefined ? (
          <span className="ek-muted ek-small">{none}</span>
        ) : (
          <Status look={LOOKS[judgement]}>{PERCENT_WORDS[judgement]}</Status>
        )}
      </div>
      <div className="db-meter" aria-hidden="true">
        <Track share={(percent ?? 0) / METER_END} tone={judgement ?? 'c1'} />
        <span>0%</span>
        <span>{GOOD_PERCENT}%</span>
        <span>{METER_END}%</span>
      </div>
    </>
  );
}

const PL_TYPES = ['Gross', 'Net'];

function MarginBody({ card, onPlType }: { card: ProfitMargin; onPlType: (plType: number) => void }) {
  const { profitMarginPercent, netProfitLoss, pltype } = card;
  const kind = PL_TYPES[pltype] ?? '';
  return (
    <>
      <Percent percent={profitMarginPercent} of={card} none="No income in this period" />
      <div className="db-foot">
        <span className="db-switch" role="group" aria-label="Profit">
          {PL_TYPES.map((name, value) => (
            <button key={name} type="button" aria-pressed={value === pltype} onClick={() => onPlType(value)}>
              {name}
            </button>
          ))}
        </span>
        <span className="ek-second ek-num">
          {kind} {netProfitLoss < 0 ? 'loss' : 'profit'} {formatUsd(netProfitLoss)}
        </span>
      </div>
    </>
  );
}

function ReturnBody({ card }: { card: ReturnOnAssets }) {
  const { roaPercent, netIncome, averageAssets } = card;
  return (
    <>
      <Percent percent={roaPercent} of={card} none="No assets in this period" />
      <p className="db-foot ek-second ek-num">
        {netIncome < 0 ? `${formatUsd(netIncome)} lost` : `${formatUsd(netIncome)} earned`} on{' '}
        {formatUsd(averageAssets)} of assets
      </p>
    </>
  );
}

const RATIO_WORDS: Readonly<Record<Judgement, string>> = { extreme: 'Overdrawn', bad: 'Low, below 1', good: 'Good' };

function RatioBody({ card }: { card: CurrentRatio }) {
  const { currentRatio, quickRatio, currentAssets, currentLiabilities } = card;
  const judgement = currentRatio === null ? undefined : judgeRatio(currentRatio);
  const ratios = [
    { name: 'Current Ratio', value: currentRatio },
    { name: 'Quick Ratio', value: quickRatio },
  ];
  return (
    <>
      <div className="db-ratios">
        {ratios.map(({ name, value }) => (
          <div key={name}>
            <span className="ek-figure-value">
              <ToReport report="balanceSheet" of={card} isFigure>
                {ratioText(value)}
              </ToReport>
            </span>
            <span className="ek-muted ek-small">{name}</span>
          </div>
        ))}
        {judgement === undefined ? (
          <span className="ek-muted ek-small">Nothing due soon</span>
        ) : (
          <Status look={LOOKS[judgement]}>{RATIO_WORDS[judgement]}</Status>
        )}
      </div>
      <ul className="db-lines db-end">
        {lineOf('Current assets', currentAssets)}
        {lineOf('Current liabilities', currentLiabilities)}
      </ul>
    </>
  );
}

function lineOf(name: string, amount: Cents) {
  return (
    <li>
      <span className="ek-second">{name}</span>
      <Amount value={amount} zero="dash" />
    </li>
  );
}

/** A card of a period in which there was nothing. */
export function Nothing({ words }: { words: string }) {
  return <p className="db-none ek-muted">{words}</p>;
}
