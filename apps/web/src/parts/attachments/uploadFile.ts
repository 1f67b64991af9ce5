import { attachmentCalls, type StoredDocument } from '@evenkeel/contract/uploads';
import type { Endpoint, ReplyOf } from '@evenkeel/contract/endpoint';
import { addressOf, type CallInput } from '@evenkeel/contract/request';
import { heard, headersOf, NoAnswer } from '../../client/transport.ts';

const { uploadDocument } = attachmentCalls;

export interface Uploading {
  /**
   * The idempotency key. The key stays the same until a response arrives, so that a repeated upload stores the file
   * only once.
   */
  key: string;
  /** Called with the progress, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads one file and reports its progress. Throws the same errors as an API call. If `signal` aborts the upload, the
 * promise never settles, because no code awaits it.
 */
export function uploadFile(file: File, uploading: Uploading): Promise<StoredDocument> {
  return uploadTo(uploadDocument, {}, file, uploading);
}

/** Uploads one file to an endpoint that accepts files, for example to import the file. */
export function uploadTo<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  file: File,
  uploading: Uploading,
): Promise<ReplyOf<E>> {
  const request = new XMLHttpRequest();
  request.open(endpoint.method, addressOf(endpoint, input));
  headersOf(endpoint, { idempotencyKey: uploading.key }).forEach((value, name) =>
    request.setRequestHeader(name, value),
  );
  return heard(endpoint, () => sent(request, file, uploading));
}

function sent(request: XMLHttpRequest, file: File, { onProgress, signal }: Uploading): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener(
      'error',
      () => void isReadable(file).then((can) => reject(can ? new NoAnswer() : gone(file))),
    );
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) return;
    const body = new FormData();
    body.append('file', file, file.name);
    request.send(body);
  });
}

const gone = (file: File): Error => new Error(`${file.name} can't be read because it was changed or moved`);

async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
