import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useObjectUrl } from '../hooks/objectUrl.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { FileView } from './FileView.tsx';
import { SideDrawer } from './SideDrawer.tsx';

export interface PdfPanelProps {
  /** The document; null closes the panel. */
  file: Blob | null;
  title: string;
  /** The name under which it is saved, e.g. `invoice-10436.pdf`. */
  fileName: string;
  onClose: () => void;
}

/** The PDF viewer panel, of pictures too; the library is fetched when it first shows a PDF. */
export function PdfPanel({ file, title, fileName, onClose }: PdfPanelProps) {
  const address = useObjectUrl(file);
  const download = address !== undefined && (
    <Button
      component="a"
      href={address}
      download={fileName}
      variant="default"
      leftSection={<IconDownload {...ICON_SMALL} />}
    >
      Download
    </Button>
  );
  return (
    <SideDrawer opened={file !== null} onClose={onClose} title={title} width={760} pdf tools={download}>
      {file !== null && <FileView file={file} name={fileName} />}
    </SideDrawer>
  );
}
