// Checks a proof of Evenkeel's books without other programs: `node verify.mjs FILE [PUBLIC-KEY]`. docs/proof.md
// describes the file. verify.html contains the same code in a page that works offline (npm run generate).

const [PRIME, decoder, encoder] = [2 ** 31 - 1, new TextDecoder(), new TextEncoder()];

// SHA-256 (FIPS 180-4). The constants are the first bits of the square and cube roots of the first prime numbers.
const numbers = Array.from({ length: 310 }, (_, n) => n + 2);
const primes = numbers.filter((n) => !numbers.some((d) => d < n && n % d === 0));
const START = Int32Array.from(primes.slice(0, 8), (n) => Math.sqrt(n) * 2 ** 32);
const K = Int32Array.from(primes, (n) => Math.cbrt(n) * 2 ** 32);
const [state, words, hashed] = [new Int32Array(8), new Int32Array(64), new Uint8Array(32)];
const hex = (number, digits) => number.toString(16).padStart(digits, '0');
const hexDigits = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));
const hexOf = (bytes) => bytes.reduce((text, byte) => text + hexDigits[byte], '');
const turn = (x, by) => (x >>> by) | (x << (32 - by));
let scratch = new Uint8Array(0);

/** Copies the first `at` bytes of the last hash, and then the text, to `scratch`. Returns the total length. */
function put(text, at) {
  if (scratch.length < text.length * 3 + 128) scratch = new Uint8Array(text.length * 6 + 65_536);
  scratch.set(hashed.subarray(0, at));
  return at + encoder.encodeInto(text, scratch.subarray(at)).written;
}

/** Writes the SHA-256 of the first `length` scratch bytes to `hashed`. Returns the hash in hexadecimal. */
function sha256(length) {
  const [end, view, to] = [(length + 72) & ~63, new DataView(scratch.buffer), new DataView(hashed.buffer)];
  scratch.fill(0, length, end)[length] = 128;
  view.setUint32(end - 4, length << 3);
  state.set(START);
  for (let at = 0; at < end; at += 64) {
    for (let t = 0; t < 16; t += 1) words[t] = view.getInt32(at + 4 * t);
    for (let t = 16; t < 64; t += 1) {
      const x = words[t - 15];
      const y = words[t - 2];
      const sum = (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      words[t] = words[t - 16] + words[t - 7] + sum;
    }
    // Separate variables are several times faster than an array.
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let t = 0, x = 0, y = 0; t < 64; t += 1, h = g, g = f, f = e, e = (d + x) | 0, d = c, c = b, b = a, a = y) {
      x = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + words[t]) | 0;
      y = (x + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => to.setInt32(4 * n, (state[n] += word)));
  }
  return hexOf(hashed);
}

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const digestOf = async (bytes) => hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** The sum of the bytes, and the sum of each byte times its position. Together, they locate a single changed byte. */
function sumsOf(bytes) {
  let [plain, placed] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    plain += bytes[at];
    placed += bytes[at] * (at + 1);
    if ((at & 4095) === 4095) [plain, placed] = [plain % PRIME, placed % PRIME];
  }
  return [plain % PRIME, placed % PRIME];
}

/** Identifies the changed byte. If that isn't possible, identifies every line that doesn't match its digest. */
async function changesOf(bytes, [digest, ...told]) {
  const [more, moved] = sumsOf(bytes).map((sum, n) => (sum - Number(told[n]) + PRIME) % PRIME);
  const by = more > 255 ? more - PRIME : more;
  const rest = (moved * Math.sign(by) + PRIME) % PRIME;
  for (let round = 0; by !== 0 && round < Math.abs(by); round += 1) {
    const at = (rest + round * PRIME) / Math.abs(by) - 1;
    if (!Number.isInteger(at) || at < 0 || at >= bytes.length) continue;
    const [found, was] = [bytes[at], bytes[at] - by];
    const right = Uint8Array.from(bytes).fill(was, at, at + 1);
    if (was < 0 || was > 255 || (await digestOf(right)) !== digest) continue;
    const [before, now] = [was, found].map((byte) => JSON.stringify(String.fromCharCode(byte)));
    const line = right.subarray(0, at).filter((byte) => byte === 10).length + 1;
    return [`Byte ${at + 1} was changed from ${before} to ${now} (line ${line})`];
  }
  const isWrong = (line) => sha256(put(line.slice(17), 0)).slice(0, 16) !== line.slice(0, 16);
  const lines = decoder.decode(bytes).split('\n').slice(0, -1);
  const faultsOf = (line, at) => (isWrong(line) ? [`Line ${at + 1} was changed: ${line.slice(17, 99)}`] : []);
  const wrong = lines.flatMap(faultsOf);
  return wrong.length > 0 ? wrong : ['Lines were added, removed, or moved'];
}

