import { IconX } from '@tabler/icons-react';
import { type Choice, labelOf } from '../choices/choice.ts';
import type { Dimensions } from '../choices/dimensions.ts';
import { useNarrow } from '../ui/hooks/media.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
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

function LineTable(props: JournalLinesProps) {
  const { lines, dimensions } = props;
  const totals = totalsOf(lines);
  const extra = [dimensions.profitCenters, dimensions.locations].filter((each) => each !== undefined).length;
  return (
    <table className="ek-lines ac-lines" aria-label="Lines">
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">GL Account</th>
          {dimensions.profitCenters !== undefined && <th scope="col">Profit Center</th>}
          {dimensions.locations !== undefined && <th scope="col">Location</th>}
          <th scope="col">Description</th>
          <th scope="col" data-right="">
            Debit
          </th>
          <th scope="col" data-right="">
            Credit
          </th>
          <th scope="col">
            <span className="ek-vh">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <Row key={line.key} {...props} line={line} number={index + 1} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <td colSpan={2 + extra}>Total</td>
          <td data-right="">
            <Amount value={totals.debit} />
          </td>
          <td data-right="">
            <Amount value={totals.credit} />
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

interface RowProps extends JournalLinesProps {
  line: FormLine;
  number: number;
}

function Row({ line, number, at, accounts, dimensions, onOpen, onRemove }: RowProps) {
  return (
    <tr className="ek-line" aria-current={at === line.key ? 'true' : undefined} onClick={() => onOpen(line.key)}>
      <td className="ek-muted ek-num">{number}</td>
      <td>
        <button type="button" className="ac-line-open" onClick={() => onOpen(line.key)}>
          {labelOf(accounts, line.accountId)}
        </button>
      </td>
      {dimensions.profitCenters !== undefined && <td>{labelOf(dimensions.profitCenters, line.profitCenterId)}</td>}
      {dimensions.locations !== undefined && <td>{labelOf(dimensions.locations, line.locationId)}</td>}
      <td className="ek-second">{line.description}</td>
      <td data-right="">{line.debit === true && <Amount value={line.amount} />}</td>
      <td data-right="">{line.debit === false && <Amount value={line.amount} />}</td>
      <td data-right="">
        <button
          type="button"
          className="ek-icon-btn"
          aria-label={`Remove line ${number}`}
          onClick={(event) => {
            event.stopPropagation();
            onRemove(line.key);
          }}
        >
          <IconX {...ICON_SMALL} />
        </button>
      </td>
    </tr>
  );
}

function Cards({ lines, at, accounts, onOpen, onRemove }: JournalLinesProps) {
  const totals = totalsOf(lines);
  return (
    <div>
      <h3 className="ac-cards-head">Lines</h3>
      <ul className="ek-cards" aria-label="Lines">
        {lines.map((line, index) => (
          <li key={line.key} className="ac-card" aria-current={at === line.key ? 'true' : undefined}>
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
        ))}
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
