/**
 * SQL in CodeMirror, in a chunk of its own: to read the final statement with a cursor, and to write another one. The
 * colours come from the page's own tokens, so that both views of SQL look alike in both themes.
 */
import { sql as sqlLanguage } from "@codemirror/lang-sql";
import { EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  highlightSpecialChars,
  lineNumbers,
} from "@codemirror/view";
import CodeMirror from "@uiw/react-codemirror";
import { useEffect, useMemo, useRef } from "react";
import type { LineMark, SqlTextProps } from "./sql-text.tsx";
import { type SqlTokenKind, tokenizeSql } from "./sql-tokens.ts";

export interface SqlEditorProps extends Pick<SqlTextProps, "sql" | "startLine" | "marks" | "lit" | "onLine" | "label"> {
  /** Without it the text can only be read. */
  onChange?: ((sql: string) => void) | undefined;
}

export function SqlEditor({ sql, startLine = 1, marks, lit, onLine, label = "SQL", onChange }: SqlEditorProps) {
  const view = useRef<EditorView | null>(null);
  const reads = onChange === undefined;
  const hover = useRef(onLine);
  hover.current = onLine;
  // A text with carriage returns keeps every one of them; any other takes pasted ones as plain line ends.
  const returns = sql.includes("\r");
  const extensions = useMemo<Extension[]>(
    () => [
      reads ? [EditorView.editable.of(false), EditorState.readOnly.of(true)] : [],
      returns ? EditorState.lineSeparator.of("\n") : [],
      sqlLanguage(),
      EditorView.contentAttributes.of({
        "aria-label": label,
        tabindex: "0",
        ...(reads ? { "aria-readonly": "true" } : {}),
      }),
      lineNumbers({ formatNumber: (line) => String(line + startLine - 1) }),
      coloured,
      litLines,
      marks ? toMarkGutter(marks, startLine) : [],
      visible,
      look,
      EditorView.domEventHandlers({
        mousemove: (event, shown) => {
          const line = event.target instanceof Element ? event.target.closest(".cm-line") : null;
          if (line) hover.current?.(shown.state.doc.lineAt(shown.posAtDOM(line)).number + startLine - 1);
        },
        mouseleave: () => hover.current?.(null),
      }),
    ],
    [reads, returns, label, startLine, marks],
  );
  const light = () => {
    const lines = [...(lit ?? [])].map((line) => line - startLine + 1);
    view.current?.dispatch({ effects: setLit.of(lines) });
  };
  useEffect(light, [lit, startLine]);
  return (
    <CodeMirror
      value={sql}
      theme="none"
      maxHeight="70vh"
      editable={!reads}
      readOnly={reads}
      autoFocus={!reads}
      extensions={extensions}
      indentWithTab={false}
      onChange={onChange}
      onCreateEditor={(created) => {
        view.current = created;
        light();
      }}
      basicSetup={{
        lineNumbers: false,
        foldGutter: false,
        syntaxHighlighting: false,
        highlightSpecialChars: false,
        highlightActiveLine: !reads,
        highlightActiveLineGutter: false,
        closeBrackets: false,
        autocompletion: false,
        lintKeymap: false,
        completionKeymap: false,
        foldKeymap: false,
      }}
    />
  );
}

const classes: Partial<Record<SqlTokenKind, string>> = {
  keyword: "text-sql-keyword",
  string: "text-sql-literal",
  number: "text-sql-literal",
  comment: "text-sql-comment",
};
const decorations = Object.fromEntries(
  Object.entries(classes).map(([kind, name]) => [kind, Decoration.mark({ class: name })]),
);

function toColours(text: string): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let at = 0;
  for (const token of tokenizeSql(text)) {
    const decoration = decorations[token.kind];
    if (decoration) builder.add(at, at + token.text.length, decoration);
    at += token.text.length;
  }
  return builder.finish();
}

