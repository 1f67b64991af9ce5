import { createHash } from 'node:crypto';
import type { HashChain } from '@evenkeel/core/chain';

/** The chain's hash with this platform's sha256. */
export const hashChain: HashChain = (previousHash, text) =>
  createHash('sha256').update(previousHash, 'hex').update(text, 'utf8').digest('hex');
