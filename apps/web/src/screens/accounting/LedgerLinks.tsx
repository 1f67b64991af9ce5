import { useMay } from '../../client/session.ts';
import type { RegisterRow } from '../../parts/ledger/registerRows.ts';
import { documentAddress, entityAddress } from '../../parts/ledger/sources.ts';
import type { OpenRecord } from '../../records/openRecord.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';

/** The links of an account's entry: they stand in the colour of text, since every row has them. */

interface LedgerDocumentProps {
  row: RegisterRow;
  /** The transaction over the screen, for what has no screen of its own or one that the session may not see. */
  entry: OpenRecord;
  text: string;
}

/** The number of an entry's document, a link to it. */
export function LedgerDocument({ row, entry, text }: LedgerDocumentProps) {
  const may = useMay();
  if (row.transactionId === undefined) return null;
  const address = documentAddress(row.sourceType, row.sourceId);
  const link = address !== undefined && may(address.needs) ? { to: address.to } : entry.link(row.transactionId);
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
