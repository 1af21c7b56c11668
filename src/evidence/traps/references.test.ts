/** Duplicate references, views, references by type, attributes and values, currencies and units. */
import { describe, expect, it } from "vitest";
import { findingsOf, severitiesOf } from "./traps-fixture.ts";

describe("duplicate reference rows", () => {
  const schema = (rows: string) => `
    CREATE TABLE country (code TEXT, label TEXT);
    CREATE TABLE guest (id INTEGER PRIMARY KEY, country_code TEXT, spent REAL);
    INSERT INTO country VALUES ${rows};
    INSERT INTO guest VALUES (1,'DE',10),(2,'DE',20),(3,'FR',5),(4,'IT',7),(5,'ES',1),(6,'AT',2),(7,'FR',3);`;
  const sql = "SELECT SUM(g.spent) FROM guest g JOIN country c ON c.code = g.country_code";
  const clean = "('DE','Germany'),('FR','France'),('IT','Italy'),('ES','Spain'),('AT','Austria')";

  it("warns when a code stands there twice", async () => {
    const [found = []] = await findingsOf(schema(`${clean},('DE','Germany')`), [{ sql }]);
    const finding = found.find(({ code }) => code === "reference-duplicated");
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toContain("2 rows of guest");
  });

  it("is silent for clean lists, for duplicates that nothing meets and for EXISTS", async () => {
    const [cleanList] = await severitiesOf(schema(clean), [{ sql }]);
    const [unmet, exists] = await severitiesOf(schema(`${clean},('PT','Portugal'),('PT','Portugal')`), [
      { sql },
      { sql: "SELECT SUM(g.spent) FROM guest g WHERE g.country_code IN (SELECT code FROM country)" },
    ]);
    expect([cleanList, unmet, exists].map((each) => each?.["reference-duplicated"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is silent for the many side of a declared key", async () => {
    const [found] = await severitiesOf(
      `CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
       CREATE TABLE pet (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner, weight REAL);
       INSERT INTO owner VALUES (1,'a'),(2,'b'),(3,'c'),(4,'d'),(5,'e');
       INSERT INTO pet VALUES (1,1,1),(2,1,2),(3,2,3),(4,3,4),(5,4,5),(6,5,6);`,
      [{ sql: "SELECT o.name, SUM(p.weight) FROM owner o JOIN pet p ON p.owner_id = o.id GROUP BY o.name" }],
    );
    expect(found).toEqual({});
  });
});

describe("views that hide a fan-out", () => {
  const schema = `
    CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, total REAL);
    CREATE TABLE booking_line (id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES booking, price REAL);
    INSERT INTO booking VALUES (1, 100), (2, 60), (3, 5);
    INSERT INTO booking_line VALUES (1,1,70),(2,1,30),(3,2,50),(4,2,10),(5,3,5);
    CREATE VIEW v_booking AS SELECT b.booking_id, b.total, l.price FROM booking b JOIN booking_line l ON l.booking_id = b.booking_id;
    CREATE VIEW v_once AS SELECT booking_id, total FROM booking;`;

  it("warns when the view repeats what is summed", async () => {
    const [joined = [], summed = []] = await findingsOf(schema, [
      { sql: "SELECT SUM(b.total) FROM booking b JOIN v_booking v ON v.booking_id = b.booking_id" },
      { sql: "SELECT SUM(total) FROM v_booking" },
    ]);
    const [one, other] = [joined, summed].map((found) => found.find(({ code }) => code === "view-fan-out"));
    expect([one?.severity, other?.severity]).toEqual(["warning", "warning"]);
    expect(one?.body).toContain("2 of 3 booking_id");
  });

  it("warns when the view's rows are counted as things", async () => {
    const sql = "SELECT COUNT(*) FROM v_booking";
    const [things, rows] = await severitiesOf(schema, [
      { sql, question: "How many bookings are there?" },
      { sql, question: "How many lines are there?" },
    ]);
    expect([things?.["view-fan-out"], rows?.["view-fan-out"]]).toEqual(["warning", undefined]);
  });

  it("is silent for what the view holds once", async () => {
    const found = await severitiesOf(schema, [
      { sql: "SELECT SUM(price) FROM v_booking" },
      { sql: "SELECT SUM(total) FROM v_once" },
      { sql: "SELECT SUM(b.total) FROM booking b JOIN v_once v ON v.booking_id = b.booking_id" },
      { sql: "SELECT MAX(total) FROM v_booking" },
    ]);
    expect(found.map((each) => each["view-fan-out"])).toEqual(Array(4).fill(undefined));
  });
});

describe("references by type", () => {
  const schema = (kinds: [string, string]) => `
    CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE video (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE remark (id INTEGER PRIMARY KEY, subject_id INTEGER, subject_type TEXT, stars INTEGER);
    INSERT INTO article VALUES (1,'A'),(2,'B'); INSERT INTO video VALUES (1,'V'),(2,'W');
    INSERT INTO remark VALUES (1,1,'${kinds[0]}',5),(2,1,'${kinds[1]}',1),(3,2,'${kinds[1]}',1);`;
  const join = "SELECT a.title, AVG(r.stars) FROM article a JOIN remark r ON r.subject_id = a.id";

  it("warns without the type, in several spellings", async () => {
    const [found = []] = await findingsOf(schema(["article", "video"]), [{ sql: `${join} GROUP BY a.title` }]);
    const finding = found.find(({ code }) => code === "type-of-reference");
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toContain("2 of 3 matches");
    const [classes] = await severitiesOf(
      schema(["App\\Models\\Article", "App\\Models\\Video"])
        .replaceAll("subject_id", "ownerId")
        .replaceAll("subject_type", "ownerType"),
      [{ sql: "SELECT COUNT(*) FROM article a JOIN remark r ON r.ownerId = a.id" }],
    );
    expect(classes?.["type-of-reference"]).toBe("warning");
  });

  it("warns about a table's name beside a record's number", async () => {
    const [found] = await severitiesOf(
      schema(["article", "video"]).replaceAll("subject_id", "record_id").replaceAll("subject_type", "table_name"),
      [{ sql: "SELECT COUNT(*) FROM video v JOIN remark r ON r.record_id = v.id" }],
    );
    expect(found?.["type-of-reference"]).toBe("warning");
  });

  it("is silent with the type, and where all rows have one", async () => {
    const [typed] = await severitiesOf(schema(["article", "video"]), [
      { sql: `${join} AND r.subject_type = 'article' GROUP BY a.title` },
    ]);
    const [single] = await severitiesOf(schema(["article", "article"]), [{ sql: `${join} GROUP BY a.title` }]);
    expect([typed?.["type-of-reference"], single?.["type-of-reference"]]).toEqual([undefined, undefined]);
  });
});

describe("attributes and values", () => {
  const schema = `
    CREATE TABLE engine (id INTEGER PRIMARY KEY, cost REAL);
    CREATE TABLE engine_attr (engine_id INTEGER REFERENCES engine, attr_name TEXT, attr_value REAL);
    INSERT INTO engine VALUES (1, 100), (2, 200);
    INSERT INTO engine_attr VALUES (1,'power',90),(1,'weight',120),(2,'power',110),(2,'weight',150);`;

  it("warns when all attributes are taken together", async () => {
    const [averaged, repeated] = await severitiesOf(schema, [
      { sql: "SELECT AVG(attr_value) FROM engine_attr" },
      { sql: "SELECT SUM(e.cost) FROM engine e JOIN engine_attr a ON a.engine_id = e.id" },
    ]);
    expect([averaged?.["attribute-mixed"], repeated?.["attribute-mixed"]]).toEqual(["warning", "warning"]);
  });

  it("is silent when one is chosen, grouped or pivoted, and when there is only one", async () => {
    const found = await severitiesOf(schema, [
      { sql: "SELECT AVG(attr_value) FROM engine_attr WHERE attr_name = 'power'" },
      { sql: "SELECT attr_name, AVG(attr_value) FROM engine_attr GROUP BY attr_name" },
      { sql: "SELECT MAX(CASE WHEN attr_name = 'power' THEN attr_value END) FROM engine_attr" },
    ]);
    expect(found.map((each) => each["attribute-mixed"])).toEqual([undefined, undefined, undefined]);
    const [single] = await severitiesOf(schema.replaceAll("'weight'", "'power'"), [
      { sql: "SELECT AVG(attr_value) FROM engine_attr" },
    ]);
    expect(single?.["attribute-mixed"]).toBeUndefined();
  });
});

describe("currencies and units", () => {
  const schema = (other: string) => `
    CREATE TABLE account (id INTEGER PRIMARY KEY, currency TEXT, country TEXT);
    CREATE TABLE payment (id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES account, amount REAL, currency_code TEXT);
    CREATE TABLE delivery (id INTEGER PRIMARY KEY, weight REAL, uom TEXT);
    INSERT INTO account VALUES (1,'EUR','DE'),(2,'${other}','US');
    INSERT INTO payment VALUES (1,1,10,'EUR'),(2,2,20,'${other}');
    INSERT INTO delivery VALUES (1,10,'kg'),(2,20,'lb');`;

  it("warns when several are added up", async () => {
    const [money, units] = await severitiesOf(schema("USD"), [
      { sql: "SELECT SUM(amount) FROM payment" },
      { sql: "SELECT SUM(weight) FROM delivery" },
    ]);
    expect([money?.["units-mixed"], units?.["units-mixed"]]).toEqual(["warning", "warning"]);
    const [far] = await severitiesOf(
      schema("USD")
        .replace(", currency_code TEXT", "")
        .replaceAll(/,'(EUR|USD)'\)(?=[,;]\s*(\(2,2|INSERT INTO delivery))/g, ")"),
      [{ sql: "SELECT SUM(p.amount) FROM payment p JOIN account a ON a.id = p.account_id" }],
    );
    expect(far?.["units-mixed"]).toBe("warning");
  });

  it("is silent for one, for groups and filters that let one through, for counts", async () => {
    const found = await severitiesOf(schema("USD"), [
      { sql: "SELECT currency_code, SUM(amount) FROM payment GROUP BY currency_code" },
      { sql: "SELECT SUM(amount) FROM payment WHERE currency_code = 'EUR'" },
      { sql: "SELECT account_id, SUM(amount) FROM payment GROUP BY account_id" },
      { sql: "SELECT SUM(amount) FROM payment WHERE account_id = 2" },
      { sql: "SELECT COUNT(*) FROM payment" },
    ]);
    expect(found.map((each) => each["units-mixed"])).toEqual(Array(5).fill(undefined));
    const [one] = await severitiesOf(schema("EUR"), [{ sql: "SELECT SUM(amount) FROM payment" }]);
    expect(one?.["units-mixed"]).toBeUndefined();
  });
});