/** Checks the last line, which contains the digest, the sums, and the signature. Returns the problems that it finds. */
async function checkEnd(bytes, start, { publicKey }) {
  const [tail, body] = [decoder.decode(bytes.subarray(start)), bytes.subarray(0, start)];
  const [, ...told] = /^end ([0-9a-f]{64}) (\d+) (\d+) ([0-9a-f]{128})\n$/.exec(tail) ?? [];
  const [digest, sums] = [await digestOf(body), sumsOf(body).join(' ')];
  if (told.length > 0 && digest !== told[0] && sums !== `${told[1]} ${told[2]}`) return changesOf(body, told);
  const raw = bytesOf(publicKey ?? '');
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']).catch(() => null);
  const message = encoder.encode(`evenkeel proof 1 ${digest} ${sums}`);
  const isSigned = key !== null && (await crypto.subtle.verify('Ed25519', key, bytesOf(told[3] ?? ''), message));
  const right = `end ${digest} ${sums} `;
  if (isSigned && tail.startsWith(right)) return [];
  const at = [...right].findIndex((character, n) => tail[n] !== character);
  const place = at < 0 ? `one of bytes ${start + right.length + 1} to ${bytes.length}` : `byte ${start + at + 1}`;
  return [`The last line doesn't match the content: ${place} is wrong (digest, sums, or signature)`];
}

const counted = (text) => `${/^[\0-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length}:${text}`;
const dateHex = (date) => hex((Date.parse(date) / 86_400_000 - 10_957) >>> 0, 8);
const microsOf = (at) => (Date.parse(`${at.slice(0, 19)}Z`) - 946_684_800_000) * 1000 + Number(at.slice(20, 26));
const momentHex = (at) => hex(BigInt.asUintN(64, BigInt(microsOf(at))), 16);

/** Turns the monthly sums into trial balances. A new fiscal year moves income and expenses to retained earnings. */
function trialBalances(sums, accounts, { fiscalYearStart, retainedEarnings }) {
  const isEarned = ([id]) => ['Income', 'Expense'].includes(accounts.get(id)?.root);
  const yearOf = (month) => Number(month.slice(0, 4)) - (Number(month.slice(5)) < fiscalYearStart ? 1 : 0);
  const [balances, months] = [[new Map(), new Map()], new Map()];
  let year;
  for (const month of [...sums.keys()].toSorted((a, b) => (a < b ? -1 : 1))) {
    balances.forEach((own, basis) => {
      const earned = year === yearOf(month) ? [] : [...own].filter(isEarned);
      for (const [id, cents] of earned) own.set(retainedEarnings, (own.get(retainedEarnings) ?? 0) + cents).delete(id);
      for (const [id, both] of sums.get(month)) own.set(id, (own.get(id) ?? 0) + both[basis]);
    });
    year = yearOf(month);
    const [accrual, cash] = balances.map((own) => Object.fromEntries([...own].filter(([, cents]) => cents !== 0)));
    months.set(month, { month, accrual, cash });
  }
  return months;
}

