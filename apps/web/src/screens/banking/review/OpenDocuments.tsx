import type { PayableDocument } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { Checkbox } from '@mantine/core';
import { sourceLabel } from '../../../parts/ledger/sources.ts';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { mayJoin, partFault, type PayPart, toggled } from './payForm.ts';

export interface OpenDocumentsProps {
  label: string;
  found: readonly PayableDocument[];
  /** The amount of the bank transaction without its sign. */
  size: Cents;
  /** Whether entries are selected. A bank transaction is either matched to entries or pays documents. */
  isOff: boolean;
  parts: readonly PayPart[];
  onChange: (parts: readonly PayPart[]) => void;
}

/**
 * The open invoices or bills that a bank transaction can pay. The selected ones come first, each with the amount to
 * pay.
 */
export function OpenDocuments({ label, found, size, isOff, parts, onChange }: OpenDocumentsProps) {
  const ids = new Set(parts.map(({ document }) => document.invoiceId));
  const others = found.filter(({ invoiceId }) => !ids.has(invoiceId));
  if (parts.length === 0 && others.length === 0) return null;
  return (
    <ul className="rv-entries" aria-label={label}>
      {parts.map((part) => (
        <li key={part.document.invoiceId}>
          <Box document={part.document} isTicked onTick={() => onChange(toggled(parts, part.document, size))} />
          <div className="rv-part">
            <MoneyField
              label={`Amount paid on ${part.document.number}`}
              value={part.amount}
              error={part.amount === null ? undefined : partFault(part)}
              onChange={(amount) => onChange(parts.map((one) => (one === part ? { ...part, amount } : one)))}
            />
          </div>
        </li>
      ))}
      {others.map((document) => (
        <li key={document.invoiceId}>
          <Box
            document={document}
            isOff={isOff || !mayJoin(parts, document)}
            onTick={() => onChange(toggled(parts, document, size))}
          />
          <Amount value={document.openAmount} />
        </li>
      ))}
    </ul>
  );
}

interface BoxProps {
  document: PayableDocument;
  isTicked?: boolean;
  isOff?: boolean;
  onTick: () => void;
}

function Box({ document: { kind, number, entityName, date }, isTicked = false, isOff = false, onTick }: BoxProps) {
  return (
    <Checkbox
      label={
        <>
          {`${sourceLabel(kind)} ${number} · ${entityName}`}{' '}
          <span className="ek-muted ek-small">{formatDate(date)}</span>
        </>
      }
      checked={isTicked}
      disabled={isOff}
      onChange={onTick}
    />
  );
}
