import 'react-pdf/dist/Page/AnnotationLayer.css';
import 'react-pdf/dist/Page/TextLayer.css';
import { useElementSize } from '@mantine/hooks';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { type ReactNode, useState } from 'react';
import { Document, Page, pdfjs } from 'react-pdf';

// The worker comes from our own bundle: the Content-Security-Policy allows no other place.
pdfjs.GlobalWorkerOptions.workerSrc = workerAddress;

interface PdfPagesProps {
  file: Blob;
  /** 1 is as wide as the panel. */
  zoom: number;
  /** Stands in the place of what is no PDF after all. */
  failed: ReactNode;
}

/** Every page of a PDF, each as wide as the panel unless it is zoomed. */
export default function PdfPages({ file, zoom, failed }: PdfPagesProps) {
  const { ref, width } = useElementSize();
  const [pages, setPages] = useState(0);
  return (
    <div ref={ref}>
      <Document
        file={file}
        className="ek-pdf"
        loading={<p role="status">Loading...</p>}
        error={failed}
        onLoadSuccess={(document) => setPages(document.numPages)}
      >
        {width > 0 &&
          Array.from({ length: pages }, (_, index) => (
            <Page
              key={index}
              className="ek-pdf-page"
              pageNumber={index + 1}
              width={Math.floor(width * zoom)}
              aria-label={`Page ${index + 1} of ${pages}`}
            />
          ))}
      </Document>
    </div>
  );
}