/** Compares a trial balance in the file with the one calculated from the journal. */
function differences(told, right, accounts, basis) {
  const [here, there] = [told?.[basis] ?? {}, right?.[basis] ?? {}];
  const ids = [...new Set([...Object.keys(here), ...Object.keys(there)])].filter((id) => here[id] !== there[id]);
  const said = (id) => `${here[id] ?? 0} cents instead of ${there[id] ?? 0}`;
  const [nameOf, { month }] = [(id) => accounts.get(Number(id))?.name ?? `account ${id}`, told ?? right];
  return ids.map((id) => `Trial balance ${month}, ${basis} basis: ${nameOf(id)} is ${said(id)}`);
}

/** Checks the bytes of a proof, and its key if one is given. Returns the content, and all problems that it finds. */
export async function verify(bytes, expectedKey) {
  const [faults, accounts, told, sums] = [[], new Map(), new Map(), new Map()];
  let [header, previous, transactions, lines] = [{}, '', 0, 0];
  const add = (fault) => faults.length < 20 && faults.push(fault);
  const post = (row) => {
    const date = dateHex(row.date);
    let text = `${header.companyId}|${row.id}|${row.no}|${date}|${row.source}|${row.sourceId}|${row.by}`;
    text += `|${momentHex(row.at)}|${previous}|${counted(row.text)}`;
    const [month, total] = [sums.get(row.date.slice(0, 7)) ?? new Map(), [0, 0]];
    row.lines.forEach(([id, account, cents, basis, entity, center, location, reverses, memo], at) => {
      text += `|${header.companyId}|${id}|${row.id}|${at + 1}|${date}|${account}|${cents}|${basis}|${entity ?? ''}`;
      text += `|${center ?? ''}|${location ?? ''}|${reverses ?? ''}|${counted(memo)}`;
      const sum = month.get(account) ?? [0, 0];
      const [accrual, cash] = [basis === 'C' ? 0 : cents, basis === 'A' ? 0 : cents];
      for (const each of [sum, total]) [each[0], each[1]] = [each[0] + accrual, each[1] + cash];
      month.set(account, sum);
    });
    sums.set(row.date.slice(0, 7), month);
    const isRight = sha256(put(text, previous.length / 2)) === row.hash;
    if (!isRight) add(`Transaction ${row.id} (${row.date}) doesn't match its hash`);
    if (!isRight) hashed.set(bytesOf(row.hash));
    if (total[0] !== 0 || total[1] !== 0) add(`Transaction ${row.id} (${row.date}) doesn't balance`);
    [previous, transactions, lines] = [row.hash, transactions + 1, lines + row.lines.length];
  };
  const last = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  for (let at = 0, number = 1; at < last; number += 1) {
    const end = bytes.indexOf(10, at);
    try {
      const row = JSON.parse(decoder.decode(bytes.subarray(at + 17, end)));
      if (row.lines) post(row);
      else if (row.account) accounts.set(row.account.id, row.account);
      else if (row.month) told.set(row.month, row);
      else header = row;
    } catch {
      add(`Line ${number} can't be read`);
    }
    at = end + 1;
  }
  faults.unshift(...(await checkEnd(bytes, last, header)));
  if (expectedKey && expectedKey !== header.publicKey) add(`The file was signed with another key: ${header.publicKey}`);
  if (previous !== header.root) add(`The hash chain ends with ${previous} instead of the root ${header.root}`);
  const right = trialBalances(sums, accounts, header);
  for (const month of new Set([...told.keys(), ...right.keys()])) {
    const compare = (basis) => differences(told.get(month), right.get(month), accounts, basis);
    ['accrual', 'cash'].flatMap(compare).forEach(add);
  }
  return { faults, header, accounts: [...accounts.values()], months: [...right.values()], transactions, lines };
}

if (globalThis.process?.argv[1]?.endsWith('verify.mjs')) {
  const { readFileSync } = await import('node:fs');
  const { faults, header, transactions, lines } = await verify(readFileSync(process.argv[2]), process.argv[3]);
  console.log(`${header.company}: ${transactions} transactions, ${lines} lines, exported ${header.exportedAt}`);
  console.log(`Root ${header.root}\nPublic key ${header.publicKey}`);
  console.log(faults.join('\n') || 'The file is unchanged, and its journal, trial balances, and signature agree');
  process.exitCode = Math.sign(faults.length);
}
