import { movingCalls } from '@evenkeel/contract/moving';
import { ask } from '../../client/api.ts';
import { onIdentityChange } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';

/** The interval in ms between two reads of the progress while no page shows it. */
const LOOK_MS = 3000;

let watching = new AbortController();
const watched = new Set<number>();
onIdentityChange(() => {
  watching.abort();
  watched.clear();
  watching = new AbortController();
});

/** Tracks an import until it ends, and shows an alert with the result on every page except the import's own. */
export function watchMove(id: number): void {
  if (watched.has(id)) return;
  watched.add(id);
  void follow(id, watching.signal).finally(() => watched.delete(id));
}

async function follow(id: number, signal: AbortSignal): Promise<void> {
  let isImport = false;
  while (!signal.aborted) {
    const now = await ask(movingCalls.getMoveProgress, { params: { id } })
      .read(signal)
      .catch(() => undefined);
    if (signal.aborted) return;
    if (now?.status === 'importing') isImport = true;
    const isOver = now !== undefined && !now.status.endsWith('ing');
    if (isOver) {
      if (isImport && window.location.pathname !== '/movein') tell(now);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function tell({ status, error }: { status: string; error: string | null }): void {
  if (status === 'imported') alerts.success('Books imported. Every balance agrees.', { autoClose: false });
  else alerts.error(error ?? 'The import was canceled. Nothing was saved.', { autoClose: false });
}
