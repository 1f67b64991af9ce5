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
  | 'density'
  | 'note'
  | 'selection';
type FromPage<Tab extends string> = Pick<
  PageProps<Tab>,
  'tabs' | 'panel' | 'onClose' | 'fabMenu' | 'secondary' | 'primary' | 'more'
>;

export interface ListScreenProps<Row extends object, Tab extends string>
  extends Pick<DataTableProps<Row>, FromTable>, FromPage<Tab> {
  title: string;
  /** The name of the list. Defaults to the title. */
  label?: string;
  read: Read<Rows<Row>>;
  /** The noun for the count in the footer, for example `1 customer`. */
  words: Words;
  /** The default sort column. A leading `-` means descending order. */
  sort: string;
  /** The placeholder of the search box. */
  search: string;
  /** The Add button, which is filled unless there is another primary action. Undefined for users without permission. */
  add?: { label: string; onClick: () => void } | undefined;
  /** The next step to suggest while the list is empty. */
  hint: string;
  /** The switch that shows inactive records: `useAddressChoice('show', …)`. */
  inactive?: { isShown: boolean; onChange: (isShown: boolean) => void } | undefined;
  /** Shown next to the search box. */
  chips?: ReactNode;
  /** Another list that is shown instead, for example the list on another tab. */
  instead?: ReactNode;
  /** Content below the table, on the page. */
  after?: ReactNode;
  /** Dialogs on top of the page. */
  children?: ReactNode;
}

/**
 * A list with search, Add button, count, and states for empty, loading, and error. Its filter and sort order are stored
 * in the URL.
 */
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
  const page = {
    title,
    tabs,
    onClose,
    fabMenu: props.fabMenu,
    secondary: [...(props.secondary ?? []), ...(props.primary === undefined || add === undefined ? [] : [add])],
    more: props.more ?? [],
  };
  const { columns, inFiles, rowId, onOpen, onEscape, selectedId, phoneRow, isQuiet, note, selection, density } = props;
  const optional = {
    ...(phoneRow && { phoneRow }),
    ...(density && { density }),
    ...(isQuiet && { isQuiet }),
    ...(note && { note }),
  };
  return (
    <>
      <Page
        {...page}
        {...('panel' in props ? { panel } : {})}
        primary={props.primary ?? add}
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
