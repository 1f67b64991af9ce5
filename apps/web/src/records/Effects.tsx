import './effects.css';
import type { OnBothBases, Rehearsal } from '@evenkeel/contract/rehearsal';
import { formatDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { cents, sum } from '@evenkeel/core/money';
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSeesLedger } from '../client/seesLedger.ts';
import { Amount, type AmountProps } from '../ui/show/Amount.tsx';
import { ICON } from '../ui/show/icons.ts';
import { keyed } from '../ui/show/keyed.ts';
import { Status } from '../ui/show/Status.tsx';
import { type MiniColumn, MiniTable } from '../ui/table/MiniTable.tsx';
import type { RecordForm } from './useRecordForm.ts';

/** The effects of saving a form with the values that it had when the effects were requested. */
interface Shown {
  rehearsal: Rehearsal;
  values: unknown;
}

export interface Effects {
  ask: () => void;
  close: () => void;
  shown: Shown | undefined;
}

/**
 * Manages the panel that shows the effects of saving a form. Returns undefined if the form doesn't post, or if the user
 * can't see ledger entries.
 */
export function useEffects<Form>({ rehearse, values }: RecordForm<Form>): Effects | undefined {
  const [shown, setShown] = useState<Shown>();
  const latest = useRef(0);
  // Without these permissions, the response has no entries or balances.
  const seesLedger = useSeesLedger();
  if (rehearse === undefined || !seesLedger) return undefined;
  const ask = async () => {
    latest.current += 1;
    const own = latest.current;
    const rehearsal = await rehearse();
    // A response is outdated if a later request was sent or the panel was closed.
    if (rehearsal !== undefined && own === latest.current) setShown({ rehearsal, values });
  };
  const close = () => {
    latest.current += 1;
    setShown(undefined);
  };
  return { ask: () => void ask(), close, shown };
}

export const EFFECTS = 'What Will This Do?';

/**
 * The panel next to a form that shows the effects of saving it: entries, balances before and after, and numbers. If the
 * form changes, the panel is marked as outdated until it is refreshed.
 */
export function EffectsPanel({ effects, values }: { effects: Effects; values: unknown }) {
  const { shown, ask, close } = effects;
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpen = shown !== undefined;
  useEffect(() => {
    if (isOpen) heading.current?.focus();
  }, [isOpen]);
  if (shown === undefined) return null;
  const isOutdated = shown.values !== values;
  return (
    <section className="rh-panel" aria-label={EFFECTS}>
      <div className="rh-head">
        <h3 ref={heading} tabIndex={-1}>
          {EFFECTS}
        </h3>
        {isOutdated && (
          <>
            <Status look="low">Outdated</Status>
            <Button size="xs" variant="default" onClick={ask}>
              Refresh
            </Button>
          </>
        )}
        <ActionIcon aria-label={`Close ${EFFECTS}`} onClick={close}>
          <IconX {...ICON} />
        </ActionIcon>
      </div>
      <div
        className="rh-body"
        data-outdated={isOutdated ? '' : undefined}
        tabIndex={0}
        role="group"
        aria-label="Effects"
      >
        <p className="ek-second">This is a preview. Nothing is saved, numbered, or sent.</p>
        <EffectsDetails rehearsal={shown.rehearsal} />
      </div>
    </section>
  );
}

/** The balances before and after a change in a closed period. The user sees them before entering the reason. */
export function ClosedEffects({ rehearse }: { rehearse: () => Promise<Rehearsal> }) {
  const [rehearsal, setRehearsal] = useState<Rehearsal>();
  const read = useEffectEvent((show: (read: Rehearsal) => void) => {
    // Without the balances, the user can still enter the reason. Saving shows the error.
    rehearse().then(show, () => undefined);
  });
  useEffect(() => {
    let isShown = true;
    read((found) => isShown && setRehearsal(found));
    return () => {
      isShown = false;
    };
  }, []);
  const changes = rehearsal === undefined ? [] : changesOf(rehearsal);
  if (rehearsal === undefined || changes.length === 0) return null;
  return (
    <section className="rh-closed" aria-label="Balances Before and After">
      <Balances asOf={rehearsal.asOf} changes={changes} />
    </section>
  );
}

interface EffectsDetailsProps {
  rehearsal: Rehearsal;
  /** The effects as they were shown earlier. Amounts that have changed since then are marked. */
  earlier?: Rehearsal;
  /** Whether there is room for the description of each line and the change of each balance. */
  isWide?: boolean;
}

/** Effects: possible duplicates, entries, balances before and after, and numbers. */
export function EffectsDetails({ rehearsal, earlier, isWide = false }: EffectsDetailsProps) {
  const { transactions, asOf, duplicates, numbers } = rehearsal;
  const changes = changesOf(rehearsal);
  const entries = keyed(transactions, ({ description, postingDate }) => `${description} ${postingDate}`);
  return (
    <>
      {duplicates.length > 0 && <Duplicates duplicates={duplicates} />}
      {entries.map(({ key, item }, at) => (
        <Entries key={key} {...item} earlier={earlier && (earlier.transactions[at]?.lines ?? [])} isWide={isWide} />
      ))}
      {changes.length === 0 ? (
        <p>No balance changes.</p>
      ) : (
        <Balances asOf={asOf} changes={changes} earlier={earlier && changesOf(earlier)} isWide={isWide} />
      )}
      {numbers.length > 0 && (
        <p>
          {numbers.length === 1 ? 'Number' : 'Numbers'}: {numbers.map(({ number }) => number).join(', ')}
        </p>
      )}
    </>
  );
}

