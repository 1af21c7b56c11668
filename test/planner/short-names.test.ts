/** Questions in plain words about a database whose tables and columns are abbreviated as in data warehouses. */
import { it } from "vitest";
import { scriptedDatabase } from "../fixtures/scripted-database.ts";

const script = `
CREATE TABLE dim_cust (cust_sk INTEGER PRIMARY KEY, cust_nm TEXT, cntry TEXT, cr_lmt_usd INTEGER, actv_flg INTEGER);
CREATE TABLE dim_emp (emp_id INTEGER PRIMARY KEY, emp_nm TEXT, mgr_emp_id INTEGER REFERENCES dim_emp, hire_dt TEXT, sal_amt INTEGER, edctn_lvl TEXT);
CREATE TABLE fct_ord (ord_no INTEGER PRIMARY KEY, cust_sk INTEGER REFERENCES dim_cust, emp_id INTEGER REFERENCES dim_emp, ord_dt TEXT, ord_amt_usd REAL, ord_sts TEXT);
CREATE TABLE acct (acct_no INTEGER PRIMARY KEY, cust_sk INTEGER REFERENCES dim_cust, acct_typ TEXT, acct_bal REAL);
CREATE TABLE whse (whse_cd TEXT PRIMARY KEY, whse_nm TEXT, cap_plts INTEGER);
CREATE TABLE shpmnt (shp_no INTEGER PRIMARY KEY, orig_whse_cd TEXT REFERENCES whse, dst_whse_cd TEXT REFERENCES whse, shpmnt_dt TEXT, dist_km INTEGER);
INSERT INTO dim_cust VALUES (1, 'Adler', 'Peru', 500, 1), (2, 'Bruun', 'Chile', 900, 0), (3, 'Cole', 'Peru', 700, 1);
INSERT INTO dim_emp VALUES (1, 'Ines', NULL, '2015-02-01', 900, 'master'), (2, 'Juri', 1, '2019-05-01', 600, 'bachelor'), (3, 'Kaya', 1, '2021-08-01', 700, 'master');
INSERT INTO fct_ord VALUES (11, 1, 2, '2023-01-05', 40, 'open'), (12, 1, 3, '2023-02-07', 60, 'sent'), (13, 2, 3, '2023-03-09', 25, 'sent');
INSERT INTO acct VALUES (71, 1, 'savings', 1200), (72, 2, 'current', 300), (73, 3, 'savings', 50);
INSERT INTO whse VALUES ('N', 'North', 40), ('S', 'South', 75), ('W', 'West', 20);
INSERT INTO shpmnt VALUES (1, 'N', 'S', '2023-04-01', 120), (2, 'S', 'N', '2023-04-03', 120), (3, 'N', 'S', '2023-05-01', 120), (4, 'S', 'W', '2023-05-09', 310);`;

const questions: [question: string, gold: string][] = [
  ["What is the average salary of all employees?", "SELECT AVG(sal_amt) FROM dim_emp"],
  ["Show the names of employees hired after 2018.", "SELECT emp_nm FROM dim_emp WHERE hire_dt >= '2019-01-01'"],
  [
    "How many employees are there for each education level?",
    "SELECT edctn_lvl, COUNT(*) FROM dim_emp GROUP BY edctn_lvl",
  ],
  [
    "What is the name of the customer with the highest credit limit?",
    "SELECT cust_nm FROM dim_cust ORDER BY cr_lmt_usd DESC LIMIT 1",
  ],
  ["Show the names of the active customers.", "SELECT cust_nm FROM dim_cust WHERE actv_flg = 1"],
  ["How many customers are there in each country?", "SELECT cntry, COUNT(*) FROM dim_cust GROUP BY cntry"],
  [
    "What is the total amount of all orders with status sent?",
    "SELECT SUM(ord_amt_usd) FROM fct_ord WHERE ord_sts = 'sent'",
  ],
  [
    "Which customer placed the most orders? Show the name.",
    "SELECT cust_nm FROM dim_cust JOIN fct_ord USING (cust_sk) GROUP BY cust_sk ORDER BY COUNT(*) DESC LIMIT 1",
  ],
  ["What is the average balance for each account type?", "SELECT acct_typ, AVG(acct_bal) FROM acct GROUP BY acct_typ"],
  [
    "Show the names of customers whose account balance is above 100.",
    "SELECT cust_nm FROM dim_cust JOIN acct USING (cust_sk) WHERE acct_bal > 100",
  ],
  ["What are the names and capacities of all warehouses?", "SELECT whse_nm, cap_plts FROM whse"],
  ["What is the maximum distance of a shipment?", "SELECT MAX(dist_km) FROM shpmnt"],
  [
    "How many shipments went from North to South?",
    "SELECT COUNT(*) FROM shpmnt WHERE orig_whse_cd = 'N' AND dst_whse_cd = 'S'",
  ],
  ["How many shipments have the origin warehouse South?", "SELECT COUNT(*) FROM shpmnt WHERE orig_whse_cd = 'S'"],
  [
    "List the names of warehouses that are the destination of a shipment.",
    "SELECT whse_nm FROM whse WHERE whse_cd IN (SELECT dst_whse_cd FROM shpmnt)",
  ],
  [
    "What are the names of warehouses that have never been the destination of a shipment?",
    "SELECT whse_nm FROM whse WHERE whse_cd NOT IN (SELECT dst_whse_cd FROM shpmnt)",
  ],
  [
    "Give the number and date of each shipment leaving North.",
    "SELECT shp_no, shpmnt_dt FROM shpmnt WHERE orig_whse_cd = 'N'",
  ],
  [
    "What are the shortest, average and longest distance of all shipments?",
    "SELECT MIN(dist_km), AVG(dist_km), MAX(dist_km) FROM shpmnt",
  ],
  ["Which employees have a level of education called master?", "SELECT emp_nm FROM dim_emp WHERE edctn_lvl = 'master'"],
  ["Count the number of different countries of the customers.", "SELECT COUNT(DISTINCT cntry) FROM dim_cust"],
  [
    "List the numbers of orders with an order date before 2023-03-01.",
    "SELECT ord_no FROM fct_ord WHERE ord_dt < '2023-03-01'",
  ],
  [
    "Show the name of each employee and the name of the manager.",
    "SELECT e.emp_nm, m.emp_nm FROM dim_emp e LEFT JOIN dim_emp m ON m.emp_id = e.mgr_emp_id",
  ],
];

const { expectRight } = scriptedDatabase("warehouse", script);

it.each(questions)("%s", (question, gold) => expectRight(question, gold));
