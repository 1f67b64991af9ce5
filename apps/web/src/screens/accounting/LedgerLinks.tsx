import { documentKinds } from '@evenkeel/core/documents/side';
import { useMay } from '../../client/session.ts';
import type { RegisterRow } from '../../parts/ledger/registerRows.ts';
import { documentAddress, entityAddress } from '../../parts/ledger/sources.ts';
import type { OpenRecord } from '../../records/openRecord.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';

/** The links in an account's entries. They use the text color, because every row contains links. */

/** The panels and dialogs that an entry can open on top of the screen. */
export interface LedgerOpens {
  /** The transaction dialog, for a source that no screen shows or that the user can't open. */
  entry: OpenRecord;
  /** The documents whose forms open on top of this screen. */
  transfer: OpenRecord;
  deposit: OpenRecord;
}

/**
 * Returns the form that opens on top of this screen to show an entry's document. Undefined if another screen shows the
 * document.
 */
export function formOf({ transfer, deposit }: LedgerOpens, { sourceType }: RegisterRow): OpenRecord | undefined {
  if (sourceType === documentKinds.transfer.source) return transfer;
  return sourceType === documentKinds.deposit.source ? deposit : undefined;
}

interface LedgerDocumentProps {
  row: RegisterRow;
  opens: LedgerOpens;
  text: string;
}

/** The document number of an entry, linked to the document. */
export function LedgerDocument({ row, opens, text }: LedgerDocumentProps) {
  const may = useMay();
  if (row.transactionId === undefined) return null;
  const address = documentAddress(row.sourceType, row.sourceId);
  const mayOpen = address !== undefined && may(address.needs);
  const over = mayOpen ? formOf(opens, row) : undefined;
  const link = over?.link(row.sourceId) ?? (mayOpen ? { to: address.to } : opens.entry.link(row.transactionId));
  return (
    <NameLink {...link} isNumber>
      {text}
    </NameLink>
  );
}

/** The customer or vendor of an entry, linked if the user can open it. */
export function LedgerName({ row }: { row: RegisterRow }) {
  const may = useMay();
  const address = row.nameId === null ? undefined : entityAddress(row.sourceType, row.nameId);
  if (address === undefined || !may(address.needs)) return row.name;
  return <NameLink to={address.to}>{row.name}</NameLink>;
}
