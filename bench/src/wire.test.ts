import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type WatchedDatabase, watchDatabase } from './wire.ts';

/** Responds to every '?' with '!', as a database responds to every statement. */
const database = createServer((socket) => {
  socket.on('data', (bytes) => socket.write('!'.repeat(bytes.toString().split('?').length - 1)));
});
let watched: WatchedDatabase;
let client: Socket;

async function ask(text: string): Promise<void> {
  const answers = text.length;
  let seen = 0;
  client.write(text);
  await new Promise<void>((resolve) => {
    const onData = (bytes: Buffer): void => {
      seen += bytes.length;
      if (seen < answers) return;
      client.off('data', onData);
      resolve();
    };
    client.on('data', onData);
  });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
  const address = database.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  watched = await watchDatabase({ host: '127.0.0.1', port, user: 'app', database: 'books' });
  client = connect(Number(new URL(watched.url).port), '127.0.0.1');
});
afterAll(async () => {
  client.destroy();
  await watched.stop();
  await new Promise((resolve) => database.close(resolve));
});

test('three consecutive statements take three round trips, and a reset clears the count', async () => {
  watched.reset();
  for (let index = 0; index < 3; index += 1) await ask('?');
  expect(watched.traffic().roundTrips).toBe(3);
  watched.reset();
  expect(watched.traffic()).toEqual({ roundTrips: 0, milliseconds: 0 });
});

test('three statements that are sent together take one round trip', async () => {
  watched.reset();
  await ask('???');
  expect(watched.traffic().roundTrips).toBe(1);
});
