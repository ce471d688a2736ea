import { PerConnectionMemo } from './per-connection-memo.js';

describe('What was made of the last credential on a connection', () => {
  it('is made once, and anew for another credential or another connection', () => {
    const make = jest.fn((credential: string) => credential.length);
    const said = new PerConnectionMemo(make);
    const [one, other] = [{}, {}];
    const seen = [said.of(one, 'a'), said.of(one, 'a'), said.of(one, 'bb'), said.of(other, 'bb'), said.of(one, 'a')];
    expect(seen).toEqual([1, 1, 2, 2, 1]);
    expect(make.mock.calls.map(([credential]) => credential)).toEqual(['a', 'bb', 'bb', 'a']);
  });
});
