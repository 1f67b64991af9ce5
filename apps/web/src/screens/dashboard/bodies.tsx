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
import {
  type CardKey,
  chartLabel,
  GOOD_PERCENT,
  type Judgement,
  judgePercent,
  judgeRatio,
  percentByYear,
} from '@evenkeel/core/cards';
import { type Cents, formatAmount, formatUsd, negate, sum } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSeesLedger } from '../../parts/ledger/seesLedger.ts';
import { ExplainButton, type ExplainButtonProps } from '../../parts/ledger/ExplainButton.tsx';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { PartsBar, Track } from './charts.tsx';
import { categoriesShown, categoryFigure } from './categories.ts';
import { RevenueBody } from './RevenueBody.tsx';
import { reportOf } from './reports.ts';
import { LOOKS, percentText, ratioText, shareText } from './words.ts';

/** Actions that a card may ask of its frame. */
export interface CardActions {
  choosePlType: (plType: number) => void;
}

/** The body of each card, once its figures are there. */
export const BODIES: Readonly<Record<CardKey, (cards: Cards, actions: CardActions) => ReactNode>> = {
  incomingMoney: ({ incomingMoney: card }) =>
    card && <AgingBody card={card} name="incomingMoney" nothing="Nobody owes you anything" />,
  outgoingMoney: ({ outgoingMoney: card }) =>
    card && <AgingBody card={card} name="outgoingMoney" nothing="You owe nothing on bills" />,
  revenue: ({ revenue: card }) => card && <RevenueBody card={card} />,
  cashPositions: ({ cashPositions: card }) => card && <CashBody card={card} />,
  expenseBreakdown: ({ expenseBreakdown: card }) => card && <ExpenseBody card={card} />,
  revenueVsExpense: ({ revenueVsExpense: card }) => card && <RevenueExpenseBody card={card} />,
  profitMargin: ({ profitMargin: card }, { choosePlType }) =>
    card && <MarginBody card={card} onPlType={choosePlType} />,
  currentRatio: ({ currentRatio: card }) => card && <RatioBody card={card} />,
  returnOnAssets: ({ returnOnAssets: card }) => card && <ReturnBody card={card} />,
};

/** A figure of a card that opens its entries, for who may see entries. */
function Explain({ name, children }: Pick<ExplainButtonProps, 'name' | 'children'>) {
  return (
    <ExplainButton name={name} isAllowed={useSeesLedger()}>
      {children}
    </ExplainButton>
  );
}

interface AgingBodyProps {
  card: AgingCard;
  name: 'incomingMoney' | 'outgoingMoney';
  /** The words for nothing open. */
  nothing: string;
}

function AgingBody({ card, name, nothing }: AgingBodyProps) {
  const { averageDaysOutstanding: days, totalAmount } = card;
  const buckets = [
    { tone: 'a0', key: 'current', label: 'Current', more: 'not due yet', amount: card.currentAmount },
    { tone: 'a1', key: 'thirty', label: '30', more: '1 to 30 days past due', amount: card.thirtyAmount },
    { tone: 'a2', key: 'sixty', label: '60', more: '31 to 60 days past due', amount: card.sixtyAmount },
    { tone: 'a3', key: 'ninety', label: '90+', more: '61 and more days past due', amount: card.ninetyAmount },
  ];
  const overdue = sum([card.thirtyAmount, card.sixtyAmount, card.ninetyAmount]);
  const isEmpty = buckets.every(({ amount }) => amount === 0);
  return (
    <>
      <Figure
        note={
          isEmpty ? (
            nothing
          ) : (
            <ExplainButton name={`${name}.days`}>{`${days} ${days === 1 ? 'day' : 'days'} outstanding`}</ExplainButton>
          )
        }
      >
        <ExplainButton name={`${name}.total`}>
          <Amount value={totalAmount} sign />
        </ExplainButton>
      </Figure>
      <PartsBar parts={buckets} />
      <dl className="db-ages" data-wide={isWide(buckets.map(({ amount }) => amount)) ? '' : undefined}>
        {buckets.map(({ tone, key, label, more, amount }) => (
          <div key={tone} title={more}>
            <dt>
              <i className={`db-key db-${tone}`} />
              {label}
              <span className="ek-vh">, {more}</span>
            </dt>
            <dd>
              <ExplainButton name={`${name}.${key}`}>
                <Amount value={amount} zero="dash" />
              </ExplainButton>
            </dd>
          </div>
        ))}
      </dl>
      <div className="db-foot">
        <span className="ek-second ek-num">
          {overdue === 0 ? (
            'Nothing overdue'
          ) : (
            <ExplainButton name={`${name}.overdue`}>{formatAmount(overdue)} overdue</ExplainButton>
          )}
        </span>
        <ReportLink card={name} of={card} />
      </div>
    </>
  );
}

