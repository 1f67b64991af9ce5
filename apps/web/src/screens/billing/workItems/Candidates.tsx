import { formatDate } from '@evenkeel/core/dates';
import { NOTHING } from '@evenkeel/core/nothing';
import { type ComponentProps, useRef, useState } from 'react';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { useWide } from '../../../ui/hooks/media.ts';
import { LinesTable } from '../../../ui/lines/LinesTable.tsx';
import { type DrawnLines, useDrawnLines } from '../../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';
import { VOID } from '@evenkeel/core/documents/invoice';
import { dateFault, type Shown, type Typed } from './processForm.ts';
import { useBillingStatuses } from '../queries.ts';
import { WORK_ITEMS } from './workItems.ts';

export interface CandidatesProps {
  shown: readonly Shown[];
  /** Whether messages are shown, which is the case after the first attempt. */
  isTried: boolean;
  onTyped: (id: number, typed: Typed) => void;
  onAll: (included: boolean) => void;
}

/** The customers with unbilled work items, each with a checkbox, a status, and dates. */
export function Candidates(props: CandidatesProps) {
  return useWide() ? <CandidateTable {...props} /> : <CandidateCards {...props} />;
}

interface CandidateProps extends Pick<CandidatesProps, 'isTried' | 'onTyped'> {
  one: Shown;
}

type BoxProps = Pick<ComponentProps<'input'>, 'checked' | 'onChange' | 'ref' | 'autoFocus'> & {
  label: string;
  isNamed?: boolean;
};

/**
 * A checkbox. Its label is visible only with `isNamed`, and otherwise only to screen readers. The label is always part
 * of the touch target.
 */
export function Box({ label, isNamed = false, ...box }: BoxProps) {
  return (
    <label className="bl-process-box">
      <input type="checkbox" className="ek-check" {...box} />
      <span className={isNamed ? undefined : 'ek-vh'}>{label}</span>
    </label>
  );
}

function Include({ one, onTyped }: CandidateProps) {
  return (
    <Box
      label={`Include ${one.customerDisplayName}`}
      checked={one.included}
      onChange={(event) => onTyped(one.id, { included: event.currentTarget.checked })}
    />
  );
}

function IncludeAll({ shown, onAll, isNamed }: Pick<CandidatesProps, 'shown' | 'onAll'> & { isNamed: boolean }) {
  const count = shown.filter(({ included }) => included).length;
  return (
    <Box
      label="Include all customers"
      autoFocus
      isNamed={isNamed}
      checked={count === shown.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < shown.length;
      }}
      onChange={(event) => onAll(event.currentTarget.checked)}
    />
  );
}

/**
 * Returns a customer's Billing Status, Invoice Date, and Due Date fields. In a table row, their labels include the
 * customer's name.
 */
function useFields({ one, isTried, onTyped }: CandidateProps, inRow: boolean) {
  const statuses = useBillingStatuses().filter(({ id }) => id !== VOID);
  const labelled = (label: string) => ({ inRow, label: inRow ? `${label} for ${one.customerDisplayName}` : label });
  const own = { disabled: !one.included };
  return {
    status: (
      <Picker
        {...labelled('Billing Status')}
        {...own}
        options={statuses}
        value={one.arBillingStatus}
        onChange={(status) => status !== null && onTyped(one.id, { status })}
      />
    ),
    invoiceDate: (
      <DateField
        {...labelled('Invoice Date')}
        {...own}
        value={one.invoiceDate}
        error={isTried ? dateFault(one) : undefined}
        onChange={(invoiceDate) => onTyped(one.id, { invoiceDate })}
      />
    ),
    dueDate: (
      <DateField
        {...labelled('Due Date')}
        {...own}
        value={one.dueDate}
        onChange={(dueDate) => onTyped(one.id, { dueDate })}
      />
    ),
  };
}

