import { expect, test } from 'vitest'
import { ZodError } from 'zod'
import { missingReferences, parseManifests, readManifests } from './manifests.fixture.ts'

test('each Kubernetes manifest has the members of its kind, and refers to what is there', () => {
  const manifests = parseManifests(readManifests())
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
    'Deployment',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Service',
    'Service',
  ])
  expect(missingReferences(manifests)).toEqual([])
})

const changed = (from: string, to: string): readonly unknown[] => {
  const text = JSON.stringify(readManifests())
  expect(text).toContain(from)
  return JSON.parse(text.replace(from, to)) as readonly unknown[]
}

test.each([
  ['"livenessProbe"', '"livenesProbe"'],
  ['"containerPort":4001', '"containerPort":"4001"'],
  ['"apiVersion":"apps/v1"', '"apiVersion":"apps/v1beta1"'],
  ['"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false'],
  ['"memory":"512Mi"', '"memory":"512MB"'],
  ['"runAsNonRoot":true,', ''],
])('a manifest with %s as %s is refused', (from, to) => {
  expect(() => parseManifests(changed(from, to))).toThrow(ZodError)
})

test.each([
  ['"path":"/readyz","port":"tenants"', '"path":"/readyz","port":"tenant"', /no port tenant$/],
  ['"targetPort":"operators"', '"targetPort":"operator"', /Service quipu-operators: no port/],
  [
    '"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"quipu-api"',
    '"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"quipu"',
    /no Deployment quipu$/,
  ],
  [
    '"maxUnavailable":1,"selector":{"matchLabels":{"app.kubernetes.io/name":"quipu-api"',
    '"maxUnavailable":1,"selector":{"matchLabels":{"app.kubernetes.io/name":"api"',
    /PodDisruptionBudget quipu-api: no pod/,
  ],
  ['"ports":[{"port":4003}]', '"ports":[{"port":4004}]', /NetworkPolicy quipu-worker: no port 4004/],
])('a manifest with %s as %s refers to nothing', (from, to, problem) => {
  const found = missingReferences(parseManifests(changed(from, to)))
  expect(found).toEqual([expect.stringMatching(problem)])
})
