import {
  AlignLeft,
  ArrowDown,
  ArrowUp,
  BookOpen,
  ChartColumn,
  Check,
  ChevronDown,
  ChevronRight,
  Circle,
  CircleCheck,
  CircleOff,
  CircleSlash,
  Copy,
  Cpu,
  Database,
  Download,
  Ellipsis,
  Funnel,
  Hand,
  Info,
  KeyRound,
  Link2,
  Loader,
  LoaderCircle,
  Menu,
  MessageSquare,
  Moon,
  OctagonAlert,
  PanelRight,
  Pencil,
  Plus,
  RefreshCw,
  Search,
  Square,
  Sun,
  Table2,
  TriangleAlert,
  Undo2,
  Wrench,
  X,
} from "lucide-react";
import type { ComponentType, SVGProps } from "react";
import { cn } from "./class-names.ts";

/** Three short strokes: the page's sign for an inferred pair. Lucide has no such line. */
const Dashes = (props: SVGProps<SVGSVGElement>) => (
  // biome-ignore lint/a11y/noSvgWithoutTitle: named or hidden by Icon
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={2.5} strokeLinecap="round" {...props}>
    <path d="M2 12h4M10 12h4M18 12h4" />
  </svg>
);

const icons = {
  check: Check,
  hand: Hand,
  warning: TriangleAlert,
  info: Info,
  problem: OctagonAlert,
  ok: CircleCheck,
  slash: CircleSlash,
  circle: Circle,
  run: LoaderCircle,
  key: KeyRound,
  dash: Dashes,
  plus: Plus,
  search: Search,
  down: ChevronDown,
  right: ChevronRight,
  "arrow-down": ArrowDown,
  "arrow-up": ArrowUp,
  database: Database,
  model: Cpu,
  think: Loader,
  tool: Wrench,
  prompt: MessageSquare,
  text: AlignLeft,
  moon: Moon,
  sun: Sun,
  panel: PanelRight,
  menu: Menu,
  more: Ellipsis,
  stop: Square,
  copy: Copy,
  edit: Pencil,
  download: Download,
  table: Table2,
  chart: ChartColumn,
  off: CircleOff,
  refresh: RefreshCw,
  back: Undo2,
  close: X,
  funnel: Funnel,
  book: BookOpen,
  link: Link2,
} satisfies Record<string, ComponentType<SVGProps<SVGSVGElement>>>;

export type IconName = keyof typeof icons;

export interface IconProps {
  name: IconName;
  className?: string;
  /** Only for an icon that stands without words; otherwise it is hidden from assistive technology. */
  label?: string;
}

export function Icon({ name, className, label }: IconProps) {
  const Shape: ComponentType<SVGProps<SVGSVGElement>> = icons[name];
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": true };
  return <Shape className={cn("h-4 w-4 shrink-0", className)} strokeWidth={2} {...named} />;
}
