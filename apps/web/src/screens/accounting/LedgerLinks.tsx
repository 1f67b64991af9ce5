import { documentKinds } from '@evenkeel/core/documents/side';
import { useMay } from '../../client/session.ts';
import type { RegisterRow } from '../../parts/ledger/registerRows.ts';
import { documentAddress, entityAddress } from '../../parts/ledger/sources.ts';
import type { OpenRecord } from '../../records/openRecord.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';

/** The links of an account's entry: they stand in the colour of text, since every row has them. */

/** All that an entry opens over the screen. */
export interface LedgerOpens {
  /** The transaction, for what has no screen of its own or one that the session may not see. */
  entry: OpenRecord;
  /** Documents that have their forms over this screen. */
  transfer: OpenRecord;
  deposit: OpenRecord;
}

/** The form over the screen that shows an entry's document; undefined where another screen does. */
export function formOf({ transfer, deposit }: LedgerOpens, { sourceType }: RegisterRow): OpenRecord | undefined {
  if (sourceType === documentKinds.transfer.source) return transfer;
  return sourceType === documentKinds.deposit.source ? deposit : undefined;
}

interface LedgerDocumentProps {
  row: RegisterRow;
  opens: LedgerOpens;
  text: string;
}

/** The number of an entry's document, a link to it. */
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

/** The customer or vendor of an entry; a link where the session may go there. */
export function LedgerName({ row }: { row: RegisterRow }) {
  const may = useMay();
  const address = row.nameId === null ? undefined : entityAddress(row.sourceType, row.nameId);
  if (address === undefined || !may(address.needs)) return row.name;
  return <NameLink to={address.to}>{row.name}</NameLink>;
}
