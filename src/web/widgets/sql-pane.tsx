import { useMemo, useState } from "react";
import type { GatePayload } from "../../protocol/gates.ts";
import { Button } from "../elements/button.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { formatSql } from "../elements/format-sql.ts";
import { Icon } from "../elements/icon.tsx";
import { plural } from "../elements/numbers.ts";
import type { LineMark } from "../elements/sql-text.tsx";
import { SqlViewer } from "../elements/sql-viewer.tsx";
import type { DraftControl } from "./gate-props.ts";

export interface SqlPaneProps {
  payload: GatePayload<"sql-review">;
  marks: Record<number, LineMark>;
  lit: ReadonlySet<number>;
  onLine: (line: number | null) => void;
  control: DraftControl;
}

/** The final statement to read, and to write another one that becomes the next proposal. */
export function SqlPane({ payload, marks, lit, onLine, control }: SqlPaneProps) {
  const { sql } = payload;
  const written = control.draft.sql;
  const [isFormatted, setFormatted] = useState(false);
  const formatted = useMemo(() => (isFormatted ? formatSql(sql) : ""), [isFormatted, sql]);
  const lines = sql.replace(/\n$/, "").split("\n").length;
  if (written !== undefined)
    return (
      <>
        <Head title="Edit SQL" note={payload.by === "reviewer" ? "from your last text" : "from the proposal"}>
          <CopyButton text={written} />
        </Head>
        <SqlViewer blocks={[{ title: "yours", sql: written, onChange: control.writeSql }]} />
        <Proposing sql={sql} written={written} control={control} />
      </>
    );
  const exact = { title: "As it runs", sql, marks };
  return (
    <>
      <Head title={payload.by === "reviewer" ? "Your SQL" : "SQL"} note={`exact text, ${plural(lines, "line")}`}>
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={isFormatted}
          icon={isFormatted ? "check" : undefined}
          onClick={() => setFormatted(!isFormatted)}
        >
          Formatted
        </Button>
        <Button variant="ghost" size="sm" icon="edit" onClick={() => control.writeSql(sql)}>
          Edit SQL
        </Button>
        <CopyButton text={sql} />
      </Head>
      <SqlViewer
        editor
        blocks={isFormatted ? [exact, { title: "Formatted, for reading", sql: formatted }] : [exact]}
        lit={lit}
        onLine={onLine}
      />
    </>
  );
}

const Head = ({ title, note, children }: { title: string; note: string; children: React.ReactNode }) => (
  <div className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line bg-surface px-3">
    <h3 className="text-sm font-semibold">{title}</h3>
    <span className="text-xs tabular-nums text-ink-3">{note}</span>
    <span className="ml-auto flex items-center gap-1">{children}</span>
  </div>
);

function Proposing({ sql, written, control }: { sql: string; written: string; control: DraftControl }) {
  const blocked =
    control.unavailable ??
    (written.trim() === ""
      ? "There is no SQL to propose."
      : written === sql
        ? "It is still the SQL that was proposed."
        : undefined);
  return (
    <div className="border-t border-line bg-surface px-3 py-2">
      {control.refused ? (
        <p role="alert" className="mb-2 flex gap-2 text-sm text-ink [overflow-wrap:anywhere]">
          <Icon name="problem" className="mt-0.5 text-problem" />
          {control.refused}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="primary" size="sm" blocked={blocked} onClick={control.proposeSql}>
          Propose this SQL
        </Button>
        <Button size="sm" onClick={() => control.writeSql(null)}>
          Discard the edit
        </Button>
        <p className="min-w-60 flex-1 text-xs text-ink-2">
          {blocked ?? "It is run and compared with what you accepted, and comes back here. Nothing is written before."}
        </p>
      </div>
    </div>
  );
}
