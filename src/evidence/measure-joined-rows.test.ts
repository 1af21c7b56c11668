import { afterEach, expect, test } from "vitest";
import { filterOf, joinOf, type Opened, openSmall } from "./evidence-fixture.ts";
import { measureJoinedRows } from "./measure-joined-rows.ts";

let opened: Opened | undefined;
afterEach(() => opened?.close());

const shop = `CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE track (id INTEGER PRIMARY KEY, genre_id INTEGER REFERENCES genre(id));
  INSERT INTO genre VALUES (1,'Rock'),(2,'Jazz'),(3,'Empty'); INSERT INTO track(genre_id) VALUES (1),(1),(1),(2),(NULL);`;

test("counts what a filter leaves of the joined rows, and nothing where its table is not among them", async () => {
  opened = await openSmall(shop);
  const { database, catalog } = opened;
  const rock = { ...filterOf("rock", "genre.name", "=", ["Rock"], "g.name = 'Rock'"), alias: "g" };
  const measure = async (type: "INNER" | "LEFT" | "ANTI") =>
    (await measureJoinedRows(database, catalog, [joinOf("track t", type, "genre g", "genre_id=id")], [rock]))[0];
  expect(await measure("INNER")).toEqual({ kept: 3, of: 4 });
  expect(await measure("LEFT")).toEqual({ kept: 3, of: 5 });
  expect(await measure("ANTI")).toBeUndefined();
  expect(await measureJoinedRows(database, catalog, [], [rock])).toEqual([undefined]);
});
