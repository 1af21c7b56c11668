/** Rules that Chinook has no names for: shortened names, rates, kinds, dates that are due, told on two databases made for it. */
import { describe, it } from "vitest";
import { scriptedDatabase } from "../fixtures/scripted-database.ts";

const workshop = `
CREATE TABLE kind_ref (kind_cd TEXT PRIMARY KEY, kind_desc TEXT);
CREATE TABLE tool_mst (tool_cd TEXT PRIMARY KEY, tool_nm TEXT, kind_cd TEXT REFERENCES kind_ref, list_prc REAL, daily_rate REAL, review_num INTEGER);
CREATE TABLE svc_ord (so_no INTEGER PRIMARY KEY, tool_cd TEXT REFERENCES tool_mst, state TEXT, due_dt DATE, fin_dt DATE, cost REAL);
CREATE TABLE transport (transport_id INTEGER PRIMARY KEY, from_town TEXT, to_town TEXT, one_way_cost REAL, round_trip_cost REAL);
INSERT INTO transport VALUES (1, 'Kiel', 'Bonn', 10, 18), (2, 'Bonn', 'Kiel', 12, 20), (3, 'Kiel', 'Ulm', 15, 25), (4, 'Ulm', 'Bonn', 9, 17);
CREATE TABLE sale (sale_no INTEGER PRIMARY KEY, sold_on DATE, town TEXT);
CREATE TABLE sale_line (sale_no INTEGER REFERENCES sale, tool_cd TEXT REFERENCES tool_mst, qty INTEGER, PRIMARY KEY (sale_no, tool_cd));
INSERT INTO kind_ref VALUES ('S', 'saw'), ('D', 'drill');
INSERT INTO tool_mst VALUES ('S1', 'Falke', 'S', 120, 12, 3), ('S2', 'Bussard', 'S', 90, 9, 3), ('D1', 'Milan', 'D', 60, 7, 0), ('D2', 'Sperber', 'D', 75, 8, 4);
INSERT INTO svc_ord VALUES (11, 'S1', 'urgent', '2023-01-10', '2023-01-09', 20), (12, 'S1', 'normal', '2023-02-10', '2023-02-14', 35),
  (13, 'D1', 'normal', '2023-03-01', NULL, 15), (14, 'S2', 'urgent', '2023-03-05', '2023-03-06', 50), (15, 'S1', 'normal', '2023-04-01', '2023-03-30', 10);
INSERT INTO sale VALUES (1, '2023-05-01', 'Kiel'), (2, '2023-05-01', 'Bonn'), (3, '2023-05-04', 'Kiel');
INSERT INTO sale_line VALUES (1, 'S1', 2), (1, 'D1', 1), (2, 'D2', 10), (3, 'S2', 1), (3, 'D1', 3);`;

const club = `
CREATE TABLE plans (plan_code TEXT PRIMARY KEY, plan_name TEXT, monthly_fee REAL);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, name TEXT, age INTEGER, role TEXT, salary REAL, plan_code TEXT REFERENCES plans, joined_on DATE, invited_by INTEGER REFERENCES members);
CREATE TABLE admission (admission_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members, admitted_on DATE, left_on DATE);
CREATE TABLE courses (course_id INTEGER PRIMARY KEY, title TEXT, hall_id INTEGER REFERENCES halls, seats_taken INTEGER, seat_price REAL);
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name TEXT, area INTEGER, floor TEXT);
INSERT INTO plans VALUES ('M', 'monthly', 30), ('Y', 'yearly', 20), ('T', 'trial', 5);
INSERT INTO members VALUES (1, 'Ada', 20, 'coach', 100, 'M', '2022-05-01', NULL), (2, 'Ben', 40, 'coach', 300, 'M', '2021-03-01', 1), (3, 'Cleo', 35, 'clerk', 250, 'Y', '2023-01-01', 2), (4, 'Dina', 60, 'clerk', 150, 'T', '2020-07-01', 2);
INSERT INTO halls VALUES (1, 'North', 100, 'wood'), (2, 'South', 300, 'wood'), (3, 'East', 250, 'stone');
INSERT INTO admission VALUES (1, 1, '2023-01-01', '2023-01-05'), (2, 1, '2023-02-01', NULL), (3, 2, '2023-02-03', '2023-02-04'), (4, 1, '2023-03-01', '2023-03-02');
INSERT INTO courses VALUES (1, 'Yoga', 1, 10, 8), (2, 'Judo', 1, 20, 5), (3, 'Chess', 2, 25, 2), (4, 'Dance', 3, 7, 9);`;

