/**
 * The network that limits count by: an IPv4 address alone, and of IPv6 the first 64 bits, all of which a single
 * subscriber has. An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) counts as itself.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [before = '', after] = address.replace(/%.*/, '').split('::');
  const groupsOf = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(':'));
  const [head, tail] = [groupsOf(before), groupsOf(after)];
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const network = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
