import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckField } from '../ui/fields/CheckField.tsx';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { Page, type PageProps } from '../ui/page/Page.tsx';
import { counted, type Words } from '../ui/show/words.ts';
import { DataTable, type DataTableProps } from '../ui/table/DataTable.tsx';
import type { Rows } from '../ui/table/rows.ts';
import { useAddressSort, useAddressText } from './openRecord.ts';
import type { Read } from '../client/api.ts';

type FromTable =
  | 'columns'
  | 'inFiles'
  | 'rowId'
  | 'onOpen'
  | 'onEscape'
  | 'selectedId'
  | 'phoneRow'
  | 'isQuiet'
  | 'note'
  | 'selection';
type FromPage<Tab extends string> = Pick<PageProps<Tab>, 'tabs' | 'panel' | 'onClose' | 'fabMenu' | 'secondary'>;

export interface ListScreenProps<Row extends object, Tab extends string>
  extends Pick<DataTableProps<Row>, FromTable>, FromPage<Tab> {
  title: string;
  /** The name of the list; the title unless given. */
  label?: string;
  read: Read<Rows<Row>>;
  /** For the count in the foot, e.g. `1 customer`. */
  words: Words;
  /** The column that the list is sorted by at first; with `-` in front the last first. */
  sort: string;
  /** The words in the search box. */
  search: string;
  /** Its button; undefined where the session may not add. */
  add?: { label: string; onClick: () => void } | undefined;
  /** The next step while the list is empty. */
  hint: string;
  /** Records that are not active, shown on demand: `useAddressChoice('show', …)`. */
  inactive?: { isShown: boolean; onChange: (isShown: boolean) => void } | undefined;
  /** Beside the search box. */
  chips?: ReactNode;
  /** Another list in place of this one, as that of another tab. */
  instead?: ReactNode;
  /** Below the table, in the page. */
  after?: ReactNode;
  /** Dialogs over the page. */
  children?: ReactNode;
}

/** A list with search, Add, count, empty, loading and error state; filter and sort stand in the address. */
export function ListScreen<Row extends object, Tab extends string = string>(props: ListScreenProps<Row, Tab>) {
  const {
    title,
    label = title,
    read,
    words,
    sort,
    search,
    add,
    hint,
    inactive,
    children,
    tabs,
    panel,
    onClose,
  } = props;
  const [filter, setFilter] = useAddressText('q');
  const order = useAddressSort({ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') });
  const page = { title, tabs, onClose, fabMenu: props.fabMenu, secondary: props.secondary ?? [] };
  const { columns, inFiles, rowId, onOpen, onEscape, selectedId, phoneRow, isQuiet, note, selection } = props;
  const optional = { ...(phoneRow && { phoneRow }), ...(isQuiet && { isQuiet }), ...(note && { note }) };
  return (
    <>
      <Page
        {...page}
        {...('panel' in props ? { panel } : {})}
        primary={add}
        filter={
          <>
            <FilterBox placeholder={search} value={filter} onChange={setFilter} />
            {props.chips}
            {inactive !== undefined && (
              <CheckField label="Show inactive" value={inactive.isShown} onChange={inactive.onChange} />
            )}
          </>
        }
      >
        {props.instead ?? (
          <DataTable<Row>
            {...{ columns, inFiles, rowId, onOpen, onEscape, selectedId, filter, selection, ...optional }}
            key={label}
            label={label}
            rows={read.value}
            {...order}
            error={read.error}
            onRetry={read.retry}
            empty={{
              title: `No ${words.many}`,
              hint,
              action: add === undefined ? undefined : <Button onClick={add.onClick}>{add.label}</Button>,
            }}
            count={(rows) => counted(rows, words)}
          />
        )}
        {props.after}
      </Page>
      {children}
    </>
  );
}
