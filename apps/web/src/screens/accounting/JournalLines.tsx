import { IconX } from '@tabler/icons-react';
import { type Choice, labelOf } from '../../parts/choices/choice.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { Fragment, memo, type Ref, useRef } from 'react';
import { useNarrow } from '../../ui/hooks/media.ts';
import { useStable } from '../../ui/hooks/stable.ts';
import { isTooNarrow } from '../../ui/lines/lineColumns.ts';
import { LineMore } from '../../ui/lines/LineMore.tsx';
import { type LineHead, LinesTable } from '../../ui/lines/LinesTable.tsx';
import { useDrawnLines } from '../../ui/lines/useDrawnLines.ts';
import { useRoom } from '../../ui/table/useRoom.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { type FormLine, totalsOf } from './journalForm.ts';

export interface JournalLinesProps {
  /** Those of which a side is chosen. */
  lines: readonly FormLine[];
  /** Key of the line in the fields. */
  at: number;
  accounts: readonly Choice[];
  dimensions: Dimensions;
  onOpen: (key: number) => void;
  onRemove: (key: number) => void;
}

/** The lines that are entered, with their totals; a row opens its line in the fields again. */
export function JournalLines(props: JournalLinesProps) {
  const narrow = useNarrow();
  if (props.lines.length === 0) {
    return <p className="ac-none ek-muted">No lines yet. Each line debits or credits one account.</p>;
  }
  return narrow ? <Cards {...props} /> : <LineTable {...props} />;
}

/** px of the columns beside the description: number, account, a place, an amount, the button that removes. */
const WIDTHS = { number: 36, account: 220, place: 124, amount: 132, remove: 46 };
const ROW = 42;
const TWO_ROWS = 58;

const AMOUNTS = [WIDTHS.amount, WIDTHS.amount, WIDTHS.remove];

function LineTable(props: JournalLinesProps) {
  const { lines, at, dimensions, onOpen, onRemove } = props;
  const place = useRef<HTMLDivElement>(null);
  const room = useRoom(place);
  const { number, account } = WIDTHS;
  const places = placeColumns(dimensions);
  const isTwo =
    places.length > 0 && isTooNarrow([number, account, ...places.map(() => WIDTHS.place), ...AMOUNTS], room);
  // If two rows leave no room either, the description goes small beneath its account.
  const isTight = isTwo && isTooNarrow([number, account, ...AMOUNTS], room);
  const columns: LineHead[] = [
    { id: 'number', header: '#' },
    { id: 'account', header: 'GL Account', width: account },
    ...(isTwo ? [] : places),
    ...(isTight ? [] : [{ id: 'description', header: 'Description' }]),
    { id: 'debit', header: 'Debit', right: true },
    { id: 'credit', header: 'Credit', right: true },
    { id: 'remove', header: 'Remove', isHeaderHidden: true },
  ];
  const drawn = useDrawnLines(place, {
    count: lines.length,
    height: isTwo ? TWO_ROWS : ROW,
    kept: lines.findIndex((line) => line.key === at),
  });
  const shared = { dimensions, isTwo, isTight, accounts: props.accounts, isCounted: drawn.isPart };
  const open = useStable(onOpen);
  const take = useStable(onRemove);
  const draw = (line: FormLine, index: number) => {
    const about = { line, index, isOpen: at === line.key };
    return <Row {...shared} {...about} onOpen={open} onRemove={take} bodyRef={drawn.measure} />;
  };
  return (
    <LinesTable
      label="Lines"
      className="ek-lines ac-lines"
      {...{ columns, lines, isTwo, drawn, place, draw }}
      keyOf={(line) => line.key}
      foot={<Totals lines={lines} span={columns.length - 4} />}
    />
  );
}

function placeColumns({ profitCenters, locations }: Dimensions): LineHead[] {
  const width = WIDTHS.place;
  return [
    ...(profitCenters === undefined ? [] : [{ id: 'profit center', header: 'Profit Center', width }]),
    ...(locations === undefined ? [] : [{ id: 'location', header: 'Location', width }]),
  ];
}

function Totals({ lines, span }: { lines: readonly FormLine[]; span: number }) {
  const totals = totalsOf(lines);
  return (
    <>
      <td />
      <td colSpan={span}>Total</td>
      <td data-right="">
        <Amount value={totals.debit} />
      </td>
      <td data-right="">
        <Amount value={totals.credit} />
      </td>
      <td />
    </>
  );
}

interface RowProps extends Pick<JournalLinesProps, 'accounts' | 'dimensions' | 'onOpen' | 'onRemove'> {
  line: FormLine;
  index: number;
  isTwo: boolean;
  /** The description has no column. */
  isTight: boolean;
  /** It is in the fields. */
  isOpen: boolean;
  /** Not all rows are in the document: each tells its number. */
  isCounted: boolean;
  bodyRef: Ref<HTMLTableSectionElement> | undefined;
}

