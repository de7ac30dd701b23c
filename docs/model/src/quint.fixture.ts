import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  analyzeModules,
  newIdGenerator,
  parse,
  parseExpressionOrDeclaration,
  type QuintEx,
  quintErrorToString,
  walkExpression,
} from '@informalsystems/quint'
import { newRng } from '@informalsystems/quint/dist/src/rng.js'
import { Evaluator } from '@informalsystems/quint/dist/src/runtime/impl/evaluator.js'
import { newTraceRecorder } from '@informalsystems/quint/dist/src/runtime/trace.js'

/** The models, by the names of their files and modules. */
export type ModelName = 'failOver' | 'payout' | 'deposit' | 'delivery'

const files: Readonly<Record<ModelName, string>> = {
  failOver: 'fail-over.qnt',
  payout: 'payout.qnt',
  deposit: 'deposit.qnt',
  delivery: 'delivery.qnt',
}

/** The text of a model. */
export const readModel = (name: ModelName): Promise<string> =>
  readFile(fileURLToPath(new URL(`../${files[name]}`, import.meta.url)), 'utf8')

/** A parsed model. */
export type Model = {
  /** Reads an expression over the definitions of the model. */
  expression(text: string): QuintEx
  readonly table: Parsed['table']
}
type Parsed = ReturnType<typeof parse>

/**
 * Parses a model.
 *
 * @param main the module whose definitions expressions name
 * @throws Error with the first fault of the text
 */
export function parseModel(text: string, main: string): Model {
  const ids = newIdGenerator()
  const path = { normalizedPath: main, toSourceName: () => main }
  const parsed = parse(ids, main, path, text)
  throwFirst(parsed.errors)
  const { resolver, sourceMap, table } = parsed
  return {
    table,
    expression: (source) => {
      const read = parseExpressionOrDeclaration(source, source, ids, sourceMap)
      if (read.kind !== 'expr') throw new Error(`${source} is not an expression`)
      resolver.switchToModule(main)
      walkExpression(resolver, read.expr)
      throwFirst(resolver.errors)
      return read.expr
    },
  }
}

/** Checks types and effects. @throws Error with the first fault */
export function checkTypes(text: string, main: string): void {
  const path = { normalizedPath: main, toSourceName: () => main }
  const { errors, table, modules } = parse(newIdGenerator(), main, path, text)
  throwFirst(errors)
  const [faults] = analyzeModules(table, modules)
  throwFirst(faults)
}

const throwFirst = (errors: readonly Parameters<typeof quintErrorToString>[0][]): void => {
  const [first] = errors
  if (first) throw new Error(quintErrorToString(first))
}

export type Sampling = {
  readonly invariants: readonly string[]
  readonly witnesses?: readonly string[]
  /** The action that makes the first state; `init` by default. */
  readonly init?: string
  /** The run ends earlier at the first violation. */
  readonly samples: number
  /** Steps of each sample. */
  readonly steps: number
  readonly seed: number
}

/** The result of a run of random samples. */
export type Samples = {
  /** The invariants that do not hold in the last state of the violating sample. */
  readonly violated: readonly string[]
  /** How many samples were taken. */
  readonly samples: number
  /** In how many of the samples each witness was seen. */
  readonly witnessed: Readonly<Record<string, number>>
}

/** Samples a model with Quint's own simulator in TypeScript, which downloads nothing. */
export function sample(model: Model, sampling: Sampling): Samples {
  const { invariants, witnesses = [], init = 'init', samples, steps, seed } = sampling
  const { evaluator, run } = simulator(model, seed)
  const all = model.expression(`and { ${invariants.join(', ')} }`)
  const outcome = run({ init, all, witnesses, samples, steps })
  const last = outcome.bestTraces[0]?.states.at(-1)
  const holds = (name: string, state: QuintEx): boolean => {
    evaluator.updateState(state)
    const value = evaluator.evaluate(model.expression(name))
    return value.isRight() && value.value.kind === 'bool' && value.value.value
  }
  return {
    violated: outcome.status === 'violation' && last ? invariants.filter((name) => !holds(name, last)) : [],
    samples: outcome.samples,
    witnessed: Object.fromEntries(witnesses.map((name, index) => [name, outcome.witnessingTraces[index] ?? 0])),
  }
}

type Run = {
  readonly init: string
  readonly all: QuintEx
  readonly witnesses: readonly string[]
  readonly samples: number
  readonly steps: number
}

function simulator(model: Model, seed: number) {
  const rng = newRng(BigInt(seed))
  const evaluator = new Evaluator(model.table, newTraceRecorder(0, rng, 1), rng, true)
  const run = ({ init, all, witnesses, samples, steps }: Run) => {
    const [first, step] = [model.expression(init), model.expression('step')]
    const seen = witnesses.map((name) => model.expression(name))
    const outcome = evaluator.simulate(first, step, all, seen, samples, steps, 1)
    throwFirst(outcome.errors)
    return outcome
  }
  return { evaluator, run }
}
