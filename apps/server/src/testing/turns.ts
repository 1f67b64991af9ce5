import type { Pool } from '../platform/db/connect.ts';

/** Holds one of a company's two turns for writing until the returned function is called. */
export function takeTurn({ gates }: Pool, companyId: number): () => Promise<void> {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const turn = gates.write.pass({ companyId }, () => held);
  return () => {
    letGo();
    return turn;
  };
}
