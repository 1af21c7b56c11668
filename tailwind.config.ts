/** Tailwind CSS 3.4. Every colour is a variable from styles/tokens.css; nothing else may name a colour. */
import { join } from "node:path";
import type { Config } from "tailwindcss";

const v = (name: string) => `hsl(var(--${name}) / <alpha-value>)`;
const tone = (name: string) => ({ DEFAULT: v(name), soft: v(`${name}-soft`), line: v(`${name}-line`) });

export default {
  content: [
    join(import.meta.dirname, "src/web/**/*.{ts,tsx,html}"),
    `!${join(import.meta.dirname, "src/web/**/*.test.{ts,tsx}")}`,
  ],
  darkMode: ["selector", '[data-theme="dark"]'],
  theme: {
    screens: { sm: "640px", md: "768px", lg: "1024px", xl: "1280px", wide: "1440px", huge: "1800px" },
    colors: {
      transparent: "transparent",
      current: "currentColor",
      canvas: v("canvas"),
      surface: v("surface"),
      sunken: v("sunken"),
      raised: v("raised"),
      hover: v("hover"),
      line: { DEFAULT: v("line"), strong: v("line-strong") },
      control: v("control"),
      ink: { DEFAULT: v("ink"), 2: v("ink-2"), 3: v("ink-3") },
      accent: {
        DEFAULT: v("accent"),
        hover: v("accent-hover"),
        ink: v("accent-ink"),
        soft: v("accent-soft"),
        line: v("accent-line"),
      },
      "on-accent": v("on-accent"),
      ok: tone("ok"),
      notice: tone("notice"),
      problem: tone("problem"),
      warning: { ...tone("warning"), mark: v("warning-mark") },
      sql: { keyword: v("sql-keyword"), literal: v("sql-literal"), name: v("sql-name"), comment: v("sql-comment") },
    },
    fontFamily: {
      sans: ['"Inter Variable"', "ui-sans-serif", "system-ui", "sans-serif"],
      mono: ['"JetBrains Mono Variable"', "ui-monospace", "SFMono-Regular", "Menlo", "monospace"],
    },
    fontSize: {
      "2xs": ["11px", "16px"],
      xs: ["12px", "16px"],
      sm: ["13px", "20px"],
      base: ["14px", "20px"],
      lg: ["16px", "24px"],
      xl: ["20px", "28px"],
    },
    borderRadius: { none: "0", sm: "3px", DEFAULT: "4px", md: "6px", lg: "8px", full: "9999px" },
    boxShadow: { none: "none", dock: "var(--shadow-dock)", pop: "var(--shadow-pop)" },
    zIndex: { 0: "0", 10: "10", 20: "20", 30: "30", 40: "40", 50: "50" },
    extend: {
      transitionDuration: { fast: "80ms", base: "140ms" },
      gridTemplateColumns: {
        joins: "28px minmax(0,1fr) 56px minmax(0,1fr) 84px 66px 122px 58px 110px",
      },
    },
  },
} satisfies Config;