function Duplicates({ duplicates }: Pick<Rehearsal, 'duplicates'>) {
  return (
    <div className="rh-warning">
      <Status look="low">{duplicates.length === 1 ? 'Possible Duplicate' : 'Possible Duplicates'}</Status>
      <ul>
        {keyed(duplicates, ({ description }) => description).map(({ key, item }) => (
          <li key={key}>
            {item.description}, {item.name}, {formatDate(item.date)}, <Amount value={item.amount} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** An amount, which is marked if it differs from the earlier amount. */
function Compared({ isMoved, ...amount }: AmountProps & { isMoved: boolean }) {
  return isMoved ? (
    <mark className="rh-moved">
      <Amount {...amount} />
    </mark>
  ) : (
    <Amount {...amount} />
  );
}

interface BalancesProps extends Pick<Rehearsal, 'asOf'> {
  changes: Change[];
  earlier?: Change[] | undefined;
  isWide?: boolean;
}

function Balances({ asOf, changes, earlier, isWide = false }: BalancesProps) {
  const isMoved = ({ name, ...change }: Change, field: 'before' | 'after') =>
    earlier !== undefined && earlier.find((one) => one.name === name)?.[field] !== change[field];
  const difference: MiniColumn<Change> = {
    header: 'Change',
    right: true,
    render: ({ before, after }) => <Amount value={cents(after - before)} />,
  };
  return (
    <>
      <h4>Balances on {formatDate(asOf)}</h4>
      <MiniTable
        label="Balances"
        columns={[
          { header: 'Balance', render: ({ name }) => name },
          {
            header: 'Before',
            right: true,
            render: (row) => <Compared value={row.before} isMoved={isMoved(row, 'before')} />,
          },
          ...(isWide ? [difference] : []),
          {
            header: 'After',
            right: true,
            className: 'ek-semi',
            render: (row) => <Compared value={row.after} isMoved={isMoved(row, 'after')} />,
          },
        ]}
        rows={changes}
        keyOf={({ name }) => name}
      />
    </>
  );
}

type Entry = Rehearsal['transactions'][number];
type EntryLine = Entry['lines'][number];

const BASIS_MARKS = { both: '', accrual: ' (accrual basis)', cash: ' (cash basis)' };

interface EntriesProps extends Entry {
  earlier?: readonly EntryLine[] | undefined;
  isWide: boolean;
}

function Entries({ postingDate, description, closed, lines, earlier, isWide }: EntriesProps) {
  // Most entries are on both bases. If all entries are on the same single basis, only the heading names the basis.
  const [basis, ...others] = [...new Set(lines.map((line) => line.basis))];
  const isMixed = others.length > 0;
  const total = (side: 'debit' | 'credit'): Cents => sum(lines.map((line) => line[side]));
  type Row = EntryLine & { at: number };
  const isMoved = (row: Row, side: 'debit' | 'credit') =>
    earlier !== undefined && earlier[row.at]?.[side] !== row[side];
  const words: MiniColumn<Row> = { header: 'Description', className: 'ek-second', render: (line) => line.description };
  return (
    <>
      <h4>
        {description}, {formatDate(postingDate)}
        {!isMixed && basis !== undefined && BASIS_MARKS[basis]}
      </h4>
      {closed && <Status look="low">The books are closed on this date</Status>}
      <MiniTable
        label={`Entries: ${description}`}
        columns={[
          { header: 'Account', render: (line) => `${line.account}${isMixed ? BASIS_MARKS[line.basis] : ''}` },
          ...(isWide ? [words] : []),
          {
            header: 'Debit',
            right: true,
            render: (row) => <Compared value={row.debit} zero="blank" isMoved={isMoved(row, 'debit')} />,
          },
          {
            header: 'Credit',
            right: true,
            render: (row) => <Compared value={row.credit} zero="blank" isMoved={isMoved(row, 'credit')} />,
          },
        ]}
        rows={lines.map((line, at): Row => ({ ...line, at }))}
        keyOf={({ at }) => at}
        total={{
          label: 'In Balance',
          before: <Amount value={total('debit')} />,
          value: <Amount value={total('credit')} />,
        }}
      />
    </>
  );
}

interface Change {
  name: string;
  before: Cents;
  after: Cents;
}

/** Returns the changed balances: accounts, customers and vendors, and net income, on each basis if they differ. */
export function changesOf({ accounts, entities, netIncome }: Rehearsal): Change[] {
  return [
    ...accounts.flatMap(({ account, ...change }) => onBases(account, change)),
    ...entities,
    ...(netIncome === null ? [] : onBases('Net income', netIncome)),
  ].filter(({ before, after }) => before !== after);
}

function onBases(name: string, { accrual, cash }: OnBothBases): Change[] {
  const isSame = accrual.before === cash.before && accrual.after === cash.after;
  if (isSame) return [{ name, ...accrual }];
  return [
    { name: `${name}, accrual basis`, ...accrual },
    { name: `${name}, cash basis`, ...cash },
  ];
}
