import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STOP_AFTER_DELAY_MS } from '../../libs/service/dist/http/connections/shutdown.js';
import { manifests, type Manifest } from './manifests.ts';

const all = manifests();
/** Time that a process may need to end after it has closed its last connection, with tolerance for a busy machine. */
const SOME_SECONDS = 5;

/** Finds the object of a kind, by name if the kind has several. */
function object(kind: string, name?: string): Manifest['object'] {
  const found = all.filter(
    (one) => one.object.kind === kind && (name ?? one.object.metadata?.name) === one.object.metadata?.name,
  );
  expect([kind, found.length]).toEqual([kind, 1]);
  return found[0]?.object;
}

describe('deploy/kubernetes', () => {
  const { spec } = object('Deployment');
  const pod = spec.template.spec;
  const [container, ...others] = pod.containers;
  const env: Map<string, string> = new Map(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const ports = container.ports.map(({ name }: { name: string }) => name);

  it('lists all resources, except those that need an operator', () => {
    const { resources } = object('Kustomization');
    const files = new Set(all.map(({ file }) => file));
    files.delete('kustomization.yaml');
    expect([...resources, 'service-monitor.yaml'].sort()).toEqual([...files].sort());
  });

  it('runs several pods, keeps all but one, and stops none before another is ready', () => {
    expect(others).toEqual([]);
    expect(spec.replicas).toBeGreaterThanOrEqual(2);
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(object('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
  });

  it('has no rights that the service does not need', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('probes health on the listener that responds under any load', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'health' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'health' });
    const port = container.ports.find(({ name }: { name: string }) => name === 'health');
    expect(env.get('HEALTH_PORT')).toBe(String(port.containerPort));
  });

  it('waits for the longest possible stop, and has no preStop', () => {
    const stopSeconds = Number(env.get('STOP_DELAY')) + STOP_AFTER_DELAY_MS / 1000;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(stopSeconds + SOME_SECONDS);
    expect(container.lifecycle).toBeUndefined();
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(Number(env.get('STOP_DELAY'))).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('sets only variables that the service reads, and no secret', () => {
    const documented = readFileSync(join(__dirname, '../../.env.example'), 'utf8');
    const known = new Set([...documented.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
    expect([...env.keys()].filter((name) => !known.has(name))).toEqual([]);
    expect(container.envFrom).toEqual([{ secretRef: { name: 'items' } }]);
  });

  it('selects the pods by their labels and named ports', () => {
    const labels = spec.template.metadata.labels;
    const selectors = [
      spec.selector.matchLabels,
      object('Service', 'items').spec.selector,
      object('Service', 'items-metrics').spec.selector,
      object('PodDisruptionBudget').spec.selector.matchLabels,
      object('NetworkPolicy').spec.podSelector.matchLabels,
    ];
    for (const selector of selectors) expect(labels).toMatchObject(selector);
    const named = [
      ...['items', 'items-metrics']
        .flatMap((name) => object('Service', name).spec.ports)
        .map(({ targetPort }) => targetPort),
      ...object('NetworkPolicy')
        .spec.ingress.flatMap((rule: { ports: { port: string }[] }) => rule.ports)
        .map(({ port }: { port: string }) => port),
    ];
    expect(named.filter((port) => !ports.includes(port))).toEqual([]);
    expect(object('ServiceMonitor').spec.selector.matchLabels).toEqual(
      object('Service', 'items-metrics').metadata.labels,
    );
  });
});
