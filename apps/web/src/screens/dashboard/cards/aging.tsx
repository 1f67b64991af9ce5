import type { AgingCard } from '@evenkeel/contract/dashboard';
import type { OpenItemsAsk } from '@evenkeel/contract/explain';
import { CARDS } from '@evenkeel/core/cards';
import { type IsoDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount, sum } from '@evenkeel/core/money';
import { Link } from 'react-router';
import { useMay } from '../../../client/session.ts';
import { ExplainButton } from '../../../parts/ledger/ExplainButton.tsx';
import type { Explained } from '../../../parts/ledger/explained.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Figure } from '../../../ui/show/Figure.tsx';
import { PartsBar } from '../charts.tsx';
import { reportAddress } from '../../../parts/ledger/reportAddress.ts';
import { cardKind, type CardKind, type ExplainedFigure } from './kind.tsx';

interface AgingKind {
  name: 'incomingMoney' | 'outgoingMoney';
  side: 'receivable' | 'payable';
  /** The noun for one customer or vendor. */
  entity: string;
  /** The text shown if nothing is open. */
  nothing: string;
  about: string;
  report: { id: number; title: string };
}

/** Returns the card with the open amounts by age, for customers or vendors. */
export function agingCard(kind: AgingKind): CardKind {
  return cardKind(kind.name, {
    about: kind.about,
    report: kind.report,
    isAsOf: true,
    Body: ({ card }) => <AgingBody {...kind} card={card} />,
    explain: (name, card) => agingFigure(kind, name, card),
  });
}

const BUCKETS = ['current', 'thirty', 'sixty', 'ninety'];
const BUCKET_WORDS = ['current', '1 to 30 days past due', '31 to 60 days past due', 'over 60 days past due'];

/**
 * Returns the source of an amount. The total opens the customers or vendors. An age group or one customer's balance
 * opens the documents.
 */
function agingFigure({ name: key, side, entity }: AgingKind, name: string, card: AgingCard): ExplainedFigure {
  const { title } = CARDS[key];
  const all: OpenItemsAsk & { date: IsoDate } = { side, date: card.to };
  const bucket = BUCKETS.indexOf(name);
  const open = (part: Partial<OpenItemsAsk>): Explained => ({
    kind: 'open',
    ask: { ...all, ...part },
    of: 'openAmount',
  });
  if (bucket !== -1) return { title: `${title}, ${BUCKET_WORDS[bucket] ?? ''}`, what: open({ bucket }) };
  if (name === 'overdue') return { title: `${title}, overdue`, what: open({ overdue: true }) };
  if (name === 'days') return { title: `${title}, days outstanding`, what: { kind: 'open', ask: all, of: 'days' } };
  const entityId = Number(/^of-(\d{1,15})$/.exec(name)?.[1] ?? 0);
  if (entityId > 0) return { title: `${title} for one ${entity}`, what: open({ entityId }) };
  return { title, what: { kind: 'owing', ask: all } };
}

function AgingBody({ card, name, nothing, report }: AgingKind & { card: AgingCard }) {
  const { averageDaysOutstanding: days, totalAmount } = card;
  const buckets = [
    { tone: 'a0', key: 'current', label: 'Current', more: 'not due yet', amount: card.currentAmount },
    { tone: 'a1', key: 'thirty', label: '30', more: '1 to 30 days past due', amount: card.thirtyAmount },
    { tone: 'a2', key: 'sixty', label: '60', more: '31 to 60 days past due', amount: card.sixtyAmount },
    { tone: 'a3', key: 'ninety', label: '90+', more: '61 or more days past due', amount: card.ninetyAmount },
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
        <ReportLink report={report} of={card} />
      </div>
    </>
  );
}

/** The maximum number of characters for four amounts in a row. Each amount is at least as wide as its heading. */
const ROOM = 36;
const WIDEST_LABEL = 7;

const isWide = (amounts: readonly Cents[]): boolean =>
  amounts.reduce((all, amount) => all + Math.max(WIDEST_LABEL, formatAmount(amount).length), 0) > ROOM;

/** A link to the report with the same amounts. */
function ReportLink({ report, of }: { report: AgingKind['report']; of: AgingCard }) {
  if (!useMay()('View Reports')) return null;
  return (
    <Link to={reportAddress(report, of)} className="db-to">
      {report.title}
    </Link>
  );
}
