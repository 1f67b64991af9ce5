import type { MoveInput, MoveList } from '@evenkeel/contract/moving';
import { CREATE_RECORD, type MoveListKind } from '@evenkeel/core/moving/lists';
import { useMemo, useState } from 'react';
import { useAddressText } from '../../records/openRecord.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { counted, type Words } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';

type Item = MoveList['items'][number];

const KINDS: Readonly<Record<MoveListKind, { words: Words; title: string; detail: string; pick: string }>> = {
  tax: {
    words: { one: 'tax code', many: 'tax codes' },
    title: 'Sales Tax',
    detail: 'Rate and Agency',
    pick: 'Sales Tax',
  },
  paymentType: {
    words: { one: 'payment type', many: 'payment types' },
    title: 'Payment Types',
    detail: '',
    pick: 'Payment Type',
  },
  terms: { words: { one: 'term', many: 'terms' }, title: 'Terms', detail: '', pick: 'Days Until Due' },
  product: {
    words: { one: 'product', many: 'products' },
    title: 'Products',
    detail: 'Kind and Price',
    pick: 'Product',
  },
};

const QUESTIONS = { one: 'question', many: 'questions' };

/** Returns the lists, including decisions that are still being saved. */
export function decided(lists: readonly MoveList[], waiting: MoveInput['lists']): MoveList[] {
  const given = new Map((waiting ?? []).map(({ key, value }) => [key, value]));
  return lists.map((list) => ({
    ...list,
    items: list.items.map((item) => {
      const value = given.get(item.key) ?? null;
      return value === null ? item : { ...item, value, isDecided: true };
    }),
  }));
}

/** Returns the number of records that the user must decide about. */
export const undecided = (lists: readonly MoveList[]): number =>
  lists.flatMap(({ items }) => items).filter(({ isDecided }) => !isDecided).length;

export interface ListMatchesProps {
  lists: readonly MoveList[];
  onDecide: (choices: Pick<MoveInput, 'lists'>) => void;
}

/** The source's lists other than accounts and names, with the Evenkeel record that matches each item. */
export function ListMatches({ lists, onDecide }: ListMatchesProps) {
  return (
    <div className="mv-lists">
      {lists.map((list) => (
        <section key={list.kind} aria-label={KINDS[list.kind].title}>
          <OneList list={list} onDecide={(key, value) => onDecide({ lists: [{ key, value }] })} />
        </section>
      ))}
    </div>
  );
}

const rowId = ({ key }: Item): string => key;

function OneList({ list, onDecide }: { list: MoveList; onDecide: (key: string, value: string) => void }) {
  const { words, title, detail, pick } = KINDS[list.kind];
  const [text, setText] = useAddressText('q');
  const [open, setOpen] = useState<Item>();
  const labelOf = useMemo(() => {
    const labels = new Map(list.options.map(({ value, label }) => [value, label]));
    return ({ value }: Item) => labels.get(value) ?? 'Choose a record';
  }, [list.options]);
  const columns = useMemo((): Column<Item>[] => {
    const uses = list.items.some((item) => item.uses > 0);
    return [
      { id: 'name', header: 'Name', value: ({ name }) => name },
      ...(detail === ''
        ? []
        : [{ id: 'detail', header: detail, value: (item: Item) => item.detail, quiet: true, width: '220px' }]),
      ...(uses
        ? [{ id: 'uses', header: 'Used By', kind: 'number' as const, value: (item: Item) => item.uses, width: '104px' }]
        : []),
      {
        id: 'becomes',
        header: 'In Evenkeel',
        value: labelOf,
        render: (item) => (
          <span className={!item.isDecided ? 'mv-undecided' : item.value === CREATE_RECORD ? 'mv-create' : undefined}>
            {labelOf(item)}
          </span>
        ),
        width: '300px',
      },
    ];
  }, [list.items, detail, labelOf]);
  const asked = list.items.filter(({ isDecided }) => !isDecided).length;
  const created = list.items.filter(({ value }) => value === CREATE_RECORD).length;
  const isLong = list.items.length > 12;
  return (
    <>
      <div className="mv-head mv-party-head">
        <h2>{counted(list.items.length, words)}</h2>
        <span className="ek-muted ek-small" role="status">
          {[
            list.kind === 'terms' ? '' : `${created.toLocaleString('en-US')} to create`,
            asked === 0 ? '' : counted(asked, QUESTIONS),
          ]
            .filter((part) => part !== '')
            .join(', ')}
        </span>
        {isLong && <FilterBox placeholder={`Search ${words.many}...`} value={text} onChange={setText} />}
      </div>
      <DataTable
        label={title}
        columns={columns}
        rows={list.items}
        rowId={rowId}
        filter={isLong ? text : ''}
        empty={{ title: `No ${words.many} match` }}
        onOpen={setOpen}
        count={(rows) => counted(rows, words)}
        phoneRow={(item) => ({ title: item.name, amount: '', detail: item.detail, aside: labelOf(item) })}
      />
      {open !== undefined && (
        <Choice
          item={open}
          list={list}
          label={`${pick} in Evenkeel`}
          onClose={() => setOpen(undefined)}
          onChoose={(value) => {
            onDecide(open.key, value);
            setOpen(undefined);
          }}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  item: Item;
  list: MoveList;
  label: string;
  onClose: () => void;
  onChoose: (value: string) => void;
}

/** The Evenkeel record that matches a record in the source. */
function Choice({ item, list, label, onClose, onChoose }: ChoiceProps) {
  const [value, setValue] = useState<string | null>(item.value === '' ? null : item.value);
  const isZero = list.kind === 'tax' && !item.isDecided;
  return (
    <AppModal
      opened
      size="sm"
      title={item.name}
      enterSaves
      onClose={onClose}
      footer={{
        primary: {
          label: 'Confirm',
          disabled: value === null,
          onClick: () => {
            if (value !== null) onChoose(value);
          },
        },
      }}
    >
      <div className="ek-stack">
        {isZero && (
          <p className="ek-second">
            {`${item.name} has a rate of 0%. Create the tax item if its sales must appear on a return as ` +
              'exempt. Otherwise, skip the tax item.'}
          </p>
        )}
        <Picker
          label={label}
          autoFocus
          options={list.options.map(({ value: id, label: name }) => ({
            id,
            label: id === CREATE_RECORD ? `Create ${item.name}` : name,
          }))}
          value={value}
          onChange={setValue}
        />
      </div>
    </AppModal>
  );
}
