export const help = `Judges an HTTP service against the Items HTTP API specification, sentence by sentence.

  npx @items/conformance URL [options]

  --header 'Name: value'            sent with every request, such as 'X-API-Key: …'; repeatable
  --read-only-header 'Name: value'  a credential that may only read, for the sentences on 403; repeatable
  --profile seed|http|full          seed: the specification alone (default); http: what HTTP asks of any service as
                                    well; full: the decisions as well

  --collection /widgets             the collection's path (default /items)
  --member widgets                  the list in the body, as a path (data.rows); '': a bare array (default: the last
                                    part of the collection's path)
  --create '{"name":"x"}'           what a create request holds
  --required name, --sort price     the field that it must have; a field to sort by
  --filter color=red                a field and parameter, with a value of it
  --query page=p,per_page=size,cursor=after,limit=n   how parameters are called
  --next-cursor meta.next, --total meta.total         where a page tells them
  --map FILE.json                   the same names in a file (query an object, next_cursor); options win

  --only §4                         only a section, or checks by the beginning of their id: 4.cursor; repeatable
  --skip users,orders               not these collections, sections or ids; repeatable
  --known FILE                      ids that are known to fail, one a line, # comments: no failure until one passes
  --github                          errors as a workflow of GitHub shows them, and the step's summary
  --junit FILE, --json FILE, --html FILE   write the report
  --seed WORD                       names of what is created follow from it
  --timeout SECONDS                 how long one answer may take (default 10)
  --help, --version

It creates items, and deletes what it created. A 429 is waited out.
Exit code: 0 conformant, 1 not conformant, 2 the tool could not judge.
`;
