import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { post, signatureOf } from './post.ts';
import { isPublic, targetFault } from './targets.ts';
import { type Authority, type Certificate, createAuthority } from './testing/certificates.ts';
import { openReceiver } from './testing/receiver.ts';

const privateUrls = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://books.localhost/',
  'https://①②⑦.⓪.⓪.①/',
];

const posting = (addresses: string[]) => ({
  allowsPrivate: false,
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  answerMs: 2000,
  signal: new AbortController().signal,
});
const sent = { headers: {}, body: '{}' };

describe('the address of a webhook', () => {
  test.each(privateUrls)('the address %s is private', async (url) => {
    expect(targetFault(url, false)).toMatch(/^Private addresses are not allowed/);
    // A request that bypasses the form's check isn't sent either.
    expect(await post(url, sent, posting([]))).toMatchObject({ status: null, error: expect.stringMatching(/Private/) });
  });

  test.each([
    'http://shop.example/',
    'ftp://shop.example/',
    'shop.example',
    'javascript:alert(1)',
    '',
    'https://user:word@shop.example/',
    'https://user@shop.example/',
  ])('the webhook address %s is rejected', (url) => {
    expect(targetFault(url, false)).not.toBe('');
    expect(targetFault(url, true)).not.toBe('');
  });

  test.each(['https://shop.example/hooks?a=1', 'https://8.8.8.8:8443/', 'https://[2606:4700::1111]/'])(
    'the webhook address %s is accepted',
    (url) => expect(targetFault(url, false)).toBe(''),
  );

  test('plain HTTP is allowed only for this machine, and only if the operator allows private addresses', () => {
    for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]']) {
      expect(targetFault(`http://${host}/`, true)).toBe('');
    }
    for (const host of ['10.0.0.1', 'shop.example', '192.168.1.1']) {
      expect(targetFault(`http://${host}/`, true)).toBe('The URL must begin with https://');
    }
    expect(targetFault('https://10.0.0.1/', true)).toBe('');
  });
});

test('a host name is checked by the address that the connection uses', async () => {
  const receiver = await openReceiver();
  try {
    const { port } = new URL(receiver.url);
    const url = `https://shop.example:${port}/`;
    for (const addresses of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '10.0.0.1']]) {
      expect(await post(url, sent, posting(addresses))).toMatchObject({
        status: null,
        error: expect.stringMatching(/Private/),
      });
    }
    // With the operator's permission, the same name reaches the receiver, which doesn't speak TLS.
    const { error } = await post(url, sent, { ...posting(['127.0.0.1']), allowsPrivate: true });
    expect(error).not.toMatch(/Private/);
    expect(receiver.arrivals).toEqual([]);
  } finally {
    await receiver.close();
  }
});

test('a host name that is public when checked and private afterward is resolved only once', async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return [{ address: asked.length === 1 ? '127.0.0.1' : '93.184.216.34', family: 4 }];
  };
  await post('https://rebinding.example:9/', sent, { ...posting([]), resolve });
  expect(asked).toEqual(['rebinding.example']);
});

test('addresses just outside private networks are public', () => {
  for (const address of ['9.255.255.255', '11.0.0.0', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1']) {
    expect(isPublic(address)).toBe(true);
  }
  expect(isPublic('not an address')).toBe(false);
});

describe('a receiver', () => {
  const plain = { ...posting([]), allowsPrivate: true, answerMs: 300 };

  test("a receiver's redirect is not followed and counts as a failure", async () => {
    const receiver = await openReceiver();
    receiver.respond = (_arrival, reply) => void reply.writeHead(307, { location: receiver.url }).end();
    expect(await post(receiver.url, sent, plain)).toMatchObject({
      status: 307,
      error: 'The response is a redirect, and Evenkeel does not follow redirects',
    });
    expect(receiver.arrivals).toHaveLength(1);
    await receiver.close();
  });

  test('a receiver that does not respond, or never ends its response, fails after the time limit', async () => {
    const receiver = await openReceiver();
    const error = 'No complete response within 0.3 seconds';
    receiver.respond = () => undefined;
    expect(await post(receiver.url, sent, plain)).toMatchObject({ status: null, error });
    receiver.respond = (_arrival, reply) => void reply.write('begun');
    expect(await post(receiver.url, sent, plain)).toMatchObject({ status: 200, error, response: 'begun' });
    await receiver.close();
  });

  test('an endless response is read only up to the limit', async () => {
    const receiver = await openReceiver();
    let isClosed = false;
    receiver.respond = (_arrival, reply) => {
      const part = 'x'.repeat(10_000);
      const more = (): void => {
        if (!isClosed && !reply.destroyed) reply.write(part, () => setImmediate(more));
      };
      reply.on('close', () => (isClosed = true));
      more();
    };
    const outcome = await post(receiver.url, sent, { ...plain, answerMs: 5000 });
    expect(outcome).toMatchObject({ status: 200, error: null });
    expect(outcome.response).toHaveLength(1000);
    await expect.poll(() => isClosed).toBe(true);
    await receiver.close();
  });

  test('if a receiver closes the connection or is unreachable, the delivery fails with the reason', async () => {
    const receiver = await openReceiver();
    receiver.respond = (_arrival, reply) => void reply.socket?.destroy();
    expect(await post(receiver.url, sent, plain)).toMatchObject({ status: null, error: 'socket hang up' });
    await receiver.close();
    expect(await post(receiver.url, sent, plain)).toMatchObject({
      status: null,
      error: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});

describe('the certificate of a receiver', () => {
  const HOST = 'shop.example';
  let trusted: Authority;
  let untrusted: Authority;
  beforeAll(() => {
    [trusted, untrusted] = [createAuthority('Trusted'), createAuthority('Untrusted')];
    // This machine trusts one of the authorities.
    const create = tls.createSecureContext;
    vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => create({ ca: trusted.cert, ...options }));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => {
    vi.restoreAllMocks();
    for (const each of [trusted, untrusted]) each.remove();
  });

  /** Sends an event to a receiver with a certificate. Returns the result and the number of arrivals. */
  async function sentTo(certificate: Certificate) {
    const receiver = await openReceiver(certificate);
    const url = receiver.url.replace('127.0.0.1', HOST);
    const outcome = await post(url, sent, { ...posting(['127.0.0.1']), allowsPrivate: true, answerMs: 20_000 });
    await receiver.close();
    return { ...outcome, arrived: receiver.arrivals.length };
  }

  test('a trusted certificate for the host is accepted', async () => {
    expect(await sentTo(trusted.issue(HOST))).toMatchObject({ status: 200, error: null, arrived: 1 });
  });

  test.each([
    ['has expired', () => trusted.issue(HOST, true), `The certificate of ${HOST} has expired`],
    ['names another host', () => trusted.issue('other.example'), `The certificate of ${HOST} is for another host`],
    [
      'is from an unknown authority',
      () => untrusted.issue(HOST),
      `The certificate of ${HOST} is not from a trusted authority`,
    ],
  ])('nothing is sent to a receiver whose certificate %s, and the error says so', async (_, issue, error) => {
    expect(await sentTo(issue())).toMatchObject({ status: null, error, response: '', arrived: 0 });
    // The variable switches verification off for connections that don't require it.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(await sentTo(issue())).toMatchObject({ status: null, error, arrived: 0 });
  });
});

test('the signature is the one in the Standard Webhooks specification', () => {
  const event = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body: '{"test": 2432232314}' };
  expect(signatureOf(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], event)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});