const ROW = 42;
const HEADS = [
  { id: 'customer', header: 'Customer' },
  { id: 'count', header: 'Work Items', right: true, width: 92 },
  { id: 'status', header: 'Billing Status', width: 124 },
  { id: 'invoiceDate', header: 'Invoice Date', width: 144 },
  { id: 'dueDate', header: 'Due Date', width: 144 },
  { id: 'amount', header: 'Invoice Amount', right: true, width: 128 },
];

function CandidateTable({ shown, onAll, ...row }: CandidatesProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useDrawnLines(place, { count: shown.length, height: ROW });
  const draw = (one: Shown, index: number) => <CandidateRow {...{ one, index }} measure={drawn.measure} {...row} />;
  const included = {
    id: 'included',
    header: '',
    cell: <IncludeAll {...{ shown, onAll }} isNamed={false} />,
    width: 36,
  };
  return (
    <LinesTable
      label="Customers to bill"
      className="dc-apply ek-heads bl-process"
      columns={[included, ...HEADS]}
      lines={shown}
      drawn={drawn}
      place={place}
      keyOf={({ id }) => id}
      draw={draw}
    />
  );
}

interface CandidateRowProps extends CandidateProps {
  index: number;
  measure: DrawnLines['measure'];
}

function CandidateRow({ index, measure, ...props }: CandidateRowProps) {
  const { one } = props;
  const { status, invoiceDate, dueDate } = useFields(props, true);
  return (
    <tbody data-index={index} ref={measure}>
      <tr data-out={one.included ? undefined : ''}>
        <td>
          <Include {...props} />
        </td>
        <td>
          <Name one={one} />
        </td>
        <td data-right="">{one.workItemCount}</td>
        <td>{status}</td>
        <td>{invoiceDate}</td>
        <td>{dueDate}</td>
        <td data-right="">
          <Amount value={one.invoiceAmount} />
        </td>
      </tr>
    </tbody>
  );
}

function Name({ one }: Pick<CandidateProps, 'one'>) {
  return (
    <>
      {one.customerDisplayName} {one.onHold && <Status look="hold">On Hold</Status>}
    </>
  );
}

const CARD = 64;

function CandidateCards({ shown, onAll, ...row }: CandidatesProps) {
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: shown.length, height: CARD });
  return (
    <>
      <IncludeAll {...{ shown, onAll }} isNamed />
      <ul className="bl-process-cards" aria-label="Customers to bill" ref={list}>
        {drawn.lines.map(({ index, gap }) => {
          const one = shown[index];
          return (
            one !== undefined && (
              <li key={one.id} data-index={index} ref={drawn.measure} style={gap > 0 ? { marginTop: gap } : {}}>
                <CandidateCard one={one} {...row} />
              </li>
            )
          );
        })}
        {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
      </ul>
    </>
  );
}

/** A card with two lines. Tapping it opens the customer's fields. */
function CandidateCard(props: CandidateProps) {
  const { one, isTried } = props;
  const [isOpen, setOpen] = useState(false);
  const { status, invoiceDate, dueDate } = useFields(props, false);
  const fault = isTried ? dateFault(one) : undefined;
  const statuses = useBillingStatuses();
  const words = statuses.find(({ id }) => id === one.arBillingStatus)?.label ?? '';
  const due = one.dueDate === null ? NOTHING : formatDate(one.dueDate);
  return (
    <>
      <div className="bl-process-card" data-out={one.included ? undefined : ''}>
        <Include {...props} />
        <button type="button" aria-expanded={isOpen || fault !== undefined} onClick={() => setOpen(!isOpen)}>
          <span className="ek-list-title">
            <Name one={one} />
          </span>
          <span className="ek-list-amount ek-num">
            <Amount value={one.invoiceAmount} />
          </span>
          <span className="ek-list-detail">
            {counted(one.workItemCount, WORK_ITEMS.words)} · {words} · due {due}
          </span>
        </button>
      </div>
      {(isOpen || fault !== undefined) && (
        <div className="ek-form bl-process-fields">
          <div>{status}</div>
          <div className="ek-half">{invoiceDate}</div>
          <div className="ek-half">{dueDate}</div>
        </div>
      )}
    </>
  );
}
