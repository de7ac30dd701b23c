/** A package that is published. */
export type PublicPackage = {
  /** From the root. */
  readonly folder: string
  readonly manifest: Manifest
}

/** A published package, packed. */
export type PackedPackage = PublicPackage & {
  /** The path of its archive. */
  readonly archive: string
  /** Size of the archive in bytes. */
  readonly bytes: number
}

/** The part of a `package.json` that a release reads. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly engines?: { readonly node?: string }
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly publishConfig?: { readonly access?: string }
  readonly dependencies?: Readonly<Record<string, string>>
}

export type Release = {
  /** The root of the repository. */
  readonly root: string
  /** Output of the release: archives in `packages`, SBOMs in `sbom`. */
  readonly folder: string
  readonly publishes: boolean
  readonly published: readonly PublicPackage[]
}

/** The findings of a step. It failed if something is wrong. */
export type Result = {
  /** One line. */
  readonly summary: string
  /** Faults, each with its remedy. */
  readonly wrong?: readonly string[]
  /** Needs of publishing that a dry run does not have, each with its remedy. */
  readonly missing?: readonly string[]
}

export type Step = { readonly name: string; run(release: Release): Promise<Result> }

/** A step that reads the archives. */
export type ArchiveStep = {
  readonly name: string
  run(release: Release, packages: readonly PackedPackage[]): Promise<Result>
}

/** One line for a step, and what is wrong or missing below it. */
export function lineOf(name: string, seconds: number, result: Result): string {
  const { summary, wrong = [], missing = [] } = result
  const mark = wrong.length > 0 ? '✗' : missing.length > 0 ? '!' : '✓'
  const below = [...wrong, ...missing].map((text) => `    ${text.trim().replaceAll('\n', '\n    ')}`)
  return [`${mark} ${name} (${seconds.toFixed(1)} s): ${summary}`, ...below].join('\n')
}

/** The last line of a run. */
export function conclusionOf(
  results: readonly Result[],
  { publishes, published }: Pick<Release, 'publishes' | 'published'>,
): { readonly ready: boolean; readonly line: string } {
  const count = (of: 'wrong' | 'missing'): number => results.reduce((sum, result) => sum + (result[of]?.length ?? 0), 0)
  const [wrong, missing] = [count('wrong'), count('missing')]
  if (wrong > 0) return { ready: false, line: `Not ready: ${wrong} wrong (✗), ${missing} missing (!).` }
  const fit = `${published.length} packages are fit for a registry`
  if (missing === 0) return { ready: true, line: `${fit}.` }
  const line = publishes
    ? `Nothing was published: ${missing} missing (!).`
    : `${fit}. Publishing them needs the ${missing} marked with !.`
  return { ready: !publishes, line }
}
