/**
 * Short forms that names in databases are written with, whatever they are about: `qty`, `dt`, `cust`. Some stand for one
 * word alone; others for several, and the words of a question say for which.
 */

const toMap = (text: string): ReadonlyMap<string, string[]> =>
  new Map(
    text
      .split(/[\n;]/)
      .map((pair) => pair.trim().split(":"))
      .filter((pair) => pair.length === 2)
      .map(([short = "", long = ""]) => [short, long.split(" ")]),
  );

const oneReading = toMap(`
  fname:first name; lname:last name; mname:middle name; surname:last name; forename:first name; dob:birth date
  acct:account; addr:address; amt:amount; appt:appointment; avg:average; bal:balance; bldg:building; cd:code; cmt:comment
  cnt:count; cntry:country; ctgy:category; ctry:country; curr:currency; cust:customer; dept:department; desc:description
  descr:description; dlvry:delivery; dt:date; dtl:detail; dttm:date time; emp:employee; eqpt:equipment; flg:flag
  flr:floor; freq:frequency; gndr:gender; govt:government; grp:group; hgt:height; invc:invoice; itm:item; lang:language
  ln:line; loc:location; lvl:level; max:maximum; mbr:member; mgmt:management; mgr:manager; mnth:month; mth:month
  mthd:method; msg:message; natl:national; nbr:number; nm:name; ord:order; org:organization; pct:percent; perc:percent
  pkg:package; pmt:payment; prc:price; prod:product; pts:points; pub:publication; pwd:password; pymt:payment
  qtr:quarter; qty:quantity; rcpt:receipt; rgn:region; rm:room; sal:salary; sched:schedule; seq:sequence; shpmt:shipment
  src:source; stk:stock; stmt:statement; sts:status; supp:supplier; svc:service; tel:telephone; tm:time; tot:total
  trx:transaction; tx:transaction; txn:transaction; typ:type; univ:university; usr:user; vndr:vendor; vol:volume
  whse:warehouse; wgt:weight; wk:week; wt:weight; xfer:transfer; yr:year; yrs:years
`);

const severalReadings = toMap(`
  acc:account access; act:actual account activity; arr:arrival; beg:begin beginning; cap:capacity capital; cat:category
  comm:commission comment; comp:company; cont:container contact contract; cr:credit; cur:current currency; dep:departure department deposit
  dest:destination; disc:discount; dist:distance district; dr:debit doctor; dst:destination; dur:duration
  est:estimate established; exp:experience expiry expiration expense expected; ext:extension external; hr:hour hourly
  ht:height; int:interest internal international; inv:invoice inventory; len:length; min:minimum minute; mod:modified model
  mon:month; opn:opening opened open; orig:origin original; pos:position; prd:product period; prov:province provider
  reg:region registration; rel:release relation; rep:representative; req:request required; rt:rate route
  sch:school schedule; sec:second section security; spec:specialty; st:street state status start; stat:status state
  std:standard; temp:temperature temporary; trans:transaction; ttl:title total; upd:updated; ver:version
`);

/** Short forms that are words too, so they are only read so beside another short form. */
const besideOthers = toMap("cat:category; hr:hour; no:number; act:account; opn:opening");

/** Units that a name ends with: `price_usd`, `wt_g`. */
const units = new Set(
  "usd eur gbp chf jpy kg g mg lb lbs oz km m cm mm mi nmi ft sqm sqft ha l ml kw kwh mw kmh mph kph c f pct dollars euros thousand thousands million millions".split(
    " ",
  ),
);

export const wordsOf = (short: string): string[] | undefined => oneReading.get(short);
export const readingsOf = (short: string): readonly string[] => severalReadings.get(short) ?? [];
export const isUnitMark = (word: string): boolean => units.has(word);

/** The words that a name's words stand for; a first name is one, and so is "given name". */
export function writeOut(words: string[]): string[] {
  const said = words.join(" ");
  const given = said.replace(/\b(given|family) name\b/, (_, kind) => (kind === "given" ? "first name" : "last name"));
  if (given !== said) return given.split(" ");
  if (words.length === 2 && words[1] === "name" && /^[flm]$/.test(words[0] ?? ""))
    return wordsOf(`${words[0]}name`) ?? words;
  if (words.length > 1 && /^(no|nr|num)$/.test(words.at(-1) ?? "")) return [...writeOut(words.slice(0, -1)), "number"];
  if (words.length > 2 && words[1] === "of" && /^(no|nr|num)$/.test(words[0] ?? ""))
    return ["number", ...writeOut(words.slice(1))];
  const short = words.filter((word) => oneReading.has(word)).length > 0;
  return words.flatMap((word) => wordsOf(word) ?? (short ? besideOthers.get(word) : undefined) ?? [word]);
}
