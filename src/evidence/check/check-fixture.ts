/** For tests of the checks: a small shop, and the codes that a statement gets in it. */
import type { CheckedStatement, CheckWarning } from "../../protocol/index.ts";
import { type Opened, openSmall } from "../evidence-fixture.ts";
import { checkStatement } from "./check-statement.ts";

/** Five customers, two without an order; two orders of one customer share the highest total. */
export const shop = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, age INTEGER, rating TEXT, boss_id INTEGER REFERENCES customer(id));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer(id), total REAL NOT NULL, placed TEXT NOT NULL, year TEXT, parcels INTEGER, status TEXT);
  CREATE TABLE product (id INTEGER PRIMARY KEY, title TEXT NOT NULL, make TEXT, price REAL);
  CREATE TABLE line (order_id INTEGER NOT NULL REFERENCES orders(id), product_id INTEGER NOT NULL REFERENCES product(id), amount INTEGER NOT NULL, PRIMARY KEY (order_id, product_id));
  INSERT INTO customer VALUES (1,'Ann','Oslo',31,'9',NULL),(2,'Bob','Rome',45,'10',1),(3,'Cyd','Rome',52,'120',1),(4,'Dee','Oslo',28,'7',2),(5,'Eve',NULL,61,'30',2);
  INSERT INTO orders VALUES (1,1,50,'2023-01-05 10:00:00','2023',2,'paid'),(2,1,90,'2023-02-01 09:30:00','2023',1,'open'),(3,2,90,'2024-03-01 12:00:00','2024',4,'paid'),(4,3,20,'2024-03-09 08:00:00','2024',3,'paid');
  INSERT INTO product VALUES (1,'Lamp','Acme',10),(2,'Desk','Acme',100),(3,'Chair','Brio',40);
  INSERT INTO line VALUES (1,1,2),(1,2,1),(2,3,1),(3,2,1),(3,3,2),(4,1,2);
`;

export interface Shop {
  check(sql: string, question?: string): Promise<CheckedStatement>;
  /** Codes of warnings and problems only. */
  alarms(sql: string, question?: string): Promise<string[]>;
  close(): void;
}

export const isAlarm = ({ severity }: CheckWarning): boolean => severity === "warning" || severity === "problem";

export async function openShop(): Promise<Shop> {
  const opened: Opened = await openSmall(shop);
  const check = (sql: string, question?: string) =>
    checkStatement(opened.database, opened.catalog, opened.values, sql, question);
  return {
    check,
    async alarms(sql, question) {
      return (await check(sql, question)).warnings.filter(isAlarm).map(({ code }) => code);
    },
    close: () => opened.close(),
  };
}
