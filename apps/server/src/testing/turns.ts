import type { Pool } from '../platform/db/connect.ts';

/** Takes a turn to write of a company (it has two) until it is let go. */
export function takeTurn({ gates }: Pool, companyId: number): () => Promise<void> {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const turn = gates.write.pass({ companyId }, () => held);
  return () => {
    letGo();
    return turn;
  };
}
