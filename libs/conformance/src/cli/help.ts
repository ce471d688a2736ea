/** Fits a screen of 24 lines with 80 columns. */
export const help = `npx @items/conformance URL [options]
Judges an HTTP service against the seed specification of the Items HTTP API.
  --header 'Name: value'            sent with every request, such as an API key
  --read-only-header 'Name: value'  a credential that may only read, for 403
  --profile seed|http|full   the seed specification; and HTTP; and our own rules
  --only §4,4.cursor         only sections, or ids that begin so
  --skip users,orders        no such collections, sections, ids
  --known FILE               ids that may fail, one a line, # comments
Names in your service, each alone or all in --map FILE.json:
  --collection /items  --member data.rows  ('': a bare array)
  --create '{"name":"x"}'  --required name  --sort price  --filter color=red
  --query page=p,per_page=size,limit=n,cursor=after,sort=order
  --next-cursor meta.next  --total meta.total
Reports:
  --summary                  one line instead of the report
  --github                   annotations and the summary of a workflow's step
  --json FILE  --junit FILE  --html FILE  --sarif FILE
Run:
  --seed WORD                repeatable names for what is created
  --timeout SECONDS          for each response (10)
  --help  --version
It deletes what it created, and waits after a 429.
Exit code: 0 conformant, 1 not conformant, 2 could not judge.
`;
