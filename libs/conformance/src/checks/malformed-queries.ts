const numbers = ['abc', '-1', '0', '1.5', '', '99999999999999999999'];

/** The specification does not say whether these queries are refused. */
export const malformedQueries: readonly string[] = [
  ...numbers.map((number) => `page=${number}`),
  ...numbers.map((number) => `page=1&per_page=${number}`),
  ...numbers.map((number) => `limit=${number}`),
  ...['AAAA', '', '%00', '-1', '%F0%9F%98%80'].map((cursor) => `limit=2&cursor=${cursor}`),
  ...['no_such_field', '-', ''].map((sort) => `sort=${sort}`),
  ...['', '%27', '%00'].map((value) => `color=${value}`),
  ...['page=1&page=2', 'limit=1&limit=2', 'color=a&color=b', 'color[]=a', 'color[a]=b'],
];