const databases: [name: string, script: string, questions: [what: string, question: string, gold: string][]][] = [
  [
    "workshop",
    workshop,
    [
      [
        "a table's short name is the thing itself",
        "What is the margin between list price and daily rate of each tool?",
        "SELECT tool_nm, list_prc - daily_rate FROM tool_mst",
      ],
      [
        "numbers of rows that are numbered",
        "Find the numbers of the service orders for the tool Falke.",
        "SELECT so_no FROM svc_ord WHERE tool_cd = 'S1'",
      ],
      [
        "a number that counts is added up",
        "What is the number of reviews per kind?",
        "SELECT k.kind_desc, SUM(t.review_num) FROM kind_ref k JOIN tool_mst t ON t.kind_cd = k.kind_cd GROUP BY k.kind_cd",
      ],
      ["a figure says whose it is", "What is the list price of each tool?", "SELECT tool_nm, list_prc FROM tool_mst"],
      [
        "pieces are priced where their price stands, and what ranks them is shown",
        "Top 2 tools by total revenue at list price, with that revenue.",
        "SELECT tool_nm, SUM(qty * list_prc) FROM tool_mst JOIN sale_line USING (tool_cd) GROUP BY tool_cd ORDER BY 2 DESC LIMIT 2",
      ],
      [
        "revenue by day",
        "Revenue at list price per day",
        "SELECT sold_on, SUM(qty * list_prc) FROM tool_mst JOIN sale_line USING (tool_cd) JOIN sale USING (sale_no) GROUP BY sold_on",
      ],
      [
        "late is behind the date that was due",
        "How many service orders were late?",
        "SELECT COUNT(*) FROM svc_ord WHERE fin_dt > due_dt",
      ],
      [
        "a short name that the verb begins with",
        "Which service orders aren't finished yet?",
        "SELECT so_no FROM svc_ord WHERE fin_dt IS NULL",
      ],
      [
        "what goes on has no end",
        "Which service orders are still open?",
        "SELECT so_no FROM svc_ord WHERE fin_dt IS NULL",
      ],
      [
        "a thing is out while its event lasts",
        "Which tools are out at the moment?",
        "SELECT DISTINCT tool_nm FROM tool_mst JOIN svc_ord USING (tool_cd) WHERE fin_dt IS NULL",
      ],
      [
        "each value belongs to its own end",
        "List the ids of the transports from Kiel to Bonn.",
        "SELECT transport_id FROM transport WHERE from_town = 'Kiel' AND to_town = 'Bonn'",
      ],
      [
        "a rate has its unit",
        "What do we charge per day for the Milan?",
        "SELECT daily_rate FROM tool_mst WHERE tool_cd = 'D1'",
      ],
      [
        "two kinds side by side before one noun",
        "Average cost of urgent orders versus normal ones.",
        "SELECT state, AVG(cost) FROM svc_ord GROUP BY state",
      ],
    ],
  ],
  [
    "club",
    club,
    [
      [
        "a stored kind is no stretch of time",
        "Which members are older than the average age of members with the monthly plan?",
        "SELECT name FROM members WHERE age > 30",
      ],
      [
        "a fee for a month",
        "How much is the yearly plan per month?",
        "SELECT monthly_fee FROM plans WHERE plan_name = 'yearly'",
      ],
      [
        "an average over those named behind it",
        "Which members earn more than the average salary of coaches?",
        "SELECT name FROM members WHERE salary > 200",
      ],
      [
        "top rows by a sum of what belongs to them, with the number",
        "Top 2 halls by seats taken, with the number of seats.",
        "SELECT hall_name, SUM(seats_taken) FROM halls JOIN courses USING (hall_id) GROUP BY hall_id ORDER BY 2 DESC LIMIT 2",
      ],
      [
        "what ranks a row, asked for at the end",
        "What is the name of the hall with the highest average seat price, and what is that average?",
        "SELECT hall_name, AVG(seat_price) FROM halls JOIN courses USING (hall_id) GROUP BY hall_id ORDER BY 2 DESC LIMIT 1",
      ],
      [
        "times are rows of what the verb names",
        "Find the names of the members who have been admitted at least three times.",
        "SELECT name FROM members WHERE member_id = 1",
      ],
      ["who is still there", "Who is still in the club?", "SELECT name FROM members WHERE member_id = 1"],
      [
        "the key to one's own table by its verb",
        "List the name of each member with the name of the member that invited them.",
        "SELECT m.name, o.name FROM members m LEFT JOIN members o ON o.member_id = m.invited_by",
      ],
      [
        "who did so most often",
        "Which member invited the most members?",
        "SELECT name FROM members WHERE member_id = 2",
      ],
      [
        "a date by its verb",
        "List the names of the members in order of the date they were joined.",
        "SELECT name FROM members ORDER BY joined_on",
      ],
      [
        "a size compared with the average of some",
        "Find the names of halls that are larger than the average hall with wood floor.",
        "SELECT hall_name FROM halls WHERE area > 200",
      ],
    ],
  ],
];

describe.each(databases)("%s", (name, script, questions) => {
  const { expectRight } = scriptedDatabase(name, script);
  it.each(questions)("%s: %s", (_, question, gold) => expectRight(question, gold));
});
