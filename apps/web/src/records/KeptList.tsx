import type { ComponentType } from 'react';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';
import { activeColumn, isActive, type Kept, type Manager, useManages } from './active.tsx';
import { ListScreen, type ListScreenProps } from './ListScreen.tsx';
import { useAddressChoice, useOpenRecord } from './openRecord.ts';
import { type RecordsSpec, useList } from './records.ts';
import type { KeptModalProps } from './useKeptForm.ts';

/** A list of records that are made inactive instead of deleted. */
export interface KeptList<Row extends Kept> {
  title: string;
  of: Pick<RecordsSpec<Row, never, never>, 'list' | 'words'> & { idOf: (row: Row) => number };
  manager: Manager;
  /** The first column is the name, which is the default sort column. */
  columns: readonly [Column<Row>, ...Column<Row>[]];
  /** Returns the phone layout of a row. An inactive record shows its state instead of the details. */
  phoneRow: (row: Row) => PhoneRow;
  /** The placeholder of the search box. By default, it is derived from the title, as in `Search Locations...`. */
  search?: string;
  /** The label of the Add button, for example `Add Location`. */
  add: string;
  /** Shown while the list is empty. */
  hint: string;
  /** The dialog for a record, which a URL parameter opens. */
  Modal: ComponentType<KeptModalProps>;
}

interface KeptListScreenProps<Row extends Kept, Tab extends string>
  extends
    Pick<ListScreenProps<Row, Tab>, 'tabs' | 'onClose' | 'secondary' | 'primary' | 'after' | 'density'>,
    Partial<Pick<ListScreenProps<Row, Tab>, 'title'>> {
  list: KeptList<Row>;
  /** The URL parameter for a record, as in `?edit=12`. */
  address?: string;
}

/**
 * A page with the list. Selecting a row opens its dialog, Add opens a dialog for a new record, and Show inactive adds
 * the inactive records.
 */
export function KeptListScreen<Row extends Kept, Tab extends string = string>(props: KeptListScreenProps<Row, Tab>) {
  const { list, address = 'edit', title = list.title, ...page } = props;
  const { of, columns, Modal } = list;
  const manages = useManages(list.manager);
  const open = useOpenRecord(address);
  const { isShown, onChange } = useShowInactive();
  return (
    <ListScreen<Row, Tab>
      {...page}
      title={title}
      label={list.title}
      read={useList(of, isShown)}
      words={of.words}
      columns={isShown ? [...columns, activeColumn()] : columns}
      rowId={(row) => String(of.idOf(row))}
      sort={columns[0].id}
      search={list.search ?? `Search ${list.title}...`}
      hint={list.hint}
      add={manages ? { label: list.add, onClick: () => open.open(0) } : undefined}
      inactive={{ isShown, onChange }}
      onOpen={(row) => open.open(of.idOf(row))}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={(row) => ({ ...list.phoneRow(row), ...(isActive(row) ? {} : { detail: 'Inactive' }) })}
    >
      {open.id !== undefined && <Modal key={`${address} ${open.id}`} id={open.id} onClose={open.close} />}
    </ListScreen>
  );
}

/** Returns the list's Show inactive setting, which is stored in the URL as `?show=all`. */
export function useShowInactive() {
  const [show, setShow] = useAddressChoice('show', ['active', 'all']);
  return { isShown: show === 'all', onChange: (all: boolean) => setShow(all ? 'all' : 'active') };
}
