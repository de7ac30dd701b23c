import type { System } from './system/system.ts'

const returnedOf = ({ network }: System): ReadonlySet<string> =>
  network.kind === 'openhub' ? network.returned : new Set()

/** Whether an open difference is that of a payment whose money came back. @param json  as the operator's API has it */
export function isOfReversal(system: System, json: string): boolean {
  const { kind, subject } = JSON.parse(json) as { readonly kind: string; readonly subject: string }
  return kind === 'returned' && returnedOf(system).has(subject)
}

/** How many payments whose money came back lack a difference, an alert of it, or its row on their time line. */
export async function countUnseen(
  system: System,
  ask: (system: System, method: string, path: string) => Promise<unknown>,
): Promise<number> {
  const alerts = system.workers
    .flatMap((worker) => worker.output().split('\n'))
    .filter((line) => line.includes('"NETWORK_DIFFERENCE"'))
  let unseen = 0
  for (const id of returnedOf(system)) {
    const { differences, timeline } = (await ask(system, 'GET', `/payouts/${id}`)) as {
      readonly differences: readonly { readonly kind: string }[]
      readonly timeline: readonly { readonly kind: string }[]
    }
    const differs = differences.some(({ kind }) => kind === 'returned')
    const isListed = timeline.some(({ kind }) => kind === 'difference_found')
    if (!differs || !isListed || !alerts.some((line) => line.includes(id))) unseen += 1
  }
  return unseen
}
