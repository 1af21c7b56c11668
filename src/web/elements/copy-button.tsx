import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

/** Copies exactly `text`. Where the browser refuses (no secure context), it says so instead of pretending. */
export function CopyButton({ text, children = "Copy" }: { text: string; children?: string }) {
  const [state, setState] = useState<"rest" | "done" | "refused">("rest");
  useEffect(() => {
    if (state === "rest") return;
    const timer = setTimeout(() => setState("rest"), 1600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    written.then(
      () => setState("done"),
      () => setState("refused"),
    );
  };
  return (
    <Button variant="ghost" size="sm" icon={state === "done" ? "check" : "copy"} onClick={copy}>
      {state === "done" ? "Copied" : state === "refused" ? "Could not copy" : children}
    </Button>
  );
}