/** Most characters of four amounts in a row, each at least as wide as its heading. */
const ROOM = 36;
const WIDEST_LABEL = 7;

const isWide = (amounts: readonly Cents[]): boolean =>
  amounts.reduce((all, amount) => all + Math.max(WIDEST_LABEL, formatAmount(amount).length), 0) > ROOM;

/** The report that has the card's figures, by its name. */
function ReportLink({ card, of }: { card: CardKey; of: AgingCard }) {
  const report = reportOf(card, of);
  if (!useMay()('View Reports') || report === undefined) return null;
  return (
    <Link to={report.to} className="db-to">
      {report.title}
    </Link>
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
            <Explain name={`cashPositions.item-${accountId}`}>
              <Amount value={amount} />
            </Explain>
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
          <span className="ek-second">Owed on cards</span>
          <span className="ek-second">
            <Explain name="cashPositions.owed">
              <Amount value={cardsOwed.total} />
            </Explain>
          </span>
        </div>
      )}
    </>
  );
}

function ExpenseBody({ card }: { card: ExpenseBreakdown }) {
  const { categories, total } = card;
  const { shown } = categoriesShown(categories);
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
            <Explain name={`expenseBreakdown.${categoryFigure(categoryName)}`}>
              <Amount value={amount} />
            </Explain>
            <span className="ek-muted ek-num">
              <Explain name={`expenseBreakdown.share-${categoryFigure(categoryName)}`}>
                {shareText(amount, total)}
              </Explain>
            </span>
          </li>
        ))}
      </ul>
      <div className="db-foot">
        <span className="ek-second">Total</span>
        <Explain name="expenseBreakdown.total">
          <Amount value={total} sign />
        </Explain>
      </div>
    </>
  );
}

function RevenueExpenseBody({ card }: { card: RevenueVsExpense }) {
  const { revenue, totalExpense, otherIncome, netProfitLoss } = card;
  const most = Math.max(revenue, totalExpense, 1);
  const bars = [
    { key: 'revenue', name: 'Revenue', amount: revenue, tone: 'c1' },
    { key: 'expense', name: 'Expense', amount: totalExpense, tone: 'c3' },
  ];
  return (
    <>
      <ul className="db-pair">
        {bars.map(({ key, name, amount, tone }) => (
          <li key={key}>
            <span className="ek-second">{name}</span>
            <Explain name={`revenueVsExpense.${key}`}>
              <Amount value={amount} />
            </Explain>
            <Track share={amount / most} tone={tone} height={12} />
          </li>
        ))}
      </ul>
      <ul className="db-lines db-end">
        {otherIncome !== 0 && (
          <li>
            <span className="ek-second">Other income in revenue</span>
            <Explain name="revenueVsExpense.otherIncome">
              <Amount value={otherIncome} />
            </Explain>
          </li>
        )}
        <li className="db-sum">
          <span>{netProfitLoss < 0 ? 'Net loss' : 'Net profit'}</span>
          <Explain name="revenueVsExpense.net">
            <Amount value={netProfitLoss} sign />
          </Explain>
        </li>
      </ul>
    </>
  );
}

const METER_END = 50;

interface PercentProps {
  percent: number | null;
  name: CardKey;
  /** Instead of a word where there is no percentage. */
  none: string;
  /** The percentage in a year, if the figure is judged by that and not by itself. */
  yearly?: number | undefined;
}

