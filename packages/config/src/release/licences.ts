import { pnpm } from '../archives.ts'
import { run } from '../command.ts'
import { bundled } from './bundled.ts'
import type { Result, Step } from './step.ts'

/** Licences of dependencies, by their SPDX name: permissive ones, whose notices the packages carry. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'])

type Licensed = { readonly name: string; readonly versions: readonly string[] }

/** Packages by licence, as `pnpm licenses list --json` prints them. */
export type Licences = Readonly<Record<string, readonly Licensed[]>>

/** Whether an SPDX expression lets us choose licences that are all allowed. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => allowed.has(name.trim())))

/** Packages with another licence than those on the list. */
export const licenceBreaches = (licences: Licences): readonly string[] =>
  Object.entries(licences)
    .filter(([licence]) => !isAllowed(licence))
    .flatMap(([licence, packages]) =>
      packages.map(
        ({ name, versions }) =>
          `${name} ${versions.join(', ')} has the licence ${licence}: replace it (\`pnpm why -r ${name}\` ` +
          'names what needs it), or have the licence checked and add it to licences.ts',
      ),
    )

async function licencesOf(root: string, ...options: readonly string[]): Promise<Licences> {
  const { code, printed, output } = await run([...pnpm, '-r', 'licenses', 'list', '--json', ...options], root)
  if (code !== 0) throw new Error(`pnpm cannot list the licences: ${output}`)
  return JSON.parse(printed) as Licences
}

const only = (licences: Licences, names: ReadonlySet<string>): Licences =>
  Object.fromEntries(
    Object.entries(licences).map(([licence, packages]) => [licence, packages.filter(({ name }) => names.has(name))]),
  )

export const licences: Step = {
  name: 'licences',
  async run({ root }): Promise<Result> {
    const production = await licencesOf(root, '--prod')
    const names = new Set(Object.values(bundled).flat())
    const copied = only(await licencesOf(root, '--dev'), names)
    const found = Object.keys(production).toSorted()
    const count = Object.values(production).flat().length
    return {
      summary: `${count} production dependencies, ${names.size} bundled ones: ${found.join(', ')}`,
      wrong: [...licenceBreaches(production), ...licenceBreaches(copied)],
    }
  },
}
