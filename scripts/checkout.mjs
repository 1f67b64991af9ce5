// Functions that scripts share: the checkout's root, progress messages, and a lock. Because of the lock, commands that
// start in two terminals at the same time install and build only once. This file runs before anything is installed, so
// it imports only Node modules.
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder, independent of the current directory. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Prints progress to stderr, because stdout is only for the result of a command. */
export const say = (line) => void process.stderr.write(`${line}\n`);

/** Returns whether the module with this URL is the program that was started (either directly or through a link). */
export const isMain = (url) => Boolean(process.argv[1]) && realpathSync(process.argv[1]) === fileURLToPath(url);

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Runs `work` while holding the lock `name`. Takes over the lock of a process that has ended. */
export async function withLock(name, work) {
  const file = join(root, '.cache', `${name}.lock`);
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  for (;;) {
    // The lock is checked again after a pause, in case two processes take it over at the same time.
    if (tryTake(file) && (await sleep(20), holderOf(file) === process.pid)) break;
    const holder = holderOf(file);
    if (holder === 0 || !isAlive(holder)) {
      await sleep(100);
      if (holderOf(file) === holder) rmSync(file, { force: true });
      continue;
    }
    if (!told) say(`Waiting for process ${holder}, which is already doing this…`);
    told = true;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
