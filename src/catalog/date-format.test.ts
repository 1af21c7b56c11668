import { expect, test } from "vitest";
import { findDateFormat } from "./date-format.ts";

test.each([
  [["2024-01-31", "2023-12-05"], "d", "YYYY-MM-DD"],
  [["2024-01-31 10:00:00", "2024-01-31 10:00:00.5+02"], "d", "YYYY-MM-DD HH:MM:SS"],
  [["2024-01-31T10:00:00Z"], "d", "YYYY-MM-DDTHH:MM:SS"],
  [["31/01/2024", "05/12/2023", ""], "d", "DD/MM/YYYY"],
  [["01/31/2024", "05/12/2023"], "d", "MM/DD/YYYY"],
  [["01/02/2024", "05/12/2023"], "d", "DD/MM/YYYY or MM/DD/YYYY"],
  [["31.1.2024"], "d", "DD.MM.YYYY"],
  [["Jan 5, 2024", "Dec 31, 2023"], "d", "Mon DD, YYYY"],
  [["20240131", "20231205"], "order_date", "YYYYMMDD"],
  [["20240131", "20231205"], "code", undefined],
  [["1999", "2004"], "Model Year", "YYYY"],
  [["1999", "2004"], "zip", undefined],
  [["2024-01-31", "soon"], "d", undefined],
  [["31/01/2024", "01/31/2024"], "d", undefined],
  [["2024-13-01"], "d", undefined],
  [[], "date", undefined],
])("%j in %s is %s", (values, words, format) => {
  expect(findDateFormat(values, words)).toBe(format);
});
