import type { Kept } from '../../records/active.tsx';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { useCloseSubPage } from '../../records/place.ts';

/** A sub-page of accounting: a short list whose rows open their form; its close button goes back. */
export function SubPage<Row extends Kept>({ list }: { list: KeptList<Row> }) {
  return <KeptListScreen list={list} onClose={useCloseSubPage('/accounting')} />;
}
