import type { Kept } from '../../records/active.tsx';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { useCloseSubPage } from '../../records/place.ts';

/**
 * A subpage of accounting with a short list. Selecting a row opens its form, and the close button returns to the
 * previous page.
 */
export function SubPage<Row extends Kept>({ list }: { list: KeptList<Row> }) {
  return <KeptListScreen list={list} onClose={useCloseSubPage('/accounting')} />;
}
