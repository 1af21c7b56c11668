/** `thoth workspace …`: names, options and help of every command about databases and what is known of them. */
import type { Command } from "commander";

export function addWorkspaceCommands(program: Command, finish: (code: number) => void): void {
  const workspace = program.command("workspace").description("databases to ask, and what is known about them");
  workspace
    .command("add")
    .description("add a database under a name")
    .argument("<name>", "small letters, digits, - and _")
    .option("--file <path>", "SQLite or DuckDB file, a CSV, JSON or Parquet file, or a folder of such files")
    .option("--url <address>", "postgres://user@host:5432/database or mysql://user@host:3306/database")
    .option("--password-env <name>", "variable of the server's environment that holds the password")
    .option("--password-stdin", "read the password from standard input", false)
    .option("--json", "as JSON", false)
    .action(async (name: string, options) =>
      finish(await (await import("./workspace.ts")).addWorkspace(name, options)),
    );
  workspace
    .command("list")
    .description("list all databases and whether they can be opened")
    .option("--json", "as JSON", false)
    .action(async (options) => finish(await (await import("./workspace.ts")).listWorkspaces(options)));
  workspace
    .command("lint")
    .description("look for faults in the files of a workspace, or of all: file, line and what to write instead")
    .argument("[name]", "as `thoth workspace list` shows it")
    .option("--no-database", "don't compare names with the database")
    .option("--json", "as JSON", false)
    .addHelpText("after", "\nExit codes: 0 no fault, 1 a fault, 2 used wrongly. Needs no server.")
    .action(async (name: string | undefined, options) =>
      finish(await (await import("./workspace-lint.ts")).lintWorkspaces(name, options)),
    );
  workspace
    .command("import")
    .description("take over descriptions, relations and rules that stand elsewhere")
    .argument("<name>", "as `thoth workspace list` shows it")
    .option("--dbt <path>", "a dbt project, or one of its schema.yml: descriptions and relationships tests")
    .option("--csv <path>", "a table of table,column,description and perhaps value,meaning")
    .option("--bird <path>", "questions with `evidence`, as JSON, JSON Lines or CSV")
    .option("--keys", "the database's own keys, and relations proposed from its data")
    .option("--db <name>", "with --bird: only the questions of that db_id")
    .option("--replace", "also what says something else so far", false)
    .option("--json", "as JSON", false)
    .addHelpText("after", "\nExit codes: 0 done, 1 something in it couldn't be used, 2 used wrongly. Needs no server.")
    .action(async (name: string, options) =>
      finish(await (await import("./workspace-exchange.ts")).importKnowledge(name, options)),
    );
  workspace
    .command("export")
    .description("write the verified queries for other programs")
    .argument("<name>", "as `thoth workspace list` shows it")
    .option("--dbt <folder>", "as analyses of that dbt project")
    .option("--sql <folder>", "as .sql files")
    .option("--jsonl <file>", "as questions with gold SQL that `thoth eval --questions` reads")
    .option("--db <name>", "with --jsonl: what the database's file is called there; its own name when not given")
    .option("--stale", "those marked as stale, too", false)
    .option("--json", "as JSON", false)
    .action(async (name: string, options) =>
      finish(await (await import("./workspace-exchange.ts")).exportVerified(name, options)),
    );
  workspace
    .command("verify")
    .description("run the verified queries again and mark those that no longer hold")
    .argument("[name]", "as `thoth workspace list` shows it; all when not given")
    .option("--json", "as JSON", false)
    .addHelpText(
      "after",
      "\nExit codes: 0 all hold, 1 one is stale or couldn't be run, 2 used wrongly. Needs no server.",
    )
    .action(async (name: string | undefined, options) =>
      finish(await (await import("./workspace-verify.ts")).verifyWorkspaces(name, options)),
    );
}
