/** Groups the elements by key. The elements of a group keep their order. */
export function grouped<One, Key>(all: Iterable<One>, keyOf: (one: One) => Key): Map<Key, One[]> {
  const found = new Map<Key, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = found.get(key);
    if (group === undefined) found.set(key, [one]);
    else group.push(one);
  }
  return found;
}
