import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ConnectionTest, ConnectionWish } from "../../protocol/api.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { toCount } from "../elements/numbers.ts";
import { Dialog } from "../layout/dialog.tsx";
import { Notice, ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, api, asProblem } from "../session/api.ts";
import { ConnectionWarnings } from "./connection-warnings.tsx";

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const isAddress = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place);

/** A file or folder on the server's machine, or the address of a server. ThothII only ever reads from it. */
export function AddDatabaseDialog({ onAdded, onClose }: { onAdded: (name: string) => void; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [where, setWhere] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState<"testing" | "adding" | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [opened, setOpened] = useState<ConnectionTest | null>(null);
  const [added, setAdded] = useState(false);
  const place = where.trim();
  const noPlace = place === "" ? "Say where the database is." : undefined;
  const noName = namePattern.test(name)
    ? undefined
    : "The name needs lower-case letters, digits, - or _, and a letter or digit first.";
  const waiting = busy ? "The database is being asked." : undefined;

  const edit = (change: () => void) => {
    change();
    setProblem(null);
    setOpened(null);
  };
  const ask = async <T,>(what: "testing" | "adding", work: (wish: ConnectionWish) => Promise<T>): Promise<T | null> => {
    setBusy(what);
    setProblem(null);
    setOpened(null);
    try {
      return await work(isAddress(place) ? { url: place, ...(password === "" ? {} : { password }) } : { file: place });
    } catch (cause) {
      setProblem(asProblem(cause));
      return null;
    } finally {
      setBusy(null);
    }
  };
  const test = async () => {
    if (noPlace || busy) return;
    setOpened(await ask("testing", api.testConnection));
  };
  const add = async () => {
    if (noPlace || noName || busy) return;
    const item = await ask("adding", (wish) => api.addWorkspace({ name, ...wish }));
    if (!item) return;
    await client.invalidateQueries({ queryKey: ["workspaces"] });
    onAdded(name);
    if (item.warnings.length === 0) return onClose();
    // What this login could do is worth a look before the first question.
    setOpened(item);
    setAdded(true);
  };
  return (
    <Dialog
      title={added ? `Added ${name}` : "Add your database"}
      intro="A SQLite or DuckDB file, a CSV or Parquet file, a folder of those, or the address of a PostgreSQL, MySQL or MariaDB server. It is only read, never written."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void (added ? onClose() : add());
        }}
      >
        {added ? null : (
          <>
            <Field label="Name" value={name} onChange={(value) => edit(() => setName(value))} placeholder="sales" />
            <Field
              label="File, folder or address"
              mono
              value={where}
              onChange={(value) => edit(() => setWhere(value))}
              placeholder="/data/sales.parquet or postgres://user@host/sales"
            />
            {isAddress(place) ? (
              <Field
                label="Password"
                secret
                value={password}
                onChange={(value) => edit(() => setPassword(value))}
                hint="Kept in a file that only your account can read, apart from the workspace. Never shown again."
              />
            ) : null}
          </>
        )}
        {problem ? <ProblemNotice problem={problem} /> : null}
        {opened ? (
          <Notice tone="ok" title={opened.product}>
            {opened.place} · {toCount(opened.tables)} {opened.tables === 1 ? "table" : "tables"}
          </Notice>
        ) : null}
        {opened ? <ConnectionWarnings warnings={opened.warnings} /> : null}
        <div className="flex flex-wrap items-center gap-3">
          {added ? (
            <Button type="submit" variant="primary">
              Done
            </Button>
          ) : (
            <>
              <Button type="submit" variant="primary" blocked={noPlace ?? noName ?? waiting}>
                {busy === "adding" ? "Reading" : "Add"}
              </Button>
              <Button blocked={noPlace ?? waiting} onClick={() => void test()}>
                {busy === "testing" ? "Connecting" : "Test connection"}
              </Button>
              {(noPlace ?? noName) && (name || where) ? (
                <span className="text-xs text-ink-3">{noPlace ?? noName}</span>
              ) : null}
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}
