/**
 * Draws a chart with Vega, in a chunk of its own. Expressions are interpreted, so that the page needs no `unsafe-eval`;
 * the loader refuses every address, so that a chart can't fetch anything.
 */
import { useEffect, useRef, useState } from "react";
import { logger, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import type { QueryResult } from "../../protocol/results.ts";
import { useTheme } from "../styles/theme.ts";
import type { ChartChoice } from "./chart-choice.ts";
import { type ChartColours, toChartSpec, toChartTitle, toDrawnRows } from "./chart-spec.ts";

/** The picture as a file. */
export interface ChartPicture {
  svg: () => Promise<Blob>;
  png: () => Promise<Blob>;
}

export interface ResultChartProps {
  result: QueryResult;
  choice: ChartChoice;
  onPicture: (picture: ChartPicture | null) => void;
}

/** From here on marks are drawn on a canvas. */
const canvasFrom = 1500;
/** Of errors only: that a height in steps is no height to fit is no news. */
const quiet = logger(1);
const refuse = () => Promise.reject(new Error("A chart fetches nothing."));
const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse, options: {} };

export function ResultChart({ result, choice, onPicture }: ResultChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [theme] = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, whose theme is named here
  useEffect(() => {
    const element = frame.current;
    if (!element || width === null) return;
    const { spec } = compile(toChartSpec(result, choice, readColours(element), width), {
      logger: quiet,
    });
    const view = new View(parse(spec, undefined, { ast: true }), {
      expr: expressionInterpreter,
      renderer: toDrawnRows(result, choice) > canvasFrom ? "canvas" : "svg",
      container: element,
      loader,
      hover: false,
    });
    let gone = false;
    const drawn = view.runAsync();
    drawn.then(
      () => {
        if (gone) return;
        onPicture({
          svg: async () => new Blob([await view.toSVG()], { type: "image/svg+xml" }),
          png: async () => toPng(await view.toCanvas(2)),
        });
      },
      (cause: unknown) => console.error("The chart could not be drawn.", cause),
    );
    return () => {
      gone = true;
      onPicture(null);
      view.finalize();
      element.replaceChildren();
    };
  }, [result, choice, theme, width, onPicture]);
  const kind = { bar: "Bar", line: "Line", scatter: "Scatter" }[choice.kind];
  return (
    <div role="img" aria-label={`${kind} chart: ${toChartTitle(result, choice)}`} className="min-w-0 overflow-hidden">
      {/* Vega names its own container, and not by what the chart shows. */}
      <div ref={frame} aria-hidden="true" className="[&_svg]:block" />
    </div>
  );
}

/** In pixels, once columns have stopped moving; a chart is laid out anew for each. */
function useWidth(frame: React.RefObject<HTMLDivElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let timer = 0;
    const measure = () => setWidth(Math.max(200, element.clientWidth));
    const sized = new ResizeObserver(() => {
      window.clearTimeout(timer);
      timer = window.setTimeout(measure, 120);
    });
    measure();
    sized.observe(element);
    return () => {
      window.clearTimeout(timer);
      sized.disconnect();
    };
  }, [frame]);
  return width;
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The picture could not be made."))), "image/png"),
  );
}

/** Tokens are `213 78% 41%`; what draws here wants commas. */
function readColours(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const token = (name: string) => `hsl(${style.getPropertyValue(`--${name}`).trim().split(/\s+/).join(", ")})`;
  return {
    surface: token("surface"),
    ink: token("ink"),
    quiet: token("ink-2"),
    line: token("line"),
    accent: token("accent"),
    series: ["accent", "warning-mark", "ok", "problem", "notice", "ink-3", "sql-literal", "ink"].map(token),
  };
}
