import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { repository } from '../documents/documents.fixture.ts'

// The part of Kubernetes' objects that the manifests use. Strict, so that a misspelled member is found, which the
// API server drops, and which the models of Kubernetes on npm accept.

const text = z.string().min(1)
const count = z.int().nonnegative()
const labels = z.record(z.string().regex(/^(?:[\w.-]+\/)?[\w.-]{1,63}$/), text)
const selector = z.strictObject({ matchLabels: labels })
const quantity = z.string().regex(/^\d+(?:m|Mi|Gi)?$/)
const metadata = z.union([
  z.strictObject({ name: text, labels: labels.optional() }),
  z.strictObject({ generateName: text, labels: labels.optional() }),
])
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: text }),
  periodSeconds: count,
  timeoutSeconds: count.optional(),
  failureThreshold: count,
})
const reference = z.strictObject({ name: text })

const container = z.strictObject({
  name: text,
  image: z.string().regex(/^quipu\/\w+:\d+\.\d+\.\d+$/),
  args: z.array(text).optional(),
  ports: z.array(z.strictObject({ name: text, containerPort: count })).optional(),
  envFrom: z.array(z.union([z.strictObject({ secretRef: reference }), z.strictObject({ configMapRef: reference })])),
  env: z
    .array(
      z.union([
        z.strictObject({ name: text, value: text }),
        z.strictObject({ name: text, valueFrom: z.strictObject({ fieldRef: z.strictObject({ fieldPath: text }) }) }),
      ]),
    )
    .optional(),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
})

const pod = z.strictObject({
  restartPolicy: z.literal('Never').optional(), // A job's.
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: count.optional(),
  topologySpreadConstraints: z
    .array(
      z.strictObject({
        maxSkew: count,
        topologyKey: text,
        whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
        labelSelector: selector,
      }),
    )
    .optional(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(1_000),
    runAsGroup: z.literal(1_000),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.array(container).length(1),
})
const template = z.strictObject({ metadata: z.strictObject({ labels }), spec: pod })

const objectOf = <Kind extends string, Spec extends z.ZodType>(apiVersion: string, kind: Kind, spec: Spec) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, spec })

const peer = z.union([
  z.strictObject({ namespaceSelector: z.union([selector, z.strictObject({})]) }),
  z.strictObject({ podSelector: selector }),
  z.strictObject({ ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()).optional() }) }),
])
const peerPorts = z.array(z.strictObject({ port: count, protocol: z.enum(['TCP', 'UDP']).optional() })).optional()

const manifest = z.discriminatedUnion('kind', [
  objectOf(
    'apps/v1',
    'Deployment',
    z.strictObject({
      replicas: count,
      revisionHistoryLimit: count,
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxUnavailable: count, maxSurge: count }),
      }),
      selector,
      template,
    }),
  ),
  objectOf('batch/v1', 'Job', z.strictObject({ backoffLimit: count, ttlSecondsAfterFinished: count, template })),
  objectOf(
    'v1',
    'Service',
    z.strictObject({ selector: labels, ports: z.array(z.strictObject({ name: text, port: count, targetPort: text })) }),
  ),
  objectOf('policy/v1', 'PodDisruptionBudget', z.strictObject({ maxUnavailable: count, selector })),
  objectOf(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: text, kind: text, name: text }),
      minReplicas: count,
      maxReplicas: count,
      metrics: z.array(
        z.strictObject({
          type: z.literal('Resource'),
          resource: z.strictObject({
            name: z.enum(['cpu', 'memory']),
            target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: count }),
          }),
        }),
      ),
      behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: count }) }),
    }),
  ),
  objectOf(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    z.strictObject({
      podSelector: z.union([
        selector,
        z.strictObject({
          matchExpressions: z.array(z.strictObject({ key: text, operator: z.literal('In'), values: z.array(text) })),
        }),
      ]),
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.array(z.strictObject({ from: z.array(peer), ports: peerPorts })).optional(),
      egress: z.array(z.strictObject({ to: z.array(peer), ports: peerPorts })).optional(),
    }),
  ),
])
type Manifest = z.output<typeof manifest>
type Container = z.output<typeof container>

/** Every object of docs/operations/kubernetes; throws where one is none of its kind. */
export const readManifests = (): readonly Manifest[] =>
  globSync('docs/operations/kubernetes/*.yaml', { cwd: repository }).flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(repository, file), 'utf8'), { strict: true }).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${String(document.errors[0])}`)
      return manifest.parse(document.toJS())
    }),
  )

type Pod = { readonly labels: Readonly<Record<string, string>>; readonly container: Container }

/** References of the objects to objects that are missing. */
export function missingReferences(manifests: readonly Manifest[]): readonly string[] {
  const pods = manifests.flatMap(({ kind, spec }): readonly Pod[] =>
    kind === 'Deployment' || kind === 'Job'
      ? spec.template.spec.containers.map((one) => ({ labels: spec.template.metadata.labels, container: one }))
      : [],
  )
  const missing: string[] = []
  const expectPods = (by: string, wanted: Readonly<Record<string, string>>): readonly Pod[] => {
    const found = pods.filter(({ labels: own }) => Object.entries(wanted).every(([name, value]) => own[name] === value))
    if (found.length === 0) missing.push(`${by}: no pod has ${JSON.stringify(wanted)}`)
    return found
  }
  const expectPort = (by: string, port: string | number, among: readonly Pod[]): void => {
    const known = among.flatMap(({ container: { ports = [] } }) => ports)
    const isKnown = known.some(({ name, containerPort }) => port === name || port === containerPort)
    if (among.length > 0 && !isKnown) missing.push(`${by}: no port ${port}`)
  }
  for (const each of manifests) {
    const { kind, spec } = each
    const by = `${kind} ${'name' in each.metadata ? each.metadata.name : each.metadata.generateName}`
    if (kind === 'Service')
      for (const { targetPort } of spec.ports) expectPort(by, targetPort, expectPods(by, spec.selector))
    if (kind === 'PodDisruptionBudget') expectPods(by, spec.selector.matchLabels)
    if (kind === 'HorizontalPodAutoscaler') {
      const { name } = spec.scaleTargetRef
      const target = manifests.find(
        (one) => one.kind === spec.scaleTargetRef.kind && 'name' in one.metadata && one.metadata.name === name,
      )
      if (!target) missing.push(`${by}: no ${spec.scaleTargetRef.kind} ${name}`)
    }
    if (kind === 'NetworkPolicy' && 'matchLabels' in spec.podSelector) {
      const among = expectPods(by, spec.podSelector.matchLabels)
      for (const { ports = [] } of spec.ingress ?? []) for (const { port } of ports) expectPort(by, port, among)
    }
    if (kind === 'Deployment') {
      const own = expectPods(by, spec.selector.matchLabels)
      const { containers, topologySpreadConstraints = [] } = spec.template.spec
      for (const { labelSelector } of topologySpreadConstraints) expectPods(by, labelSelector.matchLabels)
      for (const { startupProbe, readinessProbe, livenessProbe } of containers)
        for (const probe of [startupProbe, readinessProbe, livenessProbe])
          if (probe) expectPort(by, probe.httpGet.port, own)
          else missing.push(`${by}: a probe`)
    }
  }
  return missing
}
