/** What answered, and whether its login could do more than read. */
import type { MysqlConnection } from "../connection.ts";
import type { DatabaseReport } from "../database.ts";
import { isLost } from "./classify-error.ts";
import { findExcess } from "./grants.ts";
import type { Session } from "./session.ts";

type Warning = DatabaseReport["warnings"][number];

export async function inspectServer(session: Session, place: MysqlConnection): Promise<DatabaseReport> {
  const warnings: Warning[] = [];
  try {
    const excess = findExcess((await session.ask("SHOW GRANTS")).map((row) => row[0] ?? ""));
    if (excess.length > 0) {
      warnings.push({
        message: `This login may do more than read: ${excess.join("; ")}. ThothII only reads, but a login that can't write is safer.`,
        remedy: toReaderSql(place.database),
      });
    }
  } catch (error) {
    if (isLost(error)) throw error;
    warnings.push({
      message: "The server doesn't tell what this login may do, so it could be able to write.",
      remedy: toReaderSql(place.database),
    });
  }
  // Only now does the session know whether transactions and time limits work.
  await session.begin();
  await session.ask("ROLLBACK").catch((error) => {
    if (isLost(error)) throw error;
  });
  if (session.untaken.length > 0) {
    warnings.push({
      message: `The server didn't take all settings for reading: ${session.untaken.join("; ")}.`,
      remedy: "Nothing has to be done; keep it in mind when you read results.",
    });
  }
  return { product: toProduct(session.version, session.versionComment), warnings };
}

/** `10.11.19-MariaDB-0+deb12u1`, `8.4.3`, `8.0.11-TiDB-v8.1.0`; forks that call themselves 5.7 tell more in the comment. */
export function toProduct(version: string, comment: string): string {
  const number = (text: string) => /\d+(\.\d+)+/.exec(text)?.[0] ?? text;
  const tidb = /-TiDB-(?:Server-)?v?(\d[\d.]*)/i.exec(version);
  if (tidb) return `TiDB ${tidb[1]}`;
  const plain = version.replace(/^5\.5\.5-(?=\d)/, "");
  if (/mariadb/i.test(version)) return `MariaDB ${number(plain)}`;
  if (/vitess/i.test(version)) return `Vitess (MySQL ${number(plain)})`;
  const fork = /\b(StarRocks|Doris|OceanBase|Percona|SingleStore|MatrixOne|Vitess)\b/i.exec(`${comment} ${version}`);
  return fork ? `${fork[1]} (MySQL ${number(plain)})` : `MySQL ${number(plain)}`;
}

/** In a GRANT `_` and `%` of a database's name are wildcards. */
function toReaderSql(database: string): string {
  const name = database.replaceAll("\\", "\\\\").replaceAll("_", "\\_").replaceAll("%", "\\%").replaceAll("`", "``");
  return [
    "CREATE USER 'thoth_reader'@'%' IDENTIFIED BY 'choose a password';",
    `GRANT SELECT ON \`${name}\`.* TO 'thoth_reader'@'%';`,
  ].join("\n");
}
