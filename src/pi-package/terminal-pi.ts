/**
 * The extension's own code runs here unchanged: it asks at a gate by one dialog that carries JSON, which in a child goes
 * to the server. In a terminal that dialog is taken out of its way and answered by the person who sits there.
 */
import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { TSchema } from "typebox";
import { gateDialogPrefix } from "../protocol/index.ts";
import type { Sitting } from "./sitting.ts";
import { answerDialog } from "./terminal-gate.ts";

type Input = ExtensionContext["ui"]["input"];

/**
 * `collecting` stands for Pi while ours registers: hooks sleep and tools are kept back until there is a session of
 * ours, so that other sessions have neither. `register` gives Pi the tools, once.
 */
export function collectTools(
  pi: ExtensionAPI,
  active: () => Sitting | null,
): { collecting: ExtensionAPI; register: () => void } {
  const kept: (() => void)[] = [];
  const wrap = <C extends ExtensionContext>(context: C): C => {
    const sitting = active();
    return sitting ? withTerminalGates(context, sitting) : context;
  };
  const registerTool = <P extends TSchema, D, S>(tool: ToolDefinition<P, D, S>): void => {
    const execute: typeof tool.execute = (id, given, signal, update, context) =>
      tool.execute(id, given, signal, update, wrap(context));
    kept.push(() => pi.registerTool({ ...tool, execute }));
  };
  const listen = pi.on as (
    event: string,
    handler: (event: unknown, context: ExtensionContext) => unknown,
  ) => () => void;
  const on = (event: string, handler: (event: unknown, context: ExtensionContext) => unknown) =>
    listen(event, (told, context) => (active() ? handler(told, wrap(context)) : undefined));
  return {
    collecting: overlay(pi, { registerTool, on: on as ExtensionAPI["on"] }),
    register: () => {
      for (const give of kept.splice(0)) give();
    },
  };
}

function withTerminalGates<C extends ExtensionContext>(context: C, sitting: Sitting): C {
  const { ui } = context;
  const input: Input = async (title, placeholder, options) => {
    if (!title.startsWith(gateDialogPrefix)) return await ui.input(title, placeholder, options);
    const gateId = title.slice(gateDialogPrefix.length);
    const answer = await answerDialog(sitting, ui, { gateId, text: placeholder ?? "", signal: options?.signal });
    // Whoever closes a gate without an answer wants the model to stop.
    if (answer === undefined && !options?.signal?.aborted) context.abort();
    return answer;
  };
  return overlay(context, { ui: overlay(ui, { input }) } as Partial<C>);
}

/** The same object but for what `own` has; its methods find themselves. */
function overlay<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(from, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const value: unknown = Reflect.get(from, name, from);
      return typeof value === "function" ? value.bind(from) : value;
    },
  });
}
