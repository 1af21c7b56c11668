/**
 * elements/: the primitives of the page. They know the tokens and nothing of sessions or gates; everything they are
 * given to show is rendered as text. Class names are Tailwind 3.4 utilities of our own theme, nothing else.
 */
import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      // Without this the merge would take `text-2xs` for a colour and drop the real one.
      "font-size": [{ text: ["2xs", "xs", "sm", "base", "lg", "xl"] }],
      shadow: [{ shadow: ["none", "dock", "pop"] }],
    },
  },
});

/** Joins class names; of two that set the same property the later one stays. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));
