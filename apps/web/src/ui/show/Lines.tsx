import { keyed } from './keyed.ts';

/** Texts below one another; two may be alike. */
export function Lines({ texts }: { texts: readonly string[] }) {
  return keyed(texts, (text) => text).map(({ key, item }) => <div key={key}>{item}</div>);
}
