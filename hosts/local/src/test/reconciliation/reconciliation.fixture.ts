import type { QrNetworkSimulator } from '@quipu/simulators'
import { askJson, type JsonReply } from '../../ask-json.ts'
import { type AlertLine, alertLines } from '../faults/faults.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'

export type RunJson = { readonly id: string; readonly status: 'running' | 'completed'; readonly slices: number }

type DifferenceJson = { readonly id: string; readonly kind: string; readonly subject: string }

/** Waits for the worker's alert about the subject. */
export const alertAbout = (worker: Program, subject: string, detail: RegExp): Promise<AlertLine> =>
  until(`an alert about ${subject} that matches ${String(detail)}: ${worker.output()}`, () =>
    alertLines(worker.output()).find((each) => each.subject === subject && detail.test(each.detail)),
  )

/**
 * Lets the worker compare one slice of the statement, and holds the request for the next one. The faults of the network
 * must hold `before_statement` since before the run began.
 */
export async function untilFirstSlice(
  network: QrNetworkSimulator,
  { run }: ReturnType<typeof operatorAt>,
  id: string,
): Promise<void> {
  await network.untilHanging()
  network.release('statement')
  await until('a slice is compared', async () => (await run(id)).slices === 1)
  await network.untilHanging()
}

/** An operator's calls. */
export function operatorAt(url: string, token = operatorToken) {
  const headers = { authorization: `Bearer ${token}` }
  const ask = (method: string, path: string, body?: unknown): Promise<JsonReply> =>
    askJson(url, { method, path: `/operator/v1${path}`, headers, body })
  const run = async (id: string): Promise<RunJson> => (await ask('GET', `/reconciliation-runs/${id}`)).json as RunJson
  return {
    ask,
    run,
    post: (path: string, body?: unknown) => ask('POST', path, body),
    /** The open differences of a check, newest first. */
    differences: async (check: string): Promise<readonly DifferenceJson[]> => {
      const { json } = await ask('GET', `/differences?check=${check}&status=open`)
      return (json as { data: DifferenceJson[] }).data
    },
    /** Waits until the run is completed. */
    completed: (id: string): Promise<RunJson> =>
      until(`run ${id} is completed`, async () => {
        const found = await run(id)
        return found.status === 'completed' && found
      }),
    /** Waits until the daily run of the check is completed. */
    scheduled: (check: string): Promise<boolean> =>
      until(`the daily run of ${check} is completed`, async () => {
        const { json } = await ask('GET', `/reconciliation-runs?check=${check}&status=completed`)
        return (json as { data: RunJson[] }).data.length > 0
      }),
  }
}
