import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const workspace = join(__dirname, '../..');
const folder = join(workspace, 'deploy');
const yaml = (file: string) => parse(readFileSync(join(folder, file), 'utf8'), { merge: true });
const { services, secrets, volumes, networks } = yaml('compose.yml');
interface Service {
  volumes?: string[];
  healthcheck?: { test?: string[] };
  depends_on?: Record<string, unknown>;
  environment?: Record<string, string>;
}

const instances = ['instance-a', 'instance-b'];

function addressOf(name: string) {
  return services[name].networks.default.ipv4_address;
}

/** Files and folders of this repository that are mounted. */
const mounts = Object.values<Service>(services).flatMap(({ volumes: mounted = [] }) =>
  mounted.map((mount) => mount.split(':')).filter(([from = '']) => from.startsWith('./')),
);

describe('deploy/compose.yml', () => {
  it.each(['docker-compose.yml', 'deploy/compose.yml'])('%s is valid for Compose', (file) => {
    const ownTool = [join(workspace, 'tools/checks/own-tools/run.ts'), 'dclint', 'dclint/bin/dclint.cjs'];
    const dclint = [...ownTool, '--config', '.dclintrc.json', file];
    const { stdout, status } = spawnSync(process.execPath, dclint, { cwd: workspace });
    expect([String(stdout).trim(), status]).toEqual(['', 0]);
  });

  it('mounts only existing files, and runs only executable ones', () => {
    expect(mounts.length).toBeGreaterThan(5);
    for (const [from = '', to = ''] of mounts) {
      expect([from, existsSync(join(folder, from))]).toEqual([from, true]);
      if (to.endsWith('.sh')) expect(statSync(join(folder, from)).mode & 0o111).toBe(0o111);
    }
    const named = Object.values<Service>(services).flatMap(({ volumes: mounted = [] }) =>
      mounted.map((mount) => mount.split(':')[0] ?? '').filter((from) => !from.startsWith('.')),
    );
    expect(named.sort()).toEqual(Object.keys(volumes).sort());
    for (const { build } of [services['instance-a'], services['instance-b']])
      expect(existsSync(join(folder, build.context, 'Dockerfile'))).toBe(true);
  });

  it('starts each service when its dependencies are healthy, and checks its health', () => {
    const withOwn = Object.entries<Service>(services).filter(([name]) => !instances.includes(name));
    expect(withOwn.filter(([, { healthcheck }]) => healthcheck?.test === undefined)).toEqual([]);
    for (const { depends_on: needed = {} } of Object.values<Service>(services))
      for (const [name, condition] of Object.entries(needed)) {
        expect(services[name]).toBeDefined();
        expect(condition).toEqual({ condition: 'service_healthy' });
      }
  });

  it('sets only variables that the service reads, and holds no secret', () => {
    const documented = readFileSync(join(workspace, '.env.example'), 'utf8');
    const known = new Set([...documented.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
    for (const name of instances)
      expect(Object.keys(services[name].environment).filter((variable) => !known.has(variable))).toEqual([]);
    const settings = Object.values<Service>(services).flatMap(({ environment = {} }) => Object.entries(environment));
    for (const [name, value] of settings)
      if (/PASSWORD|KEY/.test(name)) expect(value).toMatch(/^\$\{(\w+):\?set \1\}$/);
    expect(Object.values<{ file: string }>(secrets).map(({ file }) => file)).toEqual(['${TLS_PEM:?set TLS_PEM}']);
  });

  it('has the proxy of haproxy.cfg before both instances, which trust no other proxy', () => {
    const config = readFileSync(join(folder, 'haproxy/haproxy.cfg'), 'utf8');
    const asked = new Set([...config.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
    expect(Object.keys(services.proxy.environment).sort()).toEqual([...asked].sort());
    expect(services.proxy.environment).toMatchObject({
      INSTANCE_A: `${addressOf('instance-a')}:3000`,
      INSTANCE_B: `${addressOf('instance-b')}:3000`,
    });
    for (const name of instances) {
      expect(services[name].environment.TRUST_PROXY).toBe(addressOf('proxy'));
      expect(services[name].ports).toBeUndefined();
    }
    expect(networks.default.ipam.config).toEqual([{ subnet: addressOf('proxy').replace(/\.\d+$/, '.0/24') }]);
  });

  it('has a database with a standby, either of which may be the primary', () => {
    const url = services['instance-a'].environment.DATABASE_URL;
    const [, hosts = ''] = /@([^/]+)\//.exec(url) ?? [];
    expect(hosts.split(',').filter((host) => services[host] === undefined)).toEqual([]);
    expect(url).toContain('target_session_attrs=read-write');
    for (const script of ['primary.sh', 'standby.sh']) {
      const { status, stderr } = spawnSync('sh', ['-n', join(folder, 'postgres', script)]);
      expect([status, String(stderr)]).toEqual([0, '']);
    }
  });

  it('has Prometheus scrape both instances, with the job name of the alerts', () => {
    const { scrape_configs: configs, rule_files: rules } = yaml('prometheus/prometheus.yml');
    const targets = instances.map((name) => `${name}:${services[name].environment.METRICS_PORT}`);
    expect(configs).toEqual([{ job_name: 'items', static_configs: [{ targets }] }]);
    const inContainer = new Map(mounts.map(([from, to]) => [to, from]));
    for (const file of rules) expect(inContainer.get(`/etc/prometheus/${file}`)).toBe(`./prometheus/${file}`);
  });

  it('has Grafana show the dashboards, from Prometheus', () => {
    const { providers } = yaml('grafana/provisioning/dashboards/items.yml');
    const { datasources } = yaml('grafana/provisioning/datasources/prometheus.yml');
    const inContainer = new Map(mounts.map(([from, to]) => [to, from]));
    expect(inContainer.get(providers[0].options.path)).toBe('./grafana/dashboards');
    expect(inContainer.get('/etc/grafana/provisioning')).toBe('./grafana/provisioning');
    expect(services[new URL(datasources[0].url).hostname]).toBeDefined();
    expect(dirname(providers[0].options.path)).toBe('/var/lib/grafana');
  });
});
