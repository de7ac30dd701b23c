import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument, repository } from '../documents/documents.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { type Observed, openObserved, scrape } from './observed.fixture.ts'
import { expectTool, testWithTool } from './tool.fixture.ts'
import { type Exposed, panelExpressions, rules, scraped, usedIn } from './rules.fixture.ts'

// The rules, the dashboard and the guide agree with what real programs expose and log.

const resources = new AsyncDisposableStack()
let observed: Observed
beforeAll(async () => {
  observed = resources.use(await openObserved())
})
afterAll(() => resources.disposeAsync())

const guide = readDocument('docs/operations/metrics.md').text

type ExposedBy = Exposed & { readonly process: string }
const seriesNow = async (): Promise<readonly ExposedBy[]> => {
  const { apis, worker } = observed
  const urls = [
    ...apis.map(({ operatorUrl }, n) => [`API ${n + 1}`, operatorUrl] as const),
    ['worker', worker.workerUrl] as const,
  ]
  const found = await Promise.all(
    urls.map(async ([process, url]) => scraped(await scrape(url)).map((each) => Object.assign(each, { process }))),
  )
  return found.flat()
}
const nameOf = ({ labels }: Exposed): string => labels['__name__'] ?? ''
const programOf = ({ process }: ExposedBy): string => process.split(' ')[0] ?? ''

const targetLabels = ['job', 'instance']

test('each metric, label and value in the rules and the dashboard is exposed', async () => {
  const exposed = await seriesNow()
  const wrong: string[] = []
  for (const expr of [...rules.map((rule) => rule.expr), ...panelExpressions]) {
    const { selectors, grouped } = usedIn(expr)
    if (selectors.length === 0 && !/\bup\b|quipu:/.test(expr)) wrong.push(`no metric of ${expr}`)
    for (const { metric, matchers } of selectors) {
      const own = exposed.filter((each) => nameOf(each) === metric)
      if (own.length === 0) wrong.push(`${metric} of ${expr}`)
      for (const { label, op, value } of matchers) {
        if (targetLabels.includes(label)) continue
        const values = new Set(own.map(({ labels }) => labels[label]))
        const wanted = op.includes('~') ? value.split('|') : [value]
        for (const each of wanted) if (!values.has(each)) wrong.push(`${metric}{${label}="${each}"} of ${expr}`)
      }
    }
    const labels = new Set(
      exposed
        .filter((each) => selectors.some(({ metric }) => metric === nameOf(each)))
        .flatMap((each) => Object.keys(each.labels)),
    )
    for (const label of grouped)
      if (!labels.has(label) && !targetLabels.includes(label)) wrong.push(`${label} of ${expr}`)
  }
  expect(wrong).toEqual([])
})

testWithTool('promtool', 'promtool finds no fault in the metrics of each process', async () => {
  for (const url of [observed.apis[0].operatorUrl, observed.worker.workerUrl])
    expectTool('promtool', ['check', 'metrics'], await scrape(url))
})

/** The rows of the tables of metrics in the guide, one for each name. */
const documented = new Map(
  guide
    .slice(guide.indexOf('# Metrics'), guide.indexOf('## Traces'))
    .split('\n')
    .filter((line) => line.startsWith('| `quipu_'))
    .flatMap((line) => {
      const cells = line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1)
      const columns = cells.length === 4 ? cells.slice(1, 3) : ['both', cells[1] ?? '']
      const names = [...(cells[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      const labels = [...(columns[1] ?? '').matchAll(/`(\w+)`/g)].map(([, label = '']) => label)
      return names.map((name) => [name, { program: columns[0] ?? '', labels }] as const)
    }),
)

test('the guide has each metric with its processes and labels, and no other', async () => {
  const exposed = (await seriesNow()).filter((each) => nameOf(each).startsWith('quipu_'))
  const found = new Map<string, { programs: Set<string>; labels: Set<string> }>()
  for (const each of exposed) {
    const base = nameOf(each).replace(/_(?:bucket|sum|count)$/, '')
    const name = documented.has(base) ? base : nameOf(each)
    const of = found.get(name) ?? { programs: new Set(), labels: new Set() }
    found.set(name, of)
    of.programs.add(programOf(each))
    for (const label of Object.keys(each.labels)) if (label !== '__name__' && label !== 'le') of.labels.add(label)
  }
  const shown = Array.from(found, ([name, { programs, labels }]) => [
    name,
    programs.size === 2 ? 'both' : [...programs].join(),
    [...labels].toSorted(),
  ])
  expect(shown.toSorted()).toEqual(
    Array.from(documented, ([name, { program, labels }]) => [name, program, labels.toSorted()]).toSorted(),
  )
})

test('no label has an id', async () => {
  const values = (await seriesNow()).flatMap(({ labels }) => Object.values(labels))
  expect(values.filter((value) => /^(?:ten|po|dep|evt|we|key)_|[0-9a-f]{8}-/.test(value))).toEqual([])
})

test('drift, differences and backlog are the same in two APIs and a worker', async () => {
  await observed.harness.database.query('update quipu.wallet set available = available + 7')
  const drifts = async (): Promise<readonly number[]> =>
    (await seriesNow()).filter((each) => nameOf(each) === 'quipu_ledger_drift_micro_usdt').map(({ value }) => value)
  await until('each process exposes the drift', async () => (await drifts()).every((value) => value === 7))
  const shared = guide.slice(guide.indexOf('**The state'), guide.indexOf('**What each'))
  const names = [...shared.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(quipu_\w+)`/g)].map(([, name = '']) => name),
  )
  expect(names.length).toBeGreaterThan(20)
  const counts = names.filter((name) => !name.endsWith('_seconds')) // Ages differ by the moment.
  const of = (exposed: readonly ExposedBy[], process: string): readonly unknown[] =>
    exposed
      .filter((each) => each.process === process && counts.includes(nameOf(each)))
      .map(({ labels, value }) => [labels, value])
  // Each process reads the state every five seconds, and the check of the ledger records the difference in between.
  const exposed = await until('each process has read the same state', async () => {
    const found = await seriesNow()
    const [first, second, third] = ['API 1', 'API 2', 'worker'].map((process) => JSON.stringify(of(found, process)))
    return first === second && first === third && found
  })
  expect(of(exposed, 'API 1')).toHaveLength(
    new Set(exposed.filter((each) => counts.includes(nameOf(each))).map(({ labels }) => JSON.stringify(labels))).size,
  )
})

const members = [
  ...guide
    .slice(guide.indexOf('<!-- log members -->'), guide.indexOf('<!-- /log members -->'))
    .matchAll(/^\| (`.*?) \|/gm),
].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, member = '']) => member))

