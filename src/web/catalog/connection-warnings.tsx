import type { ConnectionTest } from "../../protocol/api.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { Notice } from "../layout/notice.tsx";

/** What a login could do that reading doesn't need, each with statements to copy. */
export function ConnectionWarnings({ warnings }: Pick<ConnectionTest, "warnings">) {
  return warnings.map(({ message, remedy }) => (
    <Notice key={message} tone="warning" title={message}>
      {remedy === "" ? null : (
        <div className="mt-2 flex items-start gap-2">
          <pre className="max-h-40 min-w-0 flex-1 overflow-auto rounded bg-sunken p-2 font-mono text-xs text-ink">
            {remedy}
          </pre>
          <CopyButton text={remedy}>Copy statements</CopyButton>
        </div>
      )}
    </Notice>
  ));
}
