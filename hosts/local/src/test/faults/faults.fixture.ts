import { adminWith } from '../harness/admin.fixture.ts'
import type { alertGateway } from './alert-gateway.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'

/** A log line that has `alert`. */
export type AlertLine = { readonly alert: string; readonly subject: string; readonly detail: string }

type Measured = { readonly fault: string; readonly alert: string; readonly seconds: string }

const measured: Measured[] = []

/** Prints the time from each fault to its alert so far. */
export const printMeasured = (): void => console.table(measured.splice(0))

type WantedAlert = {
  readonly alert: string
  readonly subject?: string
  readonly detail?: RegExp
  /**
   * Whether an alert from before the fault is planted counts, unless its fault has ended. For a fault with an
   * age: a busy machine can reach the limit of the age earlier, and each fault is alerted once.
   */
  readonly isStanding?: boolean
  /** Waits until the alert is at the gateway, too. */
  readonly gateway?: Pick<Awaited<ReturnType<typeof alertGateway>>, 'got'>
}

/** Plants a fault, waits for its alert, and notes how long it took. */
export async function alertAfter(
  fault: string,
  plant: () => unknown,
  program: Program,
  { alert, subject, detail = /(?:)/, isStanding = false, gateway }: WantedAlert,
): Promise<AlertLine> {
  const before = program.output().length
  const from = (): number => (isStanding ? Math.max(0, program.output().lastIndexOf(`"fault":"${alert}"`)) : before)
  await plant()
  const startedAt = performance.now()
  const found = await until(`${alert} about ${subject} for ${fault}`, () =>
    alertLines(program.output().slice(from())).find(
      (line) => line.alert === alert && (subject === undefined || line.subject === subject) && detail.test(line.detail),
    ),
  )
  await gateway?.got(alert, 'raised', found.subject)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  measured.push({ fault, alert, seconds })
  return found
}

export const alertLines = (output: string): readonly AlertLine[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"alert":') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as AlertLine)

/** Facts that an operator learns from the API, its metrics and the command line. */
export function learnedFrom(operatorUrl: string) {
  const admin = adminWith({ QUIPU_OPERATOR_URL: operatorUrl, QUIPU_OPERATOR_TOKEN: operatorToken })
  type Page<T> = { readonly data: readonly T[] }
  const headers = { authorization: `Bearer ${operatorToken}` }
  const metric = async (name: string): Promise<number | undefined> => {
    const text = await (await fetch(`${operatorUrl}/metrics`, { headers })).text()
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }
  return {
    metric,
    /** Waits until a metric, which may be five seconds old, has a value. */
    untilMetric: (name: string, isWanted: (value: number) => boolean): Promise<boolean> =>
      until(`${name} is as it should be`, async () => {
        const value = await metric(name)
        return value !== undefined && isWanted(value)
      }),
    /** Kinds and subjects of the open differences, by the command line. */
    differences: async (): Promise<readonly string[]> => {
      const { data } = await admin.json<Page<{ kind: string; subject: string }>>(
        'differences',
        'list',
        '--status',
        'open',
      )
      return data.map(({ kind, subject }) => `${kind} ${subject}`)
    },
    /** Codes of the faults, by the command line. */
    faults: async (): Promise<readonly string[]> =>
      (await admin.json<Page<{ code: string }>>('faults', 'list')).data.map(({ code }) => code),
    /** The newest alerts, by the command line. */
    alerts: () => admin.json<Page<{ id: string; code: string; status: string }>>('alerts', 'list'),
    processes: async () =>
      (await admin.json<Page<{ id: string; program: string; clock_ahead_ms: number }>>('processes', 'list')).data,
  }
}