/** The source of the programs, without tests. */
const source = ['hosts/api/src', 'hosts/worker/src', 'packages/runtime/src']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: repository }))
  .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
  .map((file) => readFileSync(path.join(repository, file), 'utf8'))
  .join('\n')

test('the guide has each member of a log line', () => {
  const written = new Set(observed.lines().flatMap((line) => Object.keys(line)))
  expect([...written].filter((member) => !members.includes(member))).toEqual([])
  // Lines that this run does not bring about: a fault, an outage, a sweep.
  const inSource = (member: string): boolean => new RegExp(`\\b${member}\\b[:,} ]`).test(source)
  expect(members.filter((member) => !written.has(member) && !inSource(member))).toEqual([])
})

test('each unit of work is one line with its tenant, ids, result and duration', () => {
  const byUnit = (unit: string) => observed.lines().filter((line) => line['unit'] === unit)
  const ids = { tenant_id: expect.stringMatching(/^ten_/), duration_ms: expect.any(Number) }
  const info = { level: 'info', msg: expect.any(String) }
  expect(byUnit('request')).toContainEqual(
    expect.objectContaining({ ...ids, ...info, method: 'POST', path: '/v1/payouts', status: 201 }),
  )
  expect(byUnit('payout')).toContainEqual(
    expect.objectContaining({ ...ids, ...info, payout_id: expect.stringMatching(/^po_/), result: 'completed' }),
  )
  // A claim that a busy machine ends early has a line of its own.
  expect(byUnit('deposit').filter(({ result }) => result === 'credited')).toEqual([
    expect.objectContaining({ ...ids, ...info, deposit_id: expect.any(String) }),
  ])
  expect(byUnit('deliveries')).toContainEqual(
    expect.objectContaining({ ...ids, ...info, endpoint_id: expect.any(String), failed: 0 }),
  )
  expect(byUnit('task')).toContainEqual(expect.objectContaining({ ...info, task: 'partitions', result: 'done' }))
  const scans = byUnit('scan').filter(({ level }) => level === 'info')
  expect(scans.map(({ transfers }) => Number(transfers) > 0)).toContain(true)
  expect(byUnit('ledger_slice').every(({ level }) => level === 'debug')).toBe(true)
})

test('no line has a secret', () => {
  const text = observed.lines().map((line) => JSON.stringify(line))
  expect(text.length).toBeGreaterThan(20)
  // The prefix of a key without its secret part may be shown.
  expect(text.filter((line) => /qpu_(?:test|live)_\w/.test(line))).toEqual([])
  for (const secret of observed.secrets) {
    expect(secret.length).toBeGreaterThan(2)
    expect(text.filter((line) => line.includes(secret))).toEqual([])
  }
})

test('an idle worker writes nothing at the level info', async () => {
  const worker = await observed.harness.startWorker({ LOG_LEVEL: 'info' })
  const polls = async (): Promise<number> =>
    scraped(await scrape(worker.workerUrl))
      .filter(({ labels }) => labels['__name__'] === 'quipu_loop_polls_total')
      .reduce((sum, { value }) => sum + value, 0)
  await until('the loops have polled a hundred times', async () => (await polls()) >= 100)
  const lines = worker
    .output()
    .split('\n')
    .filter((line) => line !== '')
  const others = lines
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter((line) => line['unit'] !== 'task' && !('alert' in line) && !('audit_checkpoint' in line))
  expect(others.map(({ msg }) => msg)).toEqual(['worker started'])
})
