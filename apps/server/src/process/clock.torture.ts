import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clockVariables, setClock } from '../../../../scripts/test/instants.ts';
import { findTool } from '../../../../scripts/test/tools.ts';
import { addCustomer, ask, createCompany, signIn } from './testing/client.ts';
import { Installation, PATIENCE_MS } from './testing/installation.ts';
import { Load } from './testing/load.ts';
import { Cluster, systemPostgres } from './testing/system-postgres.ts';
import { expectVerified, expectWhole, sendAgain, successes } from './testing/whole.ts';

// During posting, the machine's clock jumps, both for the program and for its PostgreSQL. Debian's libfaketime
// simulates these jumps.

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const CLIENTS = 8;
const bin = systemPostgres();

let installation: Installation;
let clock: string;
beforeAll(async () => {
  installation = await Installation.make();
  clock = join(installation.root, 'clock');
});
afterAll(() => installation.remove());

const HOUR_MS = 3_600_000;

/** Returns the number of hours by which a clock that shows this time is off. */
const hoursOff = (said: unknown): number => Math.round((Date.parse(String(said)) - Date.now()) / HOUR_MS) || 0;

test.skipIf(findTool('faketime').missing !== undefined || bin === undefined)(
  'if a clock is set back and forward under load, nothing is lost or duplicated',
  async () => {
    setClock(clock, 0);
    const faked = clockVariables(clock);
    const postgres = await Cluster.make(join(installation.root, 'faked'), bin ?? '', { env: faked });
    installation.atEnd(() => postgres.stop());
    await postgres.sql('create database books');
    const url = `postgres://postgres@127.0.0.1:${postgres.port}/books`;
    const plain = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'fatal', DATABASE_URL: url };
    const environment = { ...plain, ...faked };
    await createCompany(installation, plain);
    const server = await installation.start(environment);
    let token = await signIn(server.address);
    const names = Array.from({ length: CLIENTS }, (_, index) => `Customer ${index + 1}`);
    const customers = await Promise.all(names.map((name) => addCustomer(server.address, token, name)));
    const loads: Load[] = [];
    for (const hours of [-25, 0, 25, -960, 0]) {
      const load = new Load({ address: server.address, token }, customers);
      loads.push(load);
      await successes(load, 40);
      setClock(clock, hours * 3600);
      const clocks = async (): Promise<number[]> => {
        const { headers } = await ask(server.address, '/healthz');
        const [row] = await postgres.sql('select now()::text as now');
        return [headers.get('date'), row?.['now']].map(hoursOff);
      };
      await expect.poll(clocks, { timeout: 30_000 }).toEqual([hours, hours]);
      // A session that was created in the future or has expired is rejected, so the user signs in again.
      const told = async (): Promise<number> => (await ask(server.address, '/api/customer?limit=1', { token })).status;
      await expect.poll(async () => [200, 401].includes(await told()), { timeout: 30_000 }).toBe(true);
      await load.stop();
      expect(load.refusals.filter(({ status }) => status !== 401 && status !== 503)).toEqual([]);
      token = await signIn(server.address);
      await sendAgain(load, { address: server.address, token, customers });
    }
    const { acknowledged } = await expectWhole({ address: server.address, token, customers }, loads);
    console.log(`clock: set 5 times, acknowledged ${acknowledged}, lost 0, doubled 0`);
    await expectVerified(installation, plain);
    expect((await server.stop()).code).toBe(0);
  },
);
