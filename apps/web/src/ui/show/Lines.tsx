import { keyed } from './keyed.ts';

/** A list of strings on separate lines. Duplicates are allowed. */
export function Lines({ texts }: { texts: readonly string[] }) {
  return keyed(texts, (text) => text).map(({ key, item }) => <div key={key}>{item}</div>);
}
