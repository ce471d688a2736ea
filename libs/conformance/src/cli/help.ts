export const help = `Judges an HTTP service against the Items HTTP API specification, sentence by sentence.

  npx @items/conformance URL [options]

  --header 'Name: value'            sent with every request, such as 'X-API-Key: …'; repeatable
  --read-only-header 'Name: value'  a credential that may only read, for the sentences on 403; repeatable
  --profile seed|full               seed: the specification alone (default); full: the decisions as well
  --only §4                         only a section, or checks by the beginning of their id: 4.cursor; repeatable
  --skip users,orders               not these collections, sections or ids; repeatable
  --junit FILE, --json FILE, --html FILE   write the report
  --seed WORD                       names of what is created follow from it
  --timeout SECONDS                 how long one answer may take (default 10)
  --help, --version

It creates items, and deletes what it created. A 429 is waited out.
Exit code: 0 conformant, 1 not conformant, 2 the tool could not judge.
`;
