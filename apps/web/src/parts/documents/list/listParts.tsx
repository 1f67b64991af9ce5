import { cents } from '@evenkeel/core/money';
import { useAddressChoice } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { type Chip, Chips } from '../../../ui/page/Chips.tsx';
import type { DocumentRecords } from '../side.ts';

const ALL = 'open' as const;
const LABELS = { [ALL]: 'All', overdue: 'Overdue', draft: 'Drafts', hold: 'On Hold', credit: 'Credits' } as const;
type Choice = keyof typeof LABELS;
export type ListPart = Exclude<Choice, typeof ALL>;

/** Returns the filter for open documents in the URL. Without a filter, all documents are shown. */
export function useListPart(parts: readonly ListPart[]) {
  const [part, choose] = useAddressChoice<Choice>('part', [ALL, ...parts]);
  return { part, isAll: part === ALL, choose };
}

interface PartChipsProps<Row> {
  kind: Pick<DocumentRecords<Row, never, never>, 'list' | 'words'>;
  parts: readonly ListPart[];
}

/** Filter chips. Their amounts cover all open documents, regardless of the selected filter or search. */
export function PartChips<Row>({ kind, parts }: PartChipsProps<Row>) {
  const { part, choose } = useListPart(parts);
  const { value, sums, parts: known } = useList(kind);
  const total = value === undefined ? 0 : 'total' in value ? value.total : value.length;
  const all = sums && { count: total, amount: cents(sums['openAmount'] ?? 0) };
  const chipOf = (each: Choice): Chip<Choice> => {
    return { value: each, label: LABELS[each], part: each === ALL ? all : known?.[each] };
  };
  return <Chips label="List filters" chips={[ALL, ...parts].map(chipOf)} value={part} onChange={choose} />;
}
