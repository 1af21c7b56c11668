/** Names, options and help of every command. */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { version } from "../server/project.ts";
import { exitCodes, reportError, UsageError } from "./fault.ts";
import { addWorkspaceCommands } from "./workspace-commands.ts";

/** Resolves with the exit code; a command that serves resolves when it was stopped. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  const program = createProgram((result) => {
    code = result;
  });
  try {
    refuseUnknown(program, args);
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed its own words; help and version end this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return reportError(error);
  }
}

function createProgram(finish: (code: number) => void): Command {
  const program = new Command("thoth")
    .description("Ask a database in plain words, review every decision with its evidence, and get SQL you can trust.")
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "thoth: ")) })
    .showHelpAfterError("What to do: run it with --help to see what it takes.")
    .addHelpText(
      "after",
      "\nEnvironment: THOTH_HOME (folder, default ~/.thoth), THOTH_PORT, THOTH_NO_OPEN=1, THOTH_LOG=debug|info|warn|error.",
    );

  program
    .command("serve", { isDefault: true })
    .description("start the server and open the page (what `npm start` does)")
    .option("--port <number>", "port to listen on (default 4817, or THOTH_PORT)", toPort)
    .option("--host <address>", "address to listen on; 127.0.0.1 is reached from this machine only", "127.0.0.1")
    .option("--allow-host <name>", "another name the server answers to; may be repeated", collect, [])
    .option("--no-open", "don't open the browser")
    .option("--no-prestart", "start no child before a question is asked (or THOTH_PRESTART=0)")
    .option("--new-token", "make a new secret: every browser and program must get in again", false)
    .option("--dev", "serve the page from its sources", false)
    .action(async (options) => finish(await (await import("./serve.ts")).serve(options)));

  program
    .command("ask")
    .description("ask a question here in the terminal")
    .argument("<question>", "in plain words, in quotes")
    .option("--workspace <name>", "which database", "demo")
    .option("--model <provider/model>", "which model; the default of `thoth models` when not given")
    .option("--thinking <level>", "off, minimal, low, medium, high, xhigh or max, as far as the model has them")
    .option("--budget <amount>", "tokens, dollars or both, e.g. 200k, '$0.50'; the session pauses there")
    .option("--yes", "accept every proposal without asking", false)
    .option("--json", "print {session, sql, outcome, result} as JSON", false)
    .addHelpText("after", "\nExit codes: 0 answered, 3 cannot be answered from the data, 4 failed, 2 used wrongly.")
    .action(async (question: string, options) => finish(await (await import("./ask.ts")).ask(question, options)));

  program
    .command("open")
    .description("open the page of the running server, with a fresh address")
    .option("--no-open", "only print the address")
    .action(async (options) => finish(await (await import("./open.ts")).open(options)));

  program
    .command("sessions")
    .description("list all sessions")
    .option("--json", "as JSON", false)
    .action(async (options) => finish(await (await import("./sessions.ts")).sessions(options)));

  program
    .command("report")
    .description("print the report of a session")
    .argument("<id>", "as `thoth sessions` shows it")
    .option("--html", "as HTML instead of Markdown", false)
    .action(async (id: string, options) => finish(await (await import("./report.ts")).report(id, options)));

  addWorkspaceCommands(program, finish);

  const models = program
    .command("models")
    .description("list the models that can be used, and what a new session takes")
    .enablePositionalOptions()
    .option("--all", "providers without a key too", false)
    .option("--json", "as JSON", false)
    .action(async (options) => finish(await (await import("./models.ts")).models(options)));
  models
    .command("test")
    .description("send a model one tiny request: how fast it answers, or why it doesn't")
    .argument("<provider/model>", "as `thoth models` shows it")
    .option("--json", "as JSON", false)
    .action(async (name: string, options) => finish(await (await import("./models.ts")).testModel(name, options)));
  models
    .command("key")
    .description("store a provider's key in a file that only you may read, or remove it")
    .argument("<provider>", "as `thoth models --all` shows it")
    .option("--stdin", "read the key from standard input", false)
    .option("--remove", "forget the stored key", false)
    .action(async (provider: string, options) =>
      finish(await (await import("./models.ts")).changeKey(provider, options)),
    );
  models
    .command("add")
    .description("add an OpenAI- or Anthropic-compatible endpoint: Ollama, LM Studio, llama.cpp, vLLM, a gateway")
    .argument("<name>", "small letters, digits, - and _")
    .requiredOption("--url <address>", "for example http://127.0.0.1:11434")
    .option("--kind <kind>", "openai or anthropic; found out when not given")
    .option("--key-stdin", "read its key from standard input", false)
    .option("--model <id>", "a model to keep; may be repeated; all that it lists when not given", collect, [])
    .option("--json", "as JSON", false)
    .action(async (name: string, options) => finish(await (await import("./models.ts")).addEndpoint(name, options)));
  models
    .command("remove")
    .description("remove an endpoint that was added, with its key")
    .argument("<name>", "as `thoth models` shows it")
    .action(async (name: string) => finish(await (await import("./models.ts")).removeEndpoint(name)));
  models
    .command("find")
    .description("look for model servers on this machine's usual ports")
    .option("--json", "as JSON", false)
    .action(async (options) => finish(await (await import("./models.ts")).findLocal(options)));
  models
    .command("default")
    .description("choose what a new session takes when it names nothing else")
    .argument("[provider/model]", "as `thoth models` shows it")
    .option("--thinking <level>", "thinking level")
    .option("--budget <amount>", "tokens, dollars or both, e.g. 200k, '$0.50'; none takes it away")
    .action(async (name: string | undefined, options) =>
      finish(await (await import("./models.ts")).setDefault(name, options)),
    );

  program
    .command("check")
    .description("check any SQL against its database, and against the question when there is one")
    .option("--database <place>", "file of the database, or its address: postgres://user@host/database, mysql://…")
    .option("--sql <file>", "file that holds one statement; - reads it from standard input")
    .option("--question <text>", "what the statement is to answer, in plain words")
    .option("--jsonl <file>", "many statements: one object {id, db, sql, question} per line; - for standard input")
    .option("--databases <folder>", "where <db>.sqlite of each line is")
    .option("--password-env <name>", "variable that holds the password of an address")
    .option("--json", "print {ok, warnings: [{code, severity, message, where}]} as JSON", false)
    .addHelpText("after", "\nExit codes: 0 no alarm, 1 an alarm or a fault, 2 used wrongly. Needs no server.")
    .action(async (options) => finish(await (await import("./check.ts")).check(options)));

  program
    .command("eval")
    .description("ask a whole set of questions and count what comes out right, by result")
    .option("--questions <file>", "one question per line: {id, db, question, gold_sql}")
    .option("--databases <folder>", "where <db>.sqlite of each question is")
    .option("--model <provider/model>", "which model; the offline planner when not given")
    .option("--reviewer <who>", "none accepts every gate; oracle knows gold and corrects in plain words", "none")
    .option("--limit <number>", "only the first so many questions", toCount)
    .option("--concurrency <number>", "questions at a time", toCount, 2)
    .option("--report <file>", "JSON report; a page stands beside it, and a second run goes on with it")
    .option("--fast", "call the offline planner directly, without server and child", false)
    .option("--compare <reports...>", "two reports: what got better, what got worse")
    .option("--json", "print the whole report, or the comparison, as JSON", false)
    .addHelpText("after", "\nExit codes: 0 done, 1 a fault or interrupted, 2 used wrongly.")
    .action(async (options) => finish(await (await import("./eval.ts")).evaluation(options)));

  program
    .command("mcp")
    .description("speak the Model Context Protocol on standard input and output, for other agents")
    .addHelpText("after", "\nWhat each tool gives, and how to set a client up: docs/mcp.md.")
    .action(async () => finish(await (await import("./mcp.ts")).mcp()));

  program
    .command("doctor")
    .description("check that everything ThothII needs is there")
    .option("--json", "as JSON", false)
    .action(async (options) => finish(await (await import("./doctor.ts")).doctor(options)));
  return program;
}

/** Without this a mistyped command would count as a stray argument of the default one. */
function refuseUnknown(program: Command, args: readonly string[]): void {
  const first = args[0];
  if (first === undefined || first.startsWith("-") || first === "help") return;
  const names = program.commands.map((command) => command.name());
  if (!names.includes(first))
    throw new UsageError(
      `There is no command ${first}.`,
      `Use one of: ${names.join(", ")}; \`thoth --help\` explains them.`,
    );
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

function toCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("A whole number from 1 is needed.");
  return Number(text);
}

const collect = (value: string, before: string[]): string[] => [...before, value];
