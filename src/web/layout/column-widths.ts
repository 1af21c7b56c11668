/** How wide someone drew the side columns, kept in this browser; null while the page decides by itself. */
import { type CSSProperties, useCallback, useState } from "react";

interface ColumnWidths {
  side: number | null;
  activity: number | null;
}

const key = "thothii-columns";

function readWidths(): ColumnWidths {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? "null");
    const width = (name: string) => {
      const value: unknown = typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : null;
      return typeof value === "number" && value >= 120 && value <= 800 ? value : null;
    };
    return { side: width("side"), activity: width("activity") };
  } catch {
    return { side: null, activity: null }; // forbidden storage or another's words in it: the usual widths
  }
}

export function useColumnWidths() {
  const [widths, setWidths] = useState(readWidths);
  const set = useCallback((change: Partial<ColumnWidths>) => {
    setWidths((before) => {
      const next = { ...before, ...change };
      try {
        window.localStorage.setItem(key, JSON.stringify(next));
      } catch (cause) {
        console.warn("The widths are not remembered.", cause);
      }
      return next;
    });
  }, []);
  const style = {
    ...(widths.side === null ? {} : { "--side": `${widths.side}px` }),
    ...(widths.activity === null ? {} : { "--activity": `${widths.activity}px` }),
  } as CSSProperties;
  return { widths, set, style };
}
