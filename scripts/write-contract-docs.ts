/** `npm run contracts:docs`: writes `docs/contracts.md` from the clauses and the tests that name them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toContractDocs } from "./contract-docs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
mkdirSync(join(root, "docs"), { recursive: true });
writeFileSync(join(root, "docs/contracts.md"), toContractDocs(root));
