import 'react-pdf/dist/Page/AnnotationLayer.css';
import 'react-pdf/dist/Page/TextLayer.css';
import { useElementSize, useInViewport } from '@mantine/hooks';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useState } from 'react';
import { Document, type DocumentProps, Page, PasswordResponses, pdfjs } from 'react-pdf';

// The worker comes from the app's own bundle, because the Content-Security-Policy allows no other source.
pdfjs.GlobalWorkerOptions.workerSrc = workerAddress;

/** The reason why a file can't be rendered. */
export type Unshown = 'locked' | 'unreadable';

interface PdfPagesProps {
  file: Blob;
  /** The zoom factor. 1 fits the panel's width. */
  zoom: number;
  onUnshown: (reason: Unshown) => void;
}

type Loaded = Parameters<NonNullable<DocumentProps['onLoadSuccess']>>[0];

/** Rejects the document. Otherwise, the library would ask for the password until it is correct. */
const refusePassword: NonNullable<DocumentProps['onPassword']> = () => {
  throw new pdfjs.PasswordException('', PasswordResponses.NEED_PASSWORD);
};

/** Placeholders for more pages would exhaust the browser's memory. */
const MAX_PAGES = 2000;

/** All pages of a PDF, each as wide as the panel unless zoomed. Only visible pages are rendered. */
export default function PdfPages({ file, zoom, onUnshown }: PdfPagesProps) {
  const { ref, width } = useElementSize();
  const [loaded, setLoaded] = useState<{ file: Blob; pdf: Loaded; first: Sides }>();
  const onLoad = (pdf: Loaded) => {
    const fail = () => onUnshown('unreadable');
    sidesOf(pdf, 1).then((first) => setLoaded({ file, pdf, first }), fail);
  };
  const known = loaded?.file === file ? loaded : undefined;
  return (
    <div ref={ref}>
      {/* If the library suspended, its errors would reach the form around the pane. */}
      <Document
        suspense={false}
        file={file}
        className="ek-pdf"
        loading={<p role="status">Loading...</p>}
        error=""
        onPassword={refusePassword}
        onSourceError={() => onUnshown('unreadable')}
        onLoadError={({ name }) => onUnshown(name === 'PasswordException' ? 'locked' : 'unreadable')}
        onLoadSuccess={onLoad}
      >
        {known !== undefined && width > 0 && <Pages {...known} width={Math.floor(width * zoom)} />}
      </Document>
    </div>
  );
}

interface PagesProps {
  pdf: Loaded;
  /** The width in px. */
  width: number;
  /** The size of the first page, which is assumed for pages that have not been visible yet. */
  first: Sides;
}

function Pages({ pdf, width, first }: PagesProps) {
  const shown = Math.min(pdf.numPages, MAX_PAGES);
  return (
    <>
      {Array.from({ length: shown }, (_, index) => (
        <PageInView key={index} number={index + 1} {...{ pdf, width, first }} />
      ))}
      {shown < pdf.numPages && (
        <p>{`The first ${shown} of ${pdf.numPages} pages are shown. Download the file to see the rest.`}</p>
      )}
    </>
  );
}

/** A page size in points. */
interface Sides {
  width: number;
  height: number;
}

async function sidesOf(pdf: Loaded, number: number): Promise<Sides> {
  const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
}

const FAILED = (
  <p role="status" className="ek-pdf-page-failed">
    This page can't be shown
  </p>
);

function PageInView({ pdf, number, width, first }: PagesProps & { number: number }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [sides, setSides] = useState<Sides>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!inViewport) return undefined;
    let isLive = true;
    sidesOf(pdf, number).then(
      (own) => isLive && setSides(own),
      () => isLive && setFailed(true),
    );
    return () => void (isLive = false);
  }, [inViewport, pdf, number]);
  const { width: across, height: down } = sides ?? first;
  const height = Math.floor((width * down) / across);
  return (
    <div
      ref={ref}
      className="ek-pdf-page"
      style={{ width, height }}
      role="group"
      aria-label={`Page ${number} of ${pdf.numPages}`}
    >
      {failed && FAILED}
      {inViewport && !failed && sides !== undefined && (
        <Page
          pageNumber={number}
          width={width}
          devicePixelRatio={sharpness(width, height)}
          loading=""
          error={FAILED}
          onRenderError={() => setFailed(true)}
        />
      )}
    </div>
  );
}

/** The maximum numbers of pixels that browsers allow in a canvas, in total and per side. */
const MAX_DOTS = 4096 * 4096;
const MAX_SIDE = 16_384;

/** Returns the number of canvas pixels per CSS pixel. A very large page is rendered less sharply. */
function sharpness(width: number, height: number): number {
  return Math.min(
    globalThis.devicePixelRatio,
    Math.sqrt(MAX_DOTS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
}
