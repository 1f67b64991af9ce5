import { cents } from '@evenkeel/core/money';
import { useAddressChoice } from '../../records/openRecord.ts';
import { type ListRead, useList } from '../../records/records.ts';
import { type Chip, Chips } from '../../ui/page/Chips.tsx';
import type { DocumentRecords } from './side.ts';

const ALL = 'open';
const LABELS = { [ALL]: 'All', overdue: 'Overdue', draft: 'Drafts', hold: 'On Hold' } as const;
type Choice = keyof typeof LABELS;
export type ListPartName = Exclude<Choice, typeof ALL>;

/**
 * The open documents of a kind, or the part of them that the address names, with the chips to choose it. The chips'
 * figures are those of all that is open, whatever is chosen or searched.
 */
export function useListPart<Row>(
  kind: Pick<DocumentRecords<Row, never, never>, 'part' | 'words'>,
  names: readonly ListPartName[],
) {
  const choices: readonly [Choice, ...Choice[]] = [ALL, ...names];
  const [name, setName] = useAddressChoice('part', choices);
  const whole = useList({ list: kind.part(ALL), words: kind.words });
  const narrowed = useList({ list: kind.part(name), words: kind.words });
  const { sums, parts } = whole;
  const all = sums && { count: totalIn(whole), amount: cents(sums['openAmount'] ?? 0) };
  const chips = (
    <Chips
      label="Parts of the list"
      chips={choices.map((each): Chip<Choice> => ({
        value: each,
        label: LABELS[each],
        part: each === ALL ? all : parts?.[each],
      }))}
      value={name}
      onChange={setName}
    />
  );
  return { read: narrowed, whole: sums, name, isPart: name !== ALL, chips };
}

function totalIn<Row>({ value }: ListRead<Row>): number {
  if (value === undefined) return 0;
  return 'total' in value ? value.total : value.length;
}
