import { useMemo } from "react";
import type { Catalog } from "../../protocol/catalog.ts";
import { plural, toCount } from "../elements/numbers.ts";
import { Section } from "../elements/section.tsx";
import { RelationPicture } from "./relation-picture.tsx";

/** More tables than this are no picture that anybody reads. */
const mostDrawn = 40;

/** What stands beside the list before a table is chosen. */
export function CatalogOverview({ workspace, catalog }: { workspace: string; catalog: Catalog }) {
  const { tables, relations } = catalog;
  const drawn = useMemo(() => {
    const joined = new Set(relations.flatMap(({ from, to }) => [from, to]));
    return tables.filter(({ name }) => joined.has(name));
  }, [tables, relations]);
  const inferred = relations.filter(({ origin }) => origin === "inferred").length;
  const described = tables.reduce(
    (sum, table) => sum + (table.described ? 1 : 0) + table.columns.filter((column) => column.described).length,
    0,
  );
  return (
    <>
      <div className="px-5 pb-2 pt-3">
        <h1 className="text-lg font-semibold tracking-[-0.01em]">Catalog of {workspace}</h1>
        <p className="num text-sm text-ink-2">
          {plural(tables.length, "table or view", "tables and views")} and {plural(relations.length, "way", "ways")} to
          join them
          {inferred > 0 ? `, ${toCount(inferred)} of them inferred` : ""}.{" "}
          {described === 0
            ? "Nothing is described yet: choose a table and say what it holds, in your words. The model reads it too."
            : `${plural(described, "description")} of yours ${described === 1 ? "stands" : "stand"} in the workspace.`}
        </p>
      </div>
      {drawn.length === 0 ? null : drawn.length > mostDrawn ? (
        <p className="px-5 text-xs text-ink-3">Too many tables for one picture: each table shows those it joins to.</p>
      ) : (
        <Section title="Relations" className="pb-6">
          <RelationPicture workspace={workspace} label="How the tables join" tables={drawn} relations={relations} />
        </Section>
      )}
    </>
  );
}
