import { attachmentCalls } from '@evenkeel/contract/uploads';
import { useMemo, useState } from 'react';
import { ask, type Told, useRead, useReadNow } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import type { AttachmentForm } from './attachmentForm.ts';

interface Bytes extends Pick<AttachmentForm, 'documentId' | 'contentType'> {
  /** The bytes of a file that has not been uploaded yet. */
  file: File | undefined;
}

/** Returns the bytes of an uploaded or pending file, or null while they load. */
export function useStoredBytes({ documentId, contentType, file }: Bytes, told: Told = {}) {
  const enabled = file === undefined && documentId > 0;
  const { value, error, retry } = useRead(ask(attachmentCalls.getDocument, { params: { documentId } }), {
    enabled,
    ...told,
  });
  const blob = useMemo(() => {
    // The content type is detected from the bytes. The type that the device reports or that the file name implies is
    // ignored.
    if (file !== undefined) return new Blob([file], { type: contentType });
    return value === undefined ? null : new Blob([new Uint8Array(value.bytes)], { type: value.contentType });
  }, [file, contentType, value]);
  return { blob, error: enabled ? error : undefined, retry };
}

/** Shows or downloads an uploaded or pending file. */
export function useStoredFile(fileOf: ((link: AttachmentForm) => File | undefined) | undefined) {
  const alerts = useAlerts();
  const readNow = useReadNow();
  const [looked, setLooked] = useState<{ file: Blob; name: string }>();

  const read = async (link: AttachmentForm): Promise<Blob> => {
    const { documentId, contentType: type } = link;
    const own = fileOf?.(link);
    if (own !== undefined) return new Blob([own], { type });
    const { bytes, contentType } = await readNow(ask(attachmentCalls.getDocument, { params: { documentId } }));
    return new Blob([new Uint8Array(bytes)], { type: contentType });
  };
  const give = (link: AttachmentForm, then: (file: Blob) => void): void =>
    void read(link).then(then, () => alerts.error('Error Loading Document'));
  return {
    looked,
    look: (link: AttachmentForm) => give(link, (file) => setLooked({ file, name: link.documentName })),
    save: (link: AttachmentForm) => give(link, (file) => saveFile(link.documentName, [file])),
    close: () => setLooked(undefined),
  };
}
