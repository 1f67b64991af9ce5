// Builds the web app and the server if their output is missing or older than the sources. `--force` always builds.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isMain, root, say, withLock } from '../checkout.mjs';

const shared = ['package-lock.json', 'tsconfig.base.json'];

/** Returns the source folders of an app and of the packages in this repository that it depends on. */
function sourcesOf(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const own = Object.keys(dependencies).filter((name) => name.startsWith('@evenkeel/'));
  return [`${folder}/src`, ...own.flatMap((name) => sourcesOf(`packages/${basename(name)}`))];
}

const server = {
  name: 'server',
  folder: join(root, 'apps/server'),
  output: 'main.js',
  sources: [...new Set(sourcesOf('apps/server')), ...shared],
};
const web = {
  name: 'web',
  folder: join(root, 'apps/web'),
  output: 'index.html',
  sources: [
    ...new Set(sourcesOf('apps/web')),
    'apps/web/public',
    'apps/web/index.html',
    'apps/web/vite.config.ts',
    ...shared,
  ],
};

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) return yield path;
  const inside = readdirSync(path).sort();
  for (const name of inside) yield* filesUnder(join(path, name));
}

/**
 * Returns a digest of names and contents. Unlike file times, a digest does not change when files are cloned, checked
 * out, or copied. Tests are excluded.
 */
function fingerprint(app) {
  const digest = createHash('sha256');
  for (const source of [...app.sources, 'scripts/build/ensure-built.mjs']) {
    for (const file of filesUnder(join(root, source))) {
      if (/\.(test|torture|cluster)\.tsx?$/.test(file) || file.includes('/testing/')) continue;
      digest
        .update(`${file.slice(root.length)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return digest.digest('hex');
}

// The stamp is not in the output folder, because the web folder is served to everyone.
const stampOf = (app) => join(root, '.cache', `${app.name}.built`);

function isBuilt(app, print) {
  try {
    return existsSync(join(app.folder, 'dist', app.output)) && readFileSync(stampOf(app), 'utf8') === print;
  } catch {
    return false;
  }
}

/** Each program that runs in its own process or thread (main, the command line, workers) is an entry in the bundle. */
function serverEntries() {
  const source = join(server.folder, 'src');
  const workers = [...filesUnder(source)].filter((file) => file.endsWith('.worker.ts'));
  const files = [join(source, 'main.ts'), join(source, 'cli.ts'), ...workers].filter((file) => existsSync(file));
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));
}

/**
 * npm packages stay external, so that their native files keep their paths. Our own workspaces are TypeScript and are
 * bundled. Two packages with hundreds of small files are bundled as well, because finding and reading these files took
 * half of the startup time.
 */
const isOutside = (id) => !/^(\.{0,2}\/|[a-z]:[\\/]|@evenkeel\/|(kysely|zod)(\/|$))/i.test(id);

async function buildServer() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: serverEntries(),
    platform: 'node',
    external: isOutside,
    logLevel: 'warn',
  });
  const dir = join(server.folder, 'dist');
  rmSync(dir, { recursive: true, force: true });
  const output = {
    dir,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  };
  await bundle.write(output);
  await bundle.close();
}

function run(file, ...args) {
  return new Promise((done, fail) => {
    // Both of the builder's output streams go to stderr, because stdout belongs to the command that requested the
    // build.
    const child = spawn(process.execPath, [file, ...args], { cwd: web.folder, stdio: ['ignore', 2, 2] });
    child.on('error', fail);
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`${basename(file)} ended with ${code}`))));
  });
}

const compressible = /\.(js|mjs|css|html|svg|json|txt|wasm|webmanifest)$/;
const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/**
 * Writes .gz and .br files for every text file of at least 1 kB, so that the server doesn't have to compress the file
 * for each request.
 */
async function compress(folder) {
  const files = [...filesUnder(folder)].filter((file) => compressible.test(file) && statSync(file).size >= 1024);
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      const [small, smaller] = await Promise.all([toGzip(content, { level: 9 }), toBrotli(content, { params })]);
      writeFileSync(`${file}.gz`, small);
      writeFileSync(`${file}.br`, smaller);
    }),
  );
}

async function buildWeb() {
  const vite = createRequire(import.meta.url).resolve('vite/package.json');
  await run(join(dirname(vite), 'bin/vite.js'), 'build', '--logLevel', 'warn', '--outDir', 'dist', '--emptyOutDir');
  await compress(join(web.folder, 'dist'));
}

async function build(app, make) {
  const print = fingerprint(app);
  const began = Date.now();
  rmSync(stampOf(app), { force: true });
  await make();
  // The stamp is written last, so that an interrupted build has no stamp and is repeated.
  writeFileSync(stampOf(app), print);
  say(`Built the ${app.name} in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

/** Builds outdated output. With `force`, also builds current output. `only: 'server'` skips the web app. */
export async function ensureBuilt({ force = false, only } = {}) {
  const jobs = [
    [server, buildServer, existsSync(join(server.folder, 'src/main.ts'))],
    [web, buildWeb, existsSync(join(web.folder, 'src/app/main.tsx'))],
  ];
  const isWanted = (app) => only === undefined || only === app.name;
  const stale = () =>
    jobs.filter(([app, , exists]) => exists && isWanted(app) && (force || !isBuilt(app, fingerprint(app))));
  if (stale().length === 0) return;
  await withLock('build', async () => {
    const todo = stale();
    if (todo.length > 0) say(`Building the ${todo.map(([app]) => app.name).join(' and the ')}…`);
    await Promise.all(todo.map(([app, make]) => build(app, make)));
  });
}

if (isMain(import.meta.url)) {
  await ensureBuilt({ force: process.argv.includes('--force') }).catch((error) => {
    say(`The build failed: ${error.message}`);
    process.exit(1);
  });
}