const coloured = StateField.define<DecorationSet>({
  create: (state) => toColours(state.doc.toString()),
  update: (before, change) => (change.docChanged ? toColours(change.newDoc.toString()) : before),
  provide: (field) => EditorView.decorations.from(field),
});

/** Lines of the document, from 1. */
const setLit = StateEffect.define<number[]>();
const litLine = Decoration.line({ class: "cm-lit" });
const litLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, change) {
    const effect = change.effects.find((one) => one.is(setLit));
    if (!effect) return before.map(change.changes);
    const lines = (effect.value as number[]).filter((line) => line >= 1 && line <= change.newDoc.lines);
    return Decoration.set(lines.sort((a, b) => a - b).map((line) => litLine.range(change.newDoc.line(line).from)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Mark extends GutterMarker {
  readonly mark: LineMark;
  constructor(mark: LineMark) {
    super();
    this.mark = mark;
    this.elementClass = mark.bad ? "cm-mark-bad" : "";
  }
  override eq(other: Mark): boolean {
    return other.mark.text === this.mark.text && other.mark.bad === this.mark.bad;
  }
  override toDOM(): Node {
    return document.createTextNode(this.mark.text);
  }
}

/** Ledger numbers of the decisions that a line carries out, right of the text. */
const toMarkGutter = (marks: Record<number, LineMark>, startLine: number): Extension =>
  gutter({
    class: "cm-marks",
    side: "after",
    lineMarker(view, block) {
      const mark = marks[view.state.doc.lineAt(block.from).number + startLine - 1];
      return mark ? new Mark(mark) : null;
    },
  });

/** What acts instead of being seen shows its code, as everywhere on the page. */
const visible = highlightSpecialChars({
  addSpecialChars:
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself, none is meant as a pair
    /[\u034F\u115F\u1160\u17B4\u17B5\u180E\u200C\u200D\u202A-\u202C\u2060-\u206F\u3164\uFFA0]|[\u{E0000}-\u{E007F}]|[\uD800-\uDFFF]/u,
  render(code) {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    const element = document.createElement("span");
    element.textContent = name;
    element.title = `Invisible character ${name}`;
    element.className = "mx-px rounded-sm bg-warning-soft px-0.5 font-mono text-2xs text-warning";
    return element;
  },
});

const colour = (name: string) => `hsl(var(--${name}))`;
const look = EditorView.theme({
  "&": { backgroundColor: "transparent", color: colour("ink"), fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
    fontVariantLigatures: "none",
    fontFeatureSettings: '"calt" 0, "zero"',
    lineHeight: "18px",
  },
  ".cm-content": { padding: "8px 0", caretColor: colour("ink") },
  ".cm-content:focus-visible": { outline: `2px solid ${colour("accent")}`, outlineOffset: "-2px" },
  ".cm-line": { padding: "0 12px 0 0" },
  ".cm-gutters": { backgroundColor: "transparent", color: colour("ink-3"), border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "40px", padding: "0 12px 0 0" },
  ".cm-marks .cm-gutterElement": { padding: "0 8px", fontSize: "11px" },
  ".cm-mark-bad": { color: colour("warning"), fontWeight: "600", backgroundColor: colour("warning-soft") },
  ".cm-lit": { backgroundColor: colour("accent-soft") },
  ".cm-activeLine": { backgroundColor: `hsl(var(--hover) / 0.6)` },
  ".cm-cursor": { borderLeftColor: colour("ink") },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "hsl(var(--accent) / 0.24)",
  },
  ".cm-selectionMatch": { backgroundColor: "hsl(var(--accent) / 0.14)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "hsl(var(--accent) / 0.2)" },
  ".cm-panels": { backgroundColor: colour("raised"), color: colour("ink"), borderColor: colour("line") },
  ".cm-textfield": { backgroundColor: colour("surface"), borderColor: colour("control"), color: colour("ink") },
  ".cm-button": { backgroundImage: "none", backgroundColor: colour("raised"), borderColor: colour("line-strong") },
});
