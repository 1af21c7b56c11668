import type { FilterEvidence } from "../../protocol/evidence.ts";
import { toCount } from "../elements/numbers.ts";
import { VisibleText } from "../elements/visible-text.tsx";

const full = 40;

/** Rows per period; what the condition keeps is solid, and a line stands where it cuts. */
export function DateBuckets({ buckets }: { buckets: NonNullable<FilterEvidence["buckets"]> }) {
  const most = Math.max(1, ...buckets.map((bucket) => bucket.rows));
  return (
    <figure aria-label="Rows per period" className="max-w-full overflow-x-auto">
      <ol className="flex items-end gap-1.5 text-center text-2xs tabular-nums">
        {buckets.map((bucket, index) => {
          const before = buckets[index - 1];
          const cut = before !== undefined && before.kept > 0 !== bucket.kept > 0;
          const kept = bucket.rows > 0 ? bucket.kept / bucket.rows : 0;
          return (
            <li key={index} className="flex shrink-0 items-end gap-1.5">
              {cut ? <span aria-hidden="true" className="mx-1 w-px self-stretch bg-accent" /> : null}
              <span className="min-w-11">
                <span className="block text-ink-2">{toCount(bucket.rows)}</span>
                <span
                  aria-hidden="true"
                  className="flex flex-col overflow-hidden rounded-t-sm"
                  style={{ height: Math.max(bucket.rows > 0 ? 2 : 0, (bucket.rows / most) * full) }}
                >
                  <span className="block bg-line-strong" style={{ flexGrow: 1 - kept }} />
                  <span className="block bg-accent" style={{ flexGrow: kept }} />
                </span>
                <span className="block pt-0.5 text-ink-3">
                  <VisibleText text={bucket.label} />
                </span>
                <span className="sr-only">, {toCount(bucket.kept)} kept</span>
              </span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
