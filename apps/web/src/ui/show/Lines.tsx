/** Texts below one another. Two may be alike: the second one is told from the first. */
export function Lines({ texts }: { texts: readonly string[] }) {
  const alike = (text: string, at: number): number => texts.slice(0, at).filter((one) => one === text).length;
  const lines = texts.map((text, at) => ({ text, key: `${text} ${alike(text, at)}` }));
  return lines.map(({ text, key }) => <div key={key}>{text}</div>);
}
