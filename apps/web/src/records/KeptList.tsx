import type { ComponentType } from 'react';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';
import { activeColumn, isActive, type Kept, type Manager, useManages } from './active.tsx';
import { ListScreen, type ListScreenProps } from './ListScreen.tsx';
import { useAddressChoice, useOpenRecord } from './openRecord.ts';
import { type RecordsSpec, useList } from './records.ts';
import type { KeptModalProps } from './useKeptForm.ts';

/** A list of records that are deactivated rather than lost. */
export interface KeptList<Row extends Kept> {
  title: string;
  of: Pick<RecordsSpec<Row, never, never>, 'list' | 'words'> & { idOf: (row: Row) => number };
  manager: Manager;
  /** The first is the name, by which the list is sorted. */
  columns: readonly [Column<Row>, ...Column<Row>[]];
  /** An inactive one says so in the place of its detail. */
  phoneRow: (row: Row) => PhoneRow;
  /** The words in its search box; `Search Locations...` unless given. */
  search?: string;
  /** The words of its button, e.g. `Add Location`. */
  add: string;
  /** Told while there is none. */
  hint: string;
  /** The dialog of one, under its name in the address. */
  Modal: ComponentType<KeptModalProps>;
}

interface KeptListScreenProps<Row extends Kept, Tab extends string>
  extends
    Pick<ListScreenProps<Row, Tab>, 'tabs' | 'onClose' | 'secondary' | 'after'>,
    Partial<Pick<ListScreenProps<Row, Tab>, 'title'>> {
  list: KeptList<Row>;
  /** Under which a record stands in the address: `?edit=12`. */
  address?: string;
}

/** A page with the list: its rows open their dialog, Add a new one, Show inactive the others. */
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

/** The choice Show inactive of a list, in the address: `?show=all`. */
export function useShowInactive() {
  const [show, setShow] = useAddressChoice('show', ['active', 'all']);
  return { isShown: show === 'all', onChange: (all: boolean) => setShow(all ? 'all' : 'active') };
}