function Words({ children, width }: { children: string; width: number }) {
  return (
    <td data-words="" style={{ maxWidth: width }}>
      <div className="ek-ellipsis" title={children}>
        {children}
      </div>
    </td>
  );
}

/** A line; typing in another one does not draw it anew. */
const Row = memo(function Row(props: RowProps) {
  const { line, index, accounts, dimensions, isTwo, isTight, onOpen, onRemove } = props;
  const account = labelOf(accounts, line.accountId);
  const places = [dimensions.profitCenters, dimensions.locations].flatMap((choices, at) =>
    choices === undefined ? [] : [labelOf(choices, at === 0 ? line.profitCenterId : line.locationId)],
  );
  return (
    <tbody ref={props.bodyRef} data-index={index}>
      <tr
        className="ek-line"
        data-line={line.key}
        aria-current={props.isOpen ? 'true' : undefined}
        aria-rowindex={props.isCounted ? index + 2 : undefined}
        onClick={() => onOpen(line.key)}
      >
        <td className="ek-muted ek-num">{index + 1}</td>
        <td data-words="" style={{ maxWidth: WIDTHS.account }}>
          <button type="button" className="ac-line-open ek-ellipsis" title={account} onClick={() => onOpen(line.key)}>
            {account}
          </button>
          {isTwo && <LineMore parts={isTight ? [line.description, ...places] : places} />}
        </td>
        {!isTwo &&
          places.map((place, at) => (
            <Words key={at === 0 ? 'first' : 'second'} width={WIDTHS.place}>
              {place}
            </Words>
          ))}
        {!isTight && <Words width={0}>{line.description}</Words>}
        <td data-right="">{line.debit === true && <Amount value={line.amount} />}</td>
        <td data-right="">{line.debit === false && <Amount value={line.amount} />}</td>
        <td data-right="">
          <button
            type="button"
            className="ek-icon-btn"
            aria-label={`Remove line ${index + 1}`}
            onClick={(event) => {
              event.stopPropagation();
              onRemove(line.key);
            }}
          >
            <IconX {...ICON_SMALL} />
          </button>
        </td>
      </tr>
    </tbody>
  );
});

/** px of a card. */
const CARD = 66;

function Cards({ lines, at, accounts, onOpen, onRemove }: JournalLinesProps) {
  const totals = totalsOf(lines);
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: lines.length, height: CARD });
  const open = useStable(onOpen);
  const take = useStable(onRemove);
  return (
    <div>
      <h3 className="ac-cards-head">Lines</h3>
      <ul className="ek-cards" aria-label="Lines" ref={list} onFocus={(event) => drawn.onFocus(event.target)}>
        {drawn.lines.map(({ index, gap }) => {
          const line = lines[index];
          return (
            line !== undefined && (
              <Fragment key={line.key}>
                {gap > 0 && <li aria-hidden="true" style={{ height: gap }} />}
                <Card
                  {...{ line, index, accounts }}
                  isOpen={at === line.key}
                  onOpen={open}
                  onRemove={take}
                  itemRef={drawn.measure}
                />
              </Fragment>
            )
          );
        })}
        {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
      </ul>
      <p className="ac-card-totals ek-num">
        <span>Debit</span>
        <Amount value={totals.debit} />
        <span>Credit</span>
        <Amount value={totals.credit} />
      </p>
    </div>
  );
}

interface CardProps extends Pick<RowProps, 'line' | 'index' | 'accounts' | 'isOpen' | 'onOpen' | 'onRemove'> {
  itemRef: Ref<HTMLLIElement> | undefined;
}

const Card = memo(function Card({ line, index, accounts, isOpen, onOpen, onRemove, itemRef }: CardProps) {
  return (
    <li ref={itemRef} data-index={index} className="ac-card" aria-current={isOpen ? 'true' : undefined}>
      <button type="button" className="ek-line-card" onClick={() => onOpen(line.key)}>
        <span className="ek-list-title">{labelOf(accounts, line.accountId)}</span>
        <span className="ek-list-amount ek-num">
          <Amount value={line.amount} />
        </span>
        <span className="ek-list-detail">{line.description}</span>
        <span className="ek-list-aside">{line.debit === true ? 'Debit' : 'Credit'}</span>
      </button>
      <button
        type="button"
        className="ek-icon-btn"
        aria-label={`Remove line ${index + 1}`}
        onClick={() => onRemove(line.key)}
      >
        <IconX {...ICON_SMALL} />
      </button>
    </li>
  );
});
