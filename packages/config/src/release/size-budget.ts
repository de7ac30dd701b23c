import type { ArchiveStep, PackedPackage, Result } from './step.ts'

/** The largest archive of each published package, in kB (1,000 bytes) as it is downloaded. */
export const budgetKb: Readonly<Record<string, number>> = {
  '@quipu/client': 87,
  '@quipu/contracts': 286,
  '@quipu/core': 291,
  '@quipu/http-json': 10,
  '@quipu/memory': 83,
  '@quipu/openhub': 22,
  '@quipu/postgres': 283,
  '@quipu/qr-network': 14,
  '@quipu/rates': 13,
  '@quipu/screening': 10,
  '@quipu/simulators': 119,
  '@quipu/sqs': 15,
  '@quipu/tracing': 16,
  '@quipu/tron': 31,
  '@quipu/webhook-http': 18,
  '@quipu/wire': 231,
}

/** An archive below this share of its budget has shrunk: a lower budget then catches the next growth. */
const leastShare = 0.6

type Sized = { readonly name: string; readonly bytes: number }

/** Archives without a budget, over it or far below it, and budgets without an archive. */
export function sizeBreaches(
  packages: readonly Sized[],
  budget: Readonly<Record<string, number>> = budgetKb,
): readonly string[] {
  const names = new Set(packages.map(({ name }) => name))
  const unused = Object.keys(budget).filter((name) => !names.has(name))
  return [
    ...packages.flatMap((sized) => breachOf(sized, budget[sized.name])),
    ...unused.map((name) => `${name} is not published: remove its budget from size-budget.ts`),
  ]
}

function breachOf({ name, bytes }: Sized, budget: number | undefined): readonly string[] {
  const kb = Math.ceil(bytes / 1000)
  if (budget === undefined) return [`${name} has ${kb} kB and no budget: add one to size-budget.ts, some percent above`]
  if (kb > budget)
    return [
      `${name} has ${kb} kB, over its budget of ${budget} kB: remove what it does not need ` +
        '(`tar -tvzf` lists its archive), or raise the budget in size-budget.ts and say why',
    ]
  return kb < budget * leastShare
    ? [`${name} has ${kb} kB, far below its budget of ${budget} kB: lower it in size-budget.ts`]
    : []
}

const sizeOf = ({ manifest, bytes }: PackedPackage): Sized => ({ name: manifest.name, bytes })

export const sizes: ArchiveStep = {
  name: 'size',
  run: (_, packages): Promise<Result> => {
    const kb = packages.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
    const summary = `${packages.length} archives, ${Math.round(kb)} kB`
    return Promise.resolve({ summary, wrong: sizeBreaches(packages.map(sizeOf)) })
  },
}
