/** How the page writes times: the reader's clock, 24 hours, and short durations. All inputs are epoch milliseconds. */
const two = (value: number) => String(value).padStart(2, "0");

/** `14:02` */
export function toClock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `14:02:11` */
export function toClockSeconds(at: number): string {
  return `${toClock(at)}:${two(new Date(at).getSeconds())}`;
}

/** Counting up: `0:21`, `12:05`, `1:02:03`. */
export function toElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Finished: `<0.01 s`, `0.02 s`, `9.7 s`, `41 s`, `2:05`. */
export function toSpan(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 0.005) return "<0.01 s";
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 60 ? `${Math.round(seconds)} s` : toElapsed(ms);
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const toDay = (at: number): number => new Date(new Date(at).setHours(0, 0, 0, 0)).getTime();

/** `now`, `6 min`, `2 h`, then the weekday, then the date. */
export function toAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (toDay(at) === toDay(now)) return `${Math.floor(minutes / 60)} h`;
  const date = new Date(at);
  if (toDay(now) - toDay(at) < 7 * 86_400_000) return days[date.getDay()] ?? "";
  return `${date.getDate()} ${months[date.getMonth()] ?? ""}`;
}
