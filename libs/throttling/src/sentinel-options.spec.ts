import { sentinelOptions } from './counting-redis.js';

const SENTINELS = [
  { host: 'h1', port: 26_379 },
  { host: 'h2', port: 5000 },
];

describe('A URL of Sentinels', () => {
  it.each([
    'redis+sentinel://h1,h2:5000/2?master=shop',
    'redis+sentinel://h1:26379,h2:5000/2?master=shop',
    'redis+sentinel://h1,h2:5000/shop/2',
    'redis+sentinel://h1,h2:5000/shop?db=2',
    'redis+sentinel://h1,h2:5000?db=2&master=shop',
  ])('%s names them, their master, and a database', (url) => {
    expect(sentinelOptions(url)).toMatchObject({ sentinels: SENTINELS, name: 'shop', db: 2 });
    expect(sentinelOptions(url)).not.toHaveProperty('password');
  });

  it('may hold credentials: for the master, and for the Sentinels', () => {
    const url = 'redis+sentinel://us%65r:p%40ss@[::1]:1/?master=m&sentinel_username=s&sentinel_password=t%26';
    expect(sentinelOptions(url)).toMatchObject({
      sentinels: [{ host: '::1', port: 1 }],
      db: 0,
      username: 'user',
      password: 'p@ss',
      sentinelUsername: 's',
      sentinelPassword: 't&',
    });
  });

  it('names a master', () => {
    expect(() => sentinelOptions('redis+sentinel://h1/0')).toThrow('names their master');
  });

  it.each(['redis://h1', 'rediss://h1/1'])('%s is none', (url) => {
    expect(sentinelOptions(url)).toBeUndefined();
  });
});
