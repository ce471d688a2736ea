import { describeOnBothDatabases, Library } from './testing/library.testing.js';

describeOnBothDatabases('A refused creation', (under) => {
  it('does not undo others in the same batch, even if all of them make events', async () => {
    const { books } = await Library.begun(under.database);
    const marks = ['one', null, 'two'];
    const made = await Promise.allSettled(marks.map((mark) => books.create({ mark: mark as string, n: 1 }, '/books')));
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await under.database.query('SELECT mark FROM books ORDER BY mark')).toEqual([
      { mark: 'one' },
      { mark: 'two' },
    ]);
  });
});
