import { keyed } from './keyed.ts';

/** Texts on separate lines. Duplicates are allowed. */
export function Lines({ texts }: { texts: readonly string[] }) {
  return keyed(texts, (text) => text).map(({ key, item }) => <div key={key}>{item}</div>);
}
