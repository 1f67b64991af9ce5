import { lookup as lookupAll } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/**
 * The addresses that webhooks may send to. Users choose the addresses, so an address must not lead to a program in the
 * operator's network. A connection uses the address that was checked, so that a name can't point to a different address
 * afterward.
 */

/** IPv4 networks that aren't public, according to the IANA special-purpose address registry. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * The public IPv6 network, and its parts that aren't public or that contain an IPv4 address. Mapped (::ffff:0:0/96) and
 * translated (64:ff9b::/96) IPv4 addresses are outside this network.
 */
const PUBLIC_IPV6 = '2000::/3';
const PRIVATE_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const privateIpv4 = listOf(PRIVATE_IPV4, 'ipv4');
const publicIpv6 = listOf([PUBLIC_IPV6], 'ipv6');
const privateIpv6 = listOf(PRIVATE_IPV6, 'ipv6');
const loopback = listOf(['127.0.0.0/8'], 'ipv4');

/** Returns whether an IP address belongs to a public host. Returns false for text that isn't an address. */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !privateIpv4.check(address, 'ipv4');
  return version === 6 && publicIpv6.check(address, 'ipv6') && !privateIpv6.check(address, 'ipv6');
}

/** Returns the host of a URL without the brackets around an IPv6 address or the dot at the end of a full name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || loopback.check(host, 'ipv4');

export const PRIVATE = 'Private addresses are not allowed. The operator can allow them with WEBHOOK_PRIVATE_TARGETS.';

/**
 * Returns the reason why events can't be sent to a URL, or an empty string. Names are checked when they are resolved.
 * URL.parse turns all notations of an IPv4 address (decimal, octal, hexadecimal) into the usual one.
 */
export function targetFault(text: string, allowsPrivate: boolean): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'Please enter a URL that begins with https://';
  const host = hostOf(url);
  const mayBePlain = allowsPrivate && isLocal(host);
  if (url.protocol !== 'https:' && !mayBePlain) return 'The URL must begin with https://';
  if (url.username !== '' || url.password !== '') return "The URL can't contain a user name or password";
  const isPrivate = host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && !isPublic(host));
  return isPrivate && !allowsPrivate ? PRIVATE : '';
}

/** Returns all addresses for a host name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

export const resolveHost: Resolve = (host) => lookupAll(host, { all: true });

/**
 * Returns the name lookup for a connection. If one of the addresses isn't public, the connection fails. The socket then
 * connects to the returned addresses.
 */
export function checkedLookup(resolve: Resolve, allowsPrivate: boolean): LookupFunction {
  const checked = async (host: string): Promise<LookupAddress[]> => {
    const found = await resolve(host);
    if (found.length === 0) throw new Error(`${host} could not be resolved`);
    if (!allowsPrivate && found.some(({ address }) => !isPublic(address))) throw new Error(PRIVATE);
    return found;
  };
  // The socket accepts a list of addresses only if it requested all of them.
  const callbackOf = callbackify(checked);
  return (host, { all }, done) => {
    callbackOf(host, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) done(error, '');
      else if (all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}
