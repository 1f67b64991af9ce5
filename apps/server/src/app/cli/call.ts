import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Client, type FileInput, Refused, Unreachable, type WireCall } from '@evenkeel/client/client';
import { endpoints } from '@evenkeel/contract/all';
import { canRehearse, type Endpoint } from '@evenkeel/contract/endpoint';
import { queryOf } from '@evenkeel/contract/lists';
import { operationId, wireAddressOf } from '@evenkeel/contract/request';
import { type Command, type CommandContext, type CommandResult, optionalOption, UsageError } from './command.ts';
import { localOptions, withLocalSession } from './local-session.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The exit codes of the commands that call a server. Success is 0. */
export const REFUSED = 1;
export const WRONG_USAGE = 2;
export const NOT_REACHABLE = 3;

/** The options of the commands that call a server. */
export const serverOptions = { address: text, out: text, ...localOptions } as const;

/**
 * Makes any API call with the key in EVENKEEL_KEY, to the server at --address, at EVENKEEL_ADDRESS, or on this machine.
 * On the server's own machine, --company replaces the key. As everywhere in the API, amounts are in dollars and dates
 * have the format YYYY-MM-DD. `--list` lists the operations.
 */
export const callCommand: Command = {
  name: 'call',
  usage:
    'OPERATION [NAME=VALUE …] [--json FILE] [--file FILE] [--out FILE] [--rehearse] ' +
    '[--address URL | --company ID [--user EMAIL]], or --list',
  options: { ...serverOptions, json: text, file: text, rehearse: flag, list: flag },
  usageExitCode: WRONG_USAGE,
  run: async (context) => {
    if (context.options['list'] === true) return { result: endpoints.map(described) };
    const [name, ...given] = context.positionals;
    if (name === undefined) throw new UsageError('specify an operation');
    const endpoint = operation(name);
    const isRehearsed = context.options['rehearse'] === true;
    if (isRehearsed && !canRehearse(endpoint)) throw new UsageError(`${name} can't be rehearsed`);
    const { params, query } = parametersOf(endpoint, given);
    const body = await bodyOf(endpoint, optionalOption(context, 'json'));
    const file = await fileOf(endpoint, optionalOption(context, 'file'));
    return callServer(context, endpoint, {
      address: wireAddressOf(endpoint, params, query),
      ...(body !== undefined && { body }),
      ...(file !== undefined && { file }),
      isRehearsed,
    });
  },
};

const described = (endpoint: Endpoint) => ({
  operation: operationId(endpoint),
  method: endpoint.method,
  path: `/api${endpoint.path}`,
  parameters: Object.keys({ ...endpoint.params?.shape, ...queryOf(endpoint)?.shape }),
  summary: endpoint.summary,
});

function operation(name: string): Endpoint {
  const found = endpoints.find((endpoint) => operationId(endpoint).toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const similar = endpoints.map(operationId).filter((each) => each.toLowerCase().includes(name.toLowerCase()));
  const hint = similar.length === 0 ? '--list lists all operations' : `similar: ${similar.slice(0, 10).join(', ')}`;
  throw new UsageError(`unknown operation "${name}" (${hint})`);
}

/** Returns the path and query parameters that are given as NAME=VALUE. */
function parametersOf(endpoint: Endpoint, given: readonly string[]) {
  const names = {
    params: Object.keys(endpoint.params?.shape ?? {}),
    query: Object.keys(queryOf(endpoint)?.shape ?? {}),
  };
  const found: Record<keyof typeof names, Record<string, string>> = { params: {}, query: {} };
  for (const word of given) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    const place = (['params', 'query'] as const).find((each) => names[each].includes(name));
    if (place === undefined) {
      const all = [...names.params, ...names.query];
      throw new UsageError(
        `"${word}" is not a parameter (${all.length === 0 ? 'none are accepted' : `NAME=VALUE: ${all.join(', ')}`})`,
      );
    }
    found[place][name] = value;
  }
  const missing = names.params.find((name) => (found.params[name] ?? '') === '');
  if (missing !== undefined) throw new UsageError(`${missing}=VALUE is missing`);
  return found;
}

/** Reads the body from a JSON file, or from stdin if the file is named -. */
async function bodyOf(endpoint: Endpoint, path: string | undefined): Promise<unknown> {
  if (endpoint.body === undefined) {
    if (path !== undefined) throw new UsageError(`${operationId(endpoint)} does not accept a body`);
    return undefined;
  }
  if (path === undefined) throw new UsageError('--json is missing. Specify the file with the body, or - for stdin');
  const content = path === '-' ? await textOf(process.stdin) : await readFile(path, 'utf8');
  try {
    return JSON.parse(content);
  } catch {
    throw new UsageError(`${path === '-' ? 'stdin' : path} is not valid JSON`);
  }
}

async function fileOf(endpoint: Endpoint, path: string | undefined): Promise<FileInput | undefined> {
  if (endpoint.takes === undefined) {
    if (path !== undefined) throw new UsageError(`${operationId(endpoint)} does not accept a file`);
    return undefined;
  }
  if (path === undefined) throw new UsageError('--file is missing');
  return { name: basename(path), bytes: new Uint8Array(await readFile(path)) };
}

/**
 * Makes a call and returns its response as the command's result. A response that is a file is written to --out. With
 * --company, the call goes to the server on this machine, in a session that ends with the call.
 */
export async function callServer(context: CommandContext, endpoint: Endpoint, call: WireCall): Promise<CommandResult> {
  const out = optionalOption(context, 'out');
  if (typeof endpoint.reply === 'string' && out === undefined)
    throw new UsageError('--out is required because the response is a file');
  const { environment = {}, config } = context;
  const given = optionalOption(context, 'address');
  const local = await withLocalSession(context, (key) => {
    if (given !== undefined) throw new UsageError("--company and --address can't be used together");
    return send(context, endpoint, { call, address: ownAddress(config.port), key });
  });
  if (local !== undefined) return local;
  const address = given ?? environment['EVENKEEL_ADDRESS'] ?? ownAddress(config.port);
  if (!URL.canParse(address)) throw new UsageError(`"${address}" is not an address`);
  const key = environment['EVENKEEL_KEY'];
  if (endpoint.needs !== 'public' && !key)
    throw new UsageError("EVENKEEL_KEY is not set. Set it to an API key, or use --company on the server's machine");
  return send(context, endpoint, { call, address, key });
}

interface Sent {
  call: WireCall;
  address: string;
  key: string | undefined;
}

async function send(context: CommandContext, endpoint: Endpoint, { call, address, key }: Sent): Promise<CommandResult> {
  const out = optionalOption(context, 'out');
  try {
    const response = await new Client({ address, key }).send(endpoint, call);
    if (typeof endpoint.reply !== 'string' || call.isRehearsed === true) return { result: await response.json() };
    const bytes = new Uint8Array(await response.arrayBuffer());
    await writeFile(out ?? '', bytes);
    return { result: { file: out, bytes: bytes.length, contentType: response.headers.get('content-type') } };
  } catch (error) {
    if (error instanceof Refused) {
      context.say(error.message);
      return { result: error.body, exitCode: REFUSED };
    }
    if (!(error instanceof Unreachable)) throw error;
    const { message, isUnsure } = error;
    context.say(isUnsure ? `${message}. The call may have taken effect. Check before you repeat it.` : message);
    return { result: { code: 'unreachable', message }, exitCode: NOT_REACHABLE };
  }
}

const ownAddress = (port: number): string => `http://127.0.0.1:${port}`;
