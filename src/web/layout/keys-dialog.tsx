import { Dialog } from "./dialog.tsx";
import { keyWords } from "./keys.ts";

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Keys"
      intro="They sleep while you type. No key decides: that takes Tab and your own press."
      onClose={onClose}
    >
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] items-center gap-y-2 text-sm">
        {keyWords.map(([keys, words]) => (
          <div key={words} className="contents">
            <dt className="flex gap-1">
              {keys.split(/\s+/).map((key) => (
                <span key={key} className="kbd">
                  {key}
                </span>
              ))}
            </dt>
            <dd className="text-ink-2">{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
