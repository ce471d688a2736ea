import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { startService } from '../../service/testing/start-fixture.testing.js';
import { InstanceWatch } from './instance-watch.js';
import { REPORT_MS, runningInstances } from './instance-record.js';

const SECRET = 'cursor-secret-'.repeat(4);

describeOnBothDatabases('A running instance', (under) => {
  const rows = () =>
    under.database.query<{ name: string; value: string }>(
      "SELECT name, value FROM settings WHERE name LIKE 'instance %'",
    );
  const write = (sql: string): Promise<unknown> => under.database.transaction((tx) => tx.query(sql));

  it('reports itself without secrets until its stop, removes reports of killed ones, and reads the last backup', async () => {
    const old = JSON.stringify({ reportedAt: Date.now() - 10 * REPORT_MS });
    await write(`INSERT INTO settings (name, value) VALUES ('instance killed:1', '${old}')`);
    await write(`INSERT INTO settings (name, value) VALUES ('backup', '{"madeAt":1000}')`);
    const { service } = await startService(under.config, { CURSOR_SECRET: `${SECRET},${'b'.repeat(40)}` });
    const reported = await rows();
    expect(runningInstances(reported, Date.now())).toEqual([
      expect.objectContaining({
        name: expect.stringMatching(`^.+:${String(process.pid)}$`) as string,
        hasRedis: false,
        pool: under.config.dialect === 'postgres' ? 16 : 0,
        cursorSecrets: [expect.any(String), expect.any(String)],
        webhookKeys: [],
      }),
    ]);
    expect(reported).toHaveLength(1);
    expect(JSON.stringify(reported)).not.toContain(SECRET);
    expect(JSON.stringify(reported)).not.toContain('a'.repeat(32));
    expect(service.app.get(InstanceWatch, { strict: false }).backupMadeAt).toBe(1000);
    await service.app.close();
    expect(await rows()).toEqual([]);
  });
});
