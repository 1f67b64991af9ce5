import type { GlEntry } from '@evenkeel/contract/ledger';
import { type ReactNode, useState } from 'react';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { Choice } from '../../ui/show/Choice.tsx';

/** The accounting basis that a line applies to. 0 means both. */
const VIEWS = [
  { value: '0', label: 'Accrual', basis: 1, none: 'No entries on the accrual basis.' },
  { value: '1', label: 'Cash', basis: 2, none: 'No entries on the cash basis.' },
] as const;

export interface BasisView {
  /** The lines for one basis. Accrual and cash amounts are never added together. */
  lines: GlEntry[];
  /** The message shown if the basis has no lines. */
  none: string;
  /** The switch between the bases, or null if the lines are the same on both. */
  choice: ReactNode;
}

/** Returns the lines for one accounting basis, starting with the company's. */
export function useBasisView(all: readonly GlEntry[]): BasisView {
  const company = useBooksSettings();
  const [chosen, setChosen] = useState<'0' | '1'>();
  const view = VIEWS[(chosen ?? String(company.basis)) === '1' ? 1 : 0];
  const isSame = all.every((line) => line.basis === 0);
  return {
    lines: all.filter((line) => line.basis === 0 || line.basis === view.basis),
    none: view.none,
    choice: isSame ? null : (
      <Choice label="Basis" labelHidden options={VIEWS} value={view.value} onChange={setChosen} />
    ),
  };
}
