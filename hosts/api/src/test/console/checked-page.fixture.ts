import type { RoleName } from './console.fixture.ts'
import type { Seed } from './seed.fixture.ts'
import type { SiteName } from './site.fixture.ts'

/** A page that every rule of pages is checked on, in every width and language. */
export type CheckedPage = {
  /** The name of its test. */
  readonly name: string
  readonly path: string | ((seed: Seed) => string)
  /** Text of the heading. */
  readonly heading: string | ((seed: Seed) => string)
  /** Text that is there once the page shows its data. */
  readonly shows: string | RegExp
  /** Who looks at it; an admin unless it says so. */
  readonly role?: RoleName
  /** Which API serves it; the sandbox unless it says so. */
  readonly site?: SiteName
  /** `long`, but for a page in three. */
  readonly tags: string[]
}

/** A page as a row of a table. */
export type PageRow = readonly [
  ...page: readonly [CheckedPage['name'], CheckedPage['path'], CheckedPage['heading'], CheckedPage['shows']],
  who?: Pick<CheckedPage, 'role' | 'site'>,
]
