import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its private key in PEM format. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority {
  cert: string;
  /** Issues a certificate for a host name. An expired certificate was valid only until 2021. */
  issue(host: string, isExpired?: boolean): Certificate;
  remove(): void;
}

const CONFIG = `[ca]
default_ca = own
[own]
database = index
unique_subject = no
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = names
[names]
commonName = supplied
`;

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates a certificate authority with the openssl program. */
export function createAuthority(name: string): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-certificates-'));
  const run = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const subject = (of: string): string[] => ['-subj', `/CN=${of}`];
  writeFileSync(join(folder, 'config'), CONFIG);
  writeFileSync(join(folder, 'index'), '');
  run('req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', ...subject(name));
  const issue = (host: string, isExpired = false): Certificate => {
    writeFileSync(join(folder, 'names'), `[names]\nsubjectAltName = DNS:${host}\n`);
    run('req', '-new', ...KEY, '-keyout', 'host.key', '-out', 'host.csr', ...subject(host));
    const signed = ['-cert', 'ca.crt', '-keyfile', 'ca.key', '-in', 'host.csr', '-out', 'host.crt'];
    const dates = isExpired ? ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z'] : ['-days', '1'];
    const extensions = ['-extfile', 'names', '-extensions', 'names'];
    run('ca', '-batch', '-notext', '-config', 'config', ...signed, ...dates, ...extensions);
    return { cert: text('host.crt'), key: text('host.key') };
  };
  return { cert: text('ca.crt'), issue, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
