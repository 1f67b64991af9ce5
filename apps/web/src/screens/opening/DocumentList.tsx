import { formatDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { type Grid, isEmptyRow, rowsOf } from './openingForm.ts';
import { cellsOfGrid } from './openingPaste.ts';
import { fieldsOf } from './RowFields.tsx';
import type { Opening } from './useOpening.ts';

const ADD: Readonly<Record<Grid, string>> = { invoices: 'Add invoice', bills: 'Add bill', credits: 'Add credit' };

/** The open documents of a kind on a phone: a list whose rows open a sheet. */
export function DocumentList({ opening, grid }: { opening: Opening; grid: Grid }) {
  const [open, setOpen] = useState<number>();
  const rows = rowsOf(opening.form, grid);
  const edited = opening.form[grid].find(({ key }) => key === open);
  const close = () => setOpen(undefined);
  const remove = () => {
    if (open !== undefined) opening.removeRow(grid, open);
    close();
  };
  return (
    <>
      <ul className="ob-list" aria-label="Documents">
        {rows.map((row) => {
          const [message] = Object.values(opening.messagesOf(grid, row));
          return (
            <li key={row.key}>
              <button type="button" disabled={opening.isLocked} onClick={() => setOpen(row.key)}>
                <span className="ob-l1">{row.name}</span>
                <span className="ob-r1">
                  <Amount value={row.unpaid} />
                </span>
                <span className="ob-l2 ek-muted">
                  {[row.number, row.date === null ? '' : formatDate(row.date)]
                    .filter((text) => text !== '')
                    .join(' · ')}
                </span>
                <span className={message === undefined ? 'ob-r2 ek-muted' : 'ob-r2 ob-problem'}>
                  {message ?? (row.dueDate === null ? '' : `Due ${formatDate(row.dueDate)}`)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {!opening.isLocked && (
        <Button
          variant="subtle"
          className="ek-btn-link"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={() => setOpen(opening.form[grid].at(-1)?.key)}
        >
          {ADD[grid]}
        </Button>
      )}
      {edited !== undefined && (
        <AppModal
          opened
          title={edited.name === '' ? ADD[grid] : edited.name}
          onClose={close}
          footer={{
            primary: { label: 'Done', onClick: close },
            ...(isEmptyRow(edited) || (edited.posted?.usedBy.length ?? 0) > 0
              ? {}
              : { actions: [{ label: 'Remove', onClick: remove }] }),
          }}
        >
          <div className="ek-form">
            {fieldsOf(grid, cellsOfGrid(grid)).map(({ cell, draw }) => (
              <div key={cell} className="ek-c12">
                {draw({ opening, grid, row: edited })}
              </div>
            ))}
          </div>
        </AppModal>
      )}
    </>
  );
}
