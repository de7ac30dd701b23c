import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the patches, from the root. */
export const faultFolder = 'packages/config/plants'

/** One patch: a fault, and the tests that must find it. */
export type PlantedFault = {
  /** The name of its file, without `.patch`. */
  readonly name: string
  /** What it breaks, in one sentence. */
  readonly breaks: string
  readonly kind: FaultKind
  /** The test files that are run first. */
  readonly tests: readonly string[]
  /** Which tests of these files are run, as a regular expression of their full names. */
  readonly named: string | undefined
  /** The files that it changes. */
  readonly files: readonly string[]
  /** The patch file, from the root. */
  readonly patch: string
}

/** The kinds of faults. At least one fault of each kind is planted. */
export const faultKinds = [
  'age',
  'bound',
  'durability',
  'event',
  'key',
  'lease',
  'log',
  'money',
  'race',
  'time zone',
  'wiring',
] as const

export type FaultKind = (typeof faultKinds)[number]

const isKind = (text: string): text is FaultKind => faultKinds.some((kind) => kind === text)

/** Reads every patch below `root`, by name. @throws Error for a patch whose header is incomplete */
export const readFaults = (root: string): readonly PlantedFault[] =>
  readdirSync(join(root, faultFolder))
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map((file) => parseFault(file, readFileSync(join(root, faultFolder, file), 'utf8')))

/** @throws Error when the header lacks a line, or the patch changes a test */
export function parseFault(file: string, text: string): PlantedFault {
  const line = (name: string): string | undefined =>
    new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]
  const required = (name: string): string => {
    const value = line(name)
    if (value === undefined) throw new Error(`${file}: the header has no line \`${name}: …\``)
    return value
  }
  const kind = required('Kind')
  if (!isKind(kind)) throw new Error(`${file}: \`${kind}\` is none of ${faultKinds.join(', ')}`)
  const files = Array.from(text.matchAll(/^\+\+\+ b\/(.+)$/gm), ([, path = '']) => path)
  const changedTest = files.find((path) => /\.(?:test|fixture|contract)\.ts$/.test(path))
  if (files.length === 0) throw new Error(`${file} changes no file`)
  if (changedTest !== undefined) throw new Error(`${file} changes the test ${changedTest}`)
  return {
    name: file.replace(/\.patch$/, ''),
    breaks: required('Breaks'),
    kind,
    tests: required('Tests').split(' '),
    named: line('Named'),
    files,
    patch: `${faultFolder}/${file}`,
  }
}

/**
 * The tests that are run when the expected ones pass: all of the changed packages, and the contracts over memory.
 * Guards of the text of migrations are left out: they would find any change.
 */
export const widely = ({ files }: Pick<PlantedFault, 'files'>): readonly string[] =>
  Array.from(
    new Set([...files.map((path) => path.split('/').slice(0, 2).join('/')), 'packages/memory']),
    (folder) => `${folder}/src/`,
  )

/** Tests that compare migrations with what they were. */
export const textGuards: readonly string[] = [
  'packages/config/**',
  'packages/postgres/src/migration/**',
  'packages/postgres/src/upgrade/**',
]
