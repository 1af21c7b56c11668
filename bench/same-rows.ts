/** The comparison that `thoth eval` makes, without the order that gold asks for. */
export { sameRows } from "../src/evaluation/same-rows.ts";
