export interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  hint?: string;
  mono?: boolean;
  secret?: boolean;
  className?: string;
}

export function Field({ label, value, onChange, placeholder, hint, mono, secret, className }: FieldProps) {
  return (
    <label className={`block text-xs font-medium text-ink-2 ${className ?? ""}`}>
      {label}
      <input
        className={mono ? "field mt-1 font-mono" : "field mt-1"}
        type={secret ? "password" : "text"}
        autoComplete={secret ? "new-password" : "off"}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={placeholder}
        spellCheck={false}
      />
      {hint ? <span className="mt-1 block font-normal text-ink-3">{hint}</span> : null}
    </label>
  );
}