/** A percentage, its word, and where it stands between 0, good, and much. */
function Percent({ percent, name, none, yearly }: PercentProps) {
  const judged = yearly ?? percent ?? 0;
  const judgement = percent === null ? undefined : judgePercent(judged);
  const mark = `${GOOD_PERCENT}%${yearly === undefined ? '' : ' a year'}`;
  const words: Readonly<Record<Judgement, string>> = {
    extreme: 'Loss, below 0%',
    bad: `Low, below ${mark}`,
    good: `Good, ${mark} or more`,
  };
  return (
    <>
      <div className="ek-figure">
        <span className="ek-figure-value">
          <Explain name={`${name}.percent`}>{percent === null ? NOTHING : percentText(percent)}</Explain>
        </span>
        {judgement === undefined ? (
          <span className="ek-muted ek-small">{none}</span>
        ) : (
          <Status look={LOOKS[judgement]}>{words[judgement]}</Status>
        )}
      </div>
      <div className="db-meter" aria-hidden="true">
        <Track share={judged / METER_END} tone={judgement ?? 'c1'} />
        <span>0%</span>
        <span>{mark}</span>
        <span>{METER_END}%</span>
      </div>
    </>
  );
}

const PL_TYPES = ['Gross', 'Net'];

function MarginBody({ card, onPlType }: { card: ProfitMargin; onPlType: (plType: number) => void }) {
  const { profitMarginPercent, netProfitLoss, pltype, income } = card;
  const kind = PL_TYPES[pltype] ?? '';
  const none = income < 0 ? 'Income is below zero' : 'No income in this period';
  return (
    <>
      <Percent percent={profitMarginPercent} name="profitMargin" none={none} />
      <div className="db-foot">
        <span className="db-switch" role="group" aria-label="Profit">
          {PL_TYPES.map((name, value) => (
            <button key={name} type="button" aria-pressed={value === pltype} onClick={() => onPlType(value)}>
              {name}
            </button>
          ))}
        </span>
        <span className="ek-second ek-num">
          {kind} {netProfitLoss < 0 ? 'loss' : 'profit'}{' '}
          <Explain name="profitMargin.profit">{formatUsd(netProfitLoss)}</Explain>
        </span>
      </div>
    </>
  );
}

function ReturnBody({ card }: { card: ReturnOnAssets }) {
  const { roaPercent, netIncome, averageAssets, from, to } = card;
  const yearly = roaPercent === null || from === null ? undefined : percentByYear(roaPercent, { from, to });
  const isLoss = netIncome < 0;
  const none = averageAssets < 0 ? 'Assets are below zero' : 'No assets in this period';
  return (
    <>
      <Percent percent={roaPercent} name="returnOnAssets" none={none} yearly={yearly} />
      <div className="db-foot ek-second ek-num">
        <span>
          <Explain name="returnOnAssets.net">{formatUsd(isLoss ? negate(netIncome) : netIncome)}</Explain>{' '}
          {isLoss ? 'lost' : 'earned'} on <Explain name="returnOnAssets.average">{formatUsd(averageAssets)}</Explain> of
          assets
        </span>
      </div>
    </>
  );
}

function RatioBody({ card }: { card: CurrentRatio }) {
  const { currentRatio, quickRatio, currentAssets, currentLiabilities } = card;
  const judgement = currentRatio === null ? undefined : judgeRatio(currentRatio);
  const extreme = currentLiabilities < 0 ? 'Liabilities below 0' : 'Overdrawn';
  const words: Readonly<Record<Judgement, string>> = { extreme, bad: 'Low, below 1', good: 'Good' };
  const ratios = [
    { key: 'current', name: 'Current Ratio', value: currentRatio },
    { key: 'quickRatio', name: 'Quick Ratio', value: quickRatio },
  ];
  return (
    <>
      <div className="db-ratios">
        {ratios.map(({ key, name, value }) => (
          <div key={key}>
            <span className="ek-figure-value">
              <Explain name={`currentRatio.${key}`}>{ratioText(value)}</Explain>
            </span>
            <span className="ek-muted ek-small">{name}</span>
          </div>
        ))}
        {judgement === undefined ? (
          <span className="ek-muted ek-small">Nothing due soon</span>
        ) : (
          <Status look={LOOKS[judgement]}>{words[judgement]}</Status>
        )}
      </div>
      <ul className="db-lines db-end">
        <Line name="assets" label="Current assets" amount={currentAssets} />
        <Line name="liabilities" label="Current liabilities" amount={currentLiabilities} />
      </ul>
    </>
  );
}

function Line({ name, label, amount }: { name: string; label: string; amount: Cents }) {
  return (
    <li>
      <span className="ek-second">{label}</span>
      <Explain name={`currentRatio.${name}`}>
        <Amount value={amount} zero="dash" />
      </Explain>
    </li>
  );
}

/** A card of a period in which there was nothing. */
export function Nothing({ words }: { words: string }) {
  return <p className="db-none ek-muted">{words}</p>;
}
