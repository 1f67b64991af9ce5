/** Returns items with keys based on their text. Duplicates get different keys. */
export function keyed<Item>(items: readonly Item[], wordsOf: (item: Item) => string): { key: string; item: Item }[] {
  const words = items.map(wordsOf);
  return items.map((item, at) => {
    const word = words[at] ?? '';
    const earlier = words.slice(0, at).filter((one) => one === word).length;
    return { item, key: earlier === 0 ? word : `${word} ${earlier}` };
  });
}
